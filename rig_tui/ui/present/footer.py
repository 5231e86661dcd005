"""The footer: which keys work now, and which would not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from rig_tui.ui.present.lines import join
from rig_tui.ui.present.roles import DIM, FAINT, KEY

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Hint:
    """One key and what it does."""

    key: str
    label: str
    enabled: bool = True


def footer_line(hints: Sequence[Hint], width: int) -> Text:
    """As many whole hints as fit, the last one kept: it says where to find the rest."""
    room = width - 2
    drawn = [_hint(hint) for hint in hints]
    gap = 3
    while len(drawn) > 1 and sum(h.cell_len for h in drawn) + gap * (len(drawn) - 1) > room:
        if gap > 2:
            gap = 2
            continue
        del drawn[-2]
    line = Text(" ")
    for index, hint in enumerate(drawn):
        line.append(" " * gap if index else "")
        line.append_text(hint)
    return line


def hint_lines(hints: Sequence[Hint], width: int) -> list[Text]:
    """All the hints, on as many lines as that takes; none is broken across two."""
    lines: list[Text] = []
    for drawn in map(_hint, hints):
        if lines and lines[-1].cell_len + 3 + drawn.cell_len <= width:
            lines[-1].append("   ").append_text(drawn)
        else:
            lines.append(drawn)
    return lines


def _hint(hint: Hint) -> Text:
    if hint.enabled:
        return join((hint.key, KEY), " ", (hint.label, DIM))
    return join((hint.key, FAINT), " ", (hint.label, FAINT))
