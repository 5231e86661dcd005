"""A look at a database before anything may write to it.

Rule of this file: it opens for reading only, so whatever it refuses stays byte for byte
as it was.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from rig_tui.daemon import records
from rig_tui.daemon.schema import MIGRATIONS
from rig_tui.daemon.seat_state import SeatRecord
from rig_tui.domain.model import Ask

if TYPE_CHECKING:
    from pathlib import Path

_UNCHECKED = frozenset({"events", "timeline"})
"""Large, and no ask or permit is in them: checking them would keep runners waiting."""


class StoreError(Exception):
    """The database can't be used; the message says why, and what to do."""


def inspect(path: Path) -> None:
    """See that a database is whole, and not of a newer build.

    Raises:
        StoreError: It is damaged, newer, or no database of ours. It wasn't touched.
    """
    if not path.exists() or not path.stat().st_size:
        return
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?{_mode(path)}", uri=True)) as db:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version > len(MIGRATIONS):
                raise StoreError(
                    f"{path} is of a newer rig-tui (schema {version}, this one knows "
                    f"{len(MIGRATIONS)}). Nothing was changed; start the newer one."
                )
            fault = _fault(db, version)
    except sqlite3.OperationalError as exc:
        raise StoreError(f"Can't open the database {path}: {exc}. Nothing was changed.") from exc
    except sqlite3.DatabaseError as exc:
        fault = str(exc)
    if fault:
        raise StoreError(
            f"The database {path} is damaged: {fault}. Nothing was changed and nothing is "
            "served. Put a copy from before in its place, or move it away to begin anew; a new "
            "one knows none of its asks, permits, people and seats."
        )


def _mode(path: Path) -> str:
    """Read what a killed daemon left in its log too; without one, make no file at all."""
    log = path.with_name(f"{path.name}-wal")
    return "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"


def _fault(db: sqlite3.Connection, version: int) -> str | None:
    """Name the first fault."""
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type='table'")]
    for table in tables:
        if table not in _UNCHECKED:
            name = table.replace("'", "''")
            (found,) = db.execute(f"PRAGMA quick_check('{name}')").fetchone()
            if found != "ok":
                return str(found)
    if version == 0:
        return f"it holds tables of something else ({tables[0]})" if tables else None
    try:
        for (doc,) in db.execute("SELECT doc FROM seats"):
            records.loads(SeatRecord, doc)
        for (doc,) in db.execute("SELECT doc FROM asks WHERE state='pending'"):
            records.loads(Ask, doc)
    except (ValueError, TypeError, KeyError, AttributeError) as exc:
        return f"a record can't be read ({exc})"
    return None
