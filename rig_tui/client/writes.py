"""A command as one POST, and what its answer means.

Rule of this file: nothing is sent twice, and "it may have arrived" is never called
"it didn't" or "it did".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

import httpx

from rig_tui.client.session import OPENING_ERRORS, words
from rig_tui.client.verdicts import verdict_on
from rig_tui.domain.commands import (
    AnswerAsk,
    ClearAttention,
    CloseAsk,
    DenyAsk,
    RegisterPerson,
    RouteAsk,
    Unconfirmed,
    Unsent,
)
from rig_tui.domain.model import PRIMARY_USER

if TYPE_CHECKING:
    from rig_tui.client.session import Session
    from rig_tui.domain.commands import AskCommand, Command, Verdict
    from rig_tui.domain.model import JsonObject, Origin

_ACTION = "/api/mission-control/action"


@dataclass(frozen=True, slots=True)
class Post:
    """A write to be sent."""

    path: str
    body: JsonObject


def post_for(command: Command, actor: str, origin: Origin) -> Post:
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
            return Post(f"/api/queue/{quote(ask_id, safe='')}/answer", body | who)
        case DenyAsk(reason=reason):
            return _act(command, "deny", who, reason=reason)
        case CloseAsk(verb=verb, reason=reason):
            return _act(command, verb, who, reason=reason)
        case RouteAsk(to=to, reason=reason):
            return _act(command, "route", who, reason=reason, destinationSession=to)
        case ClearAttention(session_name=session_name, reason=reason):
            path = f"/api/sessions/{quote(session_name, safe='@')}/clear-attention"
            return Post(path, who | {"reason": reason})
        case RegisterPerson():
            body = {"entityId": command.entity_id, "displayName": command.display_name}
            if command.make_default:
                body["default"] = True
            if command.confirm:
                body["confirm"] = True
            return Post("/api/gateway/humans", body | who)


def _act(command: AskCommand, verb: str, who: JsonObject, **facts: str) -> Post:
    body: JsonObject = {"verb": verb, "qitemId": command.ask_id, "rowId": command.row_id}
    return Post(_ACTION, body | {name: text for name, text in facts.items() if text} | who)


async def perform(
    session: Session, command: Command, key: str, actor: str, origin: Origin
) -> Verdict:
    """Send a command once and say what came of it."""
    post = post_for(command, actor, origin)
    where = session.candidate.address
    try:
        response = await session.post(post.path, post.body, key)
    except OPENING_ERRORS as error:
        return Unsent(f"nothing answers at {where}: {words(error)}")
    except httpx.TimeoutException:
        return Unconfirmed(f"{where} didn't answer in time")
    except (httpx.TransportError, httpx.DecodingError) as error:
        return Unconfirmed(f"the connection to {where} broke: {words(error)}")
    return verdict_on(command, response.status_code, response.content)
