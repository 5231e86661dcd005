from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING

import pytest

from rig_tui.client.discovery import Bearers, Candidate, Discovery
from rig_tui.client.openrig import OpenRigBackend
from rig_tui.client.published.daemon import Pace
from rig_tui.domain.model import Fleet, Origin
from rig_tui.domain.reduce import reduce
from tests.client.conftest import FAST
from tests.client.scripted_daemon import Follower
from tests.openrig.fake import NOW, FakeOpenRig, fake_openrig

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from rig_tui.client.published.lists import Known
    from rig_tui.domain.model import Seat

QUICK = Pace(untold=0.05, told=0.05, alive=0.05, apart=0.0)
"""Everything is read all the time."""
NEVER = Pace(untold=600.0, told=600.0, alive=600.0, apart=0.0)
"""Only events make anything read."""


class OpenRigConsole:
    """A backend that follows the fake."""

    def __init__(self, daemon: FakeOpenRig) -> None:
        self.daemon = daemon
        self.bearers: Bearers | None = Bearers("operator", "terminal")
        self.token: str | None = None
        self.pace = NEVER
        self.timing = FAST
        self._backend: OpenRigBackend | None = None
        self._followers: list[Follower] = []

    @property
    def backend(self) -> OpenRigBackend:
        if self._backend is None:
            self._backend = OpenRigBackend(
                self._discovery,
                actor=lambda: "human@host",
                origin=Origin("tui", 42, None),
                clock=lambda: NOW,
                delays=lambda: itertools.repeat(0.001),
                timing=self.timing,
                pace=self.pace,
            )
        return self._backend

    def _discovery(self) -> Discovery:
        url = self.daemon.base_url
        return Discovery((Candidate("--url", url, self.token, "", bearers=self.bearers),), False)

    @property
    def known(self) -> Known:
        return self.backend.known(self.daemon.base_url.removeprefix("http://"))

    def follow(self) -> Follower:
        follower = Follower(self.backend.connect())
        self._followers.append(follower)
        return follower

    async def close(self) -> None:
        for follower in self._followers:
            await follower.stop()
        await self.backend.aclose()


async def become(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 (what is waited for tells nobody)
            await asyncio.sleep(0.005)


def fleet_of(follower: Follower) -> Fleet:
    """The world as the console holds it."""
    fleet = Fleet()
    for batch in follower.batches:
        fleet = reduce(fleet, batch)
    return fleet


def seat_of(follower: Follower, seat_ref: str) -> Seat:
    return next(s for s in fleet_of(follower).seats.values() if s.seat_ref == seat_ref)


@pytest.fixture
async def openrig() -> AsyncIterator[FakeOpenRig]:
    async with fake_openrig() as daemon:
        yield daemon


@pytest.fixture
async def console(openrig: FakeOpenRig) -> AsyncIterator[OpenRigConsole]:
    console = OpenRigConsole(openrig)
    yield console
    await console.close()
