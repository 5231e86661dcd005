"""What lists and events weigh, and that cutting is always marked."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.events import AskOpened, SeatRead
from rig_tui.domain.model import JsonValue, Option, Outcome, Row
from rig_tui.wire import openrig, sse
from rig_tui.wire.contract import parse_submit
from rig_tui.wire.json import dump_bytes
from rig_tui.wire.openrig.sizes import cut_json, cut_text
from tests.wire.strategies import json_values
from tests.wire.test_operator_shapes import ANA, ASK, NOW, PERMIT, SEAT

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = "x" * 100_000
NASTY = "\x01" * 30_000
"""Six bytes each in JSON."""
WIDE = "😀" * 30_000


def size(value: object) -> int:
    return len(dump_bytes(value))


@pytest.mark.parametrize("text", [LONG, NASTY, WIDE, "\\" * 9000, "ä" * 4000])
def test_a_text_is_cut_to_its_bytes_in_json_with_an_ellipsis(text: str) -> None:
    cut, was = cut_text(text)
    assert was
    assert size(cut) - 2 <= 4096
    assert size(cut) - 2 > 4000
    assert cut.endswith("…")
    assert text.startswith(cut[:-1])


@pytest.mark.parametrize("text", ["", "short", "x" * 4096, "\x01" * 682, "ä" * 2048])
def test_a_text_that_fits_is_left_alone(text: str) -> None:
    assert cut_text(text) == (text, False)


@pytest.mark.parametrize(
    "value",
    [
        {"title": "Edit", "rawInput": {"content": LONG}, "kind": "edit"},
        {"title": LONG, "kind": "edit"},
        {"list": ["line"] * 20_000},
        {f"key{number}": number for number in range(20_000)},
        {LONG: {LONG: LONG}},
        [[[[["deep"] * 20] * 20] * 20] * 20],
        {"text": NASTY, "wide": WIDE},
        [10**3999, 10**3999, 10**3999, 10**3999, 10**3999],
        [[[[0] * 256] * 256] * 256] * 256,
        LONG,
    ],
)
def test_a_tool_call_is_cut_to_fit_whatever_its_shape(value: JsonValue) -> None:
    cut, was = cut_json(value)
    assert was
    assert size(cut) <= 16_384
    assert "…" in str(cut)


def test_a_huge_tool_call_is_cut_without_walking_it() -> None:
    class Counting(list[JsonValue]):
        seen = 0

        def __iter__(self) -> Iterator[JsonValue]:
            for item in super().__iter__():
                Counting.seen += 1
                yield item

    value = Counting([f"line {number}" for number in range(200_000)])
    assert cut_json({"content": value})[1]
    assert Counting.seen < 20_000


def test_a_deep_tool_call_is_cut_to_fit() -> None:
    value: JsonValue = LONG
    for _ in range(95):
        value = [value]
    cut, was = cut_json(value)
    assert was
    assert size(cut) <= 16_384


def test_a_cut_tool_call_still_names_itself() -> None:
    value: JsonValue = {"content": [{"newText": LONG}] * 30, "kind": "edit", "title": "Edit it"}
    cut, _ = cut_json(value)
    assert isinstance(cut, dict)
    assert (cut["kind"], cut["title"]) == ("edit", "Edit it")


@settings(max_examples=100, deadline=None)
@given(json_values, st.integers(64, 400))
def test_cutting_always_ends_and_fits(value: JsonValue, limit: int) -> None:
    cut, was = cut_json(value, limit)
    assert size(cut) <= limit
    assert was == (size(value) > limit)
    assert was or cut == value


def test_a_listed_ask_is_cut_and_marked_and_a_whole_one_isnt() -> None:
    ask = replace(ASK, tool_call={"title": "Edit", "content": LONG})
    listed = openrig.decode_item(openrig.encode_item(ask))
    assert listed.elided
    assert listed.tool_call_bytes == size(ask.tool_call)
    assert size(listed.tool_call) <= 16_384
    fetched = openrig.decode_item(openrig.encode_item(ask, whole=True))
    assert fetched == replace(ask, tool_call_bytes=size(ask.tool_call))


@pytest.mark.parametrize(
    "ask",
    [
        replace(ASK, options=(Option("a", LONG, "allow_once"),)),
        replace(ASK, options=(Option(LONG, "a", "allow_once"),)),
        replace(ASK, request_id=LONG),
        replace(ASK, native_ref=LONG),
        replace(ASK, outcome=replace(ASK.outcome, said=LONG)),
    ],
)
def test_a_cut_name_or_id_marks_the_ask_too(ask: object) -> None:
    listed: Any = openrig.encode_item(ask)  # type: ignore[arg-type]
    assert listed["permission"]["toolCallElided"] is True
    assert size(listed) < 40_000


def test_an_ask_that_fits_isnt_marked() -> None:
    listed: Any = openrig.encode_item(ASK)
    assert listed["permission"]["toolCallElided"] is False


def test_the_newest_rows_of_an_ask_are_kept() -> None:
    rows = tuple(Row(f"q{number}", ANA, "handed-off") for number in range(300))
    listed = openrig.decode_item(openrig.encode_item(replace(ASK, row_id="q299", rows=rows)))
    assert listed.rows == rows[-64:]
    assert listed.elided


def test_a_listed_permit_is_cut_and_marked() -> None:
    permit = replace(PERMIT, tool_call={"title": "Edit", "content": LONG})
    (listed,) = openrig.decode_permits([openrig.encode_permit(permit)])
    assert listed.elided
    assert size(listed.tool_call) <= 16_384
    assert openrig.decode_permits([openrig.encode_permit(permit, whole=True)]) == (permit,)


def test_the_worst_ask_fits_its_frame_with_its_state() -> None:
    options = tuple(Option(NASTY + str(n), NASTY, NASTY) for n in range(4))
    ask = replace(
        ASK,
        tool_call={"title": NASTY, "content": [NASTY] * 9},
        options=options,
        request_id=NASTY,
        turn_id=NASTY,
        native_ref=NASTY,
        outcome=Outcome(ASK.outcome.state, said=NASTY, reason=NASTY),
    )
    frame = openrig.encode_frame(openrig.queue_created(ask, seq=1, at=NOW), epoch="e", seq=1)
    assert len(frame) <= 262_144
    (decoded,) = sse.Decoder().feed(frame)
    assert isinstance(decoded, sse.Frame)
    (opened,) = openrig.parse_event(decoded.data)
    assert isinstance(opened, AskOpened)
    assert opened.ask.elided


def test_an_event_too_large_for_a_frame_becomes_a_hint() -> None:
    seat = replace(SEAT, limits=tuple(f"{number}{LONG}" for number in range(70)))
    event = openrig.seat_changed(seat, seq=5, at=NOW)
    for form in (event, json.loads(event)):
        frame = openrig.encode_frame(form, epoch="e", seq=5)
        assert len(frame) <= 262_144
        (decoded,) = sse.Decoder().feed(frame)
        assert isinstance(decoded, sse.Frame)
        assert decoded.id == "e.5"
        assert openrig.parse_event(decoded.data) == (openrig.Hint("seats", "dev@rig"),)


def test_a_seats_long_texts_are_cut() -> None:
    event = openrig.seat_changed(replace(SEAT, last_error=LONG), seq=5, at=NOW)
    assert len(event) < 20_000
    (read,) = openrig.parse_event(event)
    assert isinstance(read, SeatRead)
    assert read.seat.last_error is not None
    assert read.seat.last_error.endswith("…")


def test_whatever_a_submit_keeps_can_be_listed_and_read_again() -> None:
    deep: JsonValue = 10**3000
    for _ in range(90):
        deep = {"a": [deep]} if isinstance(deep, int) else [deep]
    request = parse_submit(dump_bytes({"requestId": 1, "toolCall": deep}))
    ask = replace(ASK, tool_call=request.tool_call)
    event = openrig.queue_created(ask, seq=1, at=NOW)
    (opened,) = openrig.parse_event(dump_bytes(event))
    assert isinstance(opened, AskOpened)
    assert opened.ask.tool_call == deep
