"""Who is asked for each seat where an operator chose, as read at start.

Rule of this file: a setting that can't be read refuses. The seat may have been set to
refuse, so neither asking nor permitting would keep what its operator chose (A-27).
"""

from __future__ import annotations

import logging
import sqlite3
from typing import TYPE_CHECKING

from rig_tui.daemon import records
from rig_tui.domain.model import Override, OverrideMode

if TYPE_CHECKING:
    from rig_tui.daemon.store import Store

log = logging.getLogger(__name__)

UNREADABLE = Override(
    OverrideMode.DENY,
    reason="Who is asked for this seat can't be read, so every request is refused until it "
    "is set anew.",
)


class Overrides:
    """What is stored for each seat."""

    def __init__(self, store: Store) -> None:
        self._docs: dict[str, str] | None
        try:
            self._docs = dict(store.overrides())
        except sqlite3.Error:
            log.exception("who is asked for which seat can't be read: every seat refuses")
            self._docs = None

    def of(self, seat_ref: str) -> Override:
        if self._docs is None:
            return UNREADABLE
        doc = self._docs.get(seat_ref)
        if doc is None:
            return Override()
        try:
            stored: object = records.loads(Override, doc)
            # Every setting says who made it; without that, only part of one was read.
            if isinstance(stored, Override) and stored.by:
                return stored
            log.error("who is asked for %s isn't a setting: it refuses", seat_ref)
        except (ValueError, TypeError, AttributeError):
            log.exception("who is asked for %s can't be read: it refuses", seat_ref)
        return UNREADABLE
