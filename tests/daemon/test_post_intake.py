"""Activity posts as the daemon takes them: what they change, end, and survive."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from rig_tui.daemon import launches, seats
from rig_tui.daemon.reply import RefusedError
from rig_tui.domain.model import AskState, EvidenceKind, Reading
from rig_tui.wire import contract
from tests.daemon.harness import START
from tests.rules import rule

if TYPE_CHECKING:
    from tests.daemon.harness import Daemon

SECOND = "2026-11-30T12:00:{:02}Z"


@rule("D4-05", "D4-06", "D4-07")
def test_a_turn_reads_working_then_idle_then_unknown(daemon: Daemon) -> None:
    runner = daemon.runner()
    assert daemon.seat().reading is Reading.UNKNOWN

    assert runner.prompt() == {"ok": True, "counted": True}
    assert (daemon.seat().reading, daemon.seat().turn_id) == (Reading.WORKING, "7")
    daemon.clock.advance(14.999)
    assert daemon.seat().reading is Reading.WORKING
    daemon.clock.advance(0.001)
    assert daemon.seat().reading is Reading.UNKNOWN

    runner.post("Stop", "end_turn", turnId="7", livenessSeconds=10)
    assert daemon.seat().reading is Reading.IDLE
    assert (daemon.seat().turn_id, daemon.seat().liveness_seconds) == (None, 10)
    daemon.clock.advance(20)
    assert daemon.seat().reading is Reading.UNKNOWN


@rule("D4-08", "D4-09")
@pytest.mark.parametrize("liveness", [0, -1, 3601, 1.5, "30", None, True])
def test_an_idle_report_without_a_valid_lifetime_holds(daemon: Daemon, liveness: object) -> None:
    runner = daemon.runner()
    runner.post("Stop", "end_turn", livenessSeconds=liveness)
    daemon.clock.advance(10_000)
    assert daemon.seat().reading is Reading.IDLE


@rule("D4-11", "D4-12")
def test_an_older_post_changes_nothing(daemon: Daemon) -> None:
    runner = daemon.runner()
    runner.prompt("2", occurredAt=SECOND.format(10))
    before = daemon.core.seats[runner.session_name]
    late = runner.post("Stop", "end_turn", turnId="1", occurredAt=SECOND.format(9))

    assert (late["counted"], late["reason"]) == (False, "older")
    assert daemon.core.seats[runner.session_name] == before
    undated = runner.post("active", "agent_message", occurredAt="garbage")
    assert undated["counted"] is False, "it is dated at arrival, ten seconds before the prompt"


@rule("D4-13", "A-18", "D4-14", "D2-07")
def test_an_earlier_occupants_posts_never_count(daemon: Daemon) -> None:
    earlier = daemon.runner()
    earlier.post("Notification", "permission_prompt")
    assert daemon.seat().reading is Reading.NEEDS_INPUT
    runner = daemon.relaunch(earlier)
    assert runner.generation != earlier.generation
    assert runner.attempt != earlier.attempt
    assert daemon.seat().reading is Reading.UNKNOWN

    stale = earlier.post("Stop", "end_turn")
    assert stale == {"ok": True, "counted": False, "reason": "stale_generation"}
    assert daemon.seat().reading is Reading.UNKNOWN
    runner.prompt(occurredAt="2026-11-30T11:00:00Z")
    assert daemon.seat().reading is Reading.WORKING, "the order starts anew"


@rule("A-17")
def test_a_post_without_generation_counts_and_opens_no_turn_for_beats(daemon: Daemon) -> None:
    runner = daemon.runner()
    assert runner.prompt(generation=None)["counted"] is True
    beat = runner.post("active", "liveness", turnId="7", livenessSeconds=30)
    assert beat == {"ok": True, "counted": False, "reason": "beat_without_generation"}


@rule("D4-03", "D4-04")
def test_a_seat_is_found_by_either_name_and_never_by_two(daemon: Daemon) -> None:
    daemon.runner()
    daemon.runner("qa")
    node = daemon.seat().node_id

    def status(**post: str) -> int:
        body = json.dumps({"hookEvent": "active", "subtype": "x", **post}).encode()
        return seats.take_post(daemon.core, contract.parse_post(body)).status

    assert status(nodeId=node, odd="field") == 200
    assert status(sessionName="qa@my-rig") == 200
    assert status(sessionName="builder@my-rig", nodeId=node) == 200
    assert status(sessionName="ghost@my-rig") == 404
    before = daemon.core.seats.copy()
    assert status(sessionName="qa@my-rig", nodeId=node) == 404
    assert daemon.core.seats == before


@rule("D4-15")
def test_an_error_is_told_and_is_no_activity(daemon: Daemon) -> None:
    runner = daemon.runner()
    runner.prompt()
    daemon.clock.advance(10)
    assert runner.post("Notification", "runtime_error")["counted"] is False

    seat = daemon.seat()
    assert seat.reading is Reading.WORKING
    assert seat.last_error is not None
    assert "12:00:10" in seat.last_error
    daemon.clock.advance(5)
    assert daemon.seat().reading is Reading.UNKNOWN


@rule("D4-20", "D4-26", "D4-27", "D4-28")
def test_an_asks_attention_lasts_until_a_counted_post(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    runner.prompt(occurredAt=SECOND.format(5))
    runner.ask(occurredAt=SECOND.format(4))
    assert daemon.seat().reading is Reading.NEEDS_INPUT
    assert daemon.seat().evidence.kind is EvidenceKind.ASK

    for post in (
        {"hook_event": "active", "subtype": "liveness", "turnId": "7"},
        {"hook_event": "Notification", "subtype": "runtime_error"},
        {"hook_event": "active", "subtype": "agent_message", "occurredAt": SECOND.format(3)},
    ):
        assert runner.post(**post)["counted"] is False
        assert daemon.seat().reading is Reading.NEEDS_INPUT
    daemon.clock.advance(86_400)
    daemon.restart()
    assert daemon.seat().reading is Reading.NEEDS_INPUT

    runner.post("active", "permission_resolved", turnId="7", askId="wrong")
    assert daemon.seat().reading is Reading.WORKING


@rule("A-03", "A-15")
def test_a_counted_post_clears_attention_and_leaves_the_ask(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    ask_id = runner.ask()
    daemon.clock.advance(1)
    runner.post("PreToolUse", "search")
    assert daemon.seat().reading is Reading.WORKING
    assert daemon.ask(ask_id).pending


@rule("A-16", "D7-48")
def test_the_stop_of_its_turn_withdraws_an_ask(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    runner.prompt("7")
    mine, other = runner.ask(turnId=7), runner.ask(turnId=6, requestId=2)
    for post in (
        {"subtype": "end_turn", "turnId": "5"},
        {"subtype": "end_turn"},
        {"subtype": "idle_heartbeat", "turnId": "7"},
        {"subtype": "end_turn", "turnId": "7", "generation": None},
        {"subtype": "end_turn", "turnId": "7", "occurredAt": "2020-01-01T00:00:00Z"},
    ):
        daemon.clock.advance(1)
        runner.post("Stop", **post)
        assert daemon.core.pending.keys() == {mine, other}

    daemon.clock.advance(1)
    runner.post("Stop", "cancelled", turnId=7)

    ended = daemon.ask(mine)
    assert (ended.outcome.state, ended.outcome.reason) == (AskState.WITHDRAWN, "turn_cancelled")
    assert (ended.decided_by, ended.decided_how) == (runner.session_name, "stop")
    assert daemon.ask(other).pending
    assert daemon.permits() == []


@rule("A-16")
def test_an_ask_of_no_known_turn_ends_with_none(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    ask_id = runner.ask(turnId=None)
    for hook_event, subtype in (("active", "agent_message"), ("Stop", "end_turn")):
        daemon.clock.advance(1)
        assert runner.post(hook_event, subtype)["counted"] is True
    assert daemon.ask(ask_id).pending


@rule("A-16", "D4-31", "A-10", "A-11")
def test_an_exit_withdraws_every_ask_and_never_reads_idle(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    asked = [runner.ask(requestId=n, turnId=n) for n in (1, 2)]
    daemon.clock.advance(1)
    runner.post("Stop", "end_turn", livenessSeconds=600)
    runner.post("Stop", "other_exited")

    assert {daemon.ask(a).outcome.reason for a in asked} == {"exited"}
    seat = daemon.seat()
    assert (seat.reading, seat.exited) == (Reading.UNKNOWN, True)
    assert seat.evidence.kind is EvidenceKind.EXIT


@rule("D4-24", "D4-17")
def test_a_restart_keeps_a_beats_lifetime_and_judges_no_new_one(daemon: Daemon) -> None:
    runner = daemon.runner()
    runner.prompt()
    assert runner.post("active", "liveness", turnId="7", livenessSeconds=60)["counted"] is True
    daemon.clock.advance(10)
    daemon.restart()
    daemon.clock.advance(49)
    assert daemon.seat().reading is Reading.WORKING

    assert runner.post("active", "liveness", turnId="7")["counted"] is False
    assert runner.post("active", "agent_message")["counted"] is True
    assert runner.post("active", "liveness", turnId="7")["counted"] is False
    runner.prompt("8")
    daemon.clock.advance(1)
    assert runner.post("active", "liveness", turnId="8")["counted"] is True


@rule("D2-03", "A-09")
def test_a_plain_seat_takes_no_reports(daemon: Daemon) -> None:
    runner = daemon.runner("plain", runner=False, launchResult=False)
    told = runner.post("Stop", "idle_heartbeat", livenessSeconds=60)
    assert told == {"ok": True, "counted": False, "reason": "plain_preset"}
    assert daemon.seat("plain").reading is Reading.UNKNOWN
    assert daemon.seat("plain").launch is None


@rule("A-02")
def test_a_runners_skewed_clock_is_shown(daemon: Daemon) -> None:
    runner = daemon.runner()
    runner.post("active", "agent_message", occurredAt=SECOND.format(4))
    assert daemon.seat().clock_skew_seconds is None
    runner.post("active", "agent_message", occurredAt=SECOND.format(40))
    assert daemon.seat().clock_skew_seconds == 40


@rule("D4-29", "A-14")
def test_an_operator_clears_attention_and_nothing_else(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    runner.prompt()
    ask_id = runner.ask()
    name = runner.session_name

    reply = seats.clear_attention(daemon.core, name, by="ana@external", reason="seen", key=None)

    assert isinstance(reply.body, dict)
    assert reply.body["code"] == "cleared"
    assert daemon.seat().reading is Reading.UNKNOWN
    assert daemon.ask(ask_id).pending
    assert runner.read(ask_id)["state"] == "pending"
    told = daemon.events()[-1]
    assert told["type"] == "seat.attention_cleared"
    assert (told["actorSession"], told["reason"]) == ("ana@external", "seen")
    daemon.clock.advance(1)
    assert runner.post("active", "liveness", turnId="7")["counted"] is True

    with pytest.raises(RefusedError) as caught:
        seats.clear_attention(daemon.core, name, by="ana@external", reason="again", key=None)
    assert (caught.value.status, caught.value.code) == (409, "not_in_attention")


@rule("D4-32", "D10-01")
def test_an_accepted_prompt_is_tied_to_nothing(daemon: Daemon) -> None:
    runner = daemon.runner()
    runner.prompt()
    runner.post("Stop", "end_turn", turnId="7")
    assert {event["type"] for event in daemon.events()} == {"seat.activity_changed"}


def test_a_seat_nobody_occupies_takes_no_posts(daemon: Daemon) -> None:
    runner = daemon.runner()
    launches.stop(daemon.core, daemon.core.seats[runner.session_name], None)
    assert runner.prompt()["counted"] is False
    assert daemon.seat().session_status == "stopped"
    assert daemon.clock() == START
