"""Wrapping logical lines to a width in cells, with nothing lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from rig_tui.ui.present.lines import Line, graphemes, join

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.text import Text


def wrap(lines: Iterable[Line | Text], width: int) -> list[Text]:
    """Wrap each line to at most `width` cells.

    Words are kept whole where that leaves at least half of a line used; a longer
    token is cut where the line ends. Without the hanging indents, the pieces of a
    line put together are the line.
    """
    width = max(1, width)
    wrapped: list[Text] = []
    for line in lines:
        text, hang = (line.text, line.hang) if isinstance(line, Line) else (line, 0)
        if cell_len(text.plain) <= width:
            wrapped.append(text)
        else:
            wrapped.extend(_pieces(text, width, min(hang, width // 2)))
    return wrapped


def _pieces(text: Text, width: int, hang: int) -> list[Text]:
    offsets = _breaks(text.plain, width, hang)
    first, *rest = text.divide(offsets)
    indent = " " * hang
    return [first, *(join(indent, piece) if hang else piece for piece in rest)]


def _breaks(plain: str, width: int, hang: int) -> list[int]:
    """The offsets at which new lines begin."""
    if plain.isascii():
        return _ascii_breaks(plain, width, hang)
    offsets: list[int] = []
    room = width
    used = 0
    after_space: tuple[int, int] | None = None
    """Where the line could end at a word, and the cells up to there."""
    for start, end, cells in graphemes(plain):
        while used and used + cells > room:
            if after_space is not None and after_space[1] * 2 >= room:
                at, upto = after_space
                offsets.append(at)
                used -= upto
            else:
                offsets.append(start)
                used = 0
            room = width - hang
            after_space = None
        used += cells
        if plain[start] == " ":
            after_space = (end, used)
    return offsets


def _ascii_breaks(plain: str, width: int, hang: int) -> list[int]:
    """The same offsets where every character is one cell."""
    offsets: list[int] = []
    start, room = 0, width
    while len(plain) - start > room:
        space = plain.rfind(" ", start, start + room) + 1
        start = space if (space - start) * 2 >= room else start + room
        offsets.append(start)
        room = width - hang
    return offsets
