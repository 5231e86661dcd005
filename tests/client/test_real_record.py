"""What has been, read from the daemon it is for: filtered, paged, and told per seat."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from rig_tui.client.local import local_backend
from rig_tui.domain.commands import (
    AnswerAsk,
    ClearAttention,
    CloseAsk,
    Done,
    EndedAsks,
    PermitsBefore,
    RegisterPerson,
    Rejected,
    RevokeGrant,
    RunnerPermitsBefore,
    SeatEvents,
    StopSeat,
    WholeAsk,
)
from rig_tui.domain.history import Filters
from rig_tui.domain.model import AskState, SeatId
from rig_tui.domain.timeline import SeatEventKind
from rig_tui.settings import Overrides, Settings
from tests.client.real_daemon import RealDaemon, real_daemon
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from rig_tui.client.openrig import OpenRigBackend


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[RealDaemon]:
    with real_daemon(tmp_path / "home") as daemon:
        yield daemon


@pytest.fixture
async def backend(daemon: RealDaemon) -> AsyncIterator[OpenRigBackend]:
    backend = local_backend(
        Overrides(home=daemon.home), Settings(), {}, program="tui", actor=lambda: "ana@external"
    )
    await backend.open()
    yield backend
    await backend.aclose()


@rule("T7-20", "D7-49")
async def test_the_record_is_read_by_filters_page_by_page(
    daemon: RealDaemon, backend: OpenRigBackend
) -> None:
    builder, qa = daemon.seat("builder"), daemon.seat("qa")
    daemon.permit(qa, "Read notes")
    verdict = await backend.send(RegisterPerson("ana", "Ana", make_default=True), uuid4().hex)
    assert isinstance(verdict, Done)
    first, second = daemon.ask(builder, "Run tests"), daemon.ask(qa, "Edit a file")
    await backend.send(AnswerAsk(first, first, "yes"), uuid4().hex)
    await backend.send(CloseAsk(second, second, "drop", "not now"), uuid4().hex)

    newest = await backend.fetch(EndedAsks(limit=1))
    assert [row.ask.ask_id for row in newest.ended] == [second]
    assert newest.more
    below = await backend.fetch(EndedAsks(newest.ended[0].sort_key, limit=1))
    assert [row.ask.ask_id for row in below.ended] == [first]
    assert not below.more
    for filters in (
        Filters(seat="builder@my-rig"),
        Filters(text="run TESTS"),
        Filters(seat="builder@my-rig", person="ana", kind="allow_once"),
    ):
        found = await backend.fetch(EndedAsks(None, filters))
        assert [row.ask.outcome.state for row in found.ended] == [AskState.ANSWERED], filters

    permits = (await backend.fetch(PermitsBefore(limit=1))).permits
    assert [permit.cause for permit in permits] == ["closed_without_choice"]
    older = await backend.fetch(PermitsBefore(permits[0].sort_key, limit=5))
    assert [permit.cause for permit in older.permits] == ["no_registered_person"]
    for filters in (
        Filters(cause="closed_without_choice"),
        Filters(person="ana"),
        Filters(text="edit a"),
    ):
        found = await backend.fetch(PermitsBefore(filters=filters))
        assert [permit.ask_id for permit in found.permits] == [second], filters
    nothing = await backend.fetch(PermitsBefore(filters=Filters(rig="other")))
    assert nothing.permits == ()
    assert (await backend.fetch(RunnerPermitsBefore())).runner_permits == ()


async def test_a_seats_timeline_tells_what_happened_at_it(
    daemon: RealDaemon, backend: OpenRigBackend
) -> None:
    await backend.send(RegisterPerson("ana", "Ana", make_default=True), uuid4().hex)
    seat = daemon.seat("builder")
    ask = daemon.ask(seat, "Run tests")
    seat_id = SeatId("", "builder")
    await backend.send(ClearAttention(seat_id, "builder@my-rig", "seen"), uuid4().hex)
    await backend.send(AnswerAsk(ask, ask, "no"), uuid4().hex)
    page = await backend.fetch(SeatEvents("builder@my-rig"))
    told = [(event.kind, event.what, event.by, event.reason) for event in page.seat_events]
    assert told[0] == ("ended", "answered", "ana@external", "click")
    assert ("cleared", "permission", "ana@external", "seen") in told
    assert ("ask", "Run tests") in [entry[:2] for entry in told]
    assert "launch" in [entry[0] for entry in told]
    only = await backend.fetch(SeatEvents("builder@my-rig", (SeatEventKind.CLEARED,)))
    assert [event.reason for event in only.seat_events] == ["seen"]
    first = await backend.fetch(SeatEvents("builder@my-rig", limit=1))
    rest = await backend.fetch(SeatEvents("builder@my-rig", before=first.seat_events[0].sort_key))
    assert (*first.seat_events, *rest.seat_events) == page.seat_events


@rule("T4-08")
async def test_a_runner_without_a_grant_has_none_to_revoke(
    daemon: RealDaemon, backend: OpenRigBackend
) -> None:
    await backend.send(RegisterPerson("ana", "Ana", make_default=True), uuid4().hex)
    daemon.seat("builder")
    revoke = RevokeGrant(SeatId("", "builder"), "builder@my-rig")
    verdict = await backend.send(revoke, uuid4().hex)
    assert isinstance(verdict, Rejected)
    assert verdict.reason == "no_grant"
    daemon.post("/api/seats/builder@my-rig/grants", {"issue": True})
    assert await backend.send(revoke, uuid4().hex) == Done()


@rule("T9-02", "D9-04")
async def test_stopping_a_seat_ends_its_session_and_permits_nothing(
    daemon: RealDaemon, backend: OpenRigBackend
) -> None:
    await backend.send(RegisterPerson("ana", "Ana", make_default=True), uuid4().hex)
    ask = daemon.ask(daemon.seat("builder"), "Run tests")
    stop = StopSeat(SeatId("", "builder"), "builder@my-rig")
    assert await backend.send(stop, uuid4().hex) == Done()
    page = await backend.fetch(WholeAsk(ask))
    assert page.ask is not None
    assert page.ask.outcome.state is AskState.STALE
