"""The operator's side of an ask: answer, reply, close, route, hold, annotate.

Checks come in one order: actor, id, key, row, state, holder, option. Nothing is written
when one of them fails.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rig_tui.daemon import endings, idempotency
from rig_tui.daemon.act_checks import (
    check_holds,
    check_open,
    must_find,
    origin_of,
    person_at,
    required,
    text_of,
)
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.domain.mapping import Act, Choose, allow_of, outcome
from rig_tui.domain.model import AskedBecause, AskState, Outcome, Row
from rig_tui.domain.replies import ReplyClass, action_of, classify
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from rig_tui.daemon.actors import Actor
    from rig_tui.daemon.core import Core, Effect
    from rig_tui.daemon.idempotency import Key, Replay
    from rig_tui.domain.model import Ask, JsonObject

QUESTION = "permission"
CLOSINGS = {"approve": Act.APPROVE, "deny": Act.DENY, "drop": Act.DROP}
VERBS = (*CLOSINGS, "route", "hold", "annotate")


@dataclass(frozen=True, slots=True)
class Request:
    """An act as asked for: on what, by whom, with which body."""

    ask_id: str
    """The ask's id, or that of any of its rows."""
    actor: Actor
    body: JsonObject
    key: Key | None = None


def answer(core: Core, request: Request) -> Reply | Replay:
    """Choose an option (D7-22): anyone registered may, and the primary user."""
    ask = must_find(core, request.ask_id)
    if replay := idempotency.earlier(core, request.key):
        return replay
    check_open(ask, request.body)
    if request.body.get("questionId") != QUESTION:
        raise RefusedError(
            400, "unknown_question", f'questionId must be "{QUESTION}". Nothing was answered.'
        )
    option_id = request.body.get("optionId")
    result = outcome(ask.options, Choose(option_id if isinstance(option_id, str) else ""))
    if result.state is AskState.PENDING:
        raise RefusedError(
            400,
            "unknown_option",
            f"The agent offered no option with the id {option_id!r}. Nothing was answered.",
        )
    return _end(core, request, ask, result, "click")


def reply(core: Core, request: Request) -> Reply | Replay:
    """Apply typed words, if they still mean what their author was shown (A-34)."""
    ask = must_find(core, request.ask_id)
    if replay := idempotency.earlier(core, request.key):
        return replay
    check_open(ask, request.body)
    check_holds(request.actor, ask)
    text = request.body.get("text")
    if not isinstance(text, str):
        raise RefusedError(400, "text_required", "text must be what the person typed.")
    said = classify(text, ask.options)
    if said.cls is ReplyClass.EMPTY:
        raise RefusedError(400, "empty_reply", "An empty reply answers nothing.")
    result = outcome(ask.options, action_of(said))
    expected = request.body.get("expect", ReplyClass.NO.value)
    chosen = request.body.get("optionId", said.option_id)
    if expected != said.cls.value or (said.option_id and chosen != said.option_id):
        refused = RefusedError(
            409,
            "reply_class_changed",
            f"That reply counts as {said.cls.value}, not as expected. Nothing was answered; "
            "look at what it would do and send it again with that class.",
            outcome=openrig.encode_outcome(result),
        )
        refused.extra["class"] = said.cls.value
        raise refused
    confirmed = request.body.get("confirmPermit") is True
    if said.cls is ReplyClass.WORDS and allow_of(ask.options) and not confirmed:
        raise RefusedError(
            409,
            "permit_not_confirmed",
            "Those words aren't an answer: they would PERMIT the request. Nothing was "
            "answered; send confirmPermit: true if that is meant.",
            outcome=openrig.encode_outcome(result),
        )
    return _end(core, request, ask, result, said.cls.value, note=text)


def act(core: Core, request: Request) -> Reply | Replay:
    """Do one of Mission Control's verbs."""
    verb = request.body.get("verb")
    if not isinstance(verb, str) or verb not in VERBS:
        raise RefusedError(
            400,
            "verb_unknown",
            f"unknown verb {verb!r}; supported: {', '.join(VERBS)}. Nothing was done.",
            supported=list(VERBS),
        )
    ask = must_find(core, request.ask_id)
    if replay := idempotency.earlier(core, request.key):
        return replay
    check_open(ask, request.body)
    if verb in CLOSINGS:
        return _close(core, request, ask, verb)
    if verb == "route":
        return _route(core, request, ask)
    note = required(request.body, "reason" if verb == "hold" else "annotation", verb)
    return _note(core, request, ask, verb, note)


def _close(core: Core, request: Request, ask: Ask, verb: str) -> Reply:
    """Deny, or close without choosing, which permits wherever an allow is offered."""
    if verb == "drop":
        required(request.body, "reason", verb)
    if verb != "deny":
        check_holds(request.actor, ask)
    result = outcome(ask.options, CLOSINGS[verb])
    reason = request.body.get("reason")
    note = reason if isinstance(reason, str) else None
    return _end(core, request, ask, result, verb, note=note, is_verb=True)


def _route(core: Core, request: Request, ask: Ask) -> Reply:
    """Hand the ask to a person, who gets the same options (D7-27)."""
    destination = required(request.body, "destinationSession", "route", "destination_required")
    holder = person_at(core, destination)
    if holder is None:
        raise RefusedError(
            400,
            "destination_not_registered",
            f"{destination} isn't a registered person. The ask stays with {ask.holder.name}.",
        )
    with core.effect() as fx:
        row_id, by = core.ids.row(fx.now), request.actor.name
        rows = tuple(
            replace(row, state="handed-off", closed_by=by, how="route", at=fx.now)
            if row.row_id == ask.row_id
            else row
            for row in ask.rows
        )
        core.store.asks.add_transition(
            ask, fx.now, state="handed-off", actor=by, closure=("handed_off_to", destination)
        )
        core.store.asks.add_row(row_id, ask.ask_id)
        closed = replace(ask, rows=rows)
        routed = fx.save_ask(
            replace(
                closed,
                row_id=row_id,
                holder=holder,
                asked_because=AskedBecause.HANDED_OVER,
                asked_reason=text_of(request.body, "reason"),
                rows=(*rows, Row(row_id, holder, "pending")),
            ),
            lambda a, seq: openrig.queue_handed_off(
                a, seq=seq, at=fx.now, from_session=ask.holder.id, to_session=destination
            ),
        )
        core.store.asks.add_transition(
            routed, fx.now, state="pending", note="handed over", actor=by
        )
        answer = _executed(fx, request, "route", closed, routed, row_id)
        fx.remember(request.key, answer)
    return answer


def _note(core: Core, request: Request, ask: Ask, verb: str, note: str) -> Reply:
    """Put a note on a pending ask; it stays pending (A-37)."""
    with core.effect() as fx:
        by = request.actor.name
        core.store.asks.add_transition(ask, fx.now, state="pending", note=note, actor=by)
        answer = _executed(fx, request, verb, ask, ask, None)
        fx.remember(request.key, answer)
    return answer


def _end(
    core: Core,
    request: Request,
    ask: Ask,
    result: Outcome,
    how: str,
    *,
    note: str | None = None,
    is_verb: bool = False,
) -> Reply:
    with core.effect() as fx:
        ended = endings.end(
            fx,
            ask,
            result,
            by=request.actor.name,
            how=how,
            origin=origin_of(request.body),
            note=note,
        )
        if is_verb:
            done = _executed(fx, request, how, ended, ended, None)
        else:
            done = Reply(200, openrig.encode_recorded(ended))
        fx.remember(request.key, done)
    return done


def _executed(
    fx: Effect, request: Request, verb: str, closed: Ask, current: Ask, created: str | None
) -> Reply:
    """Tell of a Mission Control action and answer it as OpenRig does, with what the agent gets."""
    action_id = fx.core.ids.of("action")
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
