"""Seats: finding one, taking its runner's posts, clearing its attention."""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.daemon import endings
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.domain import activity
from rig_tui.domain.activity import Post
from rig_tui.domain.timeline import SeatEventKind
from rig_tui.wire import contract, openrig

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rig_tui.daemon.core import Core
    from rig_tui.daemon.idempotency import Key
    from rig_tui.daemon.seat_state import SeatRecord
    from rig_tui.domain.activity import Intake
    from rig_tui.domain.model import Ask, JsonObject
    from rig_tui.wire.contract import HookBody

log = logging.getLogger(__name__)

PLAIN_PRESET = "plain_preset"
"""Why a post of a seat without the runner contract doesn't count (D2-03)."""


def find(core: Core, session_name: str | None, node_id: str | None) -> SeatRecord | None:
    """Find the seat a runner names; None when there is none, or it names two (D4-04)."""
    refs = {
        ref
        for ref in (core.by_session.get(session_name or ""), core.by_node.get(node_id or ""))
        if ref
    }
    return core.seats[refs.pop()] if len(refs) == 1 else None


def take_post(core: Core, body: HookBody) -> Reply:
    """Judge one activity post and do what a counted one does."""
    record = find(core, body.session_name, body.node_id)
    if record is None:
        return Reply(
            404,
            contract.refusal_body(
                "session_not_found",
                "The post matches no seat, or names two. Nothing was recorded.",
            ),
        )
    if not record.seat.runner:
        return _taken(False, PLAIN_PRESET)
    post = _post(core, body)
    took = activity.intake(
        record.activity,
        post,
        record.seat.generation,
        bool(core.pending_of(record.seat.seat_ref)),
    )
    if took.counted:
        _count(core, record, post, took)
    elif took.why == activity.Why.NOT_ACTIVITY and body.subtype == "runtime_error":
        _note_error(core, record, post)
    else:
        _log_refused(core, record, post, took)
    return _taken(took.counted, took.why)


def tell_refused(core: Core, code: str, message: str) -> None:
    """Tell of an activity post that made no sense; it changed nothing else."""
    log.warning("an activity post was refused: %s: %s", code, message)
    try:
        with core.activity_effect() as fx:
            fx.emit(lambda seq: openrig.post_refused(code, message, seq=seq, at=fx.now))
    except sqlite3.Error:
        log.exception("that could not be told")


def clear_attention(
    core: Core, session_name: str, *, by: str, reason: str, key: Key | None
) -> Reply:
    """Clear a seat's attention; its asks stay as they are (D4-29)."""
    record = core.seat_of_session(session_name)
    if record is None:
        raise RefusedError(
            404, "session_not_found", f"There is no seat with the session {session_name}."
        )
    held = record.activity
    if held.attention is None and held.launch_attention is None:
        raise RefusedError(
            409,
            "not_in_attention",
            f"{session_name} isn't in attention: there is nothing to clear.",
        )
    classes = ["permission"] * (held.attention is not None)
    classes += ["startup_status"] * (held.launch_attention is not None)
    with core.effect() as fx:
        cleared = replace(record, activity=activity.clear_attention(held))

        def change(seq: int) -> JsonObject:
            nonlocal cleared
            cleared = replace(cleared, seat=replace(cleared.seat, version=seq))
            return openrig.attention_cleared(
                fx.view(cleared), seq=seq, at=fx.now, by=by, reason=reason
            )

        fx.emit(change)
        fx.stage_seat(cleared)
        fx.log(
            record.seat.seat_ref, SeatEventKind.CLEARED, ", ".join(classes), by=by, reason=reason
        )
        reply = Reply(
            200,
            {
                "ok": True,
                "code": "cleared",
                "from": "attention_required",
                "to": "ready",
                "clearedBy": by,
                "reason": reason,
                "previousError": record.seat.last_error,
                "clearedClasses": list(classes),
            },
        )
        fx.remember(key, reply)
    return reply


def expire(core: Core, seat_refs: Iterable[str]) -> None:
    """Announce those of these seats that read otherwise than they were last announced."""
    now = core.clock()
    changed = [
        record
        for record in (core.seats[ref] for ref in seat_refs)
        if core.seat_view(record, now) != record.seat
    ]
    if changed:
        with core.activity_effect() as fx:
            for record in changed:
                fx.save_seat(record)


def restart(core: Core) -> None:
    """Forget what a restart forgets, and announce every seat anew (D4-24)."""
    for record in list(core.seats.values()):
        core.keep(replace(record, activity=activity.restarted(record.activity)))
    try:
        with core.effect(durable=False) as fx:
            for record in core.seats.values():
                fx.save_seat(record)
    except sqlite3.Error:
        log.exception("the restart could not be announced; serving all the same")


def _post(core: Core, body: HookBody) -> Post:
    return Post(
        hook_event=body.hook_event,
        subtype=body.subtype,
        arrived_at=core.clock(),
        generation=body.generation,
        sequence=body.sequence,
        occurred_at=body.occurred_at,
        turn_id=body.turn_id,
        liveness_seconds=body.liveness_seconds,
        ask_id=body.ask_id,
    )


def _count(core: Core, record: SeatRecord, post: Post, took: Intake) -> None:
    over = _over(core, record, took)
    with core.effect() if over else core.activity_effect() as fx:
        for ask in over:
            endings.withdraw(
                fx,
                ask,
                by=ask.session_name,
                how="exit" if took.is_exit else "stop",
                reason=_reason(post, took),
            )
        fx.save_seat(replace(record, activity=took.activity))
        kind = SeatEventKind.EXIT if took.is_exit else SeatEventKind.POST
        fx.log(record.seat.seat_ref, kind, _named(post), by=record.seat.session_name)


def _log_refused(core: Core, record: SeatRecord, post: Post, took: Intake) -> None:
    with core.activity_effect() as fx:
        fx.log(
            record.seat.seat_ref,
            SeatEventKind.REFUSED,
            _named(post),
            by=record.seat.session_name,
            reason=took.why,
        )


def _named(post: Post) -> str:
    return f"{post.hook_event}/{post.subtype}"


def _over(core: Core, record: SeatRecord, took: Intake) -> list[Ask]:
    """Find the asks whose turn, or whose agent, a counted post ended (A-16)."""
    # A relaunch ended those of earlier occupants.
    mine = core.pending_of(record.seat.seat_ref)
    if took.is_exit:
        return mine
    return [ask for ask in mine if took.ends_turn is not None and ask.turn_id == took.ends_turn]


def _reason(post: Post, took: Intake) -> str:
    if took.is_exit:
        return "exited"
    return "turn_cancelled" if post.subtype == "cancelled" else "turn_ended"


def _note_error(core: Core, record: SeatRecord, post: Post) -> None:
    error = f"runtime error reported at {post.arrived_at:%Y-%m-%d %H:%M:%S} UTC"
    with core.activity_effect() as fx:
        fx.save_seat(replace(record, seat=replace(record.seat, last_error=error)))
        fx.log(record.seat.seat_ref, SeatEventKind.ERROR, _named(post), by=record.seat.session_name)


def _taken(counted: bool, why: str) -> Reply:
    body: JsonObject = {"ok": True, "counted": counted}
    if why:
        body["reason"] = str(why)
    return Reply(200, body)
