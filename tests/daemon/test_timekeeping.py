"""What happens by time alone."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from rig_tui.daemon import idempotency, timekeeper
from rig_tui.daemon.idempotency import Key
from rig_tui.daemon.reply import Reply
from rig_tui.daemon.timekeeper import Timekeeper
from rig_tui.domain.model import Reading
from tests.rules import rule

if TYPE_CHECKING:
    from tests.daemon.harness import Daemon


@pytest.fixture
async def keeper(daemon: Daemon) -> Timekeeper:
    return Timekeeper(daemon.core)


def told(daemon: Daemon, after: int) -> list[str]:
    return [e["activityState"]["display"] for e in daemon.events(after)]


@rule("D4-06")
async def test_evidence_that_expires_is_announced_once(daemon: Daemon, keeper: Timekeeper) -> None:
    runner = daemon.runner()
    runner.prompt()
    seen = daemon.core.events.newest
    daemon.clock.advance(14)
    keeper.tick()
    assert told(daemon, seen) == []

    daemon.clock.advance(1)
    keeper.tick()
    keeper.tick()
    assert told(daemon, seen) == ["unknown"]
    assert daemon.core.seats[runner.session_name].seat.reading is Reading.UNKNOWN


@rule("D4-07")
async def test_newer_evidence_moves_the_moment(daemon: Daemon, keeper: Timekeeper) -> None:
    runner = daemon.runner()
    runner.prompt()
    daemon.clock.advance(10)
    runner.post("Stop", "end_turn", turnId="7", livenessSeconds=10)
    seen = daemon.core.events.newest
    for _ in range(19):
        daemon.clock.advance(1)
        keeper.tick()
    assert told(daemon, seen) == []
    daemon.clock.advance(1)
    keeper.tick()
    assert told(daemon, seen) == ["unknown"]


@rule("D4-24")
async def test_a_new_process_goes_on_waiting(daemon: Daemon) -> None:
    daemon.runner().prompt()
    daemon.clock.advance(10)
    daemon.restart()
    keeper = Timekeeper(daemon.core)
    seen = daemon.core.events.newest
    daemon.clock.advance(5)
    keeper.tick()
    assert told(daemon, seen) == ["unknown"]


@rule("D3-04")
async def test_a_launch_record_is_looked_for_until_it_is_there(
    daemon: Daemon, keeper: Timekeeper
) -> None:
    runner = daemon.runner(preset="dsh")
    keeper.tick()
    runner.report(nativeRef="x")
    seen = daemon.core.events.newest
    keeper.tick()
    keeper.tick()
    assert len(told(daemon, seen)) == 1
    assert keeper.pause == timekeeper.GLANCE_EVERY


async def test_it_wakes_for_what_is_due_next(daemon: Daemon, keeper: Timekeeper) -> None:
    assert keeper.pause == timekeeper.PRUNE_EVERY
    first, second = daemon.runner(), daemon.runner("qa", runner=False)
    assert keeper.pause == timekeeper.LOOK_EVERY
    first.report(harness="custom", nativeRef="x")
    second.report(harness="custom", nativeRef="x")
    keeper.tick()
    first.prompt()
    assert keeper.pause == timekeeper.GLANCE_EVERY
    daemon.clock.advance(14)
    assert keeper.pause == 1
    daemon.clock.advance(6)
    assert keeper.pause == pytest.approx(0.001)


async def test_it_runs_by_itself_and_outlives_trouble(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticked = asyncio.Event()
    tries = []

    def tick(self: Timekeeper) -> None:
        tries.append(1)
        if len(tries) == 1:
            raise sqlite3.OperationalError("disk is full")
        ticked.set()

    monkeypatch.setattr(Timekeeper, "tick", tick)
    monkeypatch.setattr(timekeeper, "AFTER_TROUBLE", 0.001)
    running = asyncio.ensure_future(Timekeeper(daemon.core).run())
    async with asyncio.timeout(5):
        await ticked.wait()
    ticked.clear()
    daemon.runner()
    async with asyncio.timeout(5):
        await ticked.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_old_answers_and_events_go_and_nothing_else(
    daemon: Daemon, keeper: Timekeeper
) -> None:
    daemon.person()
    ask_id = daemon.runner().ask()
    key = Key.of("k", "POST", "/x", b"")
    with daemon.core.effect() as fx:
        fx.remember(key, Reply(200, {}))
    keeper.tick()
    daemon.clock.now += idempotency.KEPT_FOR - timedelta(seconds=1)
    keeper.tick()
    assert idempotency.earlier(daemon.core, key) is not None
    daemon.clock.advance(8 * 86_400)
    keeper.tick()

    assert idempotency.earlier(daemon.core, key) is None
    assert all(e["createdAt"] > "2026-12-01" for e in daemon.events())
    daemon.restart()
    assert daemon.ask(ask_id).pending
