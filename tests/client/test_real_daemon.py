"""The backend against the daemon it is for, as two processes."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from rig_tui.client.local import local_backend
from rig_tui.domain.commands import AnswerAsk, Done, Operation, RegisterPerson, Rejected, WholeAsk
from rig_tui.domain.events import (
    AskClosed,
    AskOpened,
    FleetRead,
    LinkLost,
    LinkMade,
    PeopleRead,
    RigSeen,
    SeatRead,
)
from rig_tui.domain.model import AskState, Person
from rig_tui.settings import Overrides, Settings
from tests.client.real_daemon import RealDaemon, real_daemon, start
from tests.client.scripted_daemon import Follower

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from rig_tui.client.openrig import OpenRigBackend


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[RealDaemon]:
    with real_daemon(tmp_path / "home") as daemon:
        yield daemon


def backend_for(daemon: RealDaemon) -> OpenRigBackend:
    return local_backend(
        Overrides(home=daemon.home), Settings(), {}, program="tui", actor=lambda: "ana@external"
    )


@pytest.fixture
async def backend(daemon: RealDaemon) -> AsyncIterator[OpenRigBackend]:
    backend = backend_for(daemon)
    yield backend
    await backend.aclose()


@pytest.fixture
async def follower(backend: OpenRigBackend) -> AsyncIterator[Follower]:
    follower = Follower(backend.connect())
    yield follower
    await follower.stop()


async def test_an_ask_arrives_is_answered_once_and_its_end_arrives(
    daemon: RealDaemon, backend: OpenRigBackend, follower: Follower
) -> None:
    await follower.until(LinkMade)
    assert {"asks", "answer", "people", "from-now"} <= backend.capabilities
    verdict = await backend.send(RegisterPerson("ana", "Ana", make_default=True), uuid4().hex)
    assert verdict == Done()
    people = await follower.until(PeopleRead)
    assert isinstance(people, PeopleRead)
    assert people.people.registered == (Person("ana", "Ana"),)
    assert people.people.default == "ana"

    seat = daemon.seat("builder")
    await follower.until(RigSeen)
    seen = await follower.until(SeatRead)
    assert isinstance(seen, SeatRead)
    assert seen.seat.seat_ref == "builder@my-rig"

    ask_id = daemon.ask(seat)
    opened = await follower.until(AskOpened)
    assert isinstance(opened, AskOpened)
    assert opened.ask.ask_id == ask_id
    assert opened.ask.holder.id == "ana@external"

    key = uuid4().hex
    command = AnswerAsk(ask_id, opened.ask.row_id, "yes")
    verdict = await backend.send(command, key)
    assert isinstance(verdict, Done)
    assert verdict.outcome is not None
    assert (verdict.outcome.state, verdict.outcome.option_id) == (AskState.ANSWERED, "yes")
    closed = await follower.until(AskClosed)
    assert isinstance(closed, AskClosed)
    assert verdict.version == closed.ask.version
    assert closed.ask.origin is not None
    assert closed.ask.origin.program == "tui"
    assert (await backend.fetch(Operation(key))).operation_done is True
    whole = (await backend.fetch(WholeAsk(ask_id))).ask
    assert whole is not None
    assert whole.outcome.option_id == "yes"

    late = await backend.send(dataclasses.replace(command, option_id="no"), uuid4().hex)
    assert isinstance(late, Rejected)
    assert late.reason == "answered"
    assert late.message == "ana@external has already answered it: ‘Allow’"


async def test_a_daemon_that_starts_again_at_another_port_is_found_by_its_home(
    daemon: RealDaemon, backend: OpenRigBackend, follower: Follower
) -> None:
    daemon.register("ana")
    ask_id = daemon.ask(daemon.seat("builder"))
    first = await follower.until(LinkMade)
    assert isinstance(first, LinkMade)
    daemon.stop()
    await follower.until(LinkLost)
    again = start(daemon.home)
    try:
        backend.retry_now()
        second = await follower.until(LinkMade, 2)
        assert isinstance(second, LinkMade)
        assert f"http://{second.address}" == again.base_url
        assert second.epoch == first.epoch
        read = follower.all(FleetRead)[-1]
        assert isinstance(read, FleetRead)
        assert [ask.ask_id for ask in read.asks if ask.pending] == [ask_id]
    finally:
        again.stop()
    # Ended while it lets go of its connections, a follower would leave one to the collector.
    await follower.until(LinkLost, 2)
