"""Events nobody here knows, events without their state, and malformed ones."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from rig_tui.wire import openrig
from rig_tui.wire.errors import UnreadableError
from rig_tui.wire.openrig import Hint
from tests.wire.strategies import json_values
from tests.wire.test_operator_shapes import ASK, NOW, PERMIT, SEAT

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonValue

KNOWN: list[Any] = [
    openrig.stream_opened(openrig.StreamOpened(1, "e", False, NOW)),
    openrig.stream_resync(1, at=NOW),
    json.loads(openrig.seat_changed(SEAT, seq=1, at=NOW)),
    openrig.attention_cleared(SEAT, seq=1, at=NOW, by="ana@external", reason="r"),
    openrig.permissions_to_changed(SEAT, seq=1, at=NOW, by="ana@external", reason="r"),
    openrig.queue_created(ASK, seq=1, at=NOW),
    openrig.stream_emitted(PERMIT, seq=1, at=NOW),
]


def parsed(event: object) -> tuple[openrig.Signal, ...]:
    return openrig.parse_event(json.dumps(event))


@pytest.mark.parametrize("type_", ["view.changed", "agent.activity", "stream.opened2", ""])
def test_an_unknown_type_gives_nothing(type_: str) -> None:
    assert parsed({"type": type_, "seq": 3, "rigId": None}) == ()


@pytest.mark.parametrize("event", KNOWN, ids=lambda event: str(event["type"]))
def test_extra_fields_are_ignored(event: dict[str, Any]) -> None:
    assert parsed(event | {"newer": {"a": [1]}}) == parsed(event)


@pytest.mark.parametrize(
    ("event", "hint"),
    [
        (
            {"type": "queue.created", "qitemId": "q1", "sourceSession": "a@r", "seq": 63},
            Hint("asks", "q1"),
        ),
        (
            {"type": "queue.updated", "qitemId": "q1", "toState": "blocked", "seq": 107},
            Hint("asks", "q1"),
        ),
        (
            {"type": "queue.handed_off", "qitemId": "q1", "fromSession": "a", "toSession": "b"},
            Hint("asks", "q1"),
        ),
        (
            {"type": "mission_control.action_executed", "actionVerb": "deny", "qitemId": "q1"},
            Hint("asks", "q1"),
        ),
        (
            {"type": "stream.emitted", "streamItemId": "s", "sourceSession": "a@r"},
            Hint("permits", "a@r"),
        ),
        (
            {"type": "seat.attention_cleared", "rigId": "r", "sessionName": "a@r"},
            Hint("seats", "a@r"),
        ),
        (
            {"type": "seat.activity_changed", "seatNodeId": "n", "sessionName": "a@r", "seq": 1},
            Hint("seats", "a@r"),
        ),
        ({"type": "gateway.human_changed"}, Hint("people", "")),
    ],
)
def test_a_known_event_without_its_state_is_a_hint(event: object, hint: Hint) -> None:
    assert parsed(event) == (hint,)


@pytest.mark.parametrize(
    "event",
    [
        {"type": "stream.opened", "seq": 1},
        {"type": "stream.opened", "seq": "one", "epoch": "e", "reset": False},
        {"type": "stream.resync"},
        {"type": "seat.activity_changed", "activityState": 5},
        {"type": "seat.activity_changed", "activityState": None},
        {"type": "queue.created", "item": None},
        {"type": "queue.created", "item": {"qitemId": "q", "permission": {"askId": "q"}}},
        {"type": "stream.emitted", "item": []},
        {"type": "gateway.default_changed", "connections": {"humans": [{}]}},
        {"type": 5},
        {"seq": 1},
        [],
        5,
        None,
    ],
)
def test_a_malformed_event_is_an_error_that_names_it(event: object) -> None:
    with pytest.raises(UnreadableError) as unread:
        parsed(event)
    type_ = event.get("type") if isinstance(event, dict) else None
    assert not isinstance(type_, str) or type_ in unread.value.message


@pytest.mark.parametrize("data", ["", "{", "nonsense", "[" * 9000, '{"type":"\ud800"'])
def test_data_that_is_no_json_is_an_error(data: str) -> None:
    with pytest.raises(UnreadableError):
        openrig.parse_event(data)


def test_an_item_that_is_no_permission_ask_gives_nothing() -> None:
    assert parsed({"type": "queue.created", "item": {"qitemId": "q", "tags": None}}) == ()
    assert (
        parsed(
            {"type": "stream.emitted", "item": openrig.encode_permit(PERMIT) | {"hintTags": ["x"]}}
        )
        == ()
    )


@settings(max_examples=40, deadline=None)
@given(json_values)
def test_no_value_in_any_place_crashes_the_reader(value: JsonValue) -> None:
    for event in KNOWN:
        for key in event:
            with contextlib.suppress(UnreadableError):
                parsed(event | {key: value})
