"""What can be done at a published OpenRig: one write, and the truth about it afterwards.

Rule of this file: nothing is sent twice, nothing is sent about an item that isn't the one
that was painted, and whatever isn't a plain success is followed by a look at the item.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

import httpx

from rig_tui.client.discovery import Bearers
from rig_tui.client.errors import ClientError
from rig_tui.client.faults import answer_to
from rig_tui.client.published.lists import read_item
from rig_tui.domain import items
from rig_tui.domain.commands import (
    ActOnItem,
    ClearAttention,
    Done,
    Rejected,
    Unconfirmed,
    Unsent,
)
from rig_tui.domain.items import Needs, Verb
from rig_tui.wire.errors import WireError
from rig_tui.wire.published.answers import decode_refusal

if TYPE_CHECKING:
    from rig_tui.client.published.lists import Known
    from rig_tui.client.published.session import PublishedSession
    from rig_tui.domain.commands import Command, Verdict
    from rig_tui.domain.model import JsonObject

_ACTION = "/api/mission-control/action"
_FIELDS = {
    Needs.REASON: "reason",
    Needs.REASON_OR_NOT: "reason",
    Needs.DECISION: "decision",
    Needs.ANNOTATION: "annotation",
    Needs.DESTINATION: "reason",
}


async def perform(session: PublishedSession, known: Known, command: Command, actor: str) -> Verdict:
    """Do one command, once, as `actor`."""
    match command:
        case ActOnItem():
            return await _act(session, known, command, actor)
        case ClearAttention(session_name=name, reason=reason):
            return await _clear(session, name, reason)
        case _:
            # A permission is answered where the agent asks; nothing here must look like it.
            return Rejected("not_here", f"{session.name} can't do that; nothing was sent")


async def _act(session: PublishedSession, known: Known, command: ActOnItem, actor: str) -> Verdict:
    if f"do:{command.verb}" not in session.abilities:
        return Rejected("not_here", f"{session.name} has no {command.verb}; nothing was sent")
    painted = known.asks.get(command.ask_id)
    try:
        now = await read_item(session, known, command.ask_id)
    except (ClientError, WireError) as error:
        return Unsent(f"the item couldn't be read first: {error}")
    if not now.pending:
        return Rejected("ended", f"it is already {now.outcome.reason}", now)
    if painted is None or now.item != painted.item:
        return Rejected("changed", "it has changed since it was shown; look at it again", now)
    bearers = session.candidate.bearers or Bearers()
    verdict = await _post(session, _ACTION, _body(command, actor), bearers.operator)
    return await _truth(session, known, command, actor, verdict)


def _body(command: ActOnItem, actor: str) -> JsonObject:
    body: JsonObject = {
        "verb": command.verb,
        "qitemId": command.ask_id,
        "actorSession": actor,
    }
    if command.to:
        body["destinationSession"] = command.to
    if command.text:
        body[_FIELDS[items.NEEDS[Verb(command.verb)]]] = command.text
    return body


async def _truth(
    session: PublishedSession, known: Known, command: ActOnItem, actor: str, verdict: Verdict
) -> Verdict:
    """Look at the item: only it says what happened after a conflict, a fault or silence."""
    if isinstance(verdict, Unsent):
        return verdict
    try:
        ask = await read_item(session, known, command.ask_id)
    except (ClientError, WireError):
        return verdict
    match verdict:
        case Done():
            done = ask if ask.pending else replace(ask, decided_by=actor)
            return replace(verdict, ask=done, version=ask.version)
        case Rejected() if not ask.pending:
            return replace(verdict, message=f"it is already {ask.outcome.reason}", ask=ask)
        case Rejected():
            return replace(verdict, ask=ask)
        case Unconfirmed(cause) if ask.pending:
            return Unconfirmed(f"{cause}. The item still waits")
        case Unconfirmed(cause):
            # Somebody closed it; whether this console did can't be told by the item.
            return Rejected("ended", f"{cause}. The item is {ask.outcome.reason} by now", ask)
        case _:
            return verdict


async def _clear(session: PublishedSession, name: str, reason: str) -> Verdict:
    """Clear a launch's attention; without a reason it would type into the live pane."""
    if not reason.strip():
        return Rejected("reason_required", "a reason is needed; nothing was sent")
    path = f"/api/sessions/{quote(name, safe='@')}/clear-attention"
    bearers = session.candidate.bearers or Bearers()
    return await _post(session, path, {"reason": reason}, bearers.terminal)


async def _post(
    session: PublishedSession, path: str, body: JsonObject, bearer: str | None
) -> Verdict:
    where = session.candidate.address
    response = await answer_to(session.write(path, body, bearer), where)
    if isinstance(response, Unsent | Unconfirmed):
        return response
    if response.is_success:
        return Done()
    refusal = decode_refusal(response.status_code, response.content)
    message = refusal.message
    if response.status_code == httpx.codes.UNAUTHORIZED:
        looked_in = (session.candidate.bearers or Bearers()).looked_in
        message = f"{message}. Looked for the token in: {looked_in}"
    if response.status_code >= 500 and refusal.code != "reason_required":
        return Unconfirmed(f"{where} failed with {response.status_code}: {message}")
    return Rejected(refusal.code, message)
