"""What the daemon's answer to a command means, in a sentence for the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain.commands import (
    AnswerAsk,
    ChooseDefault,
    CloseAsk,
    DenyAsk,
    Done,
    HandToSeat,
    RegisterPerson,
    Rejected,
    RemovePerson,
    ReplyAsk,
    RouteAsk,
    SendMessage,
    Unconfirmed,
    UpdateRow,
)
from rig_tui.domain.overtaken import why_not
from rig_tui.wire import openrig
from rig_tui.wire.errors import WireError
from rig_tui.wire.json import load_object

if TYPE_CHECKING:
    from rig_tui.domain.commands import Command, Verdict


_OURS = {
    "reply_class_changed": "the daemon takes these words for something else than was shown",
    "target_needs_input": "the seat waits for a person, and a message is never an answer",
}
"""Refusals that mean something to an operator in other words than to a program."""


def verdict_on(command: Command, status: int, body: bytes) -> Verdict:
    """Read a verdict off a status and a body.

    Only the daemon's own errors say that nothing was done; any other answer than a
    success leaves that open.
    """
    if 200 <= status < 300:
        return _done(command, body)
    refusal = openrig.decode_error(status, body)
    if 300 <= status < 400 or status >= 500:
        return Unconfirmed(f"the daemon answered {status}: {refusal.message}")
    if refusal.code == "in_progress":
        return Unconfirmed("the daemon is still working on it")
    reason = refusal.reason if refusal.code == "not_applicable" and refusal.reason else refusal.code
    message = _OURS.get(refusal.code, refusal.message)
    if refusal.code == "not_applicable" and refusal.ask is not None:
        message = why_not(reason, refusal.ask) or message
    return Rejected(reason, message, refusal.ask, refusal.changes)


def _done(command: Command, body: bytes) -> Verdict:
    if isinstance(command, RegisterPerson | RemovePerson | ChooseDefault):
        return _changed(body)
    if isinstance(command, SendMessage):
        return _taken(body)
    acts = AnswerAsk | DenyAsk | ReplyAsk | CloseAsk | RouteAsk | HandToSeat | UpdateRow
    if not isinstance(command, acts):
        return Done()
    try:
        answer = load_object(body)
        ask = openrig.decode_recorded(answer)
        given = answer.get("outcome")
        outcome = openrig.decode_outcome(given) if given is not None else None
    except WireError as error:
        return Unconfirmed(f"the daemon's answer can't be read: {error}")
    if ask is None:
        return Done(outcome)
    return Done(outcome or ask.outcome, ask.version, ask)


def _changed(body: bytes) -> Verdict:
    try:
        return Done(changes=openrig.decode_changes(load_object(body).get("changes", [])))
    except WireError as error:
        return Unconfirmed(f"the daemon's answer can't be read: {error}")


def _taken(body: bytes) -> Verdict:
    """What a send that was taken says of it; older daemons only say that it was."""
    try:
        answer = load_object(body)
    except WireError:
        return Done()
    return Done(queued=answer.get("status") == "queued", seen=answer.get("verified") is True)
