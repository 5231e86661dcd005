r"""Agent text drawn: its tokens coloured, counted as their own cells, and never as markup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.text import Span, Text

from rig_tui.domain.inert import pieces
from rig_tui.ui.present.glyphs import UNICODE
from rig_tui.ui.present.roles import DATA, FAINT, TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig_tui.ui.present.glyphs import Glyphs

TAB_STOP: Final = 4


def inert(
    text: str, multiline: bool = False, *, rtl_tokens: bool = False, glyphs: Glyphs = UNICODE
) -> Text:
    """Draw somebody else's text.

    Args:
        text: Anything at all.
        multiline: Whether LF breaks the line and TAB is a marked tab; in a
            single-line place both are tokens.
        rtl_tokens: Whether right-to-left letters are tokens too.
        glyphs: The set to mark tabs with.
    """
    if text.isascii() and text.isprintable():
        return Text(text)
    plain: list[str] = []
    spans: list[Span] = []
    length = 0
    for piece, role in _drawn(text, multiline, rtl_tokens, glyphs):
        plain.append(piece)
        end = length + len(piece)
        if role is not None and spans and spans[-1].end == length and spans[-1].style == role:
            spans[-1] = Span(spans[-1].start, end, role)
        elif role is not None:
            spans.append(Span(length, end, role))
        length = end
    return Text("".join(plain), spans=spans)


def inert_words(text: str, *, rtl_tokens: bool = False) -> Text:
    """Draw a sentence of ours that has somebody else's words in it."""
    drawn = inert(text, rtl_tokens=rtl_tokens)
    return Text(drawn.plain, spans=[span for span in drawn.spans if span.style != DATA])


def inert_lines(text: str, *, rtl_tokens: bool = False, glyphs: Glyphs = UNICODE) -> list[Text]:
    """Draw multi-line text, one Text for each of its lines; a final LF adds none."""
    lines = text.split("\n")
    if len(lines) > 1 and lines[-1] == "":
        lines.pop()
    return [inert(line, True, rtl_tokens=rtl_tokens, glyphs=glyphs) for line in lines]


def _drawn(
    text: str, multiline: bool, rtl_tokens: bool, glyphs: Glyphs
) -> Iterator[tuple[str, str | None]]:
    """Each piece as it is drawn, and its role."""
    column = 0
    tabbed = multiline and "\t" in text
    for piece, kind in pieces(text, multiline=multiline, rtl_tokens=rtl_tokens):
        if kind == "line end":
            column = 0
            yield piece, None
            continue
        role = None if piece.isascii() else DATA
        if kind == "tab":
            piece, role = glyphs.tab.ljust(TAB_STOP - column % TAB_STOP), FAINT
        elif kind == "token":
            role = TOKEN
        if tabbed:
            column += cell_len(piece)
        yield piece, role
