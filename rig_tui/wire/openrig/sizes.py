"""What lists and events may weigh: cut here, and whole in one fetch.

Sizes are those of the JSON text, since a control character weighs six bytes there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.wire.json import dump_bytes

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject, JsonValue

TOOL_CALL_LIMIT = 16_384
TEXT_LIMIT = 4_096
FRAME_LIMIT = 262_144
LONGEST_LIST = 64
"""The most entries a list outside the tool call keeps; the newest, at its end."""
_MARK = "…"


def cut_text(text: str, limit: int = TEXT_LIMIT) -> tuple[str, bool]:
    """The text, cut with an ellipsis when its JSON is longer than `limit` bytes."""
    if len(text) * 6 <= limit or _size(text) <= limit:
        return text, False
    room = max(0, limit - len(_MARK.encode()))
    head = text[:room]
    while (size := _size(head)) > room:
        head = head[: len(head) * room // size]
    return head + _MARK, True


def _size(text: str) -> int:
    return len(dump_bytes(text)) - 2


def cut_json(value: JsonValue, limit: int = TOOL_CALL_LIMIT) -> tuple[JsonValue, bool]:
    """The value, its longest parts cut until its JSON fits `limit` bytes.

    Keys and order stay as far as they fit, so that a cut tool call still reads as one.
    """
    if len(dump_bytes(value)) <= limit:
        return value, False
    longest = limit // 2
    shorter = _shorten(value, longest, 0)
    while len(dump_bytes(shorter)) > limit:
        longest //= 2
        shorter = _shorten(shorter, longest, 0)
    return shorter, True


def _shorten(value: JsonValue, longest: int, depth: int) -> JsonValue:
    """Cut strings to `longest`, and lists and nesting in proportion."""
    most = max(1, longest // 32)
    if isinstance(value, str):
        return cut_text(value, max(longest, 8))[0]
    if depth >= most and isinstance(value, list | dict):
        return _MARK
    if isinstance(value, list):
        kept = [_shorten(item, longest, depth + 1) for item in value[:most]]
        return [*kept, _MARK] if len(value) > most and value[-1] != _MARK else kept
    if isinstance(value, dict):
        return {
            cut_text(key, max(longest // 4, 8))[0]: _shorten(item, longest, depth + 1)
            for key, item in list(value.items())[:most]
        }
    if isinstance(value, int) and abs(value) > 10**longest:
        return _MARK
    return value


def elide(row: JsonObject, whole: frozenset[str] = frozenset()) -> tuple[JsonObject, bool]:
    """A row with every text cut to `TEXT_LIMIT`, except below the keys in `whole`."""
    cut = False

    def walk(value: JsonValue) -> JsonValue:
        nonlocal cut
        if isinstance(value, str):
            text, shortened = cut_text(value)
            cut = cut or shortened
            return text
        if isinstance(value, list):
            cut = cut or len(value) > LONGEST_LIST
            return [walk(item) for item in value[-LONGEST_LIST:]]
        if isinstance(value, dict):
            return {k: item if k in whole else walk(item) for k, item in value.items()}
        return value

    shorter = {k: item if k in whole else walk(item) for k, item in row.items()}
    return shorter, cut
