"""From chunks of the event stream to batches of events.

Nothing on the stream can end it: what can't be read becomes a remark and a wish to
read the lists again.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rig_tui.domain.events import LinkRemarked
from rig_tui.wire import openrig, sse
from rig_tui.wire.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from rig_tui.domain.events import Event, EventBatch

_TURN = 0.004
"""Seconds of reading before the event loop gets its turn: keys stay live in a burst."""

Read: TypeAlias = "openrig.StreamOpened | openrig.Resync | openrig.Hint | Event"


@dataclass(frozen=True, slots=True)
class Intake:
    """What one chunk held."""

    events: EventBatch = ()
    opened: openrig.StreamOpened | None = None
    reread: bool = False
    """Whether something was missed that only the lists can tell."""


class EventStream:
    """Reads one connection's stream, and remembers where it stands."""

    def __init__(self, clock: Callable[[], datetime], last_id: str | None = None) -> None:
        self._decoder = sse.Decoder()
        self._clock = clock
        self._resumed_at = last_id
        self.seq = 0
        """The newest sequence number read on this connection."""
        self.renumbered = False
        """Whether the daemon counts from a lower number than the connection before knew."""

    @property
    def last_id(self) -> str | None:
        """The id to resume after; that of a frame which couldn't be read counts."""
        return self._decoder.last_id or self._resumed_at

    async def take(self, chunk: bytes) -> Intake:
        """Read a chunk whole."""
        events: list[Event] = []
        opened: openrig.StreamOpened | None = None
        reread = False
        time = asyncio.get_running_loop().time
        began = time()
        for frame in self._decoder.feed(chunk):
            if time() - began > _TURN:
                await asyncio.sleep(0)
                began = time()
            for read in self._read(frame):
                match read:
                    case openrig.StreamOpened():
                        reread = reread or opened is not None or read.reset
                        opened = read
                        self.seq = max(self.seq, read.seq)
                        self.renumbered = _number(self._resumed_at, read.epoch) > read.seq
                    case openrig.Resync() | openrig.Hint():
                        reread = True
                    case _:
                        events.append(read)
        return Intake(tuple(events), opened, reread)

    def _read(self, frame: sse.Decoded) -> tuple[Read, ...]:
        number = _number(frame.id)
        misordered = number < self.seq
        self.seq = max(self.seq, number)
        if isinstance(frame, sse.Oversized):
            skipped = f"event {frame.id or '(no id)'} of {frame.size:,} bytes was skipped"
            return (LinkRemarked(skipped, self._clock()), openrig.Resync(self.seq))
        try:
            signals = openrig.parse_event(frame.data)
        except WireError as error:
            unread = f"event {frame.id or '(no id)'} couldn't be read: {error}"
            return (LinkRemarked(unread, self._clock()), openrig.Resync(self.seq))
        # What comes late may be about something that lists read since have no more.
        return (*signals, openrig.Resync(self.seq)) if misordered else signals


def _number(event_id: str | None, of_epoch: str | None = None) -> int:
    """The sequence number in an id; 0 without one, or with one of another epoch."""
    epoch, _, number = (event_id or "").rpartition(".")
    if of_epoch not in (None, epoch):
        return 0
    return int(number) if number.isascii() and number.isdigit() and len(number) <= 18 else 0
