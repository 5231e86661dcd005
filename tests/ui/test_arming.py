"""When a key may answer."""

from __future__ import annotations

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
