"""The lists of a published OpenRig, and what changed since they were read last.

Its rows carry no versions, so each changed value gets one here. They go on over every
reconnect: a value is newer because it was read later.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from rig_tui.client.errors import BadAnswerError, MissingError
from rig_tui.client.lists import read_rigs
from rig_tui.domain.events import AskChanged, AskClosed, FleetRead, SeatRead
from rig_tui.domain.model import AskState, Outcome, People
from rig_tui.wire.errors import WireError
from rig_tui.wire.published.items import decode_item, decode_items, decode_last_transition
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

    def take_seats(self, rigs: tuple[Rig, ...], seats: tuple[Seat, ...]) -> tuple[bool, list[Seat]]:
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

    def take_asks(self, asks: tuple[Ask, ...]) -> tuple[list[Ask], list[str]]:
        """Take what waits; give what is new or changed, and the ids of what waits no more."""
        before = dict(self.asks)
        stamped = [self.stamp_ask(ask) for ask in asks]
        waiting = {ask.ask_id for ask in asks}
        gone = [ask_id for ask_id, ask in before.items() if ask.pending and ask_id not in waiting]
        self.asks = {ask.ask_id: ask for ask in stamped} | {i: before[i] for i in gone}
        return [ask for ask in stamped if before.get(ask.ask_id) is not ask], gone

    def stamp_ask(self, ask: Ask) -> Ask:
        """The ask as held when nothing about it has changed, else as one that is newer."""
        held = self.asks.get(ask.ask_id)
        if held is not None and replace(held, version=0) == ask:
            return held
        stamped = replace(ask, version=self.next())
        self.asks[ask.ask_id] = stamped
        return stamped

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
        rigs, seats = await read_rigs(session.get, decode_nodes)
    except WireError as error:
        where = session.candidate.address
        raise BadAnswerError(f"a list of {where} can't be read: {error}") from error
    rows_changed, changed = known.take_seats(rigs, seats)
    if rows_changed:
        return (known.fleet(),)
    return tuple(SeatRead(seat) for seat in changed)


async def read_asks(session: PublishedSession, known: Known) -> EventBatch:
    """Read what waits for a person; what changed, as events.

    What is no longer in the list is read once more, to say how it ended.

    Raises:
        ClientError: The list couldn't be read.
    """
    try:
        body = await session.get("/api/queue/list", {"attention": 1, "limit": ASKS_READ})
        changed, gone = known.take_asks(decode_items(body))
        events: list[AskChanged | AskClosed] = [AskChanged(ask) for ask in changed]
        for ask_id in gone:
            events.append(AskClosed(await _ended(session, known, ask_id)))
    except WireError as error:
        where = session.candidate.address
        raise BadAnswerError(f"a list of {where} can't be read: {error}") from error
    return tuple(events)


async def read_item(session: PublishedSession, known: Known, ask_id: str) -> Ask:
    """Read one item as it stands, newer than what is held if it differs.

    Raises:
        ClientError: It couldn't be read.
        WireError: It can't be understood.
    """
    body = await session.get(f"/api/queue/{quote(ask_id, safe='')}")
    return known.stamp_ask(decode_item(body))


async def _ended(session: PublishedSession, known: Known, ask_id: str) -> Ask:
    held = known.asks[ask_id]
    try:
        ask = await read_item(session, known, ask_id)
        if not ask.pending:
            ask = await _who_ended(session, known, ask)
    except MissingError:
        ask = replace(held, outcome=Outcome(AskState.CLOSED, reason="gone"), version=known.next())
    if not ask.pending:
        known.asks.pop(ask_id, None)
    return ask


async def _who_ended(session: PublishedSession, known: Known, ask: Ask) -> Ask:
    try:
        body = await session.get(f"/api/queue/{quote(ask.ask_id, safe='')}/transitions")
        by, at = decode_last_transition(body)
    except (MissingError, WireError):
        return ask
    return replace(ask, decided_by=by, decided_at=at, version=known.next())
