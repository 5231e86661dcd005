"""Seat rows (`/api/rigs/:id/nodes`), in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from rig_tui.wire.openrig.seat_row import SeatRow
from rig_tui.wire.openrig.shape import dump, read
from rig_tui.wire.openrig.sizes import elide

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject, Seat
    from rig_tui.wire.openrig.shape import JsonInput

_SEATS = TypeAdapter(list[SeatRow])


def encode_seat(seat: Seat) -> JsonObject:
    """A seat's row."""
    return elide(dump(SeatRow.of(seat)))[0]


def decode_seats(data: JsonInput) -> tuple[Seat, ...]:
    """The seats of one rig, also from daemons that know nothing of runners.

    Raises:
        UnreadableError: It isn't a list of seat rows.
    """
    return tuple(row.value() for row in read(_SEATS, "The list of seats", data))
