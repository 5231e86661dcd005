"""Working beats: every condition, and all they never do."""

from __future__ import annotations

from itertools import product

import pytest

from rig_tui.domain import activity as act
from rig_tui.domain.activity import Intake, Why
from rig_tui.domain.model import Reading
from tests.domain.occupant import Occupant, second
from tests.rules import rule

WORKING, IDLE, UNKNOWN = Reading.WORKING, Reading.IDLE, Reading.UNKNOWN


def prompted() -> Occupant:
    occupant = Occupant()
    occupant.prompt(0)
    return occupant


@rule("D4-16", "A-17")
@pytest.mark.parametrize(("prompt_says", "beat_says"), product([True, False], [True, False]))
def test_a_beat_and_the_prompt_of_its_turn_both_carry_the_generation(
    prompt_says: bool, beat_says: bool
) -> None:
    def generation(says: bool) -> str | None:
        return "gen-2" if says else None

    occupant = Occupant()
    occupant.post("UserPromptSubmit/accepted", 0, "7", generation=generation(prompt_says))
    counted = occupant.post("active/liveness", 1, "7", generation=generation(beat_says))
    assert counted is (prompt_says and beat_says)
    assert occupant.reads(20) is (WORKING if counted else UNKNOWN)


@rule("D4-17")
def test_a_beat_belongs_to_the_latest_accepted_turn() -> None:
    occupant = Occupant()
    assert not occupant.beat(0, "1")
    occupant.prompt(1, "1")
    occupant.prompt(2, "2")
    assert not occupant.beat(3, "1")
    assert not occupant.beat(4, None)
    assert occupant.beat(5, "2")


@rule("D4-17")
def test_a_prompt_without_a_turn_opens_none_for_beats() -> None:
    occupant = prompted()
    occupant.post("UserPromptSubmit/accepted", 1, None)
    assert not occupant.beat(2, "7")
    assert not occupant.beat(3, None)


@rule("A-09")
def test_a_prompt_that_wasnt_accepted_opens_no_turn() -> None:
    occupant = Occupant()
    occupant.post("UserPromptSubmit/queued", 0, "7")
    assert not occupant.beat(1)


@rule("D4-17", "D4-23", "A-04")
@pytest.mark.parametrize(
    ("boundary", "turn", "beats_count"),
    [
        ("Stop/end_turn", "7", False),
        ("Stop/end_turn", None, False),
        ("Stop/idle_heartbeat", None, False),
        ("Stop/dsh_exited", None, False),
        ("Stop/dsh_exited", "6", False),
        ("Stop/end_turn", "6", True),
    ],
)
def test_a_beat_ends_with_its_turn(boundary: str, turn: str | None, beats_count: bool) -> None:
    occupant = prompted()
    occupant.beat(1, live=60)
    occupant.post(boundary, 2, turn)
    assert occupant.reads(2) is (UNKNOWN if "exited" in boundary else IDLE)
    before = occupant.reads(3)
    assert occupant.beat(3) is beats_count
    assert occupant.reads(3) is (WORKING if beats_count else before)
    if beats_count:
        assert occupant.reads(33) is UNKNOWN


@rule("D4-18")
def test_a_beats_sequence_rises_above_every_counted_one() -> None:
    occupant = prompted()
    for at in range(1, 5):
        occupant.post("active/agent_message", at)
    assert not occupant.post("active/liveness", 6, "7", sequence=5)
    assert not occupant.post("active/liveness", 7, "7", sequence=None)
    assert not occupant.post("active/liveness", 8, "6", sequence=100)
    assert occupant.post("active/liveness", 9, "7", sequence=6)
    assert not occupant.post("active/liveness", 10, "7", sequence=6)
    assert occupant.post("active/liveness", 11, "7", sequence=7)


@rule("D4-18")
def test_a_counted_post_with_a_lower_number_doesnt_lower_the_mark() -> None:
    occupant = Occupant()
    occupant.post("UserPromptSubmit/accepted", 0, "7", sequence=50)
    occupant.post("active/agent_message", 1, sequence=2)
    occupant.post("active/agent_message", 2, sequence=None)
    assert not occupant.post("active/liveness", 3, "7", sequence=50)
    assert occupant.post("active/liveness", 3, "7", sequence=51)


@rule("D4-19")
def test_a_beat_older_than_a_counted_post_is_ignored() -> None:
    occupant = prompted()
    occupant.post("active/agent_message", 10)
    assert not occupant.post("active/liveness", 11, "7", dated=9.5)
    assert occupant.last is not None
    assert occupant.last.why == Why.OLDER


@rule("D4-20", "A-14")
def test_a_beat_waits_until_all_attention_is_cleared() -> None:
    occupant = prompted()
    occupant.ask(1)
    assert not occupant.beat(2)
    occupant.asks = 0
    occupant.post("active/permission_resolved", 3)
    assert occupant.beat(4)
    occupant.ask(5)
    assert not occupant.beat(6)
    occupant.activity = act.clear_attention(occupant.activity)
    assert occupant.beat(7)
    occupant.activity = act.set_launch_attention(occupant.activity, second(8))
    assert not occupant.beat(9)
    occupant.activity = act.clear_launch_attention(occupant.activity)
    assert occupant.beat(10)


@rule("D4-21", "A-05", "A-06")
@pytest.mark.parametrize(
    ("live", "lasts"),
    [(1, 5), (4, 5), (5, 5), (6, 6), (59, 59), (60, 60), (61, 60), (3600, 60), (None, 30)],
)
def test_a_beat_counts_for_as_long_as_it_says_within_bounds(live: int | None, lasts: int) -> None:
    occupant = prompted()
    assert occupant.beat(100, live=live)
    assert occupant.reads(100 + lasts - 0.001) is WORKING
    assert occupant.reads(100 + lasts) is UNKNOWN


@rule("A-07")
def test_a_shorter_later_lifetime_doesnt_cut_a_longer_one() -> None:
    occupant = prompted()
    occupant.beat(1, live=60)
    occupant.beat(2, live=5)
    occupant.post("active/agent_message", 3)
    assert occupant.reads(60.999) is WORKING
    assert occupant.reads(61) is UNKNOWN


def unfit(occupant: Occupant) -> list[bool]:
    """Post a beat that fails each condition, and one that fails several."""
    return [
        occupant.post("active/liveness", 20, "7", live=60, generation=None),
        occupant.post("active/liveness", 21, "8", live=60),
        occupant.post("active/liveness", 22, "7", live=60, sequence=1),
        occupant.post("active/liveness", 23, "7", live=60, dated=-1),
        occupant.post("active/liveness", 24, "7", live=60, generation="gen-1"),
        occupant.post("active/liveness", 25, None, live=60, sequence=None, dated=None),
    ]


@rule("D4-22")
def test_a_beat_that_fails_any_condition_is_as_if_never_sent() -> None:
    occupant = prompted()
    occupant.beat(1, live=30)
    before = occupant.activity
    assert unfit(occupant) == [False] * 6
    assert occupant.activity == before
    occupant.ask(26)
    before = occupant.activity
    assert not occupant.beat(27)
    assert occupant.last == Intake(before, counted=False, why="beat_during_attention")


@rule("D4-23")
def test_a_beat_starts_no_turn_clears_no_attention_and_is_no_stop() -> None:
    occupant = Occupant()
    occupant.beat(0, "7")
    assert occupant.activity == act.Activity()
    occupant.prompt(1)
    occupant.ask(2)
    occupant.beat(3)
    assert occupant.reads(3) is Reading.NEEDS_INPUT
    occupant.asks = 0
    occupant.post("active/permission_resolved", 4)
    occupant.beat(5)
    assert occupant.reads(6) is WORKING
    assert occupant.last is not None
    assert (occupant.last.ends_turn, occupant.last.is_exit) == (None, False)
    occupant.post("Stop/end_turn", 7, "7")
    assert not occupant.beat(8)
    assert occupant.reads(8) is IDLE


@rule("D4-24")
def test_after_a_restart_counted_beats_live_on_and_new_ones_wait_for_a_prompt() -> None:
    occupant = prompted()
    occupant.beat(0, live=60)
    occupant.activity = act.restarted(occupant.activity)
    assert occupant.reads(59.999) is WORKING
    assert not occupant.beat(20)
    occupant.post("active/agent_message", 20)
    assert not occupant.beat(21)
    assert occupant.reads(60) is UNKNOWN
    occupant.prompt(70, "8")
    assert occupant.beat(71, "8")


@rule("D4-24")
def test_after_a_restart_sequences_rise_from_the_next_prompt() -> None:
    occupant = prompted()
    occupant.post("active/agent_message", 1, sequence=50)
    occupant.activity = act.restarted(occupant.activity)
    occupant.post("UserPromptSubmit/accepted", 2, "8", sequence=3)
    assert not occupant.post("active/liveness", 3, "8", sequence=3)
    assert occupant.post("active/liveness", 3, "8", sequence=4)


@rule("D4-24")
def test_a_restart_keeps_everything_else() -> None:
    for kind, reading in (
        ("Notification/permission_prompt", Reading.NEEDS_INPUT),
        ("Stop/end_turn", IDLE),
        ("Stop/dsh_exited", UNKNOWN),
        ("active/agent_message", WORKING),
    ):
        occupant = prompted()
        occupant.post(kind, 5)
        evidence = occupant.evidence(6)
        occupant.activity = act.restarted(occupant.activity)
        assert (occupant.reads(6), occupant.evidence(6)) == (reading, evidence)
        assert not occupant.post("active/agent_message", 7, dated=4)
