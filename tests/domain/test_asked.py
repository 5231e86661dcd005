"""Who a seat's requests reach: the 36 rows of people, default and override."""

from __future__ import annotations

import pytest

from rig_tui.domain.asked import cause_in_words, who_is_asked
from rig_tui.domain.model import (
    Asked,
    AskedBecause,
    AskedMode,
    Cause,
    Override,
    OverrideMode,
    People,
    Person,
)
from tests.rules import rule

# People | default | override none | to one of them | to somebody else | deny
# With no people, "valid" can't be, so it is as dangling.
TABLE = """
0 | none     | nobody | gone   | gone | refuses
0 | valid    | nobody | gone   | gone | refuses
0 | dangling | nobody | gone   | gone | refuses
1 | none     | only   | chosen | gone | refuses
1 | valid    | default| chosen | gone | refuses
1 | dangling | only   | chosen | gone | refuses
2 | none     | several| chosen | gone | refuses
2 | valid    | default| chosen | gone | refuses
2 | dangling | several| chosen | gone | refuses
"""
RESULTS = {
    "nobody": Asked(AskedMode.PERMITS, because=Cause.NO_REGISTERED_PERSON),
    "several": Asked(AskedMode.PERMITS, because=Cause.SEVERAL_AND_NO_DEFAULT),
    "gone": Asked(AskedMode.PERMITS, because=Cause.CHOSEN_PERSON_NOT_REGISTERED),
    "refuses": Asked(AskedMode.REFUSES, because=AskedBecause.DENIED_BY_SEAT),
    "only": Asked(AskedMode.PERSON, "ana", AskedBecause.ONLY_PERSON),
    "default": Asked(AskedMode.PERSON, "ana", AskedBecause.DEFAULT_PERSON),
    "chosen": Asked(AskedMode.PERSON, "ana", AskedBecause.CHOSEN_FOR_SEAT),
}
OVERRIDES = (
    Override(),
    Override(OverrideMode.TO, "ana", "she knows it"),
    Override(OverrideMode.TO, "zoe", "she knew it"),
    Override(OverrideMode.DENY, None, "out of hours"),
)
ANA, BEN = Person("ana", "Ana"), Person("ben", "Ben")
REGISTERED: dict[str, tuple[Person, ...]] = {"0": (), "1": (ANA,), "2": (BEN, ANA)}


def rows() -> list[tuple[People, Override, Asked]]:
    found = []
    for line in TABLE.strip().splitlines():
        count, default, *results = (cell.strip() for cell in line.split("|"))
        chosen = {"none": None, "valid": "ana", "dangling": "zoe"}[default]
        people = People(REGISTERED[count], chosen)
        found += [
            (people, override, RESULTS[result])
            for override, result in zip(OVERRIDES, results, strict=True)
        ]
    return found


@rule("D7-14", "D7-12", "A-25", "A-26")
@pytest.mark.parametrize(("people", "override", "asked"), rows())
def test_people_default_and_override_decide_who_is_asked(
    people: People, override: Override, asked: Asked
) -> None:
    assert who_is_asked(people, override) == asked


def test_the_table_is_whole() -> None:
    assert len({(p.registered, p.default, o.mode, o.person) for p, o, _ in rows()}) == 36


@rule("D7-12")
@pytest.mark.parametrize("override", [OVERRIDES[0], OVERRIDES[1], OVERRIDES[2]])
def test_unreadable_people_permit_and_say_so(override: Override) -> None:
    people = People((ANA,), "ana", readable=False)
    assert who_is_asked(people, override) == Asked(
        AskedMode.PERMITS, because=Cause.PEOPLE_UNREADABLE
    )


def test_a_seat_set_to_refuse_refuses_even_when_people_cant_be_read() -> None:
    people = People(readable=False)
    assert who_is_asked(people, OVERRIDES[3]).mode is AskedMode.REFUSES


@rule("A-27")
@pytest.mark.parametrize("people", [People(), People((ANA,)), People(readable=False)])
def test_an_override_that_cant_be_read_refuses(people: People) -> None:
    assert who_is_asked(people, None) == RESULTS["refuses"]


def test_an_override_to_nobody_in_particular_reaches_nobody() -> None:
    assert who_is_asked(People((ANA,)), Override(OverrideMode.TO)) == RESULTS["gone"]


def test_every_cause_has_words_of_its_own() -> None:
    causes = [*AskedBecause, *Cause]
    words = {cause_in_words(cause) for cause in causes}
    assert len(words) == len(causes)
    assert not words & set(causes)


def test_a_cause_of_a_later_daemon_stays_as_it_came() -> None:
    assert cause_in_words("moon_phase") == "moon_phase"
