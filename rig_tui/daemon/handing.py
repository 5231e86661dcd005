"""Handing an ask over: to a person, to an agent seat, to another host.

Rule of this file: handing over grants nothing. It closes the ask's row and opens the
next one; what the agent gets is decided by whoever ends that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.daemon import acting
from rig_tui.daemon.act_checks import check_followed, required, text_of
from rig_tui.daemon.reply import RefusedError
from rig_tui.domain.model import (
    PRIMARY_USER,
    AskedBecause,
    Destination,
    Holder,
    HolderType,
    Row,
)
from rig_tui.domain.timeline import SeatEventKind
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from rig_tui.daemon.acting import Request
    from rig_tui.daemon.core import Core
    from rig_tui.daemon.reply import Reply
    from rig_tui.domain.model import Ask

OTHER_HOST = "x@host:remote"
"""The one address of another host there is here, for tests: nothing is sent to it."""
_PRIMARY = Holder(HolderType.PERSON, PRIMARY_USER, "primary user")


def destinations(core: Core) -> list[Destination]:
    """Everyone an ask can be handed to, people first; another host is never offered."""
    people = [
        Destination(HolderType.PERSON, person.address, person.display_name)
        for person in core.people.registered
    ]
    seats = [
        Destination(
            HolderType.SEAT,
            record.seat.session_name,
            record.seat.seat_ref,
            record.seat.rig_name,
            record.seat.session_status,
        )
        for record in core.seats.values()
    ]
    return [*people, Destination(HolderType.PERSON, _PRIMARY.id, _PRIMARY.name), *seats]


def hand_over(core: Core, request: Request, ask: Ask, verb: str) -> Reply:
    """Give an ask to somebody else; a person gets the same options, a seat gets none.

    Raises:
        RefusedError: There is nobody of that name, or the ask is out of reach.
    """
    address = required(request.body, "destinationSession", verb, "destination_required")
    check_followed(ask)
    holder = _holder_at(core, ask, address)
    with core.effect() as fx:
        row_id, by = core.ids.row(fx.now), request.actor.name
        reason = text_of(request.body, "reason")
        rows = tuple(
            replace(row, state="handed-off", closed_by=by, how=verb, at=fx.now)
            if row.row_id == ask.row_id
            else row
            for row in ask.rows
        )
        core.store.asks.add_transition(
            ask, fx.now, state="handed-off", actor=by, closure=("handed_off_to", address)
        )
        core.store.asks.add_row(row_id, ask.ask_id)
        closed = replace(ask, rows=rows)
        handed = fx.save_ask(
            replace(
                closed,
                row_id=row_id,
                holder=holder,
                asked_because=AskedBecause.HANDED_OVER,
                asked_reason=reason,
                rows=(*rows, Row(row_id, holder, "pending")),
            ),
            lambda a, seq: openrig.queue_handed_off(
                a, seq=seq, at=fx.now, from_session=ask.holder.id, to_session=address
            ),
        )
        core.store.asks.add_transition(
            handed, fx.now, state="pending", note="handed over", actor=by
        )
        fx.log(
            ask.seat_ref,
            SeatEventKind.HANDOFF,
            address,
            by=by,
            reason=reason,
            ask_id=ask.ask_id,
        )
        answer = acting.executed(fx, request, verb, ask, closed, handed, created=row_id)
        fx.remember(request.key, answer)
    return answer


def _holder_at(core: Core, ask: Ask, address: str) -> Holder:
    if address == PRIMARY_USER:
        return _PRIMARY
    if address == OTHER_HOST:
        return Holder(HolderType.HOST, address, address.rpartition(":")[2])
    entity_id, _, place = address.rpartition("@")
    person = core.people.find(entity_id) if place == "external" else None
    if person is not None:
        return Holder(HolderType.PERSON, person.address, person.display_name)
    record = core.seat_of_session(address)
    if record is None:
        raise RefusedError(
            400,
            "destination_not_registered",
            f"{address} is neither a registered person nor a seat. The ask stays with "
            f"{ask.holder.name}.",
        )
    if record.seat.seat_ref == ask.seat_ref:
        raise RefusedError(
            400,
            "asks_itself",
            f"{address} is the seat that asks: holding its own ask, it could permit itself. "
            f"The ask stays with {ask.holder.name}.",
        )
    return Holder(HolderType.SEAT, record.seat.session_name, record.seat.seat_ref)
