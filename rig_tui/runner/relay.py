"""What the agent says reaches its conversation, once there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject, JsonValue
    from rig_tui.runner.conversation import Conversation


class Relay:
    """The agent's client, from its start on."""

    def __init__(self) -> None:
        self.conversation: Conversation | None = None
        self._sessions: set[str] = set()

    def other_than(self, native_ref: str) -> str | None:
        """A conversation that was replayed instead: an agent may reopen another one."""
        others = self._sessions - {native_ref}
        return min(others) if others and native_ref not in self._sessions else None

    def updated(self, params: JsonObject) -> None:
        """Hand an update on; a replay of what was said before is no news."""
        if self.conversation is not None:
            self.conversation.updated(params)
        elif isinstance(session := params.get("sessionId"), str):
            self._sessions.add(session)

    async def asked(self, request_id: JsonValue, params: JsonObject) -> JsonObject:
        """Hand a request on; without a conversation no turn runs that could wait for it."""
        if self.conversation is None:
            return {"outcome": {"outcome": "cancelled"}}
        return await self.conversation.asked(request_id, params)

    def replied(self, request_id: JsonValue) -> None:
        """Hand on that a reply was written."""
        if self.conversation is not None:
            self.conversation.replied(request_id)
