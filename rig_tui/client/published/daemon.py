"""One published OpenRig as this console follows it: streams for hints, lists for truth."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rig_tui.client.errors import BadAnswerError
from rig_tui.client.published.acts import perform
from rig_tui.client.published.hints import BOTH, Hints
from rig_tui.client.published.lists import read_asks, read_item, read_seats
from rig_tui.domain.commands import Page, WholeAsk
from rig_tui.domain.events import LinkMade, LinkTried
from rig_tui.domain.model import NO_CONTRACT
from rig_tui.wire.errors import WireError
from rig_tui.wire.published.streams import Concerns

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable
    from datetime import datetime

    from rig_tui.client.published.lists import Known
    from rig_tui.client.published.session import PublishedSession
    from rig_tui.domain.commands import Command, Query, Verdict
    from rig_tui.domain.events import EventBatch, FleetRead


@dataclass(frozen=True, slots=True)
class Pace:
    """How often to read what makes no event, in seconds."""

    untold: float = 4.0
    """A list whose changes make no events."""
    told: float = 30.0
    """A list whose changes do: events get lost."""
    alive: float = 4.0
    """Without any other read, a look whether the daemon still answers: its streams carry
    no keep-alive, and one that is shutting down leaves them open."""
    apart: float = 0.1
    """Between two reads that events asked for."""


class PublishedDaemon:
    """Follows one connection; what it learns outlives it in `known`."""

    def __init__(
        self,
        session: PublishedSession,
        known: Known,
        clock: Callable[[], datetime],
        pace: Pace = Pace(),
    ) -> None:
        self.session = session
        self._known = known
        self._clock = clock
        self._pace = pace

    async def open(self) -> tuple[LinkTried, LinkMade, FleetRead]:
        """Read every list, without following anything.

        Raises:
            ClientError: A list couldn't be read.
        """
        await self._read(BOTH)
        candidate = self.session.candidate
        return (LinkTried(candidate.address, candidate.rule), self._made(()), self._known.fleet())

    async def follow(self) -> AsyncGenerator[EventBatch, None]:
        """Subscribe, read the lists, then read again what events or time make old.

        Raises:
            ClientError: The daemon is gone.
        """
        async with aclosing(Hints(self.session, self._known)) as hints:
            await hints.open()
            await self._read(BOTH)
            yield (self._made(hints.serving), self._known.fleet())
            async with aclosing(self._changes(hints)) as changes:
                async for batch in changes:
                    yield batch

    async def send(self, command: Command, actor: str) -> Verdict:
        """Do one command, once, as `actor`."""
        return await perform(self.session, self._known, command, actor)

    async def fetch(self, query: Query) -> Page:
        """Read something that isn't followed.

        Raises:
            ClientError: It couldn't be read, or there is no such thing here.
        """
        if not isinstance(query, WholeAsk):
            raise BadAnswerError(f"{self.session.name} keeps no such record")
        try:
            return Page(ask=await read_item(self.session, self._known, query.ask_id))
        except WireError as error:
            where = self.session.candidate.address
            raise BadAnswerError(f"an item of {where} can't be read: {error}") from error

    async def aclose(self) -> None:
        """Close every connection."""
        await self.session.aclose()

    async def _changes(self, hints: Hints) -> AsyncGenerator[EventBatch, None]:
        now = asyncio.get_running_loop().time
        pace = self._pace
        seats_at = asks_at = read_at = now()
        while True:
            seats_due = seats_at + (pace.told if hints.tells_of_seats else pace.untold)
            asks_due = asks_at + (pace.told if hints.tells_of_asks else pace.untold)
            await hints.wait(min(seats_due, asks_due, read_at + pace.alive) - now())
            await asyncio.sleep(max(0.0, read_at + pace.apart - now()))
            due = hints.take()
            due |= Concerns.SEATS if now() >= seats_due else Concerns.NOTHING
            due |= Concerns.ASKS if now() >= asks_due else Concerns.NOTHING
            if due:
                events = await self._read(due)
                if events:
                    yield events
            else:
                await self.session.get("/healthz")
            read_at = now()
            seats_at = read_at if Concerns.SEATS in due else seats_at
            asks_at = read_at if Concerns.ASKS in due else asks_at

    async def _read(self, due: Concerns) -> EventBatch:
        events: EventBatch = ()
        if Concerns.SEATS in due:
            events += await read_seats(self.session, self._known)
        if Concerns.ASKS in due and "read:asks" in self.session.abilities:
            events += await read_asks(self.session, self._known)
        return events

    def _made(self, streams: Iterable[str]) -> LinkMade:
        session = self.session
        return LinkMade(
            address=session.candidate.address,
            at=self._clock(),
            version=session.name,
            contract=NO_CONTRACT,
            # It says nothing of its database, and nothing held is compared by number.
            epoch=f"openrig {session.candidate.address}",
            capabilities=session.abilities | {f"stream:{path}" for path in streams},
            clock_offset=session.clock_offset,
        )
