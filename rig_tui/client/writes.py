"""A command as one write, and what its answer means.

Rule of this file: nothing is sent twice, and "it may have arrived" is never called
"it didn't" or "it did".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from rig_tui.client.faults import answer_to
from rig_tui.client.verdicts import verdict_on
from rig_tui.domain.commands import (
    ActOnItem,
    AnswerAsk,
    ChooseDefault,
    ClearAttention,
    CloseAsk,
    DenyAsk,
    HandToSeat,
    RegisterPerson,
    Rejected,
    RemovePerson,
    ReplyAsk,
    RevokeGrant,
    RouteAsk,
    SendMessage,
    SetOverride,
    StopSeat,
    Unconfirmed,
    Unsent,
    UpdateRow,
)
from rig_tui.domain.model import PRIMARY_USER, OverrideMode

if TYPE_CHECKING:
    from rig_tui.client.session import Session
    from rig_tui.domain.commands import (
        AskCommand,
        Command,
        PeopleCommand,
        PermissionCommand,
        SeatCommand,
        Verdict,
    )
    from rig_tui.domain.model import JsonObject, Origin

_ACTION = "/api/mission-control/action"
_HUMANS = "/api/gateway/humans"


@dataclass(frozen=True, slots=True)
class Write:
    """A write to be sent."""

    path: str
    body: JsonObject
    method: str = "POST"


def write_for(
    command: PermissionCommand | PeopleCommand | SeatCommand, actor: str, origin: Origin
) -> Write:
    """The write that does a command, by `actor`."""
    if isinstance(command, RegisterPerson) and actor == f"{command.entity_id}@external":
        # Who isn't registered yet can't act; whoever holds the token can.
        actor = PRIMARY_USER
    who: JsonObject = {
        "actorSession": actor,
        "origin": {"program": origin.program, "pid": origin.pid, "tty": origin.tty},
    }
    match command:
        case AnswerAsk(ask_id, row_id, option_id):
            body: JsonObject = {"questionId": "permission", "optionId": option_id, "rowId": row_id}
            return Write(f"/api/queue/{quote(ask_id, safe='')}/answer", body | who)
        case DenyAsk(reason=reason):
            return _act(command, "deny", who, reason=reason)
        case ReplyAsk(ask_id):
            return Write(f"/api/queue/{quote(ask_id, safe='')}/reply", _reply(command) | who)
        case CloseAsk(verb=verb, reason=reason):
            return _act(command, verb, who, reason=reason)
        case RouteAsk(to=to, reason=reason):
            return _act(command, "route", who, reason=reason, destinationSession=to)
        case HandToSeat(to_session=to, reason=reason):
            return _act(command, "handoff", who, reason=reason, destinationSession=to)
        case UpdateRow(ask_id, row_id, state, closure_reason):
            body = {"state": state, "rowId": row_id}
            if closure_reason:
                body["closureReason"] = closure_reason
            return Write(f"/api/queue/{quote(ask_id, safe='')}/update", body | who)
        case ClearAttention(session_name=session_name, reason=reason):
            path = f"/api/sessions/{quote(session_name, safe='@')}/clear-attention"
            return Write(path, who | {"reason": reason})
        case SetOverride():
            path = f"/api/seat/set-permissions-to/{quote(command.seat_ref, safe='@')}"
            return Write(path, _setting(command) | {"reason": command.reason} | who)
        case RevokeGrant(seat_ref=seat_ref):
            return Write(f"/api/seats/{quote(seat_ref, safe='@')}/grants", {"revoke": True} | who)
        case StopSeat(seat_ref=seat_ref):
            return Write(f"/api/seats/{quote(seat_ref, safe='@')}/stop", who)
        case SendMessage(session_name, text):
            message: JsonObject = {"session": session_name, "text": text}
            return Write("/api/transport/send", message | who)
        case RegisterPerson() | RemovePerson() | ChooseDefault():
            return _people(command, who)


def _act(command: AskCommand, verb: str, who: JsonObject, **facts: str) -> Write:
    body: JsonObject = {"verb": verb, "qitemId": command.ask_id, "rowId": command.row_id}
    return Write(_ACTION, body | {name: text for name, text in facts.items() if text} | who)


def _reply(command: ReplyAsk) -> JsonObject:
    body: JsonObject = {
        "text": command.text, "expect": command.expect, "rowId": command.row_id,
    }  # fmt: skip
    if command.option_id is not None:
        body["optionId"] = command.option_id
    if command.confirm_permit:
        body["confirmPermit"] = True
    return body


def _setting(command: SetOverride) -> JsonObject:
    match command.mode:
        case OverrideMode.TO:
            return {"to": command.person}
        case OverrideMode.DENY:
            return {"deny": True}
        case OverrideMode.NONE:
            return {"clear": True}


def _people(command: PeopleCommand, who: JsonObject) -> Write:
    flags: JsonObject = {}
    if command.confirm:
        flags["confirm"] = True
    if command.dry_run:
        flags["dryRun"] = True
    match command:
        case RegisterPerson(entity_id, display_name):
            body: JsonObject = {"entityId": entity_id, "displayName": display_name}
            if command.make_default:
                body["default"] = True
            return Write(_HUMANS, body | flags | who)
        case RemovePerson(entity_id):
            return Write(f"{_HUMANS}/{quote(entity_id, safe='')}", flags | who, "DELETE")
        case ChooseDefault(chosen):
            return Write("/api/gateway/default", {"entityId": chosen} | flags | who)


async def perform(
    session: Session, command: Command, key: str, actor: str, origin: Origin
) -> Verdict:
    """Send a command once and say what came of it."""
    if isinstance(command, ActOnItem):
        # The same verbs permit here, so they must never arrive.
        return Rejected("not_here", "it is no permission request of this daemon; nothing was sent")
    write = write_for(command, actor, origin)
    where = session.candidate.address
    answer = await answer_to(session.write(write.method, write.path, write.body, key), where)
    if isinstance(answer, Unsent | Unconfirmed):
        return answer
    return verdict_on(command, answer.status_code, answer.content)
