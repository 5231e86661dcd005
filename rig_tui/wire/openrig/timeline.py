"""Entries of a seat's timeline (`/api/seats/:ref/events`), in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, TypeAdapter

from rig_tui.domain.timeline import SeatEvent
from rig_tui.wire.openrig.shape import SHAPE, Instant, dump, read
from rig_tui.wire.openrig.sizes import elide

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject
    from rig_tui.wire.openrig.shape import JsonInput


class SeatEventRow(BaseModel):
    """One entry."""

    model_config = SHAPE

    sort_key: str
    at: Instant
    kind: str
    what: str = ""
    by: str | None = None
    reason: str | None = None
    ask_id: str | None = None

    def value(self) -> SeatEvent:
        return SeatEvent(
            self.sort_key, self.at, self.kind, self.what, self.by, self.reason, self.ask_id
        )


_SEAT_EVENTS = TypeAdapter(list[SeatEventRow])


def encode_seat_event(event: SeatEvent) -> JsonObject:
    """One entry's row."""
    row = SeatEventRow(
        sort_key=event.sort_key,
        at=event.at,
        kind=event.kind,
        what=event.what,
        by=event.by,
        reason=event.reason,
        ask_id=event.ask_id,
    )
    return elide(dump(row))[0]


def decode_seat_events(data: JsonInput) -> tuple[SeatEvent, ...]:
    """A page of a seat's timeline, in its order.

    Raises:
        UnreadableError: It isn't such a list.
    """
    return tuple(row.value() for row in read(_SEAT_EVENTS, "A seat's timeline", data))
