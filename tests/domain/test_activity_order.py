"""Which of two posts came first, and what attention survives."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from rig_tui.domain import activity as act
from rig_tui.domain.activity import Activity, Post
from rig_tui.domain.model import EvidenceKind, Reading
from tests.domain.occupant import GENERATION, Occupant, second
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable

WORKING, IDLE, NEEDS_INPUT, UNKNOWN = (
    *(Reading.WORKING, Reading.IDLE),
    *(Reading.NEEDS_INPUT, Reading.UNKNOWN),
)


@rule("D4-11")
def test_a_late_stop_of_an_earlier_turn_changes_nothing() -> None:
    occupant = Occupant()
    occupant.prompt(0, "1")
    occupant.prompt(10, "2")
    before = occupant.activity
    assert not occupant.post("Stop/end_turn", 11, "1", dated=9)
    assert occupant.activity == before
    assert occupant.reads(12) is WORKING
    assert occupant.beat(13, "2")


@rule("D4-11", "A-01")
def test_in_the_same_instant_the_sequence_decides() -> None:
    occupant = Occupant()
    occupant.post("active/agent_message", 0, sequence=5)
    before = occupant.activity
    assert not occupant.post("Stop/end_turn", 1, dated=0, sequence=4)
    assert not occupant.post("Stop/end_turn", 1, dated=0, sequence=5)
    assert occupant.last is not None
    assert occupant.last.why == "duplicate"
    assert occupant.activity == before
    assert occupant.post("Stop/end_turn", 1, dated=0, sequence=6)
    assert occupant.reads(1) is IDLE


@rule("A-01")
@pytest.mark.parametrize(("first", "then"), [(None, None), (5, None), (None, 5)])
def test_without_two_sequences_the_same_instant_goes_by_arrival(
    first: int | None, then: int | None
) -> None:
    occupant = Occupant()
    occupant.post("active/agent_message", 0, sequence=first)
    assert occupant.post("Stop/end_turn", 1, dated=0, sequence=then)
    assert occupant.reads(1) is IDLE


@rule("D4-11", "A-01")
def test_a_post_without_a_number_leaves_the_instants_numbers_as_they_were() -> None:
    occupant = Occupant()
    occupant.post("active/agent_message", 0, sequence=5)
    assert occupant.post("PreToolUse/edit", 1, dated=0, sequence=None)
    assert not occupant.post("Stop/end_turn", 2, dated=0, sequence=4)
    assert not occupant.post("active/agent_message", 3, dated=0, sequence=5)
    assert occupant.post("Stop/end_turn", 4, dated=0, sequence=6)


@rule("D4-11")
def test_instants_are_compared_not_their_writing() -> None:
    earlier = datetime.fromisoformat("2026-11-30T13:59:59.9+02:00")
    later = datetime.fromisoformat("2026-11-30T12:00:00Z")
    activity = Activity()
    for occurred_at, counted in ((later, True), (earlier, False)):
        post = Post("active", "x", second(0), GENERATION, occurred_at=occurred_at)
        result = act.intake(activity, post, GENERATION, has_pending_ask=False)
        activity = result.activity
        assert result.counted is counted


@rule("D4-12")
def test_a_post_without_a_date_is_dated_at_arrival_and_may_read_old() -> None:
    occupant = Occupant()
    occupant.post("active/agent_message", 0, dated=60)
    assert not occupant.post("Stop/end_turn", 1, dated=None)
    assert occupant.reads(1) is WORKING
    assert occupant.post("Stop/end_turn", 61, dated=None)
    assert occupant.reads(61) is IDLE


@rule("A-08")
def test_an_error_moves_no_mark() -> None:
    occupant = Occupant()
    occupant.prompt(0)
    occupant.post("Notification/runtime_error", 50, dated=500, sequence=99)
    assert occupant.beat(51)


def prompt(occupant: Occupant) -> None:
    occupant.post("Notification/permission_prompt", 10)


def ask(occupant: Occupant) -> None:
    occupant.ask(10, dated=10)
    occupant.asks = 0


causes = pytest.mark.parametrize("cause", [prompt, ask])


@rule("D4-25")
def test_only_a_prompt_or_an_ask_sets_attention() -> None:
    occupant = Occupant()
    prompt(occupant)
    assert occupant.reads(11) is NEEDS_INPUT
    assert occupant.evidence(11).kind is EvidenceKind.PROMPT
    occupant = Occupant()
    ask(occupant)
    assert occupant.reads(11) is NEEDS_INPUT
    assert occupant.evidence(11).kind is EvidenceKind.ASK
    for kind in ("Notification/runtime_error", "Notification/denied", "active/permission"):
        occupant = Occupant()
        occupant.post(kind, 0)
        assert occupant.reads(1) is not NEEDS_INPUT


@rule("D4-26")
@causes
@pytest.mark.parametrize(
    ("kind", "reading"),
    [
        ("UserPromptSubmit/accepted", WORKING),
        ("active/agent_message", WORKING),
        ("active/permission_resolved", WORKING),
        ("PreToolUse/read", WORKING),
        ("Stop/end_turn", IDLE),
        ("Stop/idle_heartbeat", IDLE),
        ("Stop/dsh_exited", UNKNOWN),
    ],
)
def test_any_counted_working_or_idle_post_clears_attention(
    cause: Callable[[Occupant], None], kind: str, reading: Reading
) -> None:
    occupant = Occupant()
    cause(occupant)
    occupant.post(kind, 11)
    assert occupant.activity.attention is None
    assert occupant.reads(11) is reading


@rule("D4-26", "D4-29")
@causes
def test_an_operator_clears_attention_and_the_seat_reads_unknown(
    cause: Callable[[Occupant], None],
) -> None:
    occupant = Occupant()
    occupant.prompt(5)
    cause(occupant)
    occupant.activity = act.clear_attention(occupant.activity)
    assert occupant.reads(11) is UNKNOWN
    assert occupant.beat(12)
    assert occupant.reads(12) is WORKING


@rule("D4-27")
@causes
def test_nothing_else_clears_attention(cause: Callable[[Occupant], None]) -> None:
    occupant = Occupant()
    occupant.prompt(5)
    cause(occupant)
    evidence = occupant.evidence(11)
    occupant.beat(11)
    occupant.post("Notification/runtime_error", 12)
    occupant.post("active/agent_message", 13, dated=9)
    occupant.post("Stop/end_turn", 14, generation="gen-1")
    occupant.post("Notification/permission_prompt", 15)
    occupant.ask(16)
    occupant.activity = act.restarted(occupant.activity)
    assert occupant.reads(10_000, screen_changing=True) is NEEDS_INPUT
    assert occupant.evidence(10_000) == evidence


@rule("D4-28", "D4-25")
def test_an_ask_dated_before_the_last_counted_post_still_needs_input() -> None:
    occupant = Occupant()
    occupant.post("active/agent_message", 10, sequence=1)
    occupant.ask(10.5, dated=9)
    assert occupant.reads(11) is NEEDS_INPUT
    assert not occupant.post("active/agent_message", 11, dated=10, sequence=1)
    assert not occupant.post("active/agent_message", 11, dated=9.5, sequence=2)
    assert occupant.reads(11) is NEEDS_INPUT


@rule("D4-28", "A-01")
@pytest.mark.parametrize("sequence", [None, 2])
def test_a_post_of_the_asks_own_instant_doesnt_clear_it_while_it_is_pending(
    sequence: int | None,
) -> None:
    occupant = Occupant()
    occupant.post("active/agent_message", 10, sequence=1)
    occupant.ask(10.5, dated=10)
    assert occupant.post("PreToolUse/edit", 11, dated=10, sequence=sequence)
    assert occupant.reads(11) is NEEDS_INPUT
    occupant.asks = 0
    assert occupant.post("active/permission_resolved", 12, dated=10, sequence=3)
    assert occupant.reads(12) is WORKING


@rule("A-01")
def test_a_tie_clears_attention_only_while_no_ask_is_pending() -> None:
    for asks, reading in ((1, NEEDS_INPUT), (0, WORKING)):
        occupant = Occupant()
        occupant.asks = asks
        occupant.post("Notification/permission_prompt", 10, sequence=None)
        assert occupant.post("PreToolUse/edit", 11, dated=10)
        assert occupant.reads(11) is reading


@rule("A-01")
def test_an_exit_in_the_asks_own_instant_ends_it() -> None:
    occupant = Occupant()
    occupant.ask(10, dated=10)
    occupant.post("Stop/dsh_exited", 11, dated=10)
    assert occupant.reads(11) is UNKNOWN
    assert occupant.last is not None
    assert occupant.last.is_exit


@rule("A-03")
def test_a_later_working_post_clears_the_reading_though_the_ask_is_pending() -> None:
    occupant = Occupant()
    occupant.ask(10, dated=10)
    occupant.post("PreToolUse/edit", 11)
    assert occupant.reads(11) is WORKING


@rule("A-14")
def test_launch_attention_is_apart_from_the_reading_and_from_posts() -> None:
    occupant = Occupant()
    occupant.activity = act.set_launch_attention(occupant.activity, second(60))
    occupant.activity = act.set_launch_attention(occupant.activity, second(70))
    assert occupant.reads(80) is UNKNOWN
    assert occupant.evidence(80).kind is EvidenceKind.LAUNCH
    assert occupant.evidence(80).at == second(60)
    occupant.prompt(80)
    occupant.post("Stop/end_turn", 81, "7")
    assert occupant.reads(82) is IDLE
    assert occupant.activity.launch_attention == second(60)
    assert act.clear_launch_attention(occupant.activity).launch_attention is None
    assert act.clear_attention(occupant.activity).launch_attention is None


@rule("A-16")
@pytest.mark.parametrize(
    ("kind", "turn", "generation", "ends", "is_exit"),
    [
        ("Stop/end_turn", "7", GENERATION, "7", False),
        ("Stop/cancelled", "6", GENERATION, "6", False),
        ("Stop/end_turn", None, GENERATION, None, False),
        ("Stop/end_turn", "7", None, None, False),
        ("Stop/idle_heartbeat", "7", GENERATION, None, False),
        ("Stop/dsh_exited", "7", GENERATION, None, True),
        ("Stop/dsh_exited", None, GENERATION, None, True),
        ("Stop/dsh_exited", None, None, None, False),
        ("active/agent_message", "7", GENERATION, None, False),
        ("UserPromptSubmit/accepted", "8", GENERATION, None, False),
    ],
)
def test_a_counted_stop_or_exit_says_which_asks_end_with_it(
    kind: str, turn: str | None, generation: str | None, ends: str | None, is_exit: bool
) -> None:
    occupant = Occupant()
    occupant.prompt(0)
    occupant.post(kind, 1, turn, generation=generation)
    assert occupant.last is not None
    assert (occupant.last.ends_turn, occupant.last.is_exit) == (ends, is_exit)
    occupant.post(kind, 2, turn, dated=0.5)
    assert (occupant.last.ends_turn, occupant.last.is_exit) == (None, False)
