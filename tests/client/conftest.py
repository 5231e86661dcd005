from __future__ import annotations

import asyncio
import itertools
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from rig_tui.client.discovery import Candidate, Discovery
from rig_tui.client.openrig import OpenRigBackend
from rig_tui.client.session import Timing
from rig_tui.domain.model import Origin
from tests.client.scripted_daemon import NOW, Follower, ScriptedDaemon, scripted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from datetime import datetime

    import httpx

FAST = Timing(connect=2.0, answer=2.0, silence=5.0, refused=30.0, steady=60.0, reread=0.01)


@pytest.fixture
async def daemon() -> AsyncIterator[ScriptedDaemon]:
    async with scripted() as daemon:
        yield daemon


class Console:
    """A backend on scripted daemons, and what it says."""

    def __init__(self, *daemons: ScriptedDaemon) -> None:
        self.daemons = list(daemons)
        self.search = False
        self.skew = timedelta()
        """How far the wall clock was set, or the machine slept."""
        self.timing = FAST
        self.runs = 0
        """How often the waits between attempts began anew."""
        self.transport: Callable[[], httpx.AsyncBaseTransport | None] = lambda: None
        self._backend: OpenRigBackend | None = None
        self._followers: list[Follower] = []
        self._began: float | None = None

    def discovery(self) -> Discovery:
        return Discovery(
            tuple(
                Candidate(f"rule {number}", daemon.base_url, daemon.token, "a token file")
                for number, daemon in enumerate(self.daemons, start=1)
            ),
            self.search,
        )

    def clock(self) -> datetime:
        """NOW, and as far on as the event loop's clock since this was first asked."""
        time = asyncio.get_running_loop().time()
        if self._began is None:
            self._began = time
        return NOW + timedelta(seconds=time - self._began) + self.skew

    def delays(self) -> Iterator[float]:
        self.runs += 1
        return itertools.repeat(0.001)

    @property
    def backend(self) -> OpenRigBackend:
        if self._backend is None:
            self._backend = OpenRigBackend(
                self.discovery,
                actor=lambda: "ana@external",
                origin=Origin("tui", 42, "/dev/pts/3"),
                clock=self.clock,
                delays=self.delays,
                timing=self.timing,
                transport=self.transport,
            )
        return self._backend

    def follow(self) -> Follower:
        follower = Follower(self.backend.connect())
        self._followers.append(follower)
        return follower

    async def close(self) -> None:
        for follower in self._followers:
            await follower.stop()
        await self.backend.aclose()


@pytest.fixture
async def console(daemon: ScriptedDaemon) -> AsyncIterator[Console]:
    console = Console(daemon)
    yield console
    await console.close()
