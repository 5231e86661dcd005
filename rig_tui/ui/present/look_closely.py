"""What in a tool call is easily overlooked, drawn above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain.look_closely import look_closely
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert_words
from rig_tui.ui.present.lines import Line, join, line, paint
from rig_tui.ui.present.roles import ACCENT, DIM, FAINT

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonValue


def closely_lines(tool_call: JsonValue, glyphs: Glyphs = UNICODE) -> list[Line]:
    """One line with every note; none when there is nothing to point at."""
    parts = [paint(inert_words(note), ACCENT) for note in look_closely(tool_call)]
    if not parts:
        return []
    words, *more = parts
    for part in more:
        words = join(words, (f" {glyphs.dot} ", DIM), part)
    return [line(("look closely  ", FAINT), words, hang=2)]
