"""Reads that wait for an ask to change, woken the moment it does."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Waits:
    """The waiting reads, by ask."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._closed = False

    @contextmanager
    def on(self, ask_id: str) -> Iterator[asyncio.Event]:
        """Give an event that is set when the ask changes, or when waiting is over."""
        event = asyncio.Event()
        if self._closed:
            event.set()
        waiting = self._waiting.setdefault(ask_id, set())
        waiting.add(event)
        try:
            yield event
        finally:
            waiting.discard(event)
            if not waiting:
                self._waiting.pop(ask_id, None)

    def __len__(self) -> int:
        """Count the reads that wait."""
        return sum(map(len, self._waiting.values()))

    @property
    def closed(self) -> bool:
        return self._closed

    def wake(self, ask_id: str) -> None:
        for event in self._waiting.get(ask_id, ()):
            event.set()

    def close(self) -> None:
        """End every wait, and let none begin."""
        self._closed = True
        for ask_id in self._waiting:
            self.wake(ask_id)
