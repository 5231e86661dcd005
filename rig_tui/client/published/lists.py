"""The lists of a published OpenRig, and what changed since they were read last.

Its rows carry no versions, so each changed value gets one here. They go on over every
reconnect: a value is newer because it was read later.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from rig_tui.client.errors import BadAnswerError
from rig_tui.domain.events import FleetRead, SeatRead
from rig_tui.domain.model import People
from rig_tui.wire import openrig
from rig_tui.wire.errors import WireError
from rig_tui.wire.published.seats import decode_nodes

if TYPE_CHECKING:
    from rig_tui.client.published.session import PublishedSession
    from rig_tui.domain.events import EventBatch
    from rig_tui.domain.model import Ask, Rig, Seat, SeatId

ASKS_READ: Final = 500


@dataclass(slots=True)
class Known:
    """What is known of one daemon, over all connections to it."""

    last_id: int | None = None
    """The newest event number; those below it may still come, or never."""
    version: int = 0
    rigs: tuple[Rig, ...] = ()
    seats: dict[SeatId, Seat] = field(default_factory=dict)
    asks: dict[str, Ask] = field(default_factory=dict)

    def take_seats(self, rigs: tuple[Rig, ...], seats: list[Seat]) -> tuple[bool, list[Seat]]:
        """Take what was read; say whether rows came or went, and which changed."""
        before, same_rows = self.seats, self.rigs == rigs
        self.rigs, self.seats = rigs, {}
        changed: list[Seat] = []
        for seat in seats:
            held = before.get(seat.seat_id)
            if held is not None and replace(held, version=0) == seat:
                self.seats[seat.seat_id] = held
                continue
            self.seats[seat.seat_id] = stamped = replace(seat, version=self.next())
            changed.append(stamped)
        return not (same_rows and before.keys() == self.seats.keys()), changed

    def next(self) -> int:
        """A version newer than all before."""
        self.version += 1
        return self.version

    def fleet(self) -> FleetRead:
        """Everything held, as one read."""
        return FleetRead(
            rigs=self.rigs,
            seats=tuple(self.seats.values()),
            asks=tuple(self.asks.values()),
            permits=(),
            runner_permits=(),
            people=People(),
            version=self.version,
        )


async def read_seats(session: PublishedSession, known: Known) -> EventBatch:
    """Read every seat; what changed, as events.

    Raises:
        ClientError: A list couldn't be read.
    """
    try:
        rigs = openrig.decode_rigs(await session.get("/api/rigs/summary"))
        seats: list[Seat] = []
        for rig in rigs:
            path = f"/api/rigs/{quote(rig.rig_id, safe='')}/nodes"
            seats.extend(decode_nodes(await session.get(path)))
    except WireError as error:
        where = session.candidate.address
        raise BadAnswerError(f"a list of {where} can't be read: {error}") from error
    rows_changed, changed = known.take_seats(rigs, seats)
    if rows_changed:
        return (known.fleet(),)
    return tuple(SeatRead(seat) for seat in changed)
