"""What every act on an ask shares: how it is asked for, answered, told and audited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rig_tui.daemon import endings
from rig_tui.daemon.act_checks import origin_of, text_of
from rig_tui.daemon.log_tables import Audited
from rig_tui.daemon.reply import Reply
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from rig_tui.daemon.actors import Actor
    from rig_tui.daemon.core import Core, Effect
    from rig_tui.daemon.endings import RowEnd
    from rig_tui.daemon.idempotency import Key
    from rig_tui.domain.model import Ask, JsonObject, Outcome


@dataclass(frozen=True, slots=True)
class Request:
    """An act as asked for: on what, by whom, with which body."""

    ask_id: str
    """The ask's id, or that of any of its rows."""
    actor: Actor
    body: JsonObject
    key: Key | None = None


def end(
    core: Core,
    request: Request,
    ask: Ask,
    result: Outcome,
    how: str,
    *,
    note: str | None = None,
    row: RowEnd | None = None,
    is_verb: bool = False,
) -> Reply:
    """End an ask by an operator's act, whole or not at all.

    Args:
        core: The daemon's state.
        request: The act.
        ask: The ask; it must be pending.
        result: Its end.
        how: The act's name in records.
        note: The words that came with it.
        row: How the ask's row ends, where the act says that itself.
        is_verb: Whether it is one of Mission Control's.
    """
    with core.effect() as fx:
        ended = endings.end(
            fx,
            ask,
            result,
            by=request.actor.name,
            how=how,
            origin=origin_of(request.body),
            note=note,
            row=row,
        )
        if is_verb:
            done = executed(fx, request, how, ask, ended, ended)
        else:
            audit(fx, request, how, ask, ended)
            done = Reply(200, openrig.encode_recorded(ended))
        fx.remember(request.key, done)
    return done


def executed(
    fx: Effect,
    request: Request,
    verb: str,
    before: Ask,
    closed: Ask,
    current: Ask,
    *,
    created: str | None = None,
) -> Reply:
    """Tell of a Mission Control action and answer it as OpenRig does, with what the agent gets."""
    action_id = audit(fx, request, verb, before, closed)
    fx.emit(
        lambda seq: openrig.action_executed(
            current,
            seq=seq,
            at=fx.now,
            action_id=action_id,
            verb=verb,
            actor=request.actor.name,
        )
    )
    return Reply(
        200,
        {
            "actionId": action_id,
            "verb": verb,
            "qitemId": closed.row_id,
            "closedQitem": openrig.encode_item(closed),
            "createdQitemId": created,
            "notifyAttempted": False,
            "notifyResult": None,
            "auditedAt": openrig.encode_instant(fx.now),
            "outcome": openrig.encode_outcome(current.outcome),
            "item": openrig.encode_item(current),
        },
    )


def audit(fx: Effect, request: Request, verb: str, before: Ask, after: Ask) -> str:
    """Put an act on record; gives its id."""
    action_id = fx.core.ids.of("action")
    fx.core.store.audit.add(
        before.ask_id,
        Audited(
            action_id,
            verb,
            before.row_id,
            request.actor.name,
            fx.now,
            openrig.audit_state(before),
            openrig.audit_state(after),
            reason=text_of(request.body, "reason"),
            annotation=text_of(request.body, "annotation"),
        ),
    )
    return action_id
