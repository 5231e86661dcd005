"""Closing the row of an ask that an agent seat holds.

Rule of this file: an agent's own text is never an answer. Only the state and the closure
reason of the row say what the agent that asked gets (D7-29, D7-30, D7-31).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.daemon import acting, idempotency
from rig_tui.daemon.act_checks import check_open, check_row, must_find, not_applicable, text_of
from rig_tui.daemon.endings import RowEnd
from rig_tui.daemon.reply import RefusedError
from rig_tui.domain.mapping import Act, outcome
from rig_tui.domain.model import HolderType

if TYPE_CHECKING:
    from rig_tui.daemon.acting import Request
    from rig_tui.daemon.core import Core
    from rig_tui.daemon.idempotency import Replay
    from rig_tui.daemon.reply import Reply

STATES = ("done", "failed", "denied", "canceled")
REASONS = ("no-follow-on", "canceled", "denied")
"""Reasons that close a row; with others, OpenRig's row would only wait or go on (A-37)."""


def update(core: Core, request: Request) -> Reply | Replay:
    """Close an agent-held row by its seat, a person or the primary user."""
    ask = must_find(core, request.ask_id)
    if replay := idempotency.earlier(core, request.key):
        return replay
    # The first row's id is the ask's own, so naming it names the ask.
    if request.ask_id != ask.ask_id:
        check_row(ask, request.ask_id)
    check_open(ask, request.body)
    if ask.holder.type is HolderType.PERSON:
        raise not_applicable(
            ask, "held_by_person", f"{ask.holder.name} holds this ask: it is answered, not updated."
        )
    if ask.holder.type is HolderType.HOST:
        raise not_applicable(
            ask, "held_by_host", f"{ask.holder.name} holds this ask, and nothing comes back."
        )
    if request.actor.is_seat and request.actor.name != ask.holder.id:
        raise RefusedError(
            403,
            "not_the_holder",
            f"{ask.holder.name} holds this row, not {request.actor.name}. Nothing was done.",
            ask=ask,
        )
    state, reason = _closing(request)
    act, how = _meaning(state, reason)
    return acting.end(
        core,
        request,
        ask,
        outcome(ask.options, act),
        how,
        note=text_of(request.body, "transitionNote"),
        row=RowEnd(state, reason if state == "done" else None),
    )


def _closing(request: Request) -> tuple[str, str]:
    state = request.body.get("state")
    if state not in STATES:
        raise RefusedError(
            400,
            "invalid_state",
            f"state={state} doesn't close this row; valid: {', '.join(STATES)}. Nothing was done.",
        )
    reason = request.body.get("closureReason")
    if reason is None:
        reason = REASONS[0]
    if reason not in REASONS:
        raise RefusedError(
            400,
            "invalid_closure_reason",
            f"closureReason={reason} doesn't close this row; valid: {', '.join(REASONS)}. "
            "Nothing was done.",
            validReasons=list(REASONS),
        )
    return str(state), str(reason)


def _meaning(state: str, reason: str) -> tuple[Act, str]:
    """Say what a closing means, and its name in records: a no wherever it says denied."""
    if state == "canceled":
        return Act.ROW_CANCELED, "canceled"
    if "denied" in (state, reason):
        return Act.ROW_DENIED, "denied"
    if state == "failed":
        return Act.ROW_FAILED, "failed"
    if reason == "canceled":
        # Not the state: OpenRig's drop writes this, and it permits.
        return Act.DROP, "drop"
    return Act.ROW_DONE, "done"
