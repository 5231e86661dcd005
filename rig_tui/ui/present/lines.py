"""Logical lines, and how to put a line together from words and roles."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, split_graphemes
from rich.text import Span, Text

from rig_tui.ui.present.glyphs import UNICODE
from rig_tui.ui.present.roles import DIM, FAINT, PLAIN

if TYPE_CHECKING:
    from rig_tui.ui.present.glyphs import Glyphs


@dataclass(frozen=True, slots=True)
class Line:
    """One line before it is wrapped."""

    text: Text
    hang: int = 0
    """How many cells its continuation lines are indented by."""


BLANK = Line(Text(""))
_LABEL: Final = 14
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")


def join(*parts: str | tuple[str, str] | Text) -> Text:
    """Put a line together: plain words, (words, role), or text made inert before."""
    plain: list[str] = []
    spans: list[Span] = []
    length = 0
    for part in parts:
        if isinstance(part, Text):
            words = part.plain
            spans.extend(Span(s.start + length, s.end + length, s.style) for s in part.spans)
        elif isinstance(part, tuple):
            words, role = part
            spans.append(Span(length, length + len(words), role))
        else:
            words = part
        plain.append(words)
        length += len(words)
    return Text("".join(plain), spans=spans)


def paint(text: Text, role: str) -> Text:
    """The same text with `role` below the roles it has, so its tokens stay tokens."""
    plain = text.plain
    return Text(plain, spans=[Span(0, len(plain), role), *text.spans]) if plain else text


def line(*parts: str | tuple[str, str] | Text, hang: int = 0) -> Line:
    """A logical line from parts."""
    return Line(join(*parts), hang)


def fact(label: str, words: Text) -> Line:
    """A labelled fact; the label's column is the same everywhere."""
    return Line(join((label.ljust(_LABEL), FAINT), paint(words, PLAIN)), _LABEL)


def pad(text: Text, width: int) -> Text:
    """Fill up with spaces to `width` cells."""
    missing = width - cell_len(text.plain)
    return join(text, " " * missing) if missing > 0 else text


def graphemes(plain: str) -> list[tuple[int, int, int]]:
    """Start, end and cells of each piece that mustn't be cut, flags kept whole."""
    spans, _ = split_graphemes(plain)
    if _FLAG.search(plain) is None:
        return spans
    merged: list[tuple[int, int, int]] = []
    paired = False
    for start, end, cells in spans:
        flag = "\U0001f1e6" <= plain[start] <= "\U0001f1ff"
        if flag and merged and not paired and _is_flag(plain, merged[-1]):
            first, _, before = merged[-1]
            merged[-1] = (first, end, before + cells)
            paired = True
            continue
        paired = False
        merged.append((start, end, cells))
    return merged


def _is_flag(plain: str, span: tuple[int, int, int]) -> bool:
    start, end, _ = span
    return end - start == 1 and "\U0001f1e6" <= plain[start] <= "\U0001f1ff"


def head(text: Text, cells: int) -> Text:
    """As much of the beginning as fits in `cells`, without cutting a grapheme."""
    if cell_len(text.plain) <= cells:
        return text
    used = 0
    for start, _, size in graphemes(text.plain):
        if used + size > cells:
            return text[:start] if start else Text("")
        used += size
    return text


def clip(text: Text, width: int, glyphs: Glyphs = UNICODE) -> Text:
    """Fit into `width` cells; what is cut off is counted: `Allow for thi…+12`."""
    plain = text.plain
    if cell_len(plain) <= width:
        return text
    kept = head(text, width)
    while True:
        mark = f"{glyphs.ellipsis}+{len(plain) - len(kept.plain)}"
        shorter = head(text, max(0, width - len(mark)))
        if len(shorter.plain) == len(kept.plain):
            break
        kept = shorter
    if len(mark) > width:
        return head(text, width)
    return join(kept, (mark, DIM))


def cut(text: Text, width: int, glyphs: Glyphs = UNICODE) -> Text:
    """Fit into `width` cells; a plain ellipsis says that something is missing."""
    if cell_len(text.plain) <= width:
        return text
    if width <= 0:
        return Text("")
    return join(head(text, width - 1), (glyphs.ellipsis, DIM))
