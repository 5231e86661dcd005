from __future__ import annotations

import copy
import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from rig_tui.domain.model import AskedMode, EvidenceKind, Reading, Seat
from rig_tui.wire.published.seats import decode_nodes
from tests.openrig import recorded

HOOK = {
    "state": "needs_input", "reason": "permission_prompt", "evidenceSource": "runtime_hook",
    "sampledAt": "2026-11-30T18:41:18.226Z", "eventAt": "2026-11-30T18:41:00.962Z",
    "evidence": "permission_prompt", "rawEvent": "Notification",
    "rawSubtype": "permission_prompt", "fallback": False, "stale": False,
}  # fmt: skip


def read(activity: dict[str, Any] | None = None, **more: Any) -> Seat:
    row = copy.deepcopy(recorded.ANSWERS["nodes"]["alpha"][0])
    row["agentActivity"] = HOOK | (activity or {})
    row["terminalActive"] = False
    return decode_nodes(json.dumps([row | more]))[0]


def test_a_fresh_hook_is_believed_and_said_to_be_one() -> None:
    seat = read()
    assert seat.reading is Reading.NEEDS_INPUT
    assert seat.evidence.kind is EvidenceKind.HOOK
    at = datetime.fromisoformat("2026-11-30T18:41:00.962+00:00")
    assert (seat.evidence.at, seat.evidence.until) == (at, at + timedelta(minutes=5))
    assert seat.asked.mode is AskedMode.ELSEWHERE


@pytest.mark.parametrize(
    ("state", "reading"),
    [("running", Reading.WORKING), ("idle", Reading.IDLE), ("unknown", Reading.UNKNOWN),
     ("something-new", Reading.UNKNOWN)],
)  # fmt: skip
def test_a_hook_s_states_are_named_as_here(state: str, reading: Reading) -> None:
    assert read({"state": state}).reading is reading


def test_a_prompt_that_grew_too_old_is_unknown_and_says_it_may_still_wait() -> None:
    seat = read({"state": "unknown", "reason": "stale_runtime_hook", "stale": True})
    assert seat.reading is Reading.UNKNOWN
    assert "may still wait" in " ".join(seat.notices)
    assert read({"stale": True}).reading is Reading.UNKNOWN


@pytest.mark.parametrize("status", ["detached", "superseded", None])
def test_what_was_heard_before_the_session_ended_counts_no_longer(status: str | None) -> None:
    seat = read(sessionStatus=status)
    assert seat.reading is Reading.UNKNOWN
    assert "counts no longer" in " ".join(seat.notices)
    assert seat.generation is None


@pytest.mark.parametrize("verdict", ["mismatch", "pane_missing"])
def test_what_was_heard_counts_no_longer_when_its_pane_isn_t_its_own(verdict: str) -> None:
    seat = read({"state": "running"}, identityVerdict={"verdict": verdict})
    assert seat.reading is Reading.UNKNOWN
    assert "pane" in " ".join(seat.notices)


def test_a_screen_that_stands_still_is_never_idle_and_one_that_moves_works() -> None:
    nothing = {
        "state": "unknown",
        "reason": "no_runtime_hook",
        "evidenceSource": "session_registry",
    }
    assert read(nothing, terminalActive=False).reading is Reading.UNKNOWN
    assert read(nothing, terminalActive=None).reading is Reading.UNKNOWN
    moving = read(nothing, terminalActive=True)
    assert (moving.reading, moving.evidence.kind) == (Reading.WORKING, EvidenceKind.SCREEN)


def test_a_prompt_seen_in_the_pane_needs_input() -> None:
    assert read({"evidenceSource": "pane_heuristic"}).reading is Reading.NEEDS_INPUT
    idle = read({"state": "idle", "evidenceSource": "pane_heuristic"})
    assert idle.reading is Reading.UNKNOWN


@pytest.mark.parametrize(
    ("display", "count", "reading"),
    [("working", 0, Reading.WORKING), ("idle", 0, Reading.IDLE), ("unknown", 0, Reading.UNKNOWN),
     ("needs-input", 1, Reading.NEEDS_INPUT), ("working", 2, Reading.NEEDS_INPUT)],
)  # fmt: skip
def test_the_activity_state_of_newer_daemons_goes_before_the_hook(
    display: str, count: int, reading: Reading
) -> None:
    state = {"display": display, "needsInput": {"count": count, "reason": None}}
    assert read({"state": "running"}, activityState=state).reading is reading


def test_a_newer_daemon_without_a_state_knows_nothing_whatever_the_hook_said() -> None:
    assert read({"state": "idle"}, activityState=None).reading is Reading.UNKNOWN


def test_a_seat_is_one_seat_over_a_handover_whatever_its_session_is_called() -> None:
    before, after = read(), read(canonicalSessionName="dev-qa@beta-hF6PP01R0")
    assert before.seat_id == after.seat_id
    assert before.seat_ref == after.seat_ref == "dev.impl@alpha"
    assert after.session_name == "dev-qa@beta-hF6PP01R0"


def test_a_launch_that_needs_attention_says_so_beside_a_running_seat() -> None:
    assert read(startupStatus="attention_required").launch_attention
    assert not read().launch_attention


def test_the_token_that_resumes_a_conversation_is_never_read() -> None:
    rows = recorded.ANSWERS["nodes"]["beta"]
    assert any(row["resumeToken"] for row in rows)
    assert "secret" not in repr(decode_nodes(json.dumps(rows)))


def test_every_recorded_seat_is_read() -> None:
    for rig, rows in recorded.ANSWERS["nodes"].items():
        seats = decode_nodes(json.dumps(rows))
        assert [seat.seat_ref for seat in seats] == [f"{row['logicalId']}@{rig}" for row in rows]
