"""The signs of life of one stream, and what casts doubt on them.

A connection can be half-open: the other side is gone and nothing ever says so. And a
machine that slept, or whose clock was set, has missed things that nobody tells it of.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from rig_tui.client.errors import ClientError, LostError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from datetime import datetime

    from rig_tui.client.session import Timing

_LOOK_EVERY = 1.0
"""Seconds between two looks at the clocks."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why what was read may no longer be so."""

    cause: str
    since: datetime
    """When the stream last vouched for it."""


class Pulse:
    """Reads ahead by one chunk, so that silence can be noticed without ending the read."""

    def __init__(
        self, chunks: AsyncIterator[bytes], clock: Callable[[], datetime], timing: Timing
    ) -> None:
        self._clock = clock
        self._timing = timing
        self._queue: asyncio.Queue[bytes | ClientError] = asyncio.Queue(1)
        self._loop = asyncio.get_running_loop()
        self._heard = self._looked = self._loop.time()
        self._wall = clock()
        self._reading = asyncio.create_task(self._read(chunks))

    async def take(self) -> bytes | Doubt:
        """Give the next chunk, or what makes the picture doubtful, each time it does.

        Raises:
            ClientError: The stream broke or ended.
        """
        while True:
            due = self._heard + self._timing.silence
            with suppress(TimeoutError):
                async with asyncio.timeout_at(min(due, self._looked + _LOOK_EVERY)):
                    chunk = await self._queue.get()
                if isinstance(chunk, ClientError):
                    raise chunk
                return chunk
            doubt = self._look()
            if doubt is not None:
                return doubt

    async def aclose(self) -> None:
        """Stop reading."""
        self._reading.cancel()
        with suppress(asyncio.CancelledError):
            await self._reading

    async def _read(self, chunks: AsyncIterator[bytes]) -> None:
        try:
            async for chunk in chunks:
                # A line that never ends is no sign of life, however slowly it drips.
                if b"\n" in chunk:
                    self._heard = self._loop.time()
                await self._queue.put(chunk)
            raise LostError("the event stream ended")
        except ClientError as error:
            await self._queue.put(error)

    def _look(self) -> Doubt | None:
        time, wall = self._loop.time(), self._clock()
        passed, was = time - self._looked, self._wall
        self._looked, self._wall = time, wall
        strayed = (wall - was).total_seconds() - passed
        if abs(strayed) > self._timing.stray:
            cause = f"the clock jumped by {strayed:+.0f} s, or this machine slept"
            return Doubt(cause, was)
        silence = time - self._heard
        if silence >= self._timing.silence:
            self._heard = time
            return Doubt(f"it was silent for {silence:.3g} s", wall - timedelta(seconds=silence))
        return None
