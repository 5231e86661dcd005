"""Seat rows (`/api/rigs/:id/nodes`), in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from rig_tui.wire.json import dumps
from rig_tui.wire.openrig.seat_row import SeatRow
from rig_tui.wire.openrig.shape import dump, read
from rig_tui.wire.openrig.sizes import TEXT_LIMIT, elide

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject, Seat
    from rig_tui.wire.openrig.shape import JsonInput

_SEATS = TypeAdapter(list[SeatRow])


def encode_seat(seat: Seat) -> JsonObject:
    """A seat's row."""
    return elide(dump(SeatRow.of(seat)))[0]


def seat_text(seat: Seat) -> str:
    """A seat's row as JSON text: `encode_seat` for what is sent by the thousand."""
    row = SeatRow.of(seat)
    try:
        text = row.model_dump_json(by_alias=True)
    except PydanticSerializationError:
        return dumps(encode_seat(seat))  # a lone surrogate
    # All of it is shorter than one text may be, so there is nothing to cut.
    return text if len(text) <= TEXT_LIMIT else dumps(encode_seat(seat))


def decode_seats(data: JsonInput) -> tuple[Seat, ...]:
    """The seats of one rig, also from daemons that know nothing of runners.

    Raises:
        UnreadableError: It isn't a list of seat rows.
    """
    return tuple(row.value() for row in read(_SEATS, "The list of seats", data))
