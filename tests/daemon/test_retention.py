"""What is let go with time, in what portions, and what never is."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from rig_tui.daemon import eventlog, timekeeper
from rig_tui.daemon.timekeeper import Timekeeper
from rig_tui.domain.model import AskState
from tests.daemon.harness import OPTIONS, Served
from tests.rules import rule

if TYPE_CHECKING:
    import pytest

    from tests.daemon.harness import Daemon

KEPT = ("asks", "tool_calls", "ask_rows", "requests", "transitions", "permits", "people", "seats")


def tables(daemon: Daemon) -> dict[str, list[Any]]:
    daemon.core.save()
    db = daemon.store._db
    return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in KEPT}


def emit(daemon: Daemon, count: int) -> None:
    with daemon.core.effect() as fx:
        for _ in range(count):
            fx.emit(lambda seq: {"type": "x", "seq": seq})


def kept(daemon: Daemon) -> list[int]:
    return [event["seq"] for event in daemon.events()]


@rule("D7-20", "D7-34", "D7-42", "D7-45")
async def test_forty_days_touch_no_ask_and_no_permit(served: Served) -> None:
    daemon = served.daemon
    daemon.person()
    runner = await served.seat(launchResult=False, runner=False)
    answered = runner.ask(requestId=1)
    await served.answer(answered, "c")
    dropped = runner.ask(requestId=2)
    await served.act(dropped, "drop", reason="x")
    runner.submit(requestId=3, options=OPTIONS[:1])
    pending = runner.ask(requestId=4)
    for ask_id in (answered, dropped):
        await served.read(ask_id)
    before = tables(daemon)

    keeper = Timekeeper(daemon.core)
    for _ in range(40):
        daemon.clock.advance(86_400)
        for _ in range(3):
            daemon.clock.advance(timekeeper.PRUNE_EVERY)
            keeper.tick()

    assert kept(daemon) == []
    assert tables(daemon) == before
    listed = (await served.operator.get("/api/queue/list?asks=open")).json()
    assert [row["permission"]["askId"] for row in listed] == [pending]
    for ask_id, state in (
        (pending, AskState.PENDING),
        (answered, AskState.ANSWERED),
        (dropped, AskState.PERMITTED),
    ):
        assert (await served.read(ask_id)).json()["state"] == state.value
    assert len((await served.operator.get("/api/stream/list")).json()) == 2


def test_events_are_kept_for_seven_days_and_two_hundred_thousand() -> None:
    assert timedelta(days=7) == eventlog.KEPT_FOR
    assert eventlog.KEPT_EVENTS == 200_000


def test_events_over_the_number_go_oldest_first_a_part_at_a_time(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eventlog, "KEPT_EVENTS", 50)
    monkeypatch.setattr(eventlog, "PRUNED_AT_ONCE", 20)
    emit(daemon, 115)
    log = daemon.core.events
    sizes = []
    while log.prune(daemon.clock()):
        sizes.append(len(kept(daemon)))
    assert sizes == [95, 75, 55, 50]
    assert kept(daemon) == list(range(66, 116))
    assert log.before_oldest() == 65
    assert not log.replays(64)
    assert log.replays(65)


async def test_pruning_goes_on_in_parts_with_pauses_for_everyone_else(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eventlog, "KEPT_EVENTS", 10)
    monkeypatch.setattr(eventlog, "PRUNED_AT_ONCE", 20)
    emit(daemon, 60)
    keeper = Timekeeper(daemon.core)
    left: list[int] = []
    while not left or left[-1] > 10:
        keeper.tick()
        left.append(len(kept(daemon)))
        assert keeper.pause == timekeeper.PRUNE_ON_AFTER
        daemon.clock.advance(timekeeper.PRUNE_ON_AFTER)
    assert left == [40, 20, 10]
    keeper.tick()
    assert keeper.pause > timekeeper.PRUNE_ON_AFTER


def test_old_events_go_whatever_their_number(daemon: Daemon) -> None:
    emit(daemon, 3)
    daemon.clock.now += eventlog.KEPT_FOR
    emit(daemon, 2)
    assert not daemon.core.events.prune(daemon.clock())
    daemon.clock.advance(1)
    assert daemon.core.events.prune(daemon.clock())
    assert not daemon.core.events.prune(daemon.clock())
    assert kept(daemon) == [4, 5]
