"""What in a tool call is easily overlooked, pointed at and not judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rig_tui.domain.host_notes import host_notes
from rig_tui.domain.shell_notes import shell_notes
from rig_tui.domain.tool_call import commands_of, strings_of
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert_words
from rig_tui.ui.present.lines import Line, join, line, paint
from rig_tui.ui.present.roles import ACCENT, DIM, FAINT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rig_tui.domain.model import JsonValue

MOST_NOTES: Final = 12
"""Notes drawn; the others are counted, and what they are about is drawn below anyway."""


MOST_READ: Final = 100_000
"""Characters read for notes, so that no call can hold up the screen."""


def closely_lines(tool_call: JsonValue, glyphs: Glyphs = UNICODE) -> list[Line]:
    """One line with every note; none when there is nothing to point at."""
    commands, unread = _first(commands_of(tool_call))
    texts, rest = _first(strings_of(tool_call))
    found = [note for command in commands for note in shell_notes(command)]
    found += [note for text in texts for note in host_notes(text)]
    notes = [*dict.fromkeys(found)]
    ends = [f"{len(notes) - MOST_NOTES} more"] if len(notes) > MOST_NOTES else []
    if unread or rest:
        ends.append(f"what comes after {MOST_READ:,} characters, where nobody looked for this")
    parts = [paint(inert_words(note), ACCENT) for note in notes[:MOST_NOTES]]
    parts += [join((f"and {end}", DIM)) for end in ends]
    if not parts:
        return []
    words, *more = parts
    for part in more:
        words = join(words, (f" {glyphs.dot} ", DIM), part)
    return [line(("look closely  ", FAINT), words, hang=2)]


def _first(texts: Iterable[str]) -> tuple[list[str], bool]:
    """The texts up to the most that is read, and whether there is more."""
    kept: list[str] = []
    left = MOST_READ
    for text in texts:
        kept.append(text[:left])
        left -= len(text)
        if left < 0:
            return kept, True
    return kept, False
