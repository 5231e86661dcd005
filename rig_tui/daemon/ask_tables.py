"""The tables of asks and permits, and how their lists are filtered.

Rule of this file: an ask is never deleted, renumbered or reopened; a runner may read it
as long as its launch lives.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rig_tui.daemon import records
from rig_tui.domain.model import Ask, Permit, RunnerPermit

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime


_RIG = "substr(session_name, -length(?) - 1) = '@' || ?"
_TEXT = {"stored_text": "instr(lower(doc), ?)", "text": "says(doc, ?)"}
_TEXT_AND_CALL = {
    "stored_text": "(instr(lower(doc), ?) OR instr(lower(coalesce(tool_call, '')), ?))",
    "text": "(says(doc, ?) OR says(coalesce(tool_call, 'null'), ?))",
}
_WHOLE = "asks JOIN tool_calls USING (ask_id)"
_NONE = "? IS NULL"
"""A filter by what no row of the list has."""
_CAUSE_OF_END = (
    "CASE state WHEN 'permitted' THEN 'closed_without_choice'"
    " ELSE json_extract(doc, '$.outcome.reason') END"
)


class Filters:
    """The conditions of a list: a name to a value, None for any."""

    def __init__(self, **values: str | None) -> None:
        self._values = {name: value for name, value in values.items() if value is not None}

    def clauses(self, columns: dict[str, str]) -> tuple[str, list[str]]:
        """Give the SQL for those of `columns` that are asked for, and its values."""
        where, values = "", []
        for name, clause in columns.items():
            if name in self._values:
                where += f" AND {clause}"
                values += [self._values[name]] * clause.count("?")
        return where, values


def says(doc: str, text: str) -> bool:
    """Say whether a text in a JSON document holds another, whatever its letters' case."""
    parts: list[Any] = [json.loads(doc)]
    while parts:
        part = parts.pop()
        if isinstance(part, str) and text in part.casefold():
            return True
        if isinstance(part, dict):
            parts += part.values()
        elif isinstance(part, list):
            parts += part
    return False


@dataclass(frozen=True, slots=True)
class EarlierRequest:
    """A request that was submitted before, and what came of it: an ask, or a permit."""

    turn_id: str | None
    ask_id: str | None
    option_id: str | None
    reason: str | None


class AskTable:
    """Asks with their rows and transitions, and the requests they came from."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, ask: Ask, rig: str, tool_call: str) -> None:
        """Write a new ask; its tool call, which can be large, comes as its JSON text."""
        self._db.execute(
            "INSERT INTO asks VALUES (?,?,NULL,NULL,?,?,NULL,NULL,?)",
            (ask.ask_id, ask.outcome.state, ask.seat_ref, rig, _doc(ask)),
        )
        self._db.execute("INSERT INTO tool_calls VALUES (?,?)", (ask.ask_id, tool_call))
        self.add_row(ask.row_id, ask.ask_id)

    def update(self, ask: Ask) -> None:
        self._db.execute(
            "UPDATE asks SET state=?, doc=? WHERE ask_id=?",
            (ask.outcome.state, _doc(ask), ask.ask_id),
        )

    def close(self, ask: Ask, closed_key: str, at: datetime) -> None:
        """Write an ask's end, and what the list of ended asks filters by."""
        self.update(ask)
        self._db.execute(
            "UPDATE asks SET closed_key=?, closed_at=?, person=?, kind=? WHERE ask_id=?",
            (
                closed_key,
                at.isoformat(),
                ask.decided_by,
                ask.outcome.kind,
                ask.ask_id,
            ),
        )

    def add_row(self, row_id: str, ask_id: str) -> None:
        self._db.execute("INSERT INTO ask_rows VALUES (?,?)", (row_id, ask_id))

    def of_row(self, row_id: str) -> str | None:
        row = self._db.execute("SELECT ask_id FROM ask_rows WHERE row_id=?", (row_id,)).fetchone()
        return row and str(row[0])

    def get(self, ask_id: str) -> Ask | None:
        row = self._db.execute(
            f"SELECT doc, tool_call FROM {_WHOLE} WHERE ask_id=?", (ask_id,)
        ).fetchone()
        return row and _joined(*row)

    def tool_call(self, ask_id: str) -> str:
        """Give an ask's whole tool call as JSON text."""
        found = self._db.execute("SELECT tool_call FROM tool_calls WHERE ask_id=?", (ask_id,))
        row = found.fetchone()
        return str(row[0])

    def pending(self) -> list[Ask]:
        rows = self._db.execute(f"SELECT doc, tool_call FROM {_WHOLE} WHERE state='pending'")
        return [_joined(*row) for row in rows]

    def closed(self, filters: Filters, limit: int) -> list[tuple[str, Ask]]:
        """Give ended asks newest first, each with its sort key."""
        where, values = filters.clauses(
            {
                "before": "closed_key < ?",
                "seat": "seat_ref = ?",
                "rig": "rig = ?",
                "person": "person = ?",
                "kind": "kind = ?",
                "cause": f"{_CAUSE_OF_END} = ?",
                "since": "closed_at >= ?",
                "until": "closed_at <= ?",
                **_TEXT_AND_CALL,
            }
        )
        rows = self._db.execute(
            f"SELECT closed_key, doc, tool_call FROM {_WHOLE} WHERE closed_key IS NOT NULL{where}"
            " ORDER BY closed_key DESC LIMIT ?",
            (*values, limit),
        )
        return [(key, _joined(doc, tool_call)) for key, doc, tool_call in rows]

    def request(self, key: str) -> EarlierRequest | None:
        row = self._db.execute(
            "SELECT turn_id, ask_id, option_id, reason FROM requests WHERE key=?", (key,)
        ).fetchone()
        return row and EarlierRequest(*row)

    def put_request(
        self,
        key: str,
        turn_id: str | None,
        *,
        ask_id: str | None = None,
        option_id: str | None = None,
        reason: str | None = None,
    ) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO requests VALUES (?,?,?,?,?)",
            (key, turn_id, ask_id, option_id, reason),
        )

    def add_transition(
        self,
        ask: Ask,
        at: datetime,
        *,
        state: str,
        note: str | None = None,
        actor: str | None = None,
        closure: tuple[str | None, str | None] = (None, None),
    ) -> None:
        self._db.execute(
            "INSERT INTO transitions (ask_id, row_id, at, state, note, actor, closure_reason,"
            " closure_target) VALUES (?,?,?,?,?,?,?,?)",
            (
                ask.ask_id,
                ask.row_id,
                at.isoformat(),
                state,
                note,
                actor,
                *closure,
            ),
        )

    def transitions(self, ask_id: str) -> list[tuple[Any, ...]]:
        return self._db.execute(
            "SELECT transition_id, row_id, at, state, note, actor, closure_reason,"
            " closure_target FROM transitions WHERE ask_id=? ORDER BY transition_id",
            (ask_id,),
        ).fetchall()


class PermitTable:
    """Permits nobody chose: the daemon's own, and what will have made runners permit."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, permit: Permit) -> None:
        if permit.ask_id:
            # The ask keeps it.
            permit = replace(permit, tool_call=None)
        self._db.execute(
            "INSERT INTO permits VALUES (?,?,?,?,?)",
            (
                permit.sort_key,
                permit.at.isoformat(),
                permit.session_name,
                permit.cause,
                records.dumps(permit),
            ),
        )

    def recorded(self, filters: Filters, limit: int, *, latest: bool) -> list[Permit]:
        where, values = filters.clauses(
            {
                "after": "sort_key > ?",
                "before": "sort_key < ?",
                "session": "session_name = ?",
                "rig": _RIG,
                "cause": "cause = ?",
                "kind": "json_extract(doc, '$.option_kind') = ?",
                "person": "json_extract(doc, '$.closed_by.actor') = ?",
                "since": "at >= ?",
                "until": "at <= ?",
                **_TEXT_AND_CALL,
            }
        )
        rows = self._db.execute(
            "SELECT doc, tool_call FROM permits LEFT JOIN tool_calls"
            f" ON tool_calls.ask_id = json_extract(doc, '$.ask_id') WHERE 1{where}"
            f" ORDER BY sort_key {'DESC' if latest else 'ASC'} LIMIT ?",
            (*values, limit),
        )
        return [_permit(*row) for row in rows]

    def add_cause(self, cause: RunnerPermit, keep: int) -> None:
        """Add one and let the oldest beyond `keep` go."""
        self._db.execute(
            "INSERT INTO runner_permits VALUES (?,?,?,?)",
            (
                cause.sort_key,
                cause.at.isoformat(),
                cause.session_name,
                records.dumps(cause),
            ),
        )
        self._db.execute(
            "DELETE FROM runner_permits WHERE sort_key <= (SELECT sort_key FROM runner_permits"
            " ORDER BY sort_key DESC LIMIT 1 OFFSET ?)",
            (keep,),
        )

    def causes(self, filters: Filters, limit: int) -> list[RunnerPermit]:
        where, values = filters.clauses(
            {
                "before": "sort_key < ?",
                "session": "session_name = ?",
                "rig": _RIG,
                "cause": "json_extract(doc, '$.code') = ?",
                "kind": _NONE,
                "person": _NONE,
                "since": "at >= ?",
                "until": "at <= ?",
                **_TEXT,
            }
        )
        rows = self._db.execute(
            f"SELECT doc FROM runner_permits WHERE 1{where} ORDER BY sort_key DESC LIMIT ?",
            (*values, limit),
        )
        return [records.loads(RunnerPermit, doc) for (doc,) in rows]


def _doc(ask: Ask) -> str:
    """Give an ask without its tool call, which is kept apart: it never changes."""
    return records.dumps(replace(ask, tool_call=None))


def _joined(doc: str, tool_call: str) -> Ask:
    return replace(records.loads(Ask, doc), tool_call=json.loads(tool_call))


def _permit(doc: str, tool_call: str | None) -> Permit:
    permit = records.loads(Permit, doc)
    return replace(permit, tool_call=json.loads(tool_call)) if tool_call else permit
