"""ASCII in place of everything else that the console itself draws.

Rule of this file: a stand-in is as wide as what it stands for, and somebody else's
characters are never changed: a dash in a command isn't a hyphen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from rich.style import Style
from textual.filter import LineFilter

if TYPE_CHECKING:
    from textual.color import Color

IS_DATA: Final = Style(meta={"data": True})
"""Marks what somebody else wrote; it changes no colour."""
_STAND_INS: Final = str.maketrans(
    "\u2018\u2019\u201c\u201d\u2026\u00b7\u00d7\u2192\u2190\u2191\u2193\u2013\u2014\u23ce\u258c\u25bc"
    "\u2502\u2500\u250c\u2510\u2514\u2518\u256d\u256e\u256f\u2570\u2581\u2582\u2583\u2584\u2585\u2586\u2587",
    "''\"\"~-x><^v--<>v|-++++++++       ",
)
"""Quotes, ellipsis, dot, times, arrows, dashes, return, marks; frames and scrollbars."""


class AsciiOnly(LineFilter):
    """The last step before a line reaches a terminal that has no other characters."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment
            if segment.text.isascii() or (segment.style and segment.style.meta.get("data"))
            else Segment(segment.text.translate(_STAND_INS), segment.style, segment.control)
            for segment in segments
        ]
