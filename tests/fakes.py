"""A backend of values: it yields what it is told and keeps what it is sent."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

from rig_tui.domain.commands import Command, Done, Page, Query, Verdict
from rig_tui.domain.events import EventBatch, FleetRead, LinkMade
from tests.builders import NOON
from tests.fake_record import FakeRecord

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from rig_tui.domain.model import Fleet


class FakeBackend:
    """Yields the given fleet as a daemon would, then whatever `push` brings."""

    def __init__(self, fleet: Fleet | None = None) -> None:
        self.sent: list[tuple[Command, str]] = []
        self.queries: list[Query] = []
        self.retries = 0
        self.verdict: Callable[[Command], Verdict] = lambda _: Done()
        self.page = Page()
        self.capabilities: frozenset[str] = frozenset()
        self.record = FakeRecord.of(fleet)
        self._batches: asyncio.Queue[EventBatch] = asyncio.Queue()
        self.hold: asyncio.Event | None = None
        if fleet is not None:
            self.push(*as_read(fleet))

    def push(self, *events: object) -> None:
        """Have the stream bring these events, in one batch."""
        self._batches.put_nowait(events)  # type: ignore[arg-type]

    async def connect(self) -> AsyncIterator[EventBatch]:
        while True:
            yield await self._batches.get()

    async def send(self, command: Command, key: str) -> Verdict:
        self.sent.append((command, key))
        if self.hold is not None:
            await self.hold.wait()
        return self.verdict(command)

    async def fetch(self, query: Query) -> Page:
        self.queries.append(query)
        return self.record.answer(query) or self.page

    def retry_now(self) -> None:
        self.retries += 1

    async def aclose(self) -> None:
        return None


def as_read(fleet: Fleet) -> EventBatch:
    """The batch by which a daemon brings this fleet."""
    link = fleet.link
    made = LinkMade(
        link.address, link.since or NOON, link.version, link.contract, link.epoch or "e1",
        link.capabilities, timedelta(0),
    )  # fmt: skip
    read = FleetRead(
        fleet.rigs, tuple(fleet.seats.values()), tuple(fleet.asks.values()), fleet.permits,
        fleet.runner_permits, fleet.people, 0,
    )  # fmt: skip
    return (made, read)
