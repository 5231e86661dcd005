"""The daemon's events as JSON-ready data and as frames.

Each carries the new state inline, with the version its value has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rig_tui.wire import sse
from rig_tui.wire.json import dumps, load_object
from rig_tui.wire.openrig.asks import encode_item
from rig_tui.wire.openrig.people import encode_people
from rig_tui.wire.openrig.permits import encode_permit, encode_runner_permit
from rig_tui.wire.openrig.seats import encode_seat, seat_text
from rig_tui.wire.openrig.shape import encode_instant
from rig_tui.wire.openrig.sizes import FRAME_LIMIT

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import Ask, JsonObject, People, Permit, RunnerPermit, Seat

_SHORT = 1024


@dataclass(frozen=True, slots=True)
class StreamOpened:
    """The first event of every stream."""

    seq: int
    epoch: str
    reset: bool
    """Whether events were missed since the id resumed after."""
    now: datetime | None = None
    """The daemon's clock, which ages are shown against."""


def _event(type_: str, seq: int, at: datetime) -> JsonObject:
    return {"type": type_, "seq": seq, "createdAt": encode_instant(at)}


def stream_opened(opened: StreamOpened) -> JsonObject:
    """`stream.opened`."""
    return {
        "type": "stream.opened",
        "seq": opened.seq,
        "epoch": opened.epoch,
        "reset": opened.reset,
        "now": encode_instant(opened.now) if opened.now else None,
    }


def stream_resync(seq: int, *, at: datetime) -> JsonObject:
    """`stream.resync`, in place of what a slow subscriber lost up to `seq`."""
    return _event("stream.resync", seq, at)


def seat_changed(seat: Seat, *, seq: int, at: datetime, appeared: bool = False) -> str:
    """`seat.activity_changed`, as JSON text.

    Args:
        seat: The seat as it is now.
        seq: The event's sequence number.
        at: When it changed.
        appeared: Whether the seat, and perhaps its rig, is new.
    """
    event = dumps(
        {
            **_event("seat.activity_changed", seq, at),
            "seatNodeId": seat.node_id,
            "sessionName": seat.session_name,
            "at": encode_instant(at),
            "appeared": appeared,
        }
    )
    return f"{event[:-1]},{seat_text(seat)[1:]}"


def attention_cleared(seat: Seat, *, seq: int, at: datetime, by: str, reason: str) -> JsonObject:
    """`seat.attention_cleared`, by an operator."""
    return {
        **_event("seat.attention_cleared", seq, at),
        "sessionName": seat.session_name,
        "from": "attention_required",
        "to": "ready",
        "clearedBy": "operator_attestation",
        "actorSession": by,
        "reason": reason,
        **encode_seat(seat),
    }


def permissions_to_changed(
    seat: Seat, *, seq: int, at: datetime, by: str, reason: str
) -> JsonObject:
    """`seat.permissions_to_changed`: who is asked for a seat was set."""
    return {
        **_event("seat.permissions_to_changed", seq, at),
        "sessionName": seat.session_name,
        "actorSession": by,
        "reason": reason,
        **encode_seat(seat),
    }


def queue_created(ask: Ask, *, seq: int, at: datetime) -> JsonObject:
    """`queue.created`: an ask was opened."""
    item = encode_item(ask)
    return {
        **_event("queue.created", seq, at),
        **{
            key: item[key]
            for key in (
                "qitemId",
                "sourceSession",
                "destinationSession",
                "priority",
                "tier",
                "summary",
            )
        },
        "item": item,
    }


def queue_updated(
    ask: Ask, *, seq: int, at: datetime, actor: str, from_state: str = "pending"
) -> JsonObject:
    """`queue.updated`: an ask ended, or changed without changing hands."""
    item = encode_item(ask)
    return {
        **_event("queue.updated", seq, at),
        "qitemId": item["qitemId"],
        "fromState": from_state,
        "toState": item["state"],
        "closureReason": item["closureReason"],
        "closureTarget": item["closureTarget"],
        "actorSession": actor,
        "summary": item["summary"],
        "item": item,
    }


def queue_handed_off(
    ask: Ask, *, seq: int, at: datetime, from_session: str, to_session: str
) -> JsonObject:
    """`queue.handed_off`: the ask went on to somebody else, as a new row."""
    item = encode_item(ask)
    return {
        **_event("queue.handed_off", seq, at),
        "qitemId": item["handedOffFrom"] or item["qitemId"],
        "fromSession": from_session,
        "toSession": to_session,
        "closureReason": "handed_off_to",
        "summary": item["summary"],
        "item": item,
    }


def action_executed(
    ask: Ask, *, seq: int, at: datetime, action_id: str, verb: str, actor: str
) -> JsonObject:
    """`mission_control.action_executed`."""
    return {
        **_event("mission_control.action_executed", seq, at),
        "actionId": action_id,
        "actionVerb": verb,
        "qitemId": ask.row_id,
        "actorSession": actor,
        "item": encode_item(ask),
    }


def stream_emitted(permit: Permit, *, seq: int, at: datetime) -> JsonObject:
    """`stream.emitted`, of a default permit."""
    item = encode_permit(permit)
    return {
        **_event("stream.emitted", seq, at),
        **{
            key: item[key]
            for key in (
                "streamItemId",
                "sourceSession",
                "hintDestination",
                "hintType",
                "hintUrgency",
                "interrupt",
            )
        },
        "item": item,
    }


def runner_will_permit(cause: RunnerPermit, *, seq: int, at: datetime) -> JsonObject:
    """`runner.will_permit`: a runner will have permitted by itself."""
    return {**_event("runner.will_permit", seq, at), "item": encode_runner_permit(cause)}


def post_refused(code: str, detail: str, *, seq: int, at: datetime) -> JsonObject:
    """`runner.post_refused`: an activity post made no sense, and nothing was recorded."""
    return {**_event("runner.post_refused", seq, at), "code": code, "detail": detail}


def default_changed(people: People, *, seq: int, at: datetime) -> JsonObject:
    """`gateway.default_changed`, with everyone registered."""
    return {**_event("gateway.default_changed", seq, at), "connections": encode_people(people)}


def human_changed(people: People, *, seq: int, at: datetime) -> JsonObject:
    """`gateway.human_changed`, with everyone registered."""
    return {**_event("gateway.human_changed", seq, at), "connections": encode_people(people)}


def encode_frame(event: JsonObject | str, *, epoch: str, seq: int) -> bytes:
    """The event's frame, at most 256 KiB.

    Args:
        event: The event, or the JSON text it was stored as.
        epoch: The daemon's epoch, for the frame's id.
        seq: The event's sequence number.

    Returns:
        The frame. An event that would be larger goes without its inline state; its
        reader takes it as a hint to read again.
    """
    text = event if isinstance(event, str) else dumps(event)
    frame = sse.encode(text, id=f"{epoch}.{seq}")
    if len(frame) <= FRAME_LIMIT:
        return frame
    whole = load_object(text) if isinstance(event, str) else event
    hint = {
        key: value
        for key, value in whole.items()
        if not isinstance(value, list | dict) and len(dumps(value)) <= _SHORT
    }
    return sse.encode(dumps(hint), id=f"{epoch}.{seq}")
