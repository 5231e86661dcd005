"""The daemon's lists, read whole."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from rig_tui.client.errors import BadAnswerError
from rig_tui.domain.commands import (
    Destinations,
    EndedAsks,
    Operation,
    Page,
    PermitsBefore,
    RunnerPermitsBefore,
    SeatEvents,
    WholeAsk,
)
from rig_tui.domain.events import FleetRead
from rig_tui.wire import openrig
from rig_tui.wire.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from rig_tui.client.session import Session
    from rig_tui.domain.commands import Query
    from rig_tui.domain.model import Permit, Rig, Seat
    from rig_tui.domain.timeline import SeatEvent

_ENDED_ASKS = 100
_PERMITS = 200


async def read_fleet(session: Session, version: int) -> FleetRead:
    """Read every list; `version` is the newest sequence number known before it.

    Raises:
        ClientError: A list couldn't be read.
    """
    try:
        rigs, seats = await read_rigs(session.get, openrig.decode_seats)
        # The ended ones last: an ask that ends in between is in both, never in neither.
        waiting = openrig.decode_items(await session.get("/api/queue/list", {"asks": "open"}))
        ended = openrig.decode_items(
            await session.get("/api/queue/list", {"asks": "closed", "limit": _ENDED_ASKS})
        )
        again = {ask.ask_id for ask in ended}
        return FleetRead(
            rigs=rigs,
            seats=seats,
            asks=(*(ask for ask in waiting if ask.ask_id not in again), *ended),
            permits=await _permits(session, PermitsBefore(limit=_PERMITS)),
            runner_permits=openrig.decode_runner_permits(await session.get("/api/runner-permits")),
            people=openrig.decode_people(await session.get("/api/gateway/connections")),
            version=version,
        )
    except WireError as error:
        where = session.candidate.address
        raise BadAnswerError(f"a list of {where} can't be read: {error}") from error


async def read_rigs(
    get: Callable[[str], Awaitable[bytes]], decode: Callable[[bytes], Iterable[Seat]]
) -> tuple[tuple[Rig, ...], tuple[Seat, ...]]:
    """Read every rig and, with `decode`, the seats of each.

    Raises:
        ClientError: A list couldn't be read.
        WireError: One isn't what it should be.
    """
    rigs = openrig.decode_rigs(await get("/api/rigs/summary"))
    seats: list[Seat] = []
    for rig in rigs:
        seats.extend(decode(await get(f"/api/rigs/{quote(rig.rig_id, safe='')}/nodes")))
    return rigs, tuple(seats)


async def read_page(session: Session, query: Query) -> Page:
    """Answer a query.

    Raises:
        ClientError: It couldn't be read.
    """
    try:
        match query:
            case WholeAsk(ask_id):
                body = await session.get(f"/api/queue/{quote(ask_id, safe='')}")
                return Page(ask=openrig.decode_item(body))
            case Operation(key):
                body = await session.get(f"/api/operations/{quote(key, safe='')}")
                return Page(operation_done=openrig.decode_operation(body))
            case PermitsBefore():
                permits = await _permits(session, query)
                return Page(permits=permits[: query.limit], more=len(permits) > query.limit)
            case EndedAsks():
                body = await session.get("/api/queue/list", {"asks": "closed"} | _paging(query))
                ended = openrig.decode_ended(body)
                return Page(ended=ended[: query.limit], more=len(ended) > query.limit)
            case RunnerPermitsBefore():
                body = await session.get("/api/runner-permits", _paging(query))
                causes = openrig.decode_runner_permits(body)
                return Page(runner_permits=causes[: query.limit], more=len(causes) > query.limit)
            case SeatEvents():
                events = await _seat_events(session, query)
                return Page(seat_events=events[: query.limit], more=len(events) > query.limit)
            case Destinations():
                body = await session.get("/api/mission-control/destinations")
                return Page(destinations=openrig.decode_destinations(body))
    except WireError as error:
        raise BadAnswerError(f"{session.candidate.address} can't be understood: {error}") from error


async def _permits(session: Session, query: PermitsBefore) -> tuple[Permit, ...]:
    params = _paging(query) | {"hintTag": openrig.PERMIT_TAG, "direction": "latest"}
    if query.session_name is not None:
        params["seat"] = query.session_name
    return openrig.decode_permits(await session.get("/api/stream/list", params))


def _paging(query: PermitsBefore | EndedAsks | RunnerPermitsBefore) -> dict[str, str | int]:
    """What a page of a list is asked for by: one row more, to know whether there are older."""
    filters = query.filters
    wanted = {
        "beforeSortKey": query.before,
        "seat": filters.seat,
        "rig": filters.rig,
        "person": filters.person,
        "cause": filters.cause,
        "kind": filters.kind,
        "q": filters.text,
        "since": filters.since and openrig.encode_instant(filters.since),
        "until": filters.until and openrig.encode_instant(filters.until),
    }
    asked: dict[str, str | int] = {name: value for name, value in wanted.items() if value}
    return asked | {"limit": min(query.limit + 1, 500)}


async def _seat_events(session: Session, query: SeatEvents) -> tuple[SeatEvent, ...]:
    """Read one entry more than asked for, to know whether there are older ones."""
    params: dict[str, str | int] = {"limit": min(query.limit + 1, 500)}
    if query.kinds:
        params["kinds"] = ",".join(query.kinds)
    if query.before is not None:
        params["beforeSortKey"] = query.before
    path = f"/api/seats/{quote(query.seat_ref, safe='@')}/events"
    return openrig.decode_seat_events(await session.get(path, params))
