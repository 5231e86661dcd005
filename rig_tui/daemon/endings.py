"""How an ask leaves pending, once and for all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rig_tui.daemon import notices, permits
from rig_tui.domain.mapping import Act, outcome, records_permit
from rig_tui.domain.model import AskState, Cause, ClosedBy, Origin, Outcome
from rig_tui.domain.timeline import SeatEventKind
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from rig_tui.daemon.core import Effect
    from rig_tui.domain.model import Ask

_NOBODY = "daemon"


@dataclass(frozen=True, slots=True)
class RowEnd:
    """How a queue row ends, in OpenRig's words."""

    state: str
    closure_reason: str | None


def end(
    fx: Effect,
    ask: Ask,
    result: Outcome,
    *,
    by: str,
    how: str,
    origin: Origin | None = None,
    note: str | None = None,
    row: RowEnd | None = None,
) -> Ask:
    """Give a pending ask its end state, with its record when that permits (D7-36, D7-51).

    Args:
        fx: The effect it is part of.
        ask: The ask; it must be pending.
        result: Its end, as `mapping.outcome` decided.
        by: Who ended it: an actor's name, or a session's.
        how: The act: `click`, `deny`, `drop`, `withdraw`, …
        origin: The program an operator acted from.
        note: The words that came with the act.
        row: How its row ends, where the act says that itself.
    """
    ending = row or _row_end(result, how)
    rows = tuple(
        replace(each, state=ending.state, closed_by=by, how=how, at=fx.now)
        if each.row_id == ask.row_id
        else each
        for each in ask.rows
    )
    withdrawn_at = fx.now if result.state is AskState.WITHDRAWN else None
    ask = replace(
        ask,
        outcome=result,
        rows=rows,
        decided_by=by,
        decided_how=how,
        decided_at=fx.now,
        origin=origin,
        withdrawn_at=withdrawn_at,
    )
    ask = fx.save_ask(ask, lambda a, seq: openrig.queue_updated(a, seq=seq, at=fx.now, actor=by))
    fx.core.store.asks.add_transition(
        ask,
        fx.now,
        state=ending.state,
        note=note,
        actor=by,
        closure=(ending.closure_reason, None),
    )
    fx.log(
        ask.seat_ref,
        SeatEventKind.ENDED,
        result.state,
        by=by,
        reason=how,
        ask_id=ask.ask_id,
    )
    if records_permit(result):
        permit = permits.of_ask(
            fx, ask, result, ClosedBy(by, ask.row_id, how), Cause.CLOSED_WITHOUT_CHOICE
        )
        if not fx.record_permit(permit):
            notices.add(fx, ask.seat_ref, notices.unrecorded(fx.now))
    return ask


def withdraw(fx: Effect, ask: Ask, *, by: str, how: str, reason: str) -> Ask:
    """End a pending ask whose request is over: nothing is granted."""
    result = replace(outcome(ask.options, Act.WITHDRAW), reason=reason or None)
    return end(fx, ask, result, by=by, how=how)


def make_stale(fx: Effect, seat_ref: str, act: Act) -> None:
    """End the pending asks of an occupant that is gone (D7-37, D9-04)."""
    for ask in fx.core.pending_of(seat_ref):
        end(fx, ask, outcome(ask.options, act), by=_NOBODY, how=act.value)


def _row_end(result: Outcome, how: str) -> RowEnd:
    if result.state in (AskState.WITHDRAWN, AskState.STALE):
        return RowEnd("canceled", "canceled")
    if how in ("deny", "no"):
        return RowEnd("done", "denied")
    return RowEnd("done", "canceled" if how == "drop" else "no-follow-on")
