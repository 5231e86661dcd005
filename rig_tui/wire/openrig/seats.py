"""Seat rows (`/api/rigs/:id/nodes`), in both directions."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from rig_tui.domain.model import Seat
from rig_tui.wire.json import dumps
from rig_tui.wire.openrig.runner_row import HeardRow, RunnerRow
from rig_tui.wire.openrig.seat_row import ActivityState, SeatRow
from rig_tui.wire.openrig.shape import dump, read, remembered
from rig_tui.wire.openrig.sizes import TEXT_LIMIT, elide

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject
    from rig_tui.wire.openrig.shape import JsonInput

_SEATS = TypeAdapter(list[SeatRow])
_STATE = TypeAdapter(ActivityState)
_HEARD = TypeAdapter(HeardRow)
_RUNNER = TypeAdapter(RunnerRow)
_HEARD_KEYS = {field.name for field in fields(HeardRow)}
_PASSING = {
    "reading",
    "evidence",
    "liveness_seconds",
    "turn_id",
    "exited",
    "clock_skew_seconds",
    "version",
}
"""What posts change of a seat."""


def encode_seat(seat: Seat) -> JsonObject:
    """A seat's row."""
    return elide(dump(SeatRow.of(seat)))[0]


def seat_text(seat: Seat) -> str:
    """A seat's row as JSON text: `encode_seat` for what is sent by the thousand.

    What lasts from post to post is encoded once.
    """
    try:
        row, runner = _lasting_text(_Lasting(seat))
        heard = _HEARD.dump_json(HeardRow.of(seat), by_alias=True).decode()
        state = _STATE.dump_json(ActivityState.of(seat), by_alias=True).decode()
    except PydanticSerializationError:
        return dumps(encode_seat(seat))  # a lone surrogate
    text = f'{row},"runner":{runner},{heard[1:]},"activityState":{state},"version":{seat.version}}}'
    # All of it is shorter than one text may be, so there is nothing to cut.
    return text if len(text) <= TEXT_LIMIT else dumps(encode_seat(seat))


class _Lasting:
    """A seat, equal to itself before and after a post."""

    _key = attrgetter(*(f.name for f in fields(Seat) if f.name not in _PASSING))

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self._facts = _Lasting._key(seat)

    def __hash__(self) -> int:
        return hash(self._facts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Lasting) and self._facts == other._facts


@remembered
def _lasting_text(of: _Lasting) -> tuple[str, str]:
    """The row and, inside it, the runner's, both without what passes and left open."""
    row = SeatRow.of(of.seat).model_dump_json(
        by_alias=True, exclude={"runner", "activity_state", "version"}
    )
    runner = _RUNNER.dump_json(RunnerRow.of(of.seat), by_alias=True, exclude=_HEARD_KEYS)
    return row[:-1], runner[:-1].decode()


def decode_seats(data: JsonInput) -> tuple[Seat, ...]:
    """The seats of one rig, also from daemons that know nothing of runners.

    Raises:
        UnreadableError: It isn't a list of seat rows.
    """
    return tuple(row.value() for row in read(_SEATS, "The list of seats", data))
