"""The daemon's database: one connection, one transaction per effect.

Rule of this file: SQL lives here and nowhere else, and nothing here knows what an
effect means. What must survive a power cut runs in a durable transaction; the rest
survives the death of the process.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from rig_tui.daemon import records
from rig_tui.daemon.ask_tables import AskTable, PermitTable, says
from rig_tui.daemon.inspection import StoreError, inspect
from rig_tui.daemon.log_tables import AuditTable, TimelineTable
from rig_tui.daemon.message_table import MessageTable
from rig_tui.daemon.schema import MIGRATIONS
from rig_tui.domain.grants import SeatGrant
from rig_tui.domain.model import Person, Rig

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path


_LOG_BYTES = 4 * 1024 * 1024
_LOG_PAGES_MOST = 65_536
"""Pages after which a commit folds the log in by itself, should nobody else."""


class Store:
    """The open database."""

    def __init__(self, path: Path) -> None:
        """Open and migrate.

        Raises:
            StoreError: It is damaged or of a newer version, and untouched; or it can't be
                opened or brought forward.
        """
        inspect(path)
        self._path = path
        self._log = path.with_name(f"{path.name}-wal")
        try:
            path.touch(mode=0o600)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as exc:
            raise StoreError(f"Can't open the database {path}: {exc}.") from exc
        try:
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            # Otherwise a commit folds the log in, at times for seconds; see `fold`.
            self._db.execute(f"PRAGMA wal_autocheckpoint={_LOG_PAGES_MOST}")
            self._durable = True
            self._db.create_function("says", 2, says, deterministic=True)
            self._migrate()
        except sqlite3.Error as exc:
            self.close()
            raise StoreError(f"Can't bring the database {path} up to date: {exc}.") from exc
        self.asks = AskTable(self._db)
        self.permits = PermitTable(self._db)
        self.messages = MessageTable(self._db)
        self.timeline = TimelineTable(self._db)
        self.audit = AuditTable(self._db)

    def close(self) -> None:
        self._db.close()

    @property
    def log_is_long(self) -> bool:
        """Whether the log of writes is worth folding into the database."""
        try:
            return self._log.stat().st_size > _LOG_BYTES
        except OSError:
            return False

    def fold(self) -> None:
        """Fold the log into the database, beside whatever is being written.

        It has a connection of its own, for a thread of its own.
        """
        with closing(sqlite3.connect(self._path)) as db:
            db.execute("PRAGMA wal_checkpoint(PASSIVE)")

    @contextmanager
    def transaction(self, *, durable: bool) -> Iterator[None]:
        """Commit all of it or none; `durable` waits for the disk."""
        if durable != self._durable:
            self._db.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            self._durable = durable
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo only this part of the transaction when it fails."""
        self._db.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK TO part")
            self._db.execute("RELEASE part")
            raise
        self._db.execute("RELEASE part")

    def _migrate(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        for number, migration in enumerate(MIGRATIONS[version:], version + 1):
            self._db.executescript(
                f"BEGIN IMMEDIATE; {migration} PRAGMA user_version={number}; COMMIT;"
            )

    def meta(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return row and str(row[0])

    def set_meta(self, key: str, value: str | None) -> None:
        if value is None:
            self._db.execute("DELETE FROM meta WHERE key=?", (key,))
        else:
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (key, value))

    def rigs(self) -> list[Rig]:
        rows = self._db.execute("SELECT doc FROM rigs ORDER BY rowid")
        return [records.loads(Rig, doc) for (doc,) in rows]

    def put_rig(self, rig: Rig) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO rigs VALUES (?,?)", (rig.rig_id, records.dumps(rig))
        )

    def seat_docs(self) -> list[str]:
        return [doc for (doc,) in self._db.execute("SELECT doc FROM seats ORDER BY rowid")]

    def put_seat(self, seat_ref: str, doc: str) -> None:
        self._db.execute(
            "INSERT INTO seats VALUES (?,?) ON CONFLICT (seat_ref) DO UPDATE SET doc=excluded.doc",
            (seat_ref, doc),
        )

    def grants(self) -> list[SeatGrant]:
        rows = self._db.execute("SELECT doc FROM grants")
        return [records.loads(SeatGrant, doc) for (doc,) in rows]

    def put_grant(self, grant: SeatGrant) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO grants VALUES (?,?)", (grant.grant_id, records.dumps(grant))
        )

    def overrides(self) -> list[tuple[str, str]]:
        """Give (seat ref, record) of every override."""
        return self._db.execute("SELECT seat_ref, doc FROM overrides").fetchall()

    def put_override(self, seat_ref: str, doc: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO overrides VALUES (?,?)", (seat_ref, doc))

    def people(self) -> list[Person]:
        rows = self._db.execute("SELECT entity_id, display_name FROM people ORDER BY rowid")
        return [Person(*row) for row in rows]

    def put_person(self, person: Person, at: datetime) -> None:
        self._db.execute(
            "INSERT INTO people VALUES (?,?,?) ON CONFLICT (entity_id)"
            " DO UPDATE SET display_name=excluded.display_name",
            (person.entity_id, person.display_name, at.isoformat()),
        )

    def drop_person(self, entity_id: str) -> None:
        self._db.execute("DELETE FROM people WHERE entity_id=?", (entity_id,))

    def add_event(self, seq: int, at: datetime, data: str) -> None:
        self._db.execute("INSERT INTO events VALUES (?,?,?)", (seq, at.isoformat(), data))

    def add_events(self, events: Iterable[tuple[int, datetime, str]]) -> None:
        self._db.executemany(
            "INSERT INTO events VALUES (?,?,?)",
            ((seq, at.isoformat(), data) for seq, at, data in events),
        )

    def events(self, after: int, until: int, most: int) -> list[tuple[int, str]]:
        """Give the oldest events of a range, about `most` characters of them."""
        found = []
        with closing(
            self._db.execute(
                "SELECT seq, data FROM events WHERE seq > ? AND seq <= ? ORDER BY seq",
                (after, until),
            )
        ) as rows:
            for seq, data in rows:
                found.append((seq, data))
                most -= len(data)
                if most <= 0:
                    break
        return found

    def oldest_event(self) -> int | None:
        row: tuple[int | None] = self._db.execute("SELECT min(seq) FROM events").fetchone()
        return row[0]

    def events_due(self, before: datetime, seq: int, most: int) -> int | None:
        """Find the last of the `most` oldest events that is from before then, or up to `seq`."""
        row: tuple[int | None] = self._db.execute(
            "SELECT max(seq) FROM (SELECT seq, at FROM events ORDER BY seq LIMIT ?)"
            " WHERE at < ? OR seq <= ?",
            (most, before.isoformat(), seq),
        ).fetchone()
        return row[0]

    def drop_events(self, until: int) -> None:
        self._db.execute("DELETE FROM events WHERE seq <= ?", (until,))

    def operation(self, key: str, method: str, path: str) -> tuple[str, int, str] | None:
        """Give (body hash, status, response) of the write this key did."""
        row: tuple[str, int, str] | None = self._db.execute(
            "SELECT body_hash, status, response FROM operations"
            " WHERE key=? AND method=? AND path=?",
            (key, method, path),
        ).fetchone()
        return row

    def operations(self, key: str) -> list[tuple[str, str, int, str, str]]:
        """Give (method, path, status, response, at) of every write a key did, newest first."""
        return self._db.execute(
            "SELECT method, path, status, response, at FROM operations WHERE key=?"
            " ORDER BY at DESC",
            (key,),
        ).fetchall()

    def add_operation(
        self, where: tuple[str, str, str], body_hash: str, status: int, response: str, at: datetime
    ) -> None:
        self._db.execute(
            "INSERT INTO operations VALUES (?,?,?,?,?,?,?)",
            (*where, body_hash, status, response, at.isoformat()),
        )

    def prune_operations(self, before: datetime) -> None:
        self._db.execute("DELETE FROM operations WHERE at < ?", (before.isoformat(),))
