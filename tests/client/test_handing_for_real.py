"""Handing over, overrides, people and timelines through the backend and the real daemon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from rig_tui.domain.commands import (
    AnswerAsk,
    ChooseDefault,
    Destinations,
    Done,
    HandToSeat,
    RegisterPerson,
    Rejected,
    RemovePerson,
    RouteAsk,
    SeatEvents,
    SetOverride,
    UpdateRow,
    WholeAsk,
)
from rig_tui.domain.events import AskChanged, AskClosed, AskOpened, LinkMade, LinkRemarked, SeatRead
from rig_tui.domain.model import (
    Asked,
    AskedBecause,
    AskedMode,
    AskState,
    Cause,
    HolderType,
    OverrideMode,
)
from tests.client.real_daemon import RealDaemon, real_daemon
from tests.client.scripted_daemon import Follower
from tests.client.test_real_daemon import backend_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from rig_tui.client.openrig import OpenRigBackend
    from rig_tui.domain.commands import Command, Verdict
    from rig_tui.domain.events import FleetRead
    from rig_tui.domain.model import Ask, Seat


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[RealDaemon]:
    with real_daemon(tmp_path / "home") as daemon:
        daemon.register("ana", default=True)
        daemon.register("ben")
        yield daemon


@pytest.fixture
async def backend(daemon: RealDaemon) -> AsyncIterator[OpenRigBackend]:
    backend = backend_for(daemon)
    await backend.open()
    yield backend
    await backend.aclose()


async def send(backend: OpenRigBackend, command: Command) -> Verdict:
    return await backend.send(command, uuid4().hex)


async def done(backend: OpenRigBackend, command: Command) -> Done:
    verdict = await send(backend, command)
    assert isinstance(verdict, Done), verdict
    return verdict


async def rejected(backend: OpenRigBackend, command: Command) -> Rejected:
    verdict = await send(backend, command)
    assert isinstance(verdict, Rejected), verdict
    return verdict


async def whole(backend: OpenRigBackend, ask_id: str) -> Ask:
    ask = (await backend.fetch(WholeAsk(ask_id))).ask
    assert ask is not None
    return ask


async def read_anew(backend: OpenRigBackend) -> FleetRead:
    await backend.aclose()
    *_, read = await backend.open()
    return read


async def seat_of(backend: OpenRigBackend, name: str) -> Seat:
    return next(seat for seat in (await read_anew(backend)).seats if seat.name == name)


async def test_an_ask_goes_to_a_seat_comes_back_and_is_answered(
    daemon: RealDaemon, backend: OpenRigBackend
) -> None:
    ask_id = daemon.ask(daemon.seat("builder"))
    daemon.seat("qa")

    handed = await done(backend, HandToSeat(ask_id, ask_id, "qa@my-rig", "have a look"))

    assert handed.ask is not None
    held = handed.ask
    assert held.holder.type is HolderType.SEAT
    assert (held.outcome.state, held.asked_reason) == (AskState.PENDING, "have a look")
    early = await rejected(backend, AnswerAsk(ask_id, held.row_id, "yes"))
    assert early.reason == "held_by_seat"
    assert "take it back first" in early.message
    moved = await rejected(backend, RouteAsk(ask_id, ask_id, "ana@external"))
    assert moved.reason == "moved"

    back = await done(backend, RouteAsk(ask_id, held.row_id, "ana@external", "mine again"))
    assert back.ask is not None
    assert [row.state for row in back.ask.rows] == ["handed-off", "handed-off", "pending"]
    held_by_person = await rejected(backend, UpdateRow(ask_id, back.ask.row_id, "denied"))
    assert held_by_person.reason == "held_by_person"
    answered = await done(backend, AnswerAsk(ask_id, back.ask.row_id, "no"))
    assert answered.outcome is not None
    assert answered.outcome.option_id == "no"


async def test_closing_a_seats_row_gives_what_its_state_says(
    daemon: RealDaemon, backend: OpenRigBackend
) -> None:
    builder = daemon.seat("builder")
    daemon.seat("qa")
    for state, reason, expected in (
        ("done", "", AskState.PERMITTED),
        ("done", "canceled", AskState.PERMITTED),
        ("failed", "", AskState.PERMITTED),
        ("done", "denied", AskState.ANSWERED),
        ("denied", "", AskState.ANSWERED),
        ("canceled", "", AskState.WITHDRAWN),
    ):
        ask_id = daemon.ask(builder)
        handed = await done(backend, HandToSeat(ask_id, ask_id, "qa@my-rig"))
        assert handed.ask is not None
        closed = await done(backend, UpdateRow(ask_id, handed.ask.row_id, state, reason))
        assert closed.outcome is not None
        assert closed.outcome.state is expected
        assert (await whole(backend, ask_id)).outcome == closed.outcome


async def test_the_stream_tells_of_each_change_of_hands(
    daemon: RealDaemon, backend: OpenRigBackend
) -> None:
    daemon.seat("qa")
    builder = daemon.seat("builder")
    await backend.aclose()
    follower = Follower(backend.connect())
    try:
        await follower.until(LinkMade)
        ask_id = daemon.ask(builder)
        await follower.until(AskOpened)
        handed = await done(backend, HandToSeat(ask_id, ask_id, "qa@my-rig"))
        changed = await follower.until(AskChanged)
        assert isinstance(changed, AskChanged)
        assert changed.ask.holder.id == "qa@my-rig"
        assert handed.ask is not None
        assert changed.ask.version == handed.version
        await done(backend, UpdateRow(ask_id, changed.ask.row_id, "canceled"))
        closed = await follower.until(AskClosed)
        assert isinstance(closed, AskClosed)
        assert closed.ask.outcome.reason == "canceled"

        override = SetOverride(
            (await whole_seat(follower)).seat_id,
            "builder@my-rig",
            OverrideMode.DENY,
            None,
            "frozen",
        )
        seen = len(follower.all(SeatRead))
        await done(backend, override)
        read = await follower.until(SeatRead, seen + 1)
        assert isinstance(read, SeatRead)
        assert (read.seat.override.mode, read.seat.override.reason) == (
            OverrideMode.DENY,
            "frozen",
        )
        token = builder["env"]["OPENRIG_ACTIVITY_HOOK_TOKEN"]
        with pytest.raises(AssertionError):
            daemon.post("/api/activity/hooks", {"hookEvent": "active"}, token)
        remark = await follower.until(LinkRemarked)
        assert isinstance(remark, LinkRemarked)
        assert "activity post was refused" in remark.remark
    finally:
        await follower.stop()


async def whole_seat(follower: Follower) -> Seat:
    read = follower.all(SeatRead)[-1]
    assert isinstance(read, SeatRead)
    return read.seat


async def test_an_override_is_set_and_cleared_or_refused_with_a_reason(
    daemon: RealDaemon, backend: OpenRigBackend
) -> None:
    daemon.seat("builder")
    seat = await seat_of(backend, "builder")

    def setting(mode: OverrideMode, person: str | None = None, reason: str = "x") -> SetOverride:
        return SetOverride(seat.seat_id, seat.seat_ref, mode, person, reason)

    await done(backend, setting(OverrideMode.TO, "ben"))
    assert (await seat_of(backend, "builder")).asked == Asked(
        AskedMode.PERSON, "ben", AskedBecause.CHOSEN_FOR_SEAT
    )
    for command, reason in (
        (setting(OverrideMode.DENY, reason=" "), "reason_required"),
        (setting(OverrideMode.TO, "zoe"), "not_a_registered_person"),
        (setting(OverrideMode.TO), "invalid_setting"),
    ):
        assert (await rejected(backend, command)).reason == reason
    await done(backend, setting(OverrideMode.DENY))
    assert (await seat_of(backend, "builder")).asked.mode is AskedMode.REFUSES
    await done(backend, setting(OverrideMode.NONE))
    assert (await seat_of(backend, "builder")).asked.person == "ana"


async def test_people_change_only_after_saying_which_seats_would_permit(
    daemon: RealDaemon, backend: OpenRigBackend
) -> None:
    daemon.seat("builder")
    by_default = Asked(AskedMode.PERSON, "ana", AskedBecause.DEFAULT_PERSON)
    nobody = Asked(AskedMode.PERMITS, None, Cause.SEVERAL_AND_NO_DEFAULT)
    changes = (("builder@my-rig", by_default, nobody),)

    tried = await done(backend, ChooseDefault(None, dry_run=True))
    assert tried.changes == changes
    refused = await rejected(backend, ChooseDefault(None))
    assert (refused.reason, refused.changes) == ("would_permit", changes)
    assert (await seat_of(backend, "builder")).asked == by_default

    confirmed = await done(backend, ChooseDefault(None, confirm=True))
    assert confirmed.changes == changes
    chosen = await done(backend, ChooseDefault("ben"))
    assert [change[2].person for change in chosen.changes] == ["ben"]
    tried = await done(backend, RemovePerson("ben", dry_run=True))
    only = Asked(AskedMode.PERSON, "ana", AskedBecause.ONLY_PERSON)
    assert [change[2] for change in tried.changes] == [only]
    assert (await done(backend, RemovePerson("ben"))).changes == tried.changes
    assert (await rejected(backend, RemovePerson("ben"))).reason == "person_not_found"
    dry = await done(backend, RegisterPerson("cat", "Cat", dry_run=True))
    assert [change[2] for change in dry.changes] == [nobody]
    assert [person.entity_id for person in (await read_anew(backend)).people.registered] == ["ana"]


async def test_a_timeline_and_the_destinations_are_read(
    daemon: RealDaemon, backend: OpenRigBackend
) -> None:
    ask_id = daemon.ask(daemon.seat("builder"))
    daemon.seat("qa")
    handed = await done(backend, HandToSeat(ask_id, ask_id, "qa@my-rig"))
    assert handed.ask is not None
    await done(backend, UpdateRow(ask_id, handed.ask.row_id, "done"))

    page = await backend.fetch(SeatEvents("builder@my-rig", limit=2))
    assert [event.kind for event in page.seat_events] == ["permit", "ended"]
    assert page.more
    older = SeatEvents("builder@my-rig", ("ask", "handoff"), page.seat_events[-1].sort_key)
    rest = await backend.fetch(older)
    assert [(event.kind, event.ask_id) for event in rest.seat_events] == [
        ("handoff", ask_id),
        ("ask", ask_id),
    ]
    assert not rest.more
    told = (await backend.fetch(Destinations())).destinations
    names: dict[HolderType, list[Any]] = {type_: [] for type_ in HolderType}
    for each in told:
        names[each.type].append(each.address)
    assert names == {
        HolderType.PERSON: ["ana@external", "ben@external", "human@host"],
        HolderType.SEAT: ["builder@my-rig", "qa@my-rig"],
        HolderType.HOST: [],
    }
