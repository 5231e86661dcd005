"""What an agent's record of a tool call tells, whatever shape the agent gave it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig_tui.domain.model import JsonValue

_SAYS_NOTHING: Final = frozenset(
    {
        "bash", "sh", "shell", "zsh", "terminal", "command", "execute", "run", "exec", "tool",
        "other", "unknown", "action", "task", "call", "request", "permission", "untitled", "none",
        "null", "undefined", "na", "mcp", "function", "operation", "object object", "todo", "title",
    }
)  # fmt: skip
"""Titles that would fit any call; so does one put together from these words."""
_COMMAND_KEYS: Final = ("command", "commands", "cmd", "script")


def title_of(tool_call: JsonValue) -> str:
    """The agent's title; empty when it gave none."""
    return _text(tool_call, "title")


def kind_of(tool_call: JsonValue) -> str:
    """The agent's tool kind; empty when it gave none."""
    return _text(tool_call, "kind")


def uninformative(tool_call: JsonValue) -> str | None:
    """Say what the agent left out, when its record tells next to nothing by itself."""
    start = "The agent gave little detail: "
    if not isinstance(tool_call, dict) or not tool_call:
        return f"{start}no record of the tool call."
    told = {key for key, value in tool_call.items() if value not in (None, "", [], {})}
    if told <= {"toolCallId"}:
        return f"{start}only an id." if told else f"{start}an empty record."
    title = title_of(tool_call).strip(" ")
    if not title:
        return f"{start}no title."
    if title == _text(tool_call, "toolCallId"):
        return f"{start}its title is only the call's id."
    words = _words(title)
    if words and words == _words(kind_of(tool_call)) and not _says_nothing(words):
        return f"{start}its title is only the tool's kind."
    if _says_nothing(words):
        return f"{start}its title says nothing."
    return None


def commands_of(tool_call: JsonValue) -> tuple[str, ...]:
    """The commands it would run, each as a shell reads it."""
    raw = tool_call.get("rawInput") if isinstance(tool_call, dict) else None
    fields = raw if isinstance(raw, dict) else {}
    found: dict[str, None] = {}
    for key in _COMMAND_KEYS:
        value = fields.get(key)
        if isinstance(value, str):
            found[value] = None
        elif isinstance(value, list):
            words = [each for each in value if isinstance(each, str)]
            found.update(dict.fromkeys(words if key == "commands" else [shlex.join(words)]))
    if not found and kind_of(tool_call) == "execute":
        found[title_of(tool_call)] = None
    return tuple(found)


def strings_of(tool_call: JsonValue) -> Iterator[str]:
    """Every text in the record, names of fields included."""
    waiting = [tool_call]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from value
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


def _text(tool_call: JsonValue, key: str) -> str:
    text = tool_call.get(key) if isinstance(tool_call, dict) else None
    return text if isinstance(text, str) else ""


def _words(text: str) -> tuple[str, ...]:
    kept = (char if char.isalnum() else " " for char in text.casefold() if char not in "'/")
    return tuple("".join(kept).split())


def _says_nothing(words: tuple[str, ...]) -> bool:
    return " ".join(words) in _SAYS_NOTHING or all(word in _SAYS_NOTHING for word in words)
