"""What happens by time alone: evidence that expires, files that change, saving, pruning."""

from __future__ import annotations

import asyncio
import heapq
import logging
import sqlite3
from datetime import timedelta
from typing import TYPE_CHECKING

from rig_tui.daemon import idempotency, launch_records, presets, seats
from rig_tui.domain.activity import next_expiry

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.daemon.core import Core
    from rig_tui.daemon.seat_state import SeatRecord

log = logging.getLogger(__name__)

LOOK_EVERY = 0.2
"""Seconds between looks for a launch record that is waited for."""
GLANCE_EVERY = 2.0
"""Seconds between looks at preset files, and at launch records that were judged."""
SAVED_WITHIN = 0.5
"""Seconds until what activity changed is written: each time, whole seats are."""
FOLD_EVERY = 1.0
"""Seconds between looks at how long the database's log is."""
PRUNE_EVERY = 60.0
PRUNE_ON_AFTER = 0.1
"""Seconds between the parts of one pruning, in which others are served."""
AFTER_TROUBLE = 1.0


class Timekeeper:
    """Sleeps until the next moment something changes, and sees to it."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._woken = asyncio.Event()
        self._due: list[tuple[datetime, str]] = []
        self._noted: dict[str, datetime] = {}
        """The moment in `_due` each seat is looked at next."""
        self._launching: set[str] = set()
        self._glanced_at: datetime | None = None
        self._prune_at: datetime | None = None
        self._saving: asyncio.TimerHandle | None = None
        core.on_seat.append(self._note)
        core.on_unsaved.append(self._save_soon)
        for record in core.seats.values():
            self._note(record)

    async def run(self) -> None:
        """Keep time until cancelled."""
        folding = asyncio.ensure_future(self._fold())
        try:
            await self._keep()
        finally:
            folding.cancel()

    async def _fold(self) -> None:
        while True:
            await asyncio.sleep(FOLD_EVERY)
            if self._core.store.log_is_long:
                try:
                    await asyncio.to_thread(self._core.store.fold)
                except sqlite3.Error:
                    log.exception("the database's log could not be folded in")

    async def _keep(self) -> None:
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
        self._expire(now)
        if self._glanced_at is None or (now - self._glanced_at).total_seconds() >= GLANCE_EVERY:
            self._glanced_at = now
            launch_records.look_again(self._core)
            presets.refresh(self._core)
        if self._prune_at is None or self._prune_at <= now:
            more = prune(self._core)
            self._prune_at = now + timedelta(seconds=PRUNE_ON_AFTER if more else PRUNE_EVERY)

    def _expire(self, now: datetime) -> None:
        due = set()
        while self._due and self._due[0][0] <= now:
            moment, ref = heapq.heappop(self._due)
            if self._noted.get(ref) == moment:
                del self._noted[ref]
                due.add(ref)
        seats.expire(self._core, due)
        for ref in due:
            self._note_expiry(self._core.seats[ref])

    def _note(self, record: SeatRecord) -> None:
        """Remember when a seat that was just written next changes by itself."""
        ref = record.seat.seat_ref
        if record.watch and record.watch.waits:
            if ref not in self._launching:
                self._launching.add(ref)
                self._woken.set()
        else:
            self._launching.discard(ref)
        self._note_expiry(record)

    def _note_expiry(self, record: SeatRecord) -> None:
        ref = record.seat.seat_ref
        moment = next_expiry(record.activity, self._core.clock())
        noted = self._noted.get(ref)
        # Evidence that only lasts longer is found out when its old moment comes.
        if moment is None or (noted is not None and noted <= moment):
            return
        self._noted[ref] = moment
        if not self._due or moment < self._due[0][0]:
            self._woken.set()
        heapq.heappush(self._due, (moment, ref))

    def _save_soon(self) -> None:
        if self._saving is None:
            loop = asyncio.get_running_loop()
            self._saving = loop.call_later(SAVED_WITHIN, self._save)

    def _save(self) -> None:
        self._saving = None
        try:
            self._core.save()
        except sqlite3.Error:
            log.exception("activity could not be written; it is tried again")
            self._saving = asyncio.get_running_loop().call_later(AFTER_TROUBLE, self._save)

    @property
    def pause(self) -> float:
        """Seconds until something may be due."""
        most = LOOK_EVERY if self._launching else PRUNE_EVERY
        if self._core.seats:
            most = min(most, GLANCE_EVERY)
        dues = [self._due[0][0]] if self._due else []
        dues += [self._prune_at] if self._prune_at else []
        if not dues:
            return most
        left = (min(dues) - self._core.clock()).total_seconds()
        return min(max(left, 0.001), most)


def prune(core: Core) -> bool:
    """Let old events and old answers go, a part at a time; say whether more are due.

    Asks and permits are neither.
    """
    now = core.clock()
    with core.store.transaction(durable=False):
        core.store.prune_operations(now - idempotency.KEPT_FOR)
    more = core.events.prune(now)
    return core.timelines.prune(now) or more
