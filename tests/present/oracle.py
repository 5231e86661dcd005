"""What drawn text must never hold, told apart from how the product decides it."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from rich.cells import cell_len, get_character_cell_size
from rich.text import Text

from rig_tui.ui.present.lines import Line
from rig_tui.ui.present.roles import DATA, ROLES

if TYPE_CHECKING:
    from collections.abc import Iterable

ESC, CSI, OSC = "\x1b", "\x9b", "\x9d"
RLO, ZWSP, ZWJ, VS16, BOM = "\u202e", "\u200b", "\u200d", "\ufe0f", "\ufeff"
NASTY = (
    *map(chr, range(0x20)),
    *map(chr, range(0x7F, 0xA0)),
    *"\u00ad\u034f\u061c\u115f\u1160\u1161\u180e\u200e\u200f\u2028\u2029\u2060\u2066\u2069\u3164",
    *(RLO, ZWSP, ZWJ, VS16, BOM, "\ufe0e", "\ufff9", "\ufffe", "\uffa0"),
    *("\ud800", "\udfff", "\ue000", "\U000e0041", "\U000e0101", "\U000f0000", "\U0010ffff"),
    *("\u0301", "\u20e3", "\U0001f3fd", "\u0378", "\u2800"),
)
ORDINARY = (*"aZ09 \"'\\[]{}/#*<>&", "é", "日", "👩", "❤", "🇫", "🇷", "א", "ع", "…", "가", "ᄀ")
hostile = st.text(st.one_of(st.sampled_from(NASTY), st.sampled_from(ORDINARY)), max_size=24)


def texts(drawn: Text | Line | Iterable[Text | Line]) -> list[Text]:
    if isinstance(drawn, Text):
        return [drawn]
    if isinstance(drawn, Line):
        return [drawn.text]
    return [each.text if isinstance(each, Line) else each for each in drawn]


def plain(drawn: Text | Line | Iterable[Text | Line]) -> str:
    return "\n".join(text.plain for text in texts(drawn))


def roles_of(text: Text, words: str) -> set[str]:
    """The roles that colour these words whole."""
    start = text.plain.index(words)
    return {
        str(span.style)
        for span in text.spans
        if span.style != DATA and span.start <= start and span.end >= start + len(words)
    }


def check_safe(drawn: Text | Line | Iterable[Text | Line]) -> None:
    """Nothing hides or steers, and every span names a known role inside the text."""
    for text in texts(drawn):
        assert not text.style
        for span in text.spans:
            assert span.style in ROLES
            assert 0 <= span.start <= span.end <= len(text.plain)
        for at, character in enumerate(text.plain):
            assert _harmless(text.plain, at), f"{character!r} in {text.plain!r}"


def _harmless(line: str, at: int) -> bool:
    character, before = line[at], line[at - 1] if at else ""
    category = unicodedata.category(character)
    if character in ("\ufe0e", VS16):
        keycap = before in tuple("0123456789#*") and line[at + 1 : at + 2] == "\u20e3"
        return keycap or (before != "" and not before.isascii() and _symbol(before))
    if character == ZWJ:
        after = line[at + 1 : at + 2]
        return _symbol(before) and after != "" and _symbol(after)
    if category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return False
    if get_character_cell_size(character) > 0:
        return character != "\u2800"
    if category[0] == "M":
        return before not in ("", " ", "\n")
    return before != "" and (_symbol(before) or "\u1100" <= before <= "\ud7ff")


def _symbol(character: str) -> bool:
    return character != "" and (
        unicodedata.category(character) in ("So", "Sk", "Sm", "Po", "Ll") or character == VS16
    )


def check_row(text: Text, width: int) -> None:
    """A row fits exactly, in one line."""
    check_safe(text)
    assert "\n" not in text.plain
    assert cell_len(text.plain) == width, text.plain
