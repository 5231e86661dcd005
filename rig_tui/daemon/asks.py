"""The runner's side of an ask: submit, read, withdraw.

Rule of this file: the runner permits by itself on any answer outside the contract's
table, so where this can't do its work it refuses or says `pending`, never an error.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.daemon import endings, notices, permits, seats
from rig_tui.daemon.reply import Reply
from rig_tui.domain import activity
from rig_tui.domain.asked import who_is_asked
from rig_tui.domain.mapping import Act, outcome, showable
from rig_tui.domain.model import (
    Ask,
    AskedBecause,
    AskedMode,
    AskState,
    Cause,
    Holder,
    HolderType,
    Row,
)
from rig_tui.domain.timeline import SeatEventKind
from rig_tui.wire import contract, openrig

if TYPE_CHECKING:
    from rig_tui.daemon.core import Core, Effect
    from rig_tui.daemon.seat_state import SeatRecord
    from rig_tui.domain.model import Asked, JsonValue
    from rig_tui.wire.contract import Submit

log = logging.getLogger(__name__)

SUBMIT_ROUTE = "/api/activity/permission-requests"


def submit(core: Core, request: Submit) -> Reply:
    """Judge a permission request, in the order that never permits too early (A-19)."""
    record = seats.find(core, request.session_name, request.node_id)
    if record is None or record.seat.generation is None:
        return _stale("No such seat is occupied.")
    if request.generation != record.seat.generation:
        return _stale("The request isn't from the seat's current occupant.")
    key = _key(record, request)
    earlier = core.store.asks.request(key)
    same_turn = earlier is not None and (
        earlier.turn_id == request.turn_id or None in (earlier.turn_id, request.turn_id)
    )
    if earlier and same_turn:
        if earlier.ask_id is None:
            return Reply(
                200, contract.permitted_body(earlier.option_id or "", earlier.reason or "")
            )
        return _again(core, earlier.ask_id, request)
    asked = who_is_asked(core.people, record.seat.override)
    if asked.mode is AskedMode.REFUSES:
        return _refusal(409, "denied_by_seat", "The seat's operator refuses every request.")
    if earlier:
        return _duplicate(core, record, request)
    if asked.mode is AskedMode.PERMITS:
        return _without_asking(core, record, request, key, asked.because)
    if not showable(request.options, core.serving.options_max):
        return _without_asking(core, record, request, key, Cause.OPTIONS_NOT_SHOWABLE)
    return _open(core, record, request, key, asked)


def unkeepable(why: str) -> Reply:
    """Refuse a request that can't be kept or shown; its runner refuses too (A-46)."""
    return _refusal(422, "options_unsupported", why)


def read(core: Core, ask: Ask) -> Reply:
    """Give an ask's state, noting the first time its end is read."""
    if not ask.pending and ask.read_at is None:
        try:
            with core.effect(durable=False) as fx:
                ask = fx.save_ask(
                    replace(ask, read_at=fx.now),
                    lambda a, seq: openrig.queue_updated(
                        a,
                        seq=seq,
                        at=fx.now,
                        actor=a.session_name,
                        from_state=a.outcome.state.value,
                    ),
                )
        except sqlite3.Error:
            log.exception("the reading of %s could not be noted", ask.ask_id)
    return Reply(200, {**contract.read_body(ask), "askId": ask.ask_id})


def still_pending(ask_id: str) -> Reply:
    """Say pending: the answer for any trouble on our side (D7-44)."""
    return Reply(200, {"ok": True, "askId": ask_id, "state": AskState.PENDING.value})


def withdraw(core: Core, ask: Ask, reason: str) -> Reply:
    """End a request whose turn is over; on an ended ask only the time is noted (A-40)."""
    with core.effect() as fx:
        if ask.pending:
            ask = endings.withdraw(fx, ask, by=ask.session_name, how="withdraw", reason=reason)
        elif ask.withdrawn_at is None and ask.read_at is None:
            ask = fx.save_ask(
                replace(ask, withdrawn_at=fx.now),
                lambda a, seq: openrig.queue_updated(
                    a, seq=seq, at=fx.now, actor=a.session_name, from_state=a.outcome.state.value
                ),
            )
    return Reply(200, {"ok": True, "askId": ask.ask_id, "state": ask.outcome.state.value})


def _key(record: SeatRecord, request: Submit) -> str:
    """What makes two submits the same request: seat, occupant, conversation, id (D7-06)."""
    return json.dumps(
        [record.seat.seat_ref, request.generation, request.native_ref, request.request_id]
    )


def _again(core: Core, ask_id: str, request: Submit) -> Reply:
    """Answer a resubmission with the ask it made; the first content stays (A-29)."""
    ask = core.pending.get(ask_id)
    if (
        ask
        and (ask.tool_call != request.tool_call or ask.options != request.options)
        and notices.CONTENT_CHANGED not in ask.notices
    ):
        try:
            with core.effect() as fx:
                fx.save_ask(
                    replace(ask, notices=(*ask.notices, notices.CONTENT_CHANGED)),
                    lambda a, seq: openrig.queue_updated(
                        a, seq=seq, at=fx.now, actor=a.session_name
                    ),
                )
        except sqlite3.Error:
            log.exception("the other content of %s could not be noted", ask_id)
    return Reply(200, contract.opened_body(ask_id, created=False))


def _duplicate(core: Core, record: SeatRecord, request: Submit) -> Reply:
    detail = f"request {request.request_id} of turn {request.turn_id}"
    permits.note_will_permit(
        core,
        "duplicate_request",
        route=SUBMIT_ROUTE,
        session_name=record.seat.session_name,
        detail=detail,
    )
    return _refusal(409, "duplicate_request", "That request id was used in another turn.")


def _without_asking(core: Core, record: SeatRecord, request: Submit, key: str, cause: str) -> Reply:
    """Permit where nobody can be asked, on record; refuse where no allow is offered."""
    result = outcome(request.options, Act.NOBODY_TO_ASK)
    if result.option_id is None:
        return unkeepable("Nobody can be asked, and no allow option is offered.")
    seat_ref, session_name = record.seat.seat_ref, record.seat.session_name
    try:
        with core.effect() as fx:
            core.store.asks.put_request(
                key, request.turn_id, option_id=result.option_id, reason=cause
            )
            permit = permits.of_request(fx, request, session_name, result, cause)
            if not fx.record_permit(permit):
                notices.add(fx, seat_ref, notices.unrecorded(fx.now))
            if cause == Cause.OPTIONS_NOT_SHOWABLE:
                notices.add(fx, seat_ref, notices.not_showable(core.serving.options_max))
    except sqlite3.Error:
        log.exception("a permit of %s could not be recorded", session_name)
        core.tell_unsaved(seat_ref, notices.unrecorded(core.clock()))
    return Reply(200, contract.permitted_body(result.option_id, cause))


def _open(core: Core, record: SeatRecord, request: Submit, key: str, asked: Asked) -> Reply:
    """Open an ask; it is on disk before its id is sent (D7-17)."""
    try:
        with core.effect() as fx:
            ask = _new_ask(fx, record, request, asked)
            core.store.asks.put_request(key, request.turn_id, ask_id=ask.ask_id)
            core.store.asks.add_transition(
                ask, fx.now, state="pending", note="created", actor=ask.session_name
            )
            ask = fx.add_ask(ask, record.seat.rig_name, request.tool_call_text)
            fx.log(
                ask.seat_ref,
                SeatEventKind.ASK,
                openrig.title_of(ask.tool_call),
                by=ask.session_name,
                reason=ask.asked_because,
                ask_id=ask.ask_id,
            )
            opened = activity.ask_opened(
                record.activity, fx.now, request.occurred_at, _kind_of(request.tool_call)
            )
            if record.seat.runner:
                fx.save_seat(replace(record, activity=opened))
    except sqlite3.Error as exc:
        log.exception("a request of %s could not be kept", record.seat.session_name)
        return unkeepable(f"The request can't be kept: {exc}.")
    return Reply(200, contract.opened_body(ask.ask_id, created=True))


def _new_ask(fx: Effect, record: SeatRecord, request: Submit, asked: Asked) -> Ask:
    seat = record.seat
    person = fx.people.find(asked.person or "")
    assert person is not None
    ask_id = fx.core.ids.row(fx.now)
    holder = Holder(HolderType.PERSON, person.address, person.display_name)
    chosen = asked.because == AskedBecause.CHOSEN_FOR_SEAT
    other = seat.identity and request.native_ref and request.native_ref != seat.identity.native_ref
    return Ask(
        ask_id=ask_id,
        row_id=ask_id,
        seat_ref=seat.seat_ref,
        session_name=seat.session_name,
        generation=seat.generation or "",
        native_ref=request.native_ref,
        turn_id=request.turn_id,
        request_id=request.request_id,
        tool_call=request.tool_call,
        options=request.options,
        asked_because=asked.because,
        holder=holder,
        opened_at=fx.now,
        occurred_at=request.occurred_at,
        asked_reason=seat.override.reason if chosen else None,
        tool_call_bytes=request.tool_call_bytes,
        rows=(Row(ask_id, holder, "pending"),),
        notices=(notices.OTHER_CONVERSATION,) if other else (),
    )


def _kind_of(tool_call: JsonValue) -> str:
    kind = tool_call.get("kind") if isinstance(tool_call, dict) else None
    return kind if isinstance(kind, str) else ""


def _stale(message: str) -> Reply:
    return _refusal(409, "stale_generation", message)


def _refusal(status: int, code: str, message: str) -> Reply:
    return Reply(status, contract.refusal_body(code, message))
