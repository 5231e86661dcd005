"""A daemon's whole history at the head of its stream, read past without being read."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
    from datetime import datetime

T = TypeVar("T")
_QUIET: Final = 0.15
"""A replay is over once nothing came for this long."""
_LONGEST: Final = 3.0
"""A replay is taken for over after this, however much still comes."""
_ID: Final = re.compile(rb"\nid: ?(\d{1,18})\r?\n")
_CREATED: Final = re.compile(rb'"createdAt":"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)"\}')
_KEPT: Final = 1_048_576


class Replay:
    """The beginning of a stream, up to where it goes on live."""

    def __init__(self, chunks: AsyncIterator[bytes], opened_at: datetime | None) -> None:
        """Read past what is older than this, by the daemon's clock."""
        self._chunks = chunks
        # As the events write it, so that text can be compared with text.
        self._opened_at = (
            opened_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S").encode() if opened_at else None
        )
        self._loop = asyncio.get_running_loop()
        self._heard: float | None = None
        self._over = asyncio.Event()
        """Set where it goes on live."""
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue(1)
        self._reader = asyncio.create_task(self._read())
        self.last_id = 0
        self.tail = b""
        """The beginning of an event whose end hasn't come."""

    async def drain(self, patience: float) -> bool:
        """Read to where it goes on live; false when nothing at all came in time.

        Raises:
            ClientError: The stream broke.
        """
        began = self._loop.time()
        until = began + patience
        while self._loop.time() < until:
            await self._first(self._over.wait(), until - self._loop.time())
            if self._over.is_set():
                break
            if self._heard is not None:
                until = min(self._heard + _QUIET, began + _LONGEST)
        self._over.set()
        return self._heard is not None

    async def rest(self) -> AsyncGenerator[bytes, None]:
        """What comes after, as it comes."""
        while True:
            chunk = await self._first(self._waiting.get())
            if chunk is not None:
                yield chunk

    async def aclose(self) -> None:
        """Let go of the stream."""
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)

    async def _read(self) -> None:
        async for chunk in self._chunks:
            if self._over.is_set():
                await self._waiting.put(chunk)
                continue
            self._heard = self._loop.time()
            if self._pass(chunk):
                self._over.set()

    async def _first(self, wanted: Coroutine[None, None, T], wait: float | None = None) -> T | None:
        """Wait for something, unless the stream breaks or the time is over first."""
        waiter = asyncio.create_task(wanted)
        try:
            await asyncio.wait({waiter, self._reader}, timeout=wait, return_when="FIRST_COMPLETED")
            if waiter.done():
                return waiter.result()
            if self._reader.done():
                self._reader.result()
            return None
        finally:
            waiter.cancel()

    def _pass(self, chunk: bytes) -> bool:
        """Read past a chunk; true when its last whole event has happened since the opening."""
        seen = self.tail + chunk
        end = seen.rfind(b"\n\n") + 2
        if end < 2:
            self.tail = seen[-_KEPT:]
            return False
        self.tail = seen[end:]
        last = seen[seen.rfind(b"\n\n", 0, end - 2) + 1 : end]
        if (number := _ID.search(last)) is not None:
            self.last_id = max(self.last_id, int(number[1]))
        created = _CREATED.search(last)
        return bool(created and self._opened_at and created[1] >= self._opened_at)


def number_of(event_id: str) -> int:
    """An event's number; 0 for an id that isn't one."""
    plain = event_id.isascii() and event_id.isdigit() and len(event_id) <= 18
    return int(event_id) if plain else 0
