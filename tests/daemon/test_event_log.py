"""Event numbers, replay, and what a slow reader gets instead of what it lost."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from rig_tui.daemon.eventlog import KEPT_FOR, Logged, Subscription

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.daemon.harness import Daemon


def emit(daemon: Daemon, count: int = 1) -> list[int]:
    with daemon.core.effect() as fx:
        return [fx.emit(lambda seq: {"type": "x", "seq": seq}) for _ in range(count)]


def emit_and_fail(daemon: Daemon, given: list[int]) -> None:
    with daemon.core.effect() as fx:
        given.append(fx.emit(lambda seq: {"type": "lost", "seq": seq}))
        raise ZeroDivisionError


def test_a_number_is_never_given_out_twice(daemon: Daemon) -> None:
    given = emit(daemon, 3)
    with pytest.raises(ZeroDivisionError):
        emit_and_fail(daemon, given)
    given += emit(daemon)
    daemon.restart()
    given += emit(daemon)

    assert len(set(given)) == len(given)
    assert given == sorted(given)
    assert [e["seq"] for e in daemon.events()] == [s for s in given if s != given[3]]


def test_numbers_stay_unused_though_the_machine_loses_what_came_after_the_block(
    daemon: Daemon,
) -> None:
    """Losing every event and effect since the block was reserved costs a gap, no more."""
    (seq,) = emit(daemon)
    with daemon.store.transaction(durable=True):
        daemon.store._db.execute("DELETE FROM events")
    daemon.restart()
    assert emit(daemon)[0] > seq


def test_a_replay_is_whole_or_known_not_to_be(daemon: Daemon) -> None:
    log = daemon.core.events
    first, *rest = emit(daemon, 450)

    assert [e.seq for page in log.replay(first, log.newest) for e in page] == rest
    assert log.replays(first)
    assert log.replays(log.newest)
    assert not log.replays(log.newest + 1)
    daemon.clock.now += KEPT_FOR
    daemon.clock.advance(1)
    late = emit(daemon, 2)
    log.prune(daemon.clock())
    assert not log.replays(first)
    assert log.replays(rest[-1])
    assert log.before_oldest() == rest[-1]
    assert [e["seq"] for e in daemon.events()] == late


async def test_a_reader_that_is_too_far_behind_gets_one_gap_then_what_follows() -> None:
    subscription = Subscription(most_events=3, most_bytes=100)
    for seq in range(1, 6):
        subscription.offer(Logged(seq, "{}"))
    assert await subscription.take(0) == [Logged(4, None), Logged(5, "{}")]

    subscription.offer(Logged(6, "x" * 60))
    subscription.offer(Logged(7, "x" * 60))
    subscription.offer(Logged(8, "{}"))
    assert await subscription.take(0) == [Logged(7, None), Logged(8, "{}")]
    assert await subscription.take(0) == []
    subscription.close()
    assert await subscription.take(0) is None


def test_nothing_is_told_or_known_of_what_couldnt_be_committed(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def failing(*, durable: bool) -> Iterator[None]:
        with daemon.store.savepoint():
            yield
            raise sqlite3.OperationalError("disk is full")

    daemon.core.events.reserve(1000)
    subscription = daemon.core.events.subscribe()
    monkeypatch.setattr(daemon.store, "transaction", failing)
    with pytest.raises(sqlite3.Error):
        daemon.person()

    assert not subscription._queue
    assert daemon.core.people.registered == ()
    assert daemon.store.people() == []


def test_nothing_is_published_of_an_effect_that_fails(daemon: Daemon) -> None:
    subscription = daemon.core.events.subscribe()
    with pytest.raises(ZeroDivisionError):
        emit_and_fail(daemon, [])
    assert not subscription._queue
    assert daemon.events() == []
