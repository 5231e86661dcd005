"""What in a tool call is easily overlooked, pointed at and not judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rig_tui.domain.host_notes import host_notes
from rig_tui.domain.shell_notes import shell_notes
from rig_tui.domain.tool_call import commands_of, strings_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rig_tui.domain.model import JsonValue

MOST_NOTES: Final = 12
"""Notes given; the others are counted, and what they are about is in the call anyway."""
MOST_READ: Final = 100_000
"""Characters read for notes, so that no call can hold up the reader."""


def look_closely(tool_call: JsonValue) -> tuple[str, ...]:
    """Every note on a call, inert and each in a few words; none when nothing stands out."""
    commands, unread = _first(commands_of(tool_call))
    texts, rest = _first(strings_of(tool_call))
    found = [note for command in commands for note in shell_notes(command)]
    found += [note for text in texts for note in host_notes(text)]
    notes = [*dict.fromkeys(found)]
    more = len(notes) - MOST_NOTES
    ends = [f"and {more} more"] if more > 0 else []
    if unread or rest:
        ends.append(f"and what comes after {MOST_READ:,} characters, where nobody looked for this")
    return (*notes[:MOST_NOTES], *ends)


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
