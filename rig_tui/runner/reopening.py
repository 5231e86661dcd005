"""How to reopen a conversation, and what an agent's refusal proves. Nothing here does I/O."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject

NOT_FOUND = -32002
"""ACP's own word that a conversation doesn't exist; no other code or text says so."""
NO_SUCH_METHOD = -32601
RESUME, LOAD = "session/resume", "session/load"


@dataclass(frozen=True, slots=True)
class Opened:
    """A conversation is open, whichever it is."""

    native_ref: str


@dataclass(frozen=True, slots=True)
class Missing:
    """The agent's own word that the conversation doesn't exist."""


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """Neither: nothing is reported."""

    why: str


Opening: TypeAlias = Opened | Missing | Unconfirmed


def ways(initialized: JsonObject) -> tuple[str, ...]:
    """The methods an agent advertises for reopening, the one without a replay first.

    Some advertise `session/resume` and don't have it, so there may be a second.
    """
    found = [RESUME] if "resume" in _session_capabilities(initialized) else []
    return (*found, LOAD) if _capabilities(initialized).get("loadSession") is True else (*found,)


def lists(initialized: JsonObject) -> bool:
    """Whether the agent advertises `session/list`."""
    return "list" in _session_capabilities(initialized)


def page(reply: object) -> tuple[frozenset[str], str | None] | None:
    """The conversations of a page and the next cursor, which may be ""; None if unreadable."""
    rows = reply.get("sessions") if isinstance(reply, dict) else None
    if not isinstance(reply, dict) or not isinstance(rows, list):
        return None
    named = frozenset(
        row["sessionId"]
        for row in rows
        if isinstance(row, dict) and isinstance(row.get("sessionId"), str)
    )
    cursor = reply.get("nextCursor")
    return named, cursor if isinstance(cursor, str) else None


def refused(code: int, text: str, *, listed: bool) -> Opening:
    """What a refusal to reopen proves; a conversation that is listed exists."""
    if code != NOT_FOUND:
        return Unconfirmed(f"the agent refused to reopen it: {code} {text}")
    if listed:
        return Unconfirmed("the agent lists the conversation and says it isn't found")
    return Missing()


def _capabilities(initialized: JsonObject) -> JsonObject:
    found = initialized.get("agentCapabilities")
    return found if isinstance(found, dict) else {}


def _session_capabilities(initialized: JsonObject) -> JsonObject:
    found = _capabilities(initialized).get("sessionCapabilities")
    if not isinstance(found, dict):
        return {}
    return {name: value for name, value in found.items() if value not in (None, False)}
