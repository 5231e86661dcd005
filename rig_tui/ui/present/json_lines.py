"""JSON drawn for reading: one member a line, no commas, agent text inert.

A plain quote always ends a string: one that holds quotes or line breaks becomes a
block with a bar at its left instead. Dangerous characters are tokens, never JSON's own
escapes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.text import Span, Text

from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, join, paint
from rig_tui.ui.present.roles import DIM, FAINT, JSON_KEY, JSON_OTHER, JSON_STRING, NUMBER, TOKEN

if TYPE_CHECKING:
    from collections.abc import Collection

    from rig_tui.domain.model import JsonValue

_STEP: Final = 2
_DEEPEST: Final = 12
"""Levels that still indent; braces alone tell deeper ones apart."""
_INLINE: Final = 60
_LONG: Final = 160
"""Characters from which a string that was drawn already is only referred to."""


def json_lines(
    value: JsonValue,
    *,
    level: int = 0,
    seen: Collection[str] = (),
    glyphs: Glyphs = UNICODE,
) -> list[Line]:
    """Draw a value whole.

    Args:
        value: Any JSON value.
        level: Levels of indentation to begin with.
        seen: Strings that were drawn whole before; a long one isn't drawn twice.
        glyphs: The set to draw with.
    """
    return _Writer(seen, glyphs).write(None, value, level)


def member_lines(
    members: dict[str, JsonValue],
    *,
    level: int = 0,
    seen: Collection[str] = (),
    glyphs: Glyphs = UNICODE,
) -> list[Line]:
    """Draw an object's members without the braces around them."""
    writer = _Writer(seen, glyphs)
    return [line for key, value in members.items() for line in writer.write(key, value, level)]


class _Writer:
    def __init__(self, seen: Collection[str], glyphs: Glyphs) -> None:
        self._seen = seen
        self._glyphs = glyphs

    def write(self, key: str | None, value: JsonValue, level: int) -> list[Line]:
        """Draw one member. A stack, not recursion: agents choose the depth."""
        lines: list[Line] = []
        waiting: list[tuple[str | None, JsonValue | _Close, int]] = [(key, value, level)]
        while waiting:
            name, item, depth = waiting.pop()
            indent = " " * (_STEP * min(depth, _DEEPEST))
            start = join(indent, _key(name)) if name is not None else Text(indent)
            hang = len(indent) + _STEP
            if isinstance(item, _Close):
                lines.append(Line(join(indent, (item.bracket, JSON_OTHER)), hang))
            elif isinstance(item, str):
                lines.extend(self._string(start, item, indent, hang))
            elif isinstance(item, dict | list) and item and not _inline(item):
                opening, closing = ("{", "}") if isinstance(item, dict) else ("[", "]")
                lines.append(Line(join(start, (opening, JSON_OTHER)), hang))
                waiting.append((None, _Close(closing), depth))
                members: list[tuple[str | None, JsonValue]] = (
                    [*item.items()] if isinstance(item, dict) else [(None, each) for each in item]
                )
                waiting.extend((k, each, depth + 1) for k, each in reversed(members))
            else:
                lines.append(Line(join(start, _short(item)), hang))
        return lines

    def _string(self, start: Text, value: str, indent: str, hang: int) -> list[Line]:
        if value in self._seen and ("\n" in value or len(value) >= _LONG):
            return [Line(join(start, ("= the same text as above", DIM)), hang)]
        if not _needs_block(value):
            return [Line(join(start, _quoted(value)), hang)]
        bar = f"{indent}  {self._glyphs.bar} "
        block = [inert(each, True, glyphs=self._glyphs) for each in value.split("\n")]
        head = [Line(start, hang)] if start.plain.strip() else []
        return head + [
            Line(join((bar, FAINT), paint(each, JSON_STRING)), len(bar)) for each in block
        ]


def _needs_block(value: str) -> bool:
    return "\n" in value or '"' in value


class _Close:
    """The end of a container that is being written."""

    __slots__ = ("bracket",)

    def __init__(self, bracket: str) -> None:
        self.bracket = bracket


def _key(name: str) -> Text:
    return join(_string_body(name, JSON_KEY), (": ", FAINT))


def _quoted(value: str) -> Text:
    return _string_body(value, JSON_STRING)


def _string_body(value: str, role: str) -> Text:
    """The string between plain quotes, each inner quote a token."""
    parts: list[str | tuple[str, str] | Text] = [('"', role)]
    for index, piece in enumerate(value.split('"')):
        if index:
            parts.append(('\\"', TOKEN))
        parts.append(paint(inert(piece), role))
    return join(*parts, ('"', role))


def _inline(item: dict[str, JsonValue] | list[JsonValue]) -> bool:
    """Whether a list is short and flat enough for one line."""
    if isinstance(item, dict) or len(item) > _INLINE:
        return False
    if any(isinstance(each, dict | list) for each in item):
        return False
    strings = [each for each in item if isinstance(each, str)]
    if any(map(_needs_block, strings)) or sum(map(len, strings)) > _INLINE:
        return False
    return cell_len(_short(item).plain) <= _INLINE


def _short(item: JsonValue) -> Text:
    """A value that takes one line."""
    if isinstance(item, str):
        return _quoted(item)
    if isinstance(item, dict):
        return Text("{}", spans=[Span(0, 2, JSON_OTHER)])
    if isinstance(item, list):
        parts: list[str | tuple[str, str] | Text] = [("[", JSON_OTHER)]
        for index, each in enumerate(item):
            if index:
                parts.append((", ", FAINT))
            parts.append(_short(each))
        return join(*parts, ("]", JSON_OTHER))
    words = json.dumps(item)
    number = isinstance(item, int | float) and not isinstance(item, bool)
    return Text(words, spans=[Span(0, len(words), NUMBER if number else JSON_OTHER)])
