"""Submitting a permission request: what is asked, permitted, refused, and in which order."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rig_tui.daemon import asks, launch_records, launches
from rig_tui.domain.model import Override, OverrideMode, People, Reading
from rig_tui.wire import contract
from rig_tui.wire.errors import BadRequestError, UnkeepableError
from tests.daemon.harness import ALLOW, ALWAYS, NEVER, OPTIONS, REJECT, START
from tests.rules import rule

if TYPE_CHECKING:
    from rig_tui.daemon.reply import Reply
    from tests.daemon.harness import Daemon, Runner

DENY = Override(OverrideMode.DENY)


def override(daemon: Daemon, runner: Runner, value: Override) -> None:
    record = daemon.core.seats[runner.session_name]
    daemon.core.keep(replace(record, seat=replace(record.seat, override=value)))


def said(reply: Reply) -> tuple[int, Any]:
    """The status, and the code of a refusal or the state of a permit."""
    body: Any = reply.body
    return reply.status, body.get("code") or body.get("state") or "asked"


@rule("D7-01", "D7-02", "D4-25", "D7-19")
def test_a_person_is_asked_and_the_seat_needs_input(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()

    reply = runner.submit(toolCall={"title": "Run", "kind": "execute", "odd": [1, None]})

    assert reply.status == 200
    assert isinstance(reply.body, dict)
    assert reply.body == {"ok": True, "askId": reply.body["askId"], "created": True}
    assert daemon.seat().reading is Reading.NEEDS_INPUT
    ask = daemon.ask(str(reply.body["askId"]))
    assert ask.holder.id == "ana@external"
    assert ask.asked_because == "only_registered_person"
    assert ask.tool_call == {"title": "Run", "kind": "execute", "odd": [1, None]}
    assert [option.option_id for option in ask.options] == ["a", "b", "c"]
    assert (ask.native_ref, ask.turn_id, ask.request_id) == ("conversation", "7", "1")
    assert daemon.permits() == []


@rule("D7-03", "D7-12", "D7-15", "D7-49", "D4-25")
def test_nobody_registered_permits_at_once_and_on_record(daemon: Daemon) -> None:
    runner = daemon.runner()

    reply = runner.submit(options=[ALWAYS, REJECT])

    assert reply.status == 200
    assert reply.body == {
        "ok": True,
        "state": "permitted",
        "optionId": "b",
        "reason": "no_registered_person",
    }
    (permit,) = daemon.permits()
    assert permit.cause == "no_registered_person"
    assert (permit.option_id, permit.option_kind, permit.remembered) == ("b", "allow_always", True)
    assert permit.tool_call == {"title": "Edit src/app.ts", "kind": "edit"}
    assert (permit.native_ref, permit.request_id, permit.ask_id) == ("conversation", "1", None)
    assert permit.session_name == runner.session_name
    assert not daemon.core.pending
    assert daemon.seat().reading is Reading.UNKNOWN


@rule("D7-12", "D7-13")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([ALLOW, REJECT], "asked"),
        ([ALLOW, ALWAYS, REJECT], "asked"),
        ([ALLOW, ALWAYS, REJECT, NEVER], "asked"),
        ([{"optionId": "x", "kind": "odd"}, {"optionId": "y"}], "asked"),
        ([ALLOW], "permitted"),
        ([ALLOW, ALWAYS, REJECT, NEVER, {"optionId": "e", "kind": "odd"}], "permitted"),
        ([ALLOW, ALLOW, ALWAYS], "permitted"),
        ([ALLOW, {**REJECT, "optionId": 5}], "permitted"),
        ([], "options_unsupported"),
        ([REJECT], "options_unsupported"),
        ([{**ALLOW, "optionId": "x"}, {**REJECT, "optionId": "x"}], "options_unsupported"),
    ],
)
def test_options_a_person_cant_be_shown_are_never_asked(
    daemon: Daemon, options: list[dict[str, Any]], expected: str
) -> None:
    daemon.person()
    runner = daemon.runner()

    assert said(runner.submit(options=options))[1] == expected
    assert len(daemon.permits()) == (expected == "permitted")


@rule("D7-13", "D7-49")
def test_five_options_permit_with_a_record_and_a_standing_notice(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()

    runner.submit(options=[*OPTIONS, NEVER, {"optionId": "e", "name": "E", "kind": "x"}])
    runner.submit(requestId=2, options=[ALLOW])

    assert [permit.cause for permit in daemon.permits()] == ["options_not_showable"] * 2
    (notice,) = daemon.seat().notices
    assert "2 to 4" in notice
    assert "PERMITTED without asking" in notice


@rule("D7-13")
@pytest.mark.parametrize("most", [4, 6, 9])
def test_an_operator_may_have_a_person_asked_about_more_options(daemon: Daemon, most: int) -> None:
    daemon.options_max = most
    daemon.restart()
    daemon.person()
    runner = daemon.runner()
    options = [ALLOW, *({"optionId": f"x{n}", "name": "X", "kind": "x"} for n in range(most))]

    ask_id = runner.ask(options=options[:most])
    assert len(daemon.ask(ask_id).options) == most
    assert said(runner.submit(requestId=2, options=options))[1] == "permitted"
    assert said(runner.submit(requestId=3, options=options[:1]))[1] == "permitted"
    (notice,) = daemon.seat().notices
    assert f"2 to {most}" in notice
    assert ("--options-max" in notice) is (most < 9)

    daemon.options_max = 4
    daemon.restart()
    assert daemon.ask(ask_id).pending, "it was asked, so it waits"


@rule("A-23")
def test_a_shared_allow_id_isnt_given(daemon: Daemon) -> None:
    runner = daemon.runner()

    reply = runner.submit(options=[{**ALLOW, "optionId": ""}, ALWAYS, REJECT])

    assert isinstance(reply.body, dict)
    assert reply.body["optionId"] == "b"


@rule("D7-11")
def test_nobody_to_ask_and_no_allow_is_refused(daemon: Daemon) -> None:
    runner = daemon.runner()
    assert said(runner.submit(options=[REJECT, NEVER])) == (422, "options_unsupported")
    assert daemon.permits() == []

    daemon.person()
    assert said(runner.submit(options=[REJECT, NEVER])) == (200, "asked")


@rule("D7-12", "A-25", "D7-14")
@pytest.mark.parametrize("default", [None, "ana", "gone"])
@pytest.mark.parametrize("registered", [(), ("ana",), ("ana", "ben")])
@pytest.mark.parametrize("override_", ["none", "ben", "gone", "deny"])
def test_who_is_asked_over_people_default_and_override(
    daemon: Daemon, registered: tuple[str, ...], default: str | None, override_: str
) -> None:
    for entity_id in registered:
        daemon.person(entity_id)
    daemon.core.people = replace(daemon.core.people, default=default)
    runner = daemon.runner()
    if override_ == "deny":
        override(daemon, runner, DENY)
    elif override_ != "none":
        override(daemon, runner, Override(OverrideMode.TO, override_, "on call"))

    reply = runner.submit()

    if override_ == "deny":
        expected = "denied_by_seat"
    elif override_ in ("ben", "gone"):
        expected = "ben@external" if override_ in registered else "chosen_person_not_registered"
    elif default in registered or len(registered) == 1:
        expected = "ana@external"
    else:
        expected = "several_and_no_default" if registered else "no_registered_person"
    body: Any = reply.body
    if expected.endswith("@external"):
        assert daemon.ask(body["askId"]).holder.id == expected
    else:
        assert expected in (body.get("code"), body.get("reason"))


@rule("D7-12")
def test_people_that_cant_be_read_permit_and_say_so(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    daemon.core.people = People(readable=False)

    assert said(runner.submit()) == (200, "permitted")
    assert daemon.permits()[0].cause == "people_unreadable"


@rule("D7-12")
def test_a_person_who_is_away_is_still_asked(daemon: Daemon) -> None:
    """No console is connected and nobody has read anything: an ask all the same."""
    daemon.person()
    assert said(daemon.runner().submit()) == (200, "asked")


@rule("D7-04", "D4-25")
@pytest.mark.parametrize("options", [OPTIONS, [ALLOW], [REJECT], []])
def test_a_refusing_seat_refuses_whatever_is_offered(
    daemon: Daemon, options: list[dict[str, Any]]
) -> None:
    daemon.person()
    runner = daemon.runner()
    override(daemon, runner, DENY)

    assert said(runner.submit(options=options)) == (409, "denied_by_seat")
    assert not daemon.core.pending
    assert daemon.permits() == []
    assert daemon.seat().reading is Reading.UNKNOWN


@rule("D7-06", "D7-05")
def test_a_resubmission_gives_the_same_ask_whatever_its_state(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    ask_id = runner.ask(requestId=7, turnId=3)
    daemon.clock.advance(1)
    runner.post("active", "agent_message")

    again = runner.submit(requestId="7", turnId="3")
    assert again.body == {"ok": True, "askId": ask_id, "created": False}
    assert daemon.seat().reading is Reading.WORKING, "no second attention"

    asks.withdraw(daemon.core, daemon.ask(ask_id), "turn_ended")
    assert runner.submit(requestId=7, turnId=3).body == again.body
    assert runner.read(ask_id)["state"] == "withdrawn"


@rule("D7-05", "D7-06")
def test_ids_that_differ_as_text_are_other_requests(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    ids = [7, "07", " 7", 9007199254740993, 9007199254740992]

    assert len({runner.ask(requestId=request_id) for request_id in ids}) == len(ids)


@rule("A-29", "D7-06")
def test_other_content_under_the_same_id_keeps_the_first_and_says_so(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    ask_id = runner.ask()

    for _ in range(2):
        reply = runner.submit(toolCall={"title": "rm -rf /"}, options=[ALLOW, NEVER])
        assert isinstance(reply.body, dict)
        assert reply.body["askId"] == ask_id

    ask = daemon.ask(ask_id)
    assert ask.tool_call == {"title": "Edit src/app.ts", "kind": "edit"}
    assert len(ask.options) == 3
    assert len(ask.notices) == 1


@rule("A-30", "D7-06", "D7-51")
def test_a_resubmitted_permit_is_the_same_permit_once_on_record(daemon: Daemon) -> None:
    runner = daemon.runner()
    first = runner.submit()
    daemon.person()

    assert runner.submit() == first
    daemon.restart()
    assert runner.submit() == first
    assert len(daemon.permits()) == 1


@rule("A-30")
def test_what_was_refused_is_judged_again(daemon: Daemon) -> None:
    runner = daemon.runner()
    override(daemon, runner, DENY)
    assert said(runner.submit())[1] == "denied_by_seat"
    override(daemon, runner, Override())
    daemon.person()

    assert said(runner.submit()) == (200, "asked")


@rule("D7-10", "D7-58")
def test_an_id_reused_in_another_turn_is_a_duplicate(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    ask_id = runner.ask(turnId=1, requestId=5)

    assert said(runner.submit(turnId=2, requestId=5)) == (409, "duplicate_request")
    assert said(runner.submit(turnId="1", requestId="5")) == (200, "asked")
    assert said(runner.submit(turnId=2, requestId=5, nativeRef="other")) == (200, "asked")
    assert daemon.ask(ask_id).pending
    assert daemon.causes() == ["duplicate_request"]

    again = daemon.relaunch(runner)
    assert said(again.submit(turnId=2, requestId=5)) == (200, "asked")


@rule("A-19")
def test_a_refusing_seat_refuses_before_a_duplicate_permits(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    runner.ask(turnId=1)
    override(daemon, runner, DENY)

    assert said(runner.submit(turnId=2)) == (409, "denied_by_seat")
    assert said(runner.submit(turnId=1)) == (200, "asked"), "a resubmission comes before"


@rule("D7-08", "A-17")
def test_only_the_current_occupant_may_ask(daemon: Daemon) -> None:
    daemon.person()
    earlier = daemon.runner()
    runner = daemon.relaunch(earlier)
    stale = (409, "stale_generation")

    assert said(earlier.submit()) == stale
    assert said(runner.submit(generation="nobody's")) == stale
    assert said(runner.submit(generation=None)) == stale
    assert said(runner.submit(sessionName="ghost@my-rig")) == stale
    launches.stop(daemon.core, daemon.core.seats[runner.session_name], None)
    assert said(runner.submit()) == stale
    assert not daemon.core.pending
    assert daemon.permits() == []


@rule("D7-17")
def test_an_ask_survives_the_process(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    ask_id = runner.ask(toolCall={"title": "x" * 100_000, "deep": [{"a": 1.5}]})
    before = daemon.ask(ask_id)

    daemon.restart()

    assert daemon.ask(ask_id) == before
    assert runner.read(ask_id)["state"] == "pending"
    assert daemon.seat().reading is Reading.NEEDS_INPUT


@rule("A-46")
def test_an_ask_that_cant_be_kept_is_refused(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.person()
    runner = daemon.runner()
    monkeypatch.setattr(daemon.store.asks, "add", _full)

    assert said(runner.submit()) == (422, "options_unsupported")
    assert not daemon.core.pending
    assert daemon.seat().reading is Reading.UNKNOWN
    monkeypatch.undo()
    assert said(runner.submit()) == (200, "asked")


@rule("D7-52")
def test_a_permit_that_cant_be_recorded_stands_and_is_told(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = daemon.runner()
    monkeypatch.setattr(daemon.store.permits, "add", _full)

    assert said(runner.submit()) == (200, "permitted")
    assert "couldn't be put on record" in daemon.seat().notices[0]
    assert [e["type"] for e in daemon.events()].count("stream.emitted") == 0
    monkeypatch.undo()
    assert runner.submit(requestId=2).status == 200
    assert len(daemon.permits()) == 1


@rule("D7-52")
def test_a_permit_stands_though_the_database_takes_nothing(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = daemon.runner()
    monkeypatch.setattr(daemon.store.asks, "put_request", _full)

    assert said(runner.submit()) == (200, "permitted")
    assert "couldn't be put on record" in daemon.seat().notices[0]


@rule("D3-01")
def test_another_conversation_is_noted_not_refused(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner(preset="dsh")
    runner.report(nativeRef="mine")
    launch_records.watch(daemon.core, [runner.session_name])

    assert daemon.ask(runner.ask(nativeRef="mine")).notices == ()
    other = daemon.ask(runner.ask(nativeRef="theirs"))
    assert "another conversation" in other.notices[0]
    identity = daemon.seat().identity
    assert identity is not None
    assert identity.native_ref == "mine"


@rule("D7-18")
def test_without_a_submit_there_is_no_ask(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    runner.prompt()
    runner.post("Notification", "permission_prompt")
    runner.post("Stop", "end_turn", turnId="7")

    assert not daemon.core.pending
    assert not [e for e in daemon.events() if e["type"].startswith("queue.")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        (
            "sessionName",
            "nodeId",
            "generation",
            "nativeRef",
            "turnId",
            "requestId",
            "toolCall",
            "options",
            "occurredAt",
            "odd",
        ),
        JSON,
    ),
)


@rule("D7-07")
@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(fields=FIELDS)
def test_any_json_object_gets_an_answer_of_the_table(
    daemon: Daemon, fields: dict[str, Any]
) -> None:
    if not daemon.core.seats:
        daemon.person()
        daemon.runner()
    generation = daemon.core.seats["builder@my-rig"].seat.generation
    body = {
        "sessionName": "builder@my-rig",
        "generation": generation,
        "requestId": 1,
        "options": OPTIONS,
        **fields,
    }
    try:
        request = contract.parse_submit(json.dumps(body).encode())
    except BadRequestError:
        assert not isinstance(fields["requestId"], int) or isinstance(fields["requestId"], bool)
        return
    except UnkeepableError:
        return
    reply = asks.submit(daemon.core, request)
    assert reply.status in (200, 409, 422)
    assert daemon.clock() == START


def _full(*_: object, **__: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")
