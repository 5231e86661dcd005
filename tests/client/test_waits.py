"""The waits between attempts."""

from __future__ import annotations

from itertools import islice, pairwise

from hypothesis import given
from hypothesis import strategies as st

from rig_tui.client.backoff import delays


def test_waits_double_up_to_the_most() -> None:
    waits = list(islice(delays(lambda: 1.0, first=0.25, most=10.0), 9))
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 10.0]


@given(st.floats(0, 1, exclude_max=True))
def test_chance_takes_at_most_half_of_a_wait(chance: float) -> None:
    waits = list(islice(delays(lambda: chance), 40))
    longest = list(islice(delays(lambda: 1.0), 40))
    assert all(most / 2 <= wait <= most for wait, most in zip(waits, longest, strict=True))
    assert all(first <= then for first, then in pairwise(waits))


def test_two_consoles_with_other_dice_wait_differently() -> None:
    assert next(delays(lambda: 0.1)) != next(delays(lambda: 0.9))
