"""The tables of what was done: seats' timelines, and acts on asks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from rig_tui.domain.timeline import SeatEvent, SeatEventKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from rig_tui.daemon.ask_tables import Filters
    from rig_tui.domain.model import JsonObject

PASSING = (SeatEventKind.POST, SeatEventKind.REFUSED, SeatEventKind.ERROR)
"""What runners post by the thousand, and is let go after a while; the rest stays."""
_PASSING = ",".join(f"'{kind}'" for kind in PASSING)


class TimelineTable:
    """What happened at each seat, in the order it happened."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, entries: Iterable[tuple[str, SeatEvent]]) -> None:
        """Write entries of seats; their sort keys are given to them here."""
        self._db.executemany(
            "INSERT INTO timeline (seat_ref, kind, at, what, actor, reason, ask_id)"
            " VALUES (?,?,?,?,?,?,?)",
            (
                (
                    seat_ref,
                    event.kind,
                    event.at.isoformat(),
                    event.what,
                    event.by,
                    event.reason,
                    event.ask_id,
                )
                for seat_ref, event in entries
            ),
        )

    def of(
        self, seat_ref: str, kinds: tuple[str, ...], filters: Filters, limit: int
    ) -> list[SeatEvent]:
        """Give a seat's entries newest first."""
        where, values = filters.clauses(
            {
                "before": "entry_id < CAST(? AS INTEGER)",
                "person": "actor = ?",
                "since": "at >= ?",
                "until": "at <= ?",
            }
        )
        if kinds:
            where += f" AND kind IN ({','.join('?' * len(kinds))})"
            values += kinds
        rows = self._db.execute(
            "SELECT entry_id, at, kind, what, actor, reason, ask_id FROM timeline"
            f" WHERE seat_ref=?{where} ORDER BY entry_id DESC LIMIT ?",
            (seat_ref, *values, limit),
        )
        return [
            SeatEvent(f"{entry_id:020}", datetime.fromisoformat(at), *facts)
            for entry_id, at, *facts in rows
        ]

    def prune(self, before: datetime, keep: int, most: int) -> int:
        """Let go of what passes: the old, and the oldest beyond `keep`; gives how many."""
        return self._db.execute(
            "DELETE FROM timeline WHERE entry_id IN (SELECT entry_id FROM"
            f" (SELECT entry_id, at FROM timeline WHERE kind IN ({_PASSING}) ORDER BY at LIMIT ?)"
            " WHERE at < ? OR entry_id <= (SELECT max(entry_id) FROM timeline) - ?)",
            (most, before.isoformat(), keep),
        ).rowcount


@dataclass(frozen=True, slots=True)
class Audited:
    """One act on an ask, done: its ask's row before and after."""

    action_id: str
    verb: str
    row_id: str
    actor: str
    at: datetime
    before: JsonObject
    after: JsonObject
    reason: str | None = None
    annotation: str | None = None


class AuditTable:
    """Who acted on which ask."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, ask_id: str, act: Audited) -> None:
        self._db.execute(
            "INSERT INTO audit (action_id, ask_id, verb, row_id, actor, at, before, after,"
            " reason, annotation) VALUES (?,?,?,?,?,?,?,?,?,?)",
            (
                act.action_id,
                ask_id,
                act.verb,
                act.row_id,
                act.actor,
                act.at.isoformat(),
                json.dumps(act.before),
                json.dumps(act.after),
                act.reason,
                act.annotation,
            ),
        )

    def acts(self, filters: Filters, limit: int) -> list[Audited]:
        """Give acts newest first."""
        where, values = filters.clauses(
            {
                "before_act": "entry_id < (SELECT entry_id FROM audit WHERE action_id = ?)",
                "ask": "ask_id = ?",
                "verb": "verb = ?",
                "actor": "actor = ?",
                "since": "at >= ?",
                "until": "at <= ?",
            }
        )
        rows = self._db.execute(
            "SELECT action_id, verb, row_id, actor, at, before, after, reason, annotation"
            f" FROM audit WHERE 1{where} ORDER BY entry_id DESC LIMIT ?",
            (*values, limit),
        )
        return [
            Audited(
                action_id,
                verb,
                row_id,
                actor,
                datetime.fromisoformat(at),
                json.loads(before),
                json.loads(after),
                *words,
            )
            for action_id, verb, row_id, actor, at, before, after, *words in rows
        ]
