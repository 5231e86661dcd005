"""What an agent's `session/update` means for the seat. Nothing here does I/O."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject, JsonValue

_POST_AGAIN = 5.0
"""Seconds; a working post counts for 15, so one for each chunk would tell nothing more."""


@dataclass(frozen=True, slots=True)
class Work:
    """One post that says the agent is working."""

    hook_event: str
    subtype: str


class TurnUpdates:
    """The updates of one turn: its tool calls, and which of them are worth a post."""

    def __init__(self) -> None:
        self._calls: dict[str, JsonObject] = {}
        self._posted: tuple[str, float] | None = None

    def take(self, update: JsonObject, now: float) -> Work | None:
        """Keep what a permission request may leave out; gives the post to make, if any."""
        kind = update.get("sessionUpdate")
        if kind in ("tool_call", "tool_call_update"):
            self._join(update)
        if kind == "tool_call":
            tool = update.get("kind")
            work = Work("PreToolUse", tool if isinstance(tool, str) and tool else "other")
            self._posted = (work.subtype, now)
            return work
        if kind not in ("agent_message_chunk", "agent_thought_chunk", "tool_call_update", "plan"):
            return None
        work = Work("active", "agent_message")
        if self._posted is not None:
            last, at = self._posted
            if now - at < _POST_AGAIN and (last == work.subtype or kind == "tool_call_update"):
                return None
        self._posted = (work.subtype, now)
        return work

    def whole(self, tool_call: JsonValue) -> JsonValue:
        """The tool call of a request, with what earlier updates of the same id said of it.

        The request's own fields win. Many agents send everything, some only the id, and
        some an id that no update had.
        """
        if not isinstance(tool_call, dict):
            return tool_call
        known = self._calls.get(str(tool_call.get("toolCallId")), {})
        return known | _said(tool_call)

    def _join(self, update: JsonObject) -> None:
        call_id = str(update.get("toolCallId"))
        fields = {key: value for key, value in _said(update).items() if key != "sessionUpdate"}
        self._calls[call_id] = self._calls.get(call_id, {}) | fields


def _said(fields: JsonObject) -> JsonObject:
    return {key: value for key, value in fields.items() if value is not None}


def text_of(update: JsonObject) -> str:
    """The text of a message chunk; what isn't text is named."""
    content = update.get("content")
    if not isinstance(content, dict):
        return ""
    text = content.get("text")
    return text if isinstance(text, str) else f"[{content.get('type')}]"
