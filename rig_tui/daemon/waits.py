"""Reads that wait for something to change, woken the moment it does."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request


async def hung_up(request: Request) -> None:
    """Return when the caller has hung up."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Waits:
    """The waiting reads, by what each waits for: an ask, or a seat's messages."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._closed = False

    @contextmanager
    def on(self, subject: str) -> Iterator[asyncio.Event]:
        """Give an event that is set when its subject changes, or when waiting is over."""
        event = asyncio.Event()
        if self._closed:
            event.set()
        waiting = self._waiting.setdefault(subject, set())
        waiting.add(event)
        try:
            yield event
        finally:
            waiting.discard(event)
            if not waiting:
                self._waiting.pop(subject, None)

    def __len__(self) -> int:
        """Count the reads that wait."""
        return sum(map(len, self._waiting.values()))

    @property
    def closed(self) -> bool:
        return self._closed

    def wake(self, subject: str) -> None:
        for event in self._waiting.get(subject, ()):
            event.set()

    def close(self) -> None:
        """End every wait, and let none begin."""
        self._closed = True
        for subject in self._waiting:
            self.wake(subject)
