"""What happened at each seat: kept for its operator to look back on.

Rule of this file: what runners post by the thousand is written with the next save and
let go after a while; what people and the daemon did stays.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.daemon.store import Store
    from rig_tui.domain.timeline import SeatEvent

KEPT_FOR = timedelta(days=7)
KEPT_ENTRIES = 200_000
PRUNED_AT_ONCE = 2_000


class Timelines:
    """Writes entries, at once or later."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._unsaved: list[tuple[str, SeatEvent]] = []

    @property
    def saved(self) -> bool:
        """Whether everything is written."""
        return not self._unsaved

    def add(self, seat_ref: str, event: SeatEvent) -> None:
        """Write an entry; call inside a transaction."""
        self._store.timeline.add([(seat_ref, event)])

    def add_later(self, seat_ref: str, event: SeatEvent) -> None:
        """Leave an entry to `save`."""
        self._unsaved.append((seat_ref, event))

    def save(self) -> None:
        """Write what was left; call inside a transaction."""
        self._store.timeline.add(self._unsaved)

    def forget_saved(self) -> None:
        """Forget what `save` wrote, now that it is committed."""
        self._unsaved.clear()

    def prune(self, now: datetime) -> bool:
        """Let some of the oldest posts go; say whether more may be due."""
        with self._store.transaction(durable=False):
            gone = self._store.timeline.prune(now - KEPT_FOR, KEPT_ENTRIES, PRUNED_AT_ONCE)
        return gone == PRUNED_AT_ONCE
