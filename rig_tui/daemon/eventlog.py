"""The stream of events: numbered for ever, kept a while, replayed on request.

Rule of this file: a number that was given out is never given out again, whatever the
machine lost, so numbers are reserved on disk in blocks before they are used.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from rig_tui.daemon.store import Store

KEPT_FOR = timedelta(days=7)
KEPT_EVENTS = 200_000
MOST_EVENTS_BEHIND = 10_000
MOST_BYTES_BEHIND = 4 * 1024 * 1024

PAGE_BYTES = 256 * 1024
"""What a replay reads and sends at once."""
PRUNED_AT_ONCE = 2_000

_BLOCK = 10_000
_RESERVED = "events_reserved"


@dataclass(slots=True)
class Logged:
    """One event; `data` is its JSON, or None in place of events a slow reader lost."""

    seq: int
    data: str | None
    frame: bytes = field(default=b"", compare=False, repr=False)
    """What goes to every reader, made when the first one is sent it."""


@dataclass(eq=False)
class Subscription:
    """One reader's queue, bounded: beyond it the reader gets one gap and re-reads."""

    most_events: int = MOST_EVENTS_BEHIND
    most_bytes: int = MOST_BYTES_BEHIND
    _queue: deque[Logged] = field(default_factory=deque)
    _bytes: int = 0
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    _closed: bool = False

    def offer(self, event: Logged) -> None:
        self._queue.append(event)
        self._bytes += len(event.data or "")
        if len(self._queue) > self.most_events or self._bytes > self.most_bytes:
            self._queue.clear()
            self._queue.append(Logged(event.seq, None))
            self._bytes = 0
        self._woken.set()

    def close(self) -> None:
        self._closed = True
        self._woken.set()

    async def take(self, within: float) -> list[Logged] | None:
        """Give what has come, an empty list after `within` seconds, None at the end."""
        if not self._queue and not self._closed:
            self._woken.clear()
            try:
                await asyncio.wait_for(self._woken.wait(), within)
            except TimeoutError:
                return []
        if self._closed:
            return None
        taken = list(self._queue)
        self._queue.clear()
        self._bytes = 0
        return taken


class EventLog:
    """Numbers, keeps and hands out events."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reserved = int(store.meta(_RESERVED) or 0)
        self._newest = self._reserved
        self._unsaved: list[tuple[Logged, datetime]] = []
        self._subscriptions: set[Subscription] = set()
        self._closed = False

    @property
    def newest(self) -> int:
        """The last number given out, by this process or any before it."""
        return self._newest

    @property
    def readers(self) -> int:
        """How many streams are open."""
        return len(self._subscriptions)

    def reserve(self, count: int) -> None:
        """See to it that `count` numbers can be taken; call outside a transaction."""
        if self._newest + count <= self._reserved:
            return
        reserved = self._newest + count + _BLOCK
        with self._store.transaction(durable=True):
            self._store.set_meta(_RESERVED, str(reserved))
        self._reserved = reserved

    @property
    def can_number(self) -> bool:
        """Whether a reserved number is left."""
        return self._newest < self._reserved

    def next(self) -> int:
        """Take a reserved number."""
        if not self.can_number:
            raise RuntimeError("no event number is reserved")
        self._newest += 1
        return self._newest

    def publish(self, events: list[Logged], *, unsaved_at: datetime | None = None) -> None:
        """Hand events to everyone who listens.

        Args:
            events: What happened.
            unsaved_at: When, of events that `save` is yet to write; None once committed.
        """
        if unsaved_at is not None:
            self._unsaved += [(event, unsaved_at) for event in events]
        for subscription in self._subscriptions:
            for event in events:
                subscription.offer(event)

    def save(self) -> None:
        """Write what was told and isn't written yet; call inside a transaction."""
        self._store.add_events((event.seq, at, event.data or "") for event, at in self._unsaved)

    def saved(self) -> None:
        """Forget what `save` wrote, now that it is committed."""
        self._unsaved.clear()

    def subscribe(self) -> Subscription:
        subscription = Subscription()
        if self._closed:
            subscription.close()
        self._subscriptions.add(subscription)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        self._subscriptions.discard(subscription)

    def close(self) -> None:
        """End every reader's stream, and every later one at once."""
        self._closed = True
        for subscription in self._subscriptions:
            subscription.close()

    def replays(self, after: int) -> bool:
        """Say whether nothing kept is missing after this number."""
        if after > self._newest:
            return False
        return after == self._newest or after >= self.before_oldest()

    def before_oldest(self) -> int:
        """The number from which a replay gives everything that is kept."""
        oldest = self._store.oldest_event()
        if oldest is None and self._unsaved:
            oldest = self._unsaved[0][0].seq
        return self._newest if oldest is None else oldest - 1

    def replay(self, after: int, until: int) -> Iterator[list[Logged]]:
        """Give the kept events after one number up to another, in pages."""
        while page := self._page(after, until):
            yield page
            after = page[-1].seq

    def _page(self, after: int, until: int) -> list[Logged]:
        page = [Logged(*row) for row in self._store.events(after, until, PAGE_BYTES)]
        return page or [event for event, _ in self._unsaved if after < event.seq <= until]

    def prune(self, now: datetime) -> bool:
        """Let some of the oldest events go; say whether more are due."""
        before = now - KEPT_FOR
        due = self._store.events_due(before, self._newest - KEPT_EVENTS, PRUNED_AT_ONCE)
        if due is None:
            return False
        with self._store.transaction(durable=False):
            self._store.drop_events(due)
        return True
