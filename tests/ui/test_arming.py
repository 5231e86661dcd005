"""When a key may answer."""

from __future__ import annotations

import random

import pytest

from rig_tui.ui.arming import Arming
from tests.rules import rule


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@rule("T7-06")
def test_a_shown_ask_is_armed_only_after_it_was_painted_long_enough(clock: Clock) -> None:
    arming = Arming(clock)
    arming.show("a")
    clock.now += 10
    assert arming.why_not()
    arming.painted("a")
    clock.now += 0.399
    assert arming.why_not()
    clock.now += 0.002
    assert not arming.why_not()


@rule("T7-06")
def test_after_another_program_had_the_terminal_all_is_seen_anew(clock: Clock) -> None:
    arming = Arming(clock)
    arming.show("a")
    arming.painted("a")
    clock.now += 10
    arming.away()
    arming.key()
    assert arming.in_burst
    clock.now += 10
    arming.key()
    assert "only just appeared" in arming.why_not()
    arming.painted("a")
    clock.now += 0.401
    arming.key()
    assert not arming.why_not()


@rule("T7-06")
def test_what_lies_over_it_is_seen_anew_too(clock: Clock) -> None:
    board = Arming(clock)
    dialog = board.inner("strip").inner("its own dialog")
    dialog.painted("its own dialog")
    clock.now += 10
    dialog.key()
    assert not dialog.why_not()
    clock.now += 10
    board.away()
    clock.now += 0.3
    dialog.key()
    assert "only just appeared" in dialog.why_not()
    clock.now += 0.2
    dialog.key()
    assert not dialog.why_not()


def test_painting_the_same_again_does_not_start_the_wait_anew(clock: Clock) -> None:
    arming = Arming(clock)
    arming.show("a")
    arming.painted("a")
    clock.now += 0.3
    assert not arming.show("a")
    arming.painted("a")
    clock.now += 0.2
    assert not arming.why_not()


def test_another_content_disarms(clock: Clock) -> None:
    arming = Arming(clock)
    arming.show("a")
    arming.painted("a")
    clock.now += 0.4
    assert arming.show("b")
    clock.now += 0.2
    arming.painted("b")
    clock.now += 0.3
    assert arming.why_not()
    clock.now += 0.2
    assert not arming.why_not()


def test_a_paint_of_what_is_no_longer_shown_arms_nothing(clock: Clock) -> None:
    arming = Arming(clock)
    arming.show("a")
    arming.show("b")
    arming.painted("a")
    clock.now += 1
    assert arming.why_not()


@rule("T7-06")
def test_a_key_in_a_burst_is_not_an_answer(clock: Clock) -> None:
    arming = Arming(clock)
    arming.show("a")
    arming.painted("a")
    clock.now += 1
    arming.key()
    assert not arming.why_not()
    clock.now += 0.079
    arming.key()
    assert "pasted" in arming.why_not()
    clock.now += 0.081
    arming.key()
    assert not arming.why_not()


def test_an_answer_disarms(clock: Clock) -> None:
    arming = Arming(clock)
    arming.show("a")
    arming.painted("a")
    clock.now += 1
    arming.disarm()
    assert arming.why_not()
    assert arming.remaining() == pytest.approx(0.4)


@rule("T7-06")
def test_moves_between_two_keys_do_not_hide_that_they_came_together(clock: Clock) -> None:
    arming = Arming(clock)
    arming.show("a")
    arming.painted("a")
    clock.now += 1
    arming.key(100.900)
    arming.key(100.930, moves=True)
    arming.key(100.960)
    assert "pasted" in arming.why_not()


def test_a_key_soon_after_a_move_may_answer(clock: Clock) -> None:
    arming = Arming(clock)
    arming.show("a")
    arming.painted("a")
    clock.now += 1
    arming.key(100.95, moves=True)
    arming.key(100.96)
    assert not arming.why_not()


@rule("T7-06")
@pytest.mark.parametrize("pressed", [99.9, 100.1, 100.39])
def test_a_key_handled_late_is_judged_by_when_it_was_pressed(clock: Clock, pressed: float) -> None:
    arming = Arming(clock)
    arming.show("a")
    arming.painted("a")
    arming.key(pressed)
    clock.now += 5
    assert not arming.unarmed
    assert "only just appeared" in arming.why_not()


class HandledLate(Arming):
    """A fault on purpose: it takes a key for pressed when it is handled."""

    def key(self, at: float | None = None, *, moves: bool = False, hand: str = "key") -> None:
        super().key(None, moves=moves, hand=hand)


class Careless(Arming):
    """A fault on purpose: it forgets how long the ask was on screen."""

    def _unarmed(self, at: float) -> str:
        return ""


Moment = tuple[float, str]


def first_wrong_answer(make: type[Arming], seed: int) -> list[Moment] | None:
    """Live through one interleaving; give its story when an answer would be wrong.

    What is right is told from the whole story alone: nothing but what was painted, when,
    and which keys came.
    """
    dice = random.Random(seed)
    clock = Clock()
    arming = make(clock)
    story: list[Moment] = []
    shown, last = 0, clock.now
    for _ in range(12):
        clock.now += dice.choice((0.0, 0.001, 0.03, 0.079, 0.081, 0.2, 0.399, 0.401, 2.0))
        what = dice.choice(("change", "paint", "stale paint", "answer", "key", "move", "key"))
        if what == "change":
            shown += 1
            arming.show(shown)
        elif what == "paint":
            arming.painted(shown)
        elif what == "stale paint":
            arming.painted(shown - 1)
        elif what == "answer":
            arming.disarm()
        else:
            last = max(last, clock.now - dice.choice((0.0, 0.0, 0.0, 0.05, 0.5)))
            arming.key(last, moves=what == "move")
            if not arming.why_not() and not right(story, last):
                return [*story, (last, what)]
            story.append((last, what))
            continue
        story.append((clock.now, what))
    return None


def right(story: list[Moment], now: float) -> bool:
    """Whether a key at this moment of the story may answer."""
    changes = [index for index, (_, what) in enumerate(story) if what == "change"]
    since = story[changes[-1] :] if changes else story
    paints = [at for at, what in since if what == "paint"]
    if not paints:
        return False
    starts = [paints[0], *(at for at, what in since if what == "answer" and at >= paints[0])]
    typed = any(what == "key" and now - at < 0.08 for at, what in story)
    return not typed and now - max(starts) >= 0.4 - 1e-9


@rule("T7-06")
def test_no_interleaving_answers_what_was_not_seen_long_enough() -> None:
    for seed in range(10_000):
        assert first_wrong_answer(Arming, seed) is None


def test_those_interleavings_find_a_fault() -> None:
    for faulty in (Careless, HandledLate):
        assert any(first_wrong_answer(faulty, seed) for seed in range(1000)), faulty
