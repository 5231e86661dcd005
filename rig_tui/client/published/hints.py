"""The streams of a published OpenRig, followed for hints.

Rule of this file: an event is never applied. A stream replays its whole history at a
first connect, and that is drained without a look at it: the lists are read afterwards.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Final

from rig_tui.client.errors import ClientError
from rig_tui.client.published.replay import Replay, number_of
from rig_tui.client.published.session import EVERYTHING, IN_PARTS, SEATS
from rig_tui.wire import sse
from rig_tui.wire.published.streams import Concerns, concerns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from rig_tui.client.published.lists import Known
    from rig_tui.client.published.session import PublishedSession

BEHIND: Final = 64
"""How far below the newest event number to resume: numbers come out of order."""
_DEAF: Final = 1.0
"""Resuming brings the last few events again at once; if nothing comes, the numbers
began anew and a stream opened after the old ones would stay silent for good."""
_SLOW: Final = 0.5
"""A daemon whose history doesn't begin within this has none."""
BOTH: Final = Concerns.SEATS | Concerns.ASKS


class Hints:
    """What the streams say should be read again, gathered until it is asked for."""

    def __init__(self, session: PublishedSession, known: Known) -> None:
        self._session = session
        self._known = known
        self._due = Concerns.NOTHING
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._failed: ClientError | None = None
        self.serving: set[str] = set()
        """The streams that are open."""

    @property
    def tells_of_seats(self) -> bool:
        """Whether the daemon says itself when what a seat reads has changed."""
        return SEATS in self.serving

    @property
    def tells_of_asks(self) -> bool:
        """Whether the end of an ask makes an event; the queue's own stream brings none."""
        return EVERYTHING in self.serving

    async def open(self) -> None:
        """Open whichever streams are served.

        Raises:
            ClientError: The daemon went while they were opened.
        """
        await self._start(SEATS)
        if not await self._start(EVERYTHING):
            for path in IN_PARTS:
                await self._start(path)

    async def wait(self, seconds: float) -> None:
        """Wait for a hint, at most this long.

        Raises:
            ClientError: A stream broke.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                await self._changed.wait()
        if self._failed is not None:
            raise self._failed

    def take(self) -> Concerns:
        """What has become old since the last time."""
        due, self._due = self._due, Concerns.NOTHING
        self._changed.clear()
        return due

    async def aclose(self) -> None:
        """Let go of every stream."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _start(self, path: str) -> bool:
        opened: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._tasks.append(asyncio.create_task(self._follow(path, opened)))
        if await opened:
            self.serving.add(path)
        return path in self.serving

    async def _follow(self, path: str, opened: asyncio.Future[bool]) -> None:
        try:
            while await self._follow_once(path, opened):
                self._known.last_id = None  # the numbers began anew
        except ClientError as error:
            if not opened.done():
                opened.set_exception(error)
                return
            self._failed = error
            self._changed.set()

    async def _follow_once(self, path: str, opened: asyncio.Future[bool]) -> bool:
        """Follow one stream until it breaks; true when it must be opened without a number."""
        numbered = path == EVERYTHING
        last = self._known.last_id if numbered else None
        resume = last - BEHIND if last is not None and last > BEHIND else None
        async with self._session.stream(path, resume) as answer:
            if not opened.done():
                opened.set_result(answer.streams)
            if not answer.streams:
                return False
            if not numbered:
                await self._listen(answer.chunks, b"")
                return False
            async with aclosing(Replay(answer.chunks, answer.at)) as replay:
                came = await replay.drain(_DEAF if resume is not None else _SLOW)
                if resume is not None and not came:
                    return True
                self._remember(replay.last_id)
                self._hint(BOTH)
                await self._listen(replay.rest(), replay.tail)
        return False

    async def _listen(self, chunks: AsyncIterator[bytes], held: bytes) -> None:
        decoder = sse.Decoder()
        for frame in decoder.feed(held):
            self._take(frame)
        async for chunk in chunks:
            for frame in decoder.feed(chunk):
                self._take(frame)

    def _take(self, frame: sse.Decoded) -> None:
        self._remember(number_of(frame.id or ""))
        self._hint(BOTH if isinstance(frame, sse.Oversized) else concerns(frame.data))

    def _remember(self, number: int) -> None:
        if number:
            self._known.last_id = max(self._known.last_id or 0, number)

    def _hint(self, due: Concerns) -> None:
        if due:
            self._due |= due
            self._changed.set()
