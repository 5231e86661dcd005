"""The database file: what is refused untouched, and what old homes hold."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import store as store_module
from rig_tui.daemon.ask_tables import Filters
from rig_tui.daemon.inspection import StoreError
from rig_tui.daemon.process import DaemonOptions, main
from rig_tui.daemon.schema import MIGRATIONS
from rig_tui.daemon.store import Store
from rig_tui.domain.model import AskState, People, Person, Reading
from tests.daemon.harness import Daemon, home_in
from tests.rules import rule

if TYPE_CHECKING:
    from rig_tui.daemon.home import Home

FIRST_SCHEMA = Path(__file__).parents[1] / "fixtures" / "first_schema.sql"
VERSION = "PRAGMA user_version"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = home_in(tmp_path)
    home.lock()
    home.unlock()
    return home


@pytest.fixture
def used(home: Home) -> Home:
    """A home whose daemon was killed with a pending ask, its last writes in the log only."""
    daemon = Daemon(home_in(home.path.parent / "other"))
    daemon.person()
    daemon.runner().ask(toolCall={"content": "x" * 50_000})
    for suffix in ("", "-wal"):
        shutil.copy(f"{daemon.home.database}{suffix}", f"{home.database}{suffix}")
    daemon.store.close()
    return home


def files(home: Home) -> dict[str, bytes]:
    """The database's bytes; the index of its log is rebuilt by any reader."""
    found = home.path.glob("daemon.sqlite*")
    return {p.name: p.read_bytes() for p in found if not p.name.endswith("-shm")}


def test_the_database_is_private_and_knows_its_version(home: Home) -> None:
    store = Store(home.database)
    store.set_meta("a", "1")
    assert store._db.execute(VERSION).fetchone() == (len(MIGRATIONS),)
    store.close()
    assert home.database.stat().st_mode & 0o777 == 0o600
    again = Store(home.database)
    assert again.meta("a") == "1"
    again.close()


def assert_refused(home: Home, match: str) -> None:
    """Neither the store nor the daemon touches it."""
    before = files(home)
    with pytest.raises(StoreError, match=match) as caught:
        Store(home.database)
    assert str(home.database) in str(caught.value)
    assert "Nothing was changed" in str(caught.value)
    assert main(DaemonOptions(home.path)) == 1
    assert files(home) == before


def test_a_newer_database_is_refused_untouched(
    used: Home, capfd: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(used.database)) as db:
        db.execute(f"{VERSION}={len(MIGRATIONS) + 1}")
        db.execute("CREATE TABLE later (x)")
        db.commit()
        before = files(used)
        # Its own daemon was killed too, so the number is in the log alone.
        for name, content in before.items():
            (used.path.parent / name).write_bytes(content)
    for name in before:
        shutil.copy(used.path.parent / name, used.path / name)
    assert_refused(used, "of a newer rig-tui")
    assert capfd.readouterr().err.count("\n") == 1


def test_what_isnt_a_database_is_refused_untouched(home: Home) -> None:
    home.database.write_bytes(b"not a database, by any means" * 100)
    assert_refused(home, "is damaged: file is not a database")


def test_somebody_elses_database_is_refused_untouched(home: Home) -> None:
    with closing(sqlite3.connect(home.database)) as db:
        db.execute("CREATE TABLE customers (name)")
    assert_refused(home, r"something else \(customers\)")


@pytest.mark.parametrize("cut", [0.2, 0.5, 0.9])
def test_a_truncated_database_is_refused_untouched(used: Home, cut: float) -> None:
    settle(used)
    content = used.database.read_bytes()
    used.database.write_bytes(content[: int(len(content) * cut)])
    assert_refused(used, "is damaged")


def test_a_database_with_damaged_pages_is_refused_untouched(used: Home) -> None:
    settle(used)
    content = bytearray(used.database.read_bytes())
    for page in range(1, len(content) // 4096):
        if b'"ask_id"' in content[page * 4096 : (page + 1) * 4096]:
            content[page * 4096 : page * 4096 + 64] = b"\xa5" * 64
    used.database.write_bytes(bytes(content))
    assert_refused(used, "is damaged")


@pytest.mark.parametrize(
    ("table", "doc"), [("seats", "{"), ("seats", '{"seat":{}}'), ("asks", "[]"), ("asks", "{}")]
)
def test_a_record_that_cant_be_read_is_refused_untouched(used: Home, table: str, doc: str) -> None:
    settle(used)
    with closing(sqlite3.connect(used.database)) as db:
        db.execute(f"UPDATE {table} SET doc=?", (doc,))
        db.commit()
    assert_refused(used, "a record can't be read")


def settle(home: Home) -> None:
    """Bring the log into the file."""
    with closing(sqlite3.connect(home.database)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_whole_but_killed_is_served(used: Home) -> None:
    daemon = Daemon(used)
    assert len(daemon.core.pending) == 1
    daemon.store.close()


@pytest.fixture
def old(home: Home) -> Home:
    """A home as the first schema's daemon left it."""
    with closing(sqlite3.connect(home.database)) as db:
        db.executescript(FIRST_SCHEMA.read_text("utf-8"))
    return home


@rule("D7-17", "D7-42", "D7-51")
def test_the_first_schema_comes_forward_whole(old: Home) -> None:
    daemon = Daemon(old)
    core = daemon.core
    assert daemon.store._db.execute(VERSION).fetchone() == (len(MIGRATIONS),)

    assert core.people == People((Person("ana", "ana"), Person("ben", "ben")), "ana")
    assert [seat.seat.reading for seat in core.seats.values()] == [
        Reading.UNKNOWN,
        Reading.NEEDS_INPUT,
        Reading.UNKNOWN,
    ]
    routed, fresh = sorted(core.pending.values(), key=lambda ask: int(ask.request_id))
    assert (routed.holder.id, len(routed.rows)) == ("ben@external", 2)
    assert fresh.tool_call == {
        "title": "Étape \u2028 2",
        "kind": "execute",
        "rawInput": {"command": "rm -rf build"},
    }
    closed = [ask.outcome.state for _, ask in daemon.store.asks.closed(Filters(), 10)]
    assert closed == [AskState.STALE, AskState.PERMITTED, AskState.ANSWERED]
    assert [permit.cause for permit in daemon.permits()] == [
        "no_registered_person",
        "closed_without_choice",
    ]
    assert daemon.permits()[1].tool_call == {"title": "Edit src/app.ts", "kind": "edit"}
    assert daemon.causes() == ["http_404"]
    assert daemon.store.operations("key-1")[0][2] == 200
    assert daemon.store.meta("hook_token") == "hook-secret"
    daemon.store.close()


def test_what_came_forward_works_on(old: Home) -> None:
    daemon = Daemon(old)
    old_events = daemon.events()
    runner = daemon.relaunch_seat("builder@my-rig")
    assert not daemon.core.pending
    runner.prompt()
    assert daemon.seat().reading is Reading.WORKING
    ask_id = runner.ask()
    daemon.restart()
    assert daemon.ask(ask_id).pending
    assert min(e["seq"] for e in daemon.events() if e not in old_events) > max(
        e["seq"] for e in old_events
    )
    daemon.store.close()


def test_each_version_comes_forward_as_the_newest_is_made(home: Home, old: Home) -> None:
    new = Store(home.path / "new.sqlite")
    with closing(sqlite3.connect(":memory:")) as db:
        for number, migration in enumerate(MIGRATIONS, 1):
            db.executescript(migration)
            if number == 1:
                assert tables(db) == tables_of(FIRST_SCHEMA.read_text("utf-8"))
        assert tables(db) == tables(new._db)
    came = Store(old.database)
    assert tables(came._db) == tables(new._db)
    came.close()
    new.close()


def tables(db: sqlite3.Connection) -> dict[str, list[Any]]:
    names = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type='table'")]
    return {
        name: db.execute(f"PRAGMA table_info({name})").fetchall()
        for name in names
        if not name.startswith("sqlite_")
    }


def tables_of(script: str) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(script)
        return tables(db)


def test_a_step_forward_that_fails_leaves_the_version_before_it(
    old: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = MIGRATIONS[:1]
    bad = "CREATE TABLE fine (x); CREATE TABLE asks (x);"
    monkeypatch.setattr(store_module, "MIGRATIONS", (*before, bad))
    with pytest.raises(StoreError, match="up to date"):
        Store(old.database)

    with closing(sqlite3.connect(old.database)) as db:
        assert db.execute(VERSION).fetchone() == (1,)
        assert "fine" not in tables(db)
    monkeypatch.undo()
    daemon = Daemon(old)
    assert len(daemon.core.pending) == 2
    daemon.store.close()


def test_the_fixture_is_of_the_first_schema() -> None:
    text = FIRST_SCHEMA.read_text("utf-8")
    assert "PRAGMA user_version=1;" in text
    docs = [line for line in text.splitlines() if line.startswith('INSERT INTO "seats"')]
    assert all(json.loads(line[line.index("{") : line.rindex("}") + 1]) for line in docs)
