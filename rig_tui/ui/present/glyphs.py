"""The few glyphs the console draws itself, and their ASCII stand-ins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of glyphs. Each badge, link and mark glyph is one cell wide."""

    needs_input: str
    working: str
    idle: str
    unknown: str
    live: str
    down: str
    arrow: str
    """From an ask to whoever holds it, from a request to what was given."""
    ellipsis: str
    dot: str
    """Between facts of one line."""
    tab: str
    """Where agent text holds a tab."""
    open_quote: str
    close_quote: str
    fold: str
    """Where unchanged lines are left out."""
    bar: str
    """Left of lines that belong to one string."""
    cursor: str
    """Left of the selected row."""
    below: str
    """That there is more below."""


UNICODE: Final = Glyphs(
    needs_input="◆",
    working="●",
    idle="○",
    unknown="?",
    live="●",
    down="○",
    arrow="→",
    ellipsis="…",
    dot="·",
    tab="⇥",
    open_quote="“",
    close_quote="”",
    fold="⋯",
    bar="│",
    cursor="▌",
    below="▼",
)

ASCII: Final = Glyphs(
    needs_input="!",
    working="*",
    idle="-",
    unknown="?",
    live="*",
    down="-",
    arrow="->",
    ellipsis="~",
    dot="-",
    tab=">",
    open_quote='"',
    close_quote='"',
    fold="~",
    bar="|",
    cursor=">",
    below="v",
)
