"""The `Backend` for a daemon that speaks OpenRig's operator routes."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from rig_tui.client.errors import (
    AnewError,
    ClientError,
    DiscoveryError,
    ForeignError,
    LostError,
    NotAllowedError,
    UnreachableError,
)
from rig_tui.client.following import Following, made
from rig_tui.client.intake import EventStream
from rig_tui.client.lists import read_fleet, read_page
from rig_tui.client.published.daemon import Pace, PublishedDaemon
from rig_tui.client.published.lists import Known
from rig_tui.client.published.session import probe
from rig_tui.client.session import Session, Timing, reach
from rig_tui.client.writes import perform
from rig_tui.domain.commands import Unsent
from rig_tui.domain.events import (
    LinkLost,
    LinkMade,
    LinkRefused,
    LinkTried,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator
    from datetime import datetime

    import httpx

    from rig_tui.client.discovery import Candidate, Discovery
    from rig_tui.domain.commands import Command, Page, Query, Verdict
    from rig_tui.domain.events import EventBatch, FleetRead
    from rig_tui.domain.model import Origin

_REFUSALS = (NotAllowedError, ForeignError, DiscoveryError)


class OpenRigBackend:
    """One daemon at a time: found, proved, followed, and found again when it is lost."""

    def __init__(
        self,
        find: Callable[[], Discovery],
        *,
        actor: Callable[[], str],
        origin: Origin,
        clock: Callable[[], datetime],
        delays: Callable[[], Iterator[float]],
        timing: Timing = Timing(),  # noqa: B008 (frozen)
        pace: Pace = Pace(),  # noqa: B008 (frozen)
        transport: Callable[[], httpx.AsyncBaseTransport | None] = lambda: None,
    ) -> None:
        """Nothing is read or sent before `connect` or `open`.

        Args:
            find: Names the daemons to try; asked again at each attempt, because a
                daemon that starts anew may do so at another port.
            actor: The actor name that is painted as answering, asked at each write.
            origin: What answers record of this console.
            clock: The time, aware.
            delays: A fresh run of waits between attempts.
            timing: How long to wait for what.
            pace: How often to read a published OpenRig.
            transport: Makes the transport of one connection pool; None is httpx's own.
        """
        self._find = find
        self._actor = actor
        self._origin = origin
        self._clock = clock
        self._delays = delays
        self._timing = timing
        self._pace = pace
        self._transport = transport
        self._session: Session | None = None
        self._published: PublishedDaemon | None = None
        self._known: dict[str, Known] = {}
        """By address: what was known of each published OpenRig when it was lost."""
        self._last_id: str | None = None
        self._hurry = asyncio.Event()

    @property
    def capabilities(self) -> frozenset[str]:
        """What the daemon said it can do, at the last connect."""
        if self._published is not None:
            return self._published.session.abilities
        return self._session.health.capabilities if self._session else frozenset()

    @property
    def base_url(self) -> str:
        """The daemon connected to, "" without one."""
        if self._published is not None:
            return self._published.session.candidate.base_url or ""
        return (self._session.candidate.base_url or "") if self._session else ""

    def known(self, address: str) -> Known:
        """What is known of a published OpenRig, over all connections to it."""
        return self._known.setdefault(address, Known())

    @property
    def clock_offset(self) -> timedelta:
        """The daemon's clock minus ours, at the last connect."""
        if self._published is not None:
            return self._published.session.clock_offset
        return self._session.clock_offset if self._session else timedelta()

    async def open(self) -> tuple[LinkTried, LinkMade, FleetRead]:
        """Connect once and read the lists, without following the stream.

        Raises:
            ClientError: No daemon could be used; the message says what was tried.
        """
        async with aclosing(self._search()) as steps:
            async for _ in steps:
                pass
        if self._published is not None:
            return await self._published.open()
        session = self._connected()
        tried = LinkTried(session.candidate.address, session.candidate.rule)
        return (tried, made(session, self._clock()), await read_fleet(session, 0))

    async def connect(self) -> AsyncGenerator[EventBatch, None]:
        """Follow the daemon for ever; see `Backend.connect`."""
        waits = self._delays()
        while True:
            began = asyncio.get_running_loop().time()
            try:
                async with aclosing(self._follow()) as batches:
                    async for batch in batches:
                        yield batch
            except AnewError:
                continue
            except ClientError as error:
                if asyncio.get_running_loop().time() - began > self._timing.steady:
                    waits = self._delays()
                wait = next(waits)
                if isinstance(error, NotAllowedError | DiscoveryError):
                    wait = max(wait, self._timing.refused)
                at = self._clock()
                retry_at = at + timedelta(seconds=wait)
                if isinstance(error, _REFUSALS):
                    yield (LinkRefused(str(error), at, retry_at),)
                else:
                    yield (LinkLost(str(error), at, retry_at),)
                await self._pause(wait)

    async def send(self, command: Command, key: str) -> Verdict:
        """Do one command, once; see `Backend.send`."""
        if self._published is not None:
            return await self._published.send(command, self._actor())
        if self._session is None:
            return Unsent("there is no connection to the daemon")
        return await perform(self._session, command, key, self._actor(), self._origin)

    async def fetch(self, query: Query) -> Page:
        """Read something that isn't in the stream; see `Backend.fetch`."""
        if self._published is not None:
            return await self._published.fetch(query)
        return await read_page(self._connected(), query)

    def retry_now(self) -> None:
        """End the pause before the next connection attempt."""
        self._hurry.set()

    async def aclose(self) -> None:
        """Close every connection; a write that is under way gets its answer first."""
        session, self._session = self._session, None
        published, self._published = self._published, None
        for connected in (session, published):
            if connected is not None:
                await connected.aclose()

    async def _search(self) -> AsyncGenerator[LinkTried, None]:
        """Try the daemons that discovery names until one has proved itself."""
        discovery = self._find()
        failed: list[tuple[Candidate, ClientError]] = []
        for candidate in discovery.candidates:
            if candidate.base_url is not None:
                yield LinkTried(candidate.address, candidate.rule)
            try:
                await self._find_out(candidate)
            except (UnreachableError, ForeignError) as error:
                if not discovery.search:
                    raise
                failed.append((candidate, error))
            else:
                return
        tried = "\n".join(f"{candidate.rule}: {error}" for candidate, error in failed)
        raise UnreachableError(f"No daemon was found.\n{tried}")

    async def _find_out(self, candidate: Candidate) -> None:
        """Reach a daemon of ours; only where none is promised, look for a published OpenRig."""
        try:
            self._session = await self._reach(candidate)
        except ForeignError:
            if candidate.bearers is None:
                raise
            session = await probe(
                candidate, clock=self._clock, timing=self._timing, transport=self._transport
            )
            known = self.known(candidate.address)
            self._published = PublishedDaemon(session, known, self._clock, self._pace)

    async def _follow(self) -> AsyncGenerator[EventBatch, None]:
        """Search, subscribe, read the lists, then pass on what the stream brings."""
        try:
            async with aclosing(self._search()) as steps:
                async for tried in steps:
                    yield (tried,)
            if self._published is not None:
                async with aclosing(self._published.follow()) as batches:
                    async for batch in batches:
                        yield batch
            session = self._connected()
            stream = EventStream(self._clock, self._last_id)
            following = Following(
                session,
                clock=self._clock,
                timing=self._timing,
                probe=partial(self._prove, session.candidate),
            )
            async with session.stream(self._last_id) as chunks:
                try:
                    async with aclosing(following.batches(chunks, stream)) as batches:
                        async for batch in batches:
                            yield batch
                finally:
                    self._last_id = stream.last_id
        finally:
            await self.aclose()

    async def _reach(self, candidate: Candidate) -> Session:
        return await reach(
            candidate, clock=self._clock, timing=self._timing, transport=self._transport
        )

    async def _prove(self, candidate: Candidate) -> None:
        await (await self._reach(candidate)).aclose()

    def _connected(self) -> Session:
        if self._session is None:
            raise LostError("there is no connection to the daemon")
        return self._session

    async def _pause(self, seconds: float) -> None:
        self._hurry.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._hurry.wait()
