"""Section 4's reading table, and how long each row lasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rig_tui.domain import activity as act
from rig_tui.domain.activity import Intake, Post
from rig_tui.domain.model import Evidence, EvidenceKind, Reading
from tests.domain.occupant import Occupant, second
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable

WORKING, IDLE, NEEDS_INPUT, UNKNOWN = (
    *(Reading.WORKING, Reading.IDLE),
    *(Reading.NEEDS_INPUT, Reading.UNKNOWN),
)


def working() -> Occupant:
    occupant = Occupant()
    occupant.prompt(0)
    return occupant


def idle() -> Occupant:
    occupant = working()
    occupant.post("Stop/end_turn", 1, "7", live=600)
    return occupant


def needs_input() -> Occupant:
    occupant = working()
    occupant.post("Notification/permission_prompt", 1)
    return occupant


def exited() -> Occupant:
    occupant = working()
    occupant.post("Stop/dsh_exited", 1)
    return occupant


PRIOR = {
    Occupant: UNKNOWN,
    working: WORKING,
    idle: IDLE,
    needs_input: NEEDS_INPUT,
    exited: UNKNOWN,
}
priors = pytest.mark.parametrize("prior", PRIOR, ids=lambda prior: prior.__name__)


@rule("D4-05", "A-09", "A-10", "A-11")
@priors
@pytest.mark.parametrize(
    ("kind", "reading", "evidence"),
    [
        ("UserPromptSubmit/accepted", WORKING, EvidenceKind.POST),
        ("UserPromptSubmit/queued", WORKING, EvidenceKind.POST),
        ("active/agent_message", WORKING, EvidenceKind.POST),
        ("active/anything", WORKING, EvidenceKind.POST),
        ("active/permission_resolved", WORKING, EvidenceKind.POST),
        ("PreToolUse/edit", WORKING, EvidenceKind.POST),
        ("PreToolUse/liveness", WORKING, EvidenceKind.POST),
        ("Notification/permission_prompt", NEEDS_INPUT, EvidenceKind.PROMPT),
        ("Stop/end_turn", IDLE, EvidenceKind.STOP),
        ("Stop/cancelled", IDLE, EvidenceKind.STOP),
        ("Stop/of_its_own", IDLE, EvidenceKind.STOP),
        ("Stop/", IDLE, EvidenceKind.STOP),
        ("Stop/idle_heartbeat", IDLE, EvidenceKind.HEARTBEAT),
        ("Stop/dsh_exited", UNKNOWN, EvidenceKind.EXIT),
        ("Stop/another_preset_exited", UNKNOWN, EvidenceKind.EXIT),
    ],
)
def test_each_counted_post_reads_as_its_row_whatever_was_before(
    prior: Callable[[], Occupant], kind: str, reading: Reading, evidence: EvidenceKind
) -> None:
    occupant = prior()
    assert occupant.reads(2) is PRIOR[prior]
    assert occupant.post(kind, 2)
    assert occupant.reads(2) is reading
    if prior is not needs_input or reading is not NEEDS_INPUT:
        assert occupant.evidence(2) == Evidence(
            evidence, second(2), occupant.evidence(2).until, kind.split("/")[1]
        )


@rule("D4-05", "D4-15", "A-08", "A-09")
@priors
@pytest.mark.parametrize(
    "kind",
    [
        "Notification/runtime_error",
        "Notification/news",
        "SessionStart/resume",
        "stop/end_turn",
        "Active/agent_message",
        "/",
    ],
)
def test_errors_and_unknown_events_change_nothing_at_all(
    prior: Callable[[], Occupant], kind: str
) -> None:
    occupant = prior()
    before = occupant.activity
    assert not occupant.post(kind, 2, "8", live=5)
    assert occupant.last == Intake(before, counted=False, why="not_activity")


@rule("D4-06", "D4-30", "A-06")
def test_working_evidence_lasts_fifteen_seconds_and_never_ends_idle() -> None:
    occupant = working()
    assert occupant.reads(14.999) is WORKING
    assert occupant.reads(15) is occupant.reads(10_000) is UNKNOWN
    assert occupant.reads(20, screen_changing=True) is WORKING


@rule("D4-07", "A-06")
@pytest.mark.parametrize(("live", "lasts"), [(1, 2), (10, 20), (3600, 7200)])
def test_an_idle_report_holds_for_twice_its_liveness(live: int, lasts: int) -> None:
    occupant = Occupant()
    occupant.post("Stop/end_turn", 0, live=live)
    assert occupant.reads(lasts - 0.001) is IDLE
    assert occupant.reads(lasts) is UNKNOWN


@rule("D4-07", "D4-10")
def test_a_newer_idle_report_counts_with_its_own_liveness() -> None:
    occupant = Occupant()
    occupant.post("Stop/end_turn", 0, live=10)
    occupant.post("Stop/idle_heartbeat", 15, live=10)
    assert occupant.reads(34.999) is IDLE
    assert occupant.reads(35) is UNKNOWN
    occupant.post("Stop/idle_heartbeat", 36, live=5)
    occupant.post("Stop/idle_heartbeat", 39)
    assert occupant.reads(1_000) is IDLE


@rule("D4-08", "D4-09")
def test_idle_without_liveness_holds_until_the_next_counted_post() -> None:
    occupant = idle()
    occupant.post("Stop/idle_heartbeat", 2)
    assert not occupant.beat(3)
    assert not occupant.post("Notification/runtime_error", 4)
    assert not occupant.post("active/agent_message", 5, generation="gen-1")
    assert not occupant.post("active/agent_message", 6, dated=1)
    assert occupant.reads(10_000) is IDLE
    assert occupant.evidence(10_000).until is None
    occupant.post("active/agent_message", 10_000)
    assert occupant.reads(10_014) is WORKING
    assert occupant.reads(10_015) is UNKNOWN


@rule("A-02")
def test_lifetimes_run_from_arrival_and_a_skewed_clock_is_told() -> None:
    occupant = Occupant()
    occupant.post("active/agent_message", 0, dated=-3600)
    assert occupant.reads(14.999) is WORKING
    assert occupant.reads(15) is UNKNOWN
    assert occupant.activity.clock_skew_seconds == -3600
    occupant.post("active/agent_message", 20, dated=15)
    assert occupant.activity.clock_skew_seconds is None
    occupant.post("active/agent_message", 21, dated=None)
    assert occupant.activity.clock_skew_seconds is None
    occupant.post("active/agent_message", 22, dated=30)
    occupant.post("active/agent_message", 31, dated=None)
    assert occupant.activity.clock_skew_seconds == 8, "a post without a date says nothing of it"


@rule("D4-30", "A-12", "A-13")
def test_a_changing_screen_decides_only_where_no_report_does() -> None:
    occupant = Occupant()
    assert occupant.reads(0) is UNKNOWN
    assert occupant.reads(0, screen_changing=True) is WORKING
    occupant.post("Stop/end_turn", 0, live=10)
    assert occupant.reads(19, screen_changing=True) is IDLE
    assert occupant.reads(20, screen_changing=True) is WORKING
    assert needs_input().reads(100, screen_changing=True) is NEEDS_INPUT
    assert exited().reads(100, screen_changing=True) is UNKNOWN


@rule("D4-31", "A-12")
def test_an_exit_holds_until_a_newer_counted_post() -> None:
    occupant = Occupant()
    occupant.post("Stop/end_turn", 0, live=600)
    occupant.post("Stop/dsh_exited", 1, live=600)
    assert occupant.reads(2) is occupant.reads(10_000) is UNKNOWN
    assert occupant.evidence(10_000).kind is EvidenceKind.EXIT
    occupant.post("active/agent_message", 3, generation="gen-1")
    assert occupant.evidence(4).kind is EvidenceKind.EXIT
    occupant.prompt(5)
    assert occupant.reads(6) is WORKING


@rule("D4-13", "A-18")
@pytest.mark.parametrize("kind", ["Stop/end_turn", "active/agent_message", "Stop/dsh_exited"])
def test_another_occupants_post_never_counts(kind: str) -> None:
    occupant = working()
    before = occupant.activity
    assert not occupant.post(kind, 1, "7", generation="gen-1")
    assert occupant.last == Intake(before, counted=False, why="stale_generation")


def test_no_post_counts_while_nobody_occupies_the_seat() -> None:
    post = Post("active", "agent_message", second(0), None)
    assert act.intake(act.Activity(), post, None, has_pending_ask=False).why == "stale_generation"


@rule("A-17")
def test_a_post_without_generation_counts_as_activity() -> None:
    occupant = Occupant()
    assert occupant.post("active/agent_message", 0, generation=None)
    assert occupant.reads(1) is WORKING


@rule("D4-14")
def test_a_new_generation_starts_from_nothing() -> None:
    occupant = needs_input()
    occupant.activity = act.relaunched(act.set_launch_attention(occupant.activity, second(2)))
    assert occupant.activity == act.Activity()
    assert occupant.reads(2) is UNKNOWN
    assert occupant.post("UserPromptSubmit/accepted", 3, "1", dated=-500, sequence=1)
    assert occupant.reads(3) is WORKING
    assert occupant.post("active/liveness", 4, "1", sequence=2)


def test_the_next_expiry_is_when_the_reading_or_its_evidence_changes() -> None:
    occupant = Occupant()
    assert act.next_expiry(occupant.activity, second(0)) is None
    occupant.prompt(0)
    occupant.beat(1, live=60)
    assert act.next_expiry(occupant.activity, second(1)) == second(15)
    assert act.next_expiry(occupant.activity, second(15)) == second(61)
    assert act.next_expiry(occupant.activity, second(61)) is None
    occupant.post("Stop/end_turn", 62, "7", live=10)
    assert act.next_expiry(occupant.activity, second(63)) == second(82)
    occupant.post("Stop/idle_heartbeat", 64)
    assert act.next_expiry(occupant.activity, second(65)) is None
    for settled in (needs_input(), exited()):
        assert act.next_expiry(settled.activity, second(2)) is None


def test_evidence_that_decides_nothing_expires_unnoticed() -> None:
    occupant = Occupant()
    occupant.prompt(0)
    assert occupant.beat(1, live=5)
    assert act.next_expiry(occupant.activity, second(1)) == second(15)


def test_unknown_says_when_something_was_last_heard() -> None:
    assert Occupant().evidence(0) == Evidence()
    occupant = working()
    occupant.post("active/agent_message", 3)
    assert occupant.evidence(100) == Evidence(EvidenceKind.NONE, second(3))


def test_a_working_post_is_the_evidence_while_it_holds_and_then_the_beat() -> None:
    occupant = working()
    occupant.beat(2, live=60)
    assert occupant.evidence(14).kind is EvidenceKind.POST
    assert occupant.evidence(15) == Evidence(EvidenceKind.BEAT, second(2), second(62))
