"""A seat that flips between working and idle is marked."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from rig_tui.domain.events import LinkMade, SeatRead
from rig_tui.domain.flapping import ENOUGH, WINDOW, flapping
from rig_tui.domain.model import Evidence, EvidenceKind, Reading
from rig_tui.domain.reduce import reduce
from rig_tui.ui.present.seat import seat_row
from tests.builders import NOON, a_fleet, a_seat, an_ask, asking

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import Fleet, Seat

SEAT = a_seat().seat_id


def read(reading: Reading, at: datetime, version: int) -> Seat:
    return a_seat(reading=reading, evidence=Evidence(EvidenceKind.POST, at), version=version)


def alternating(times: int, apart: timedelta) -> tuple[Fleet, datetime]:
    """A fleet whose seat went back and forth so often, and the instant of the last time."""
    fleet, at = a_fleet(read(Reading.IDLE, NOON, 1)), NOON
    for number in range(times):
        at = NOON + apart * (number + 1)
        reading = Reading.IDLE if number % 2 else Reading.WORKING
        fleet = reduce(fleet, (SeatRead(read(reading, at, number + 2)),))
    return fleet, at


def test_a_seat_that_alternates_every_300_ms_reads_flapping() -> None:
    fleet, at = alternating(33, timedelta(milliseconds=300))
    assert flapping(fleet, SEAT, at)
    assert fleet.seats[SEAT].reading is Reading.WORKING
    row = seat_row(fleet.seats[SEAT], None, now=at, width=80, flapping=True)
    assert "working" in row.plain
    assert "flapping" in row.plain


def test_a_seat_that_works_now_and_then_does_not() -> None:
    fleet, at = alternating(9, WINDOW / (ENOUGH - 1) + timedelta(seconds=0.1))
    assert not flapping(fleet, SEAT, at)
    few, at = alternating(ENOUGH - 1, timedelta(seconds=0.3))
    assert not flapping(few, SEAT, at)


def test_the_mark_goes_once_the_seat_stands_still() -> None:
    fleet, at = alternating(ENOUGH, timedelta(seconds=0.3))
    assert flapping(fleet, SEAT, at + WINDOW - timedelta(seconds=0.1))
    assert not flapping(fleet, SEAT, at + WINDOW)


def test_other_changes_than_between_working_and_idle_are_no_flips() -> None:
    fleet = a_fleet(read(Reading.UNKNOWN, NOON, 1))
    for number in range(20):
        reading = Reading.UNKNOWN if number % 2 else Reading.WORKING
        fleet = reduce(fleet, (SeatRead(read(reading, NOON, number + 2)),))
    assert fleet.flips == {}


def test_only_the_newest_flips_are_kept_and_none_of_another_database() -> None:
    fleet, at = alternating(50, timedelta(seconds=0.3))
    assert len(fleet.flips[SEAT]) == ENOUGH
    made = LinkMade(at=at, address="x", version="1", contract="", epoch="other",
                    capabilities=frozenset(), clock_offset=timedelta())  # fmt: skip
    assert reduce(fleet, (made,)).flips == {}


def test_a_row_that_needs_somebody_says_that_and_not_how_it_flips() -> None:
    seat = asking(a_seat())
    assert "flapping" not in seat_row(seat, an_ask(), now=NOON, width=80, flapping=True).plain
