"""What happens by time alone: evidence that expires, launch records, pruning."""

from __future__ import annotations

import asyncio
import heapq
import logging
from typing import TYPE_CHECKING

from rig_tui.daemon import idempotency, launch_records, seats
from rig_tui.domain.activity import next_expiry

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.daemon.core import Core
    from rig_tui.daemon.seat_state import SeatRecord

log = logging.getLogger(__name__)

LOOK_EVERY = 0.2
"""Seconds between looks for a launch record that is waited for."""
PRUNE_EVERY = 3600.0
AFTER_TROUBLE = 1.0


class Timekeeper:
    """Sleeps until the next moment something changes, and sees to it."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._woken = asyncio.Event()
        self._due: list[tuple[datetime, str]] = []
        self._launching: set[str] = set()
        self._pruned_at: datetime | None = None
        core.on_seat.append(self._note)
        for record in core.seats.values():
            self._note(record)

    async def run(self) -> None:
        """Keep time until cancelled."""
        while True:
            self._woken.clear()
            pause = self.pause
            try:
                self.tick()
                pause = self.pause
            except Exception:  # without its daemon every runner permits, so time goes on
                log.exception("what was due could not be done")
                pause = AFTER_TROUBLE
            try:
                await asyncio.wait_for(self._woken.wait(), pause)
            except TimeoutError:
                continue

    def tick(self) -> None:
        """Do what is due now."""
        now = self._core.clock()
        launch_records.watch(self._core, self._launching)
        due = set()
        while self._due and self._due[0][0] <= now:
            due.add(heapq.heappop(self._due)[1])
        seats.expire(self._core, due)
        if self._pruned_at is None or (now - self._pruned_at).total_seconds() >= PRUNE_EVERY:
            self._pruned_at = now
            prune(self._core)

    def _note(self, record: SeatRecord) -> None:
        """Remember when a seat that was just written next changes by itself."""
        ref = record.seat.seat_ref
        if record.watch and record.watch.deadline:
            self._launching.add(ref)
            self._woken.set()
        else:
            self._launching.discard(ref)
        moment = next_expiry(record.activity, self._core.clock())
        if moment is None:
            return
        if not self._due or moment < self._due[0][0]:
            self._woken.set()
        heapq.heappush(self._due, (moment, ref))

    @property
    def pause(self) -> float:
        """Seconds until something may be due."""
        most = LOOK_EVERY if self._launching else PRUNE_EVERY
        if not self._due:
            return most
        left = (self._due[0][0] - self._core.clock()).total_seconds()
        return min(max(left, 0.001), most)


def prune(core: Core) -> None:
    """Let old events and old answers go; asks and permits are neither."""
    now = core.clock()
    core.events.prune(now)
    with core.store.transaction(durable=False):
        core.store.prune_operations(now - idempotency.KEPT_FOR)
