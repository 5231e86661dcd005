"""The waits between attempts, and who acts."""

from __future__ import annotations

from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig_tui.client.acting import operator_for
from rig_tui.client.backoff import delays
from rig_tui.domain.model import People, Person

ANA, BEN = Person("ana", "Ana"), Person("ben", "Ben")


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


@pytest.mark.parametrize(
    ("acting_as", "people", "operator"),
    [
        ("pat@external", People((ANA,)), "pat@external"),
        ("human@host", People((ANA,)), "human@host"),
        (None, People((ANA,)), "ana@external"),
        (None, People(()), "human@host"),
        (None, People((ANA, BEN), default="ana"), "human@host"),
    ],
)
def test_the_default_person_of_several_is_not_the_one_at_this_keyboard(
    acting_as: str | None, people: People, operator: str
) -> None:
    assert operator_for(acting_as, people) == operator
