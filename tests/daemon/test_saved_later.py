"""Activity is told at once and written a moment later: what that may cost, and what not."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING

import pytest

from rig_tui.daemon import timekeeper
from rig_tui.daemon.timekeeper import Timekeeper
from rig_tui.domain.model import Reading
from tests.rules import rule

if TYPE_CHECKING:
    from tests.daemon.harness import Daemon


def stored(daemon: Daemon) -> list[int]:
    return [seq for seq, _ in daemon.store.events(0, 10**12, 10**9)]


def test_a_post_is_told_before_it_is_written_and_replayed_all_the_same(daemon: Daemon) -> None:
    runner = daemon.runner()
    subscription = daemon.core.events.subscribe()
    before = daemon.core.events.newest
    runner.prompt()

    told = [event.seq for event in subscription._queue]
    assert told == [before + 1]
    assert before + 1 not in stored(daemon)
    replayed = [e.seq for page in daemon.core.events.replay(0, before + 1) for e in page]
    assert replayed[-1] == before + 1
    assert daemon.core.events.replays(before)
    daemon.core.save()
    assert stored(daemon) == replayed
    daemon.core.save()
    assert stored(daemon) == replayed


def test_with_nothing_written_yet_a_replay_begins_with_what_isnt(daemon: Daemon) -> None:
    runner = daemon.runner()
    daemon.store.drop_events(10**9)
    assert daemon.core.events.before_oldest() == daemon.core.events.newest
    runner.prompt()
    assert daemon.core.events.before_oldest() == daemon.core.events.newest - 1


@rule("D4-24")
def test_a_crash_loses_what_wasnt_written_and_no_number_comes_again(daemon: Daemon) -> None:
    runner = daemon.runner()
    runner.prompt()
    daemon.core.save()
    runner.post("Stop", "end_turn", turnId="7")
    assert daemon.seat().reading is Reading.IDLE
    lost = daemon.core.events.newest
    daemon.crash()

    assert daemon.seat().reading is Reading.WORKING
    daemon.core.save()
    assert min(seq for seq in stored(daemon) if seq >= lost) > lost


@rule("D7-17")
def test_whatever_is_durable_takes_the_activity_before_it_along(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner()
    runner.prompt()
    prompted = daemon.core.events.newest
    ask_id = runner.ask()
    daemon.crash()

    assert daemon.ask(ask_id).pending
    assert prompted in stored(daemon)
    assert daemon.seat().reading is Reading.NEEDS_INPUT


def test_activity_waits_on_when_what_took_it_along_fails(daemon: Daemon) -> None:
    runner = daemon.runner()
    runner.prompt()
    prompted = daemon.core.events.newest

    def fail() -> None:
        with daemon.core.effect():
            raise sqlite3.OperationalError("disk is full")

    for _ in range(2):
        with pytest.raises(sqlite3.OperationalError):
            fail()
    assert prompted not in stored(daemon)
    daemon.core.save()
    assert prompted in stored(daemon)


async def test_the_timekeeper_writes_it_within_a_second(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert timekeeper.SAVED_WITHIN <= 1
    monkeypatch.setattr(timekeeper, "SAVED_WITHIN", 0.001)
    monkeypatch.setattr(timekeeper, "AFTER_TROUBLE", 0.001)
    Timekeeper(daemon.core)
    runner = daemon.runner()
    saved, save, tries = asyncio.Event(), daemon.core.save, []

    def at_the_second_try() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise sqlite3.OperationalError("disk is full")
        save()
        saved.set()

    monkeypatch.setattr(daemon.core, "save", at_the_second_try)
    runner.prompt()
    runner.post("active", "agent_message")
    await asyncio.wait_for(saved.wait(), 10)
    assert stored(daemon)[-2:] == [daemon.core.events.newest - 1, daemon.core.events.newest]
    saved.clear()
    runner.post("active", "agent_message")
    await asyncio.wait_for(saved.wait(), 10)


async def test_a_long_log_is_folded_into_the_database(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timekeeper, "FOLD_EVERY", 0.001)
    before = daemon.home.database.stat().st_size
    assert not daemon.store.log_is_long
    with daemon.core.effect() as fx:
        for _ in range(60):
            fx.emit(lambda seq: {"type": "x", "seq": seq, "filler": "x" * 100_000})
    assert daemon.store.log_is_long
    assert daemon.home.database.stat().st_size == before

    keeping = asyncio.ensure_future(Timekeeper(daemon.core).run())
    async with asyncio.timeout(10):
        while daemon.home.database.stat().st_size < 5_000_000:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    keeping.cancel()
    await asyncio.wait({keeping})
