"""Seats that flip between working and idle too fast to be read.

Rule of this file: a seat's reading stays the daemon's. This only says that it won't stand
still, by the instants the daemon gives.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from rig_tui.domain.model import Reading

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import Fleet, Seat, SeatId

ENOUGH: Final = 4
"""So many flips inside the window are flapping; older ones aren't kept."""
WINDOW: Final = timedelta(seconds=10)
_FLIPS: Final = {(Reading.WORKING, Reading.IDLE), (Reading.IDLE, Reading.WORKING)}


def flipped(flips: tuple[datetime, ...], before: Seat, after: Seat) -> tuple[datetime, ...]:
    """The newest flips of a seat, with this change if it is one."""
    at = after.evidence.at
    if at is None or (before.reading, after.reading) not in _FLIPS:
        return flips
    return (*flips, at)[-ENOUGH:]


def flapping(fleet: Fleet, seat_id: SeatId, now: datetime) -> bool:
    """Whether the seat has flipped often, just now."""
    flips = fleet.flips.get(seat_id, ())
    if len(flips) < ENOUGH:
        return False
    now += fleet.link.clock_offset
    return flips[-1] - flips[0] <= WINDOW and now - flips[-1] < WINDOW
