"""Open a new conversation, or reopen exactly the one that was asked for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rig_tui.runner.agent import AgentError, AgentGoneError
from rig_tui.runner.reopening import (
    NO_SUCH_METHOD,
    Opened,
    Opening,
    Unconfirmed,
    lists,
    page,
    refused,
    ways,
)

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject

PATIENCE = 55.0
"""Seconds for the agent to open a conversation; OpenRig waits about a minute for a record."""
_LIST_PATIENCE = 5.0
_PROTOCOL = 1


class Asks(Protocol):
    """What of an agent is needed here."""

    async def request(self, method: str, params: JsonObject) -> JsonObject:
        """Ask the agent something."""
        ...


@dataclass(frozen=True, slots=True)
class Introduction:
    """What the agent said of itself."""

    said: JsonObject

    @property
    def words(self) -> str:
        """Its name and version, and the protocol's."""
        info = self.said.get("agentInfo")
        named = info if isinstance(info, dict) else {}
        name = " ".join(str(named[key]) for key in ("name", "version") if named.get(key))
        return f"{name or 'an agent without a name'}; ACP {self.said.get('protocolVersion')}"


async def introduce(agent: Asks, version: str) -> Introduction:
    """Begin the protocol; nothing of this machine is offered to the agent.

    Raises:
        AgentError: It can't begin.
        AgentGoneError: It ended.
        TimeoutError: It says nothing.
    """
    async with asyncio.timeout(PATIENCE):
        return Introduction(
            await agent.request(
                "initialize",
                {
                    "protocolVersion": _PROTOCOL,
                    "clientCapabilities": {},
                    "clientInfo": {"name": "rig-tui", "version": version},
                },
            )
        )


async def open_new(agent: Asks, cwd: str) -> Opening:
    """Open a new conversation."""
    reply = await _tried(agent, "session/new", {"cwd": cwd, "mcpServers": []})
    if isinstance(reply, AgentError):
        return Unconfirmed(f"the agent opens no conversation: {reply}")
    if isinstance(reply, Unconfirmed):
        return reply
    session = reply.get("sessionId")
    if not isinstance(session, str) or not session:
        return Unconfirmed("the agent opened a conversation and didn't say which")
    return Opened(session)


async def reopen(agent: Asks, introduction: Introduction, native_ref: str, cwd: str) -> Opening:
    """Reopen one conversation; a new one is never opened instead (R8-01)."""
    outcome: Opening = Unconfirmed("the agent advertises no way to reopen a conversation")
    for method in ways(introduction.said):
        reply = await _tried(agent, method, {"sessionId": native_ref, "cwd": cwd, "mcpServers": []})
        if isinstance(reply, Unconfirmed):
            return reply
        if not isinstance(reply, AgentError):
            other = reply.get("sessionId")
            return Opened(other if isinstance(other, str) and other else native_ref)
        listed = lists(introduction.said) and await _is_listed(agent, native_ref)
        outcome = refused(reply.code, str(reply), listed=listed)
        if reply.code != NO_SUCH_METHOD:
            break
    return outcome


async def _tried(
    agent: Asks, method: str, params: JsonObject
) -> JsonObject | AgentError | Unconfirmed:
    try:
        async with asyncio.timeout(PATIENCE):
            return await agent.request(method, params)
    except AgentError as error:
        return error
    except AgentGoneError:
        return Unconfirmed(f"the agent ended before it answered {method}")
    except TimeoutError:
        return Unconfirmed(f"the agent didn't answer {method} in {PATIENCE:.0f} s")


async def _is_listed(agent: Asks, native_ref: str) -> bool:
    """Whether the agent lists the conversation; a page that can't be read decides nothing."""
    params: JsonObject = {}
    seen: set[str] = set()
    try:
        async with asyncio.timeout(_LIST_PATIENCE):
            while (found := page(await agent.request("session/list", params))) is not None:
                named, cursor = found
                if native_ref in named:
                    return True
                if cursor is None or cursor in seen:
                    break
                seen.add(cursor)
                params = {"cursor": cursor}
    except (AgentError, AgentGoneError, TimeoutError):
        return False
    return False
