"""The operator's side of an ask: answer, reply, close, hold, annotate.

Checks come in one order: actor, id, key, row, state, holder, option. Nothing is written
when one of them fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.daemon import idempotency
from rig_tui.daemon.act_checks import (
    check_followed,
    check_holds,
    check_open,
    check_shown,
    must_find,
    required,
)
from rig_tui.daemon.acting import end, executed
from rig_tui.daemon.handing import hand_over
from rig_tui.daemon.reply import RefusedError
from rig_tui.domain.mapping import Act, Choose, allow_of, outcome
from rig_tui.domain.model import AskState
from rig_tui.domain.replies import ReplyClass, action_of, classify
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from rig_tui.daemon.acting import Request
    from rig_tui.daemon.core import Core
    from rig_tui.daemon.idempotency import Replay
    from rig_tui.daemon.reply import Reply
    from rig_tui.domain.model import Ask

QUESTION = "permission"
CLOSINGS = {"approve": Act.APPROVE, "deny": Act.DENY, "drop": Act.DROP}
HANDINGS = ("route", "handoff")
VERBS = (*CLOSINGS, *HANDINGS, "hold", "annotate")


def answer(core: Core, request: Request) -> Reply | Replay:
    """Choose an option (D7-22): anyone registered may, and the primary user."""
    ask = must_find(core, request.ask_id)
    if replay := idempotency.earlier(core, request.key):
        return replay
    check_open(ask, request.body)
    check_shown(ask)
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
    return end(core, request, ask, result, "click")


def reply(core: Core, request: Request) -> Reply | Replay:
    """Apply typed words, if they still mean what their author was shown (A-34)."""
    ask = must_find(core, request.ask_id)
    if replay := idempotency.earlier(core, request.key):
        return replay
    check_open(ask, request.body)
    check_followed(ask)
    check_holds(request.actor, ask)
    text = request.body.get("text")
    if not isinstance(text, str):
        raise RefusedError(400, "text_required", "text must be what the person typed.")
    said = classify(text, ask.options)
    if said.cls is ReplyClass.EMPTY:
        raise RefusedError(400, "empty_reply", "An empty reply answers nothing.")
    if said.cls is not ReplyClass.NO:
        check_shown(ask)
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
    return end(core, request, ask, result, said.cls.value, note=text)


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
    if verb in HANDINGS:
        return hand_over(core, request, ask, verb)
    note = required(request.body, "reason" if verb == "hold" else "annotation", verb)
    return _note(core, request, ask, verb, note)


def _close(core: Core, request: Request, ask: Ask, verb: str) -> Reply:
    """Deny, or close without choosing, which permits wherever an allow is offered."""
    if verb == "drop":
        required(request.body, "reason", verb)
    check_followed(ask)
    if verb != "deny":
        check_holds(request.actor, ask)
    result = outcome(ask.options, CLOSINGS[verb])
    reason = request.body.get("reason")
    note = reason if isinstance(reason, str) else None
    return end(core, request, ask, result, verb, note=note, is_verb=True)


def _note(core: Core, request: Request, ask: Ask, verb: str, note: str) -> Reply:
    """Put a note on a pending ask; it stays pending (A-37)."""
    with core.effect() as fx:
        by = request.actor.name
        core.store.asks.add_transition(ask, fx.now, state="pending", note=note, actor=by)
        answer = executed(fx, request, verb, ask, ask, ask)
        fx.remember(request.key, answer)
    return answer
