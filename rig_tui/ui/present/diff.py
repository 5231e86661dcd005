"""Two texts, or a diff an agent made itself, drawn as a unified diff."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, join, line, paint
from rig_tui.ui.present.roles import ADD, CONTEXT, DIM, FAINT, NAME, REMOVE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_LINES: Final = 2000
_MOST_PAIRS: Final = 20_000
"""Bounds on what is lined up: the agent chooses the texts, and must not stall us."""
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_HEADER = re.compile(r"--- |\+\+\+ ")


@dataclass(frozen=True, slots=True)
class Change:
    """One line of a diff."""

    sign: str
    """`+`, `-` or a space."""
    number: int
    """In the new text, for a removed line in the old one."""
    text: str
    ended: bool = True
    """Whether a line feed follows."""


def changes(old: str, new: str) -> list[Change]:
    """Every line of both texts, as kept, removed or added."""
    before, after = _split(old), _split(new)
    found: list[Change] = []
    for tag, i1, i2, j1, j2 in _opcodes(before, after):
        if tag == "equal":
            found.extend(_change(" ", j + 1, after[j]) for j in range(j1, j2))
            continue
        found.extend(_change("-", i + 1, before[i]) for i in range(i1, i2))
        found.extend(_change("+", j + 1, after[j]) for j in range(j1, j2))
    return found


def diff_lines(
    path: str,
    old: str | None,
    new: str,
    *,
    context: int | None = 3,
    glyphs: Glyphs = UNICODE,
) -> list[Line]:
    """Draw the change from `old` to `new` below its path.

    Args:
        path: The file, as the agent named it.
        old: The text before; None or empty for a new file.
        new: The text after.
        context: Unchanged lines kept around a change; None keeps all.
        glyphs: The set to draw with.
    """
    found = changes(old or "", new)
    shown = [_heading(path, old, new, found)]
    width = len(str(max((change.number for change in found), default=1)))
    for item in _folded(found, context):
        if isinstance(item, int):
            words = f"{item} unchanged line{'' if item == 1 else 's'}"
            shown.append(line((f"{' ' * width} {glyphs.fold} {words}", DIM), hang=width + 3))
        else:
            shown.extend(_drawn(item, width, glyphs))
    return shown


def parse(text: str) -> list[tuple[str, Change | None]]:
    """Each line of a diff text, with the change it is where it isn't a heading."""
    rows = text.split("\n")
    if len(rows) > 1 and rows[-1] == "":
        rows.pop()
    parsed: list[tuple[str, Change | None]] = []
    old = new = old_left = new_left = 0
    for row in rows:
        hunk = _HUNK.match(row)
        if hunk:
            old, new = int(hunk[1]), int(hunk[3])
            old_left, new_left = int(hunk[2] or 1), int(hunk[4] or 1)
        inside = old_left > 0 or new_left > 0 or _HEADER.match(row) is None
        if hunk or not (old or new) or row[:1] not in ("+", "-", " ", "") or not inside:
            parsed.append((row, None))
            continue
        sign = row[:1] or " "
        parsed.append((row, Change(sign, old if sign == "-" else new, row[1:])))
        old, old_left = old + (sign != "+"), old_left - (sign != "+")
        new, new_left = new + (sign != "-"), new_left - (sign != "-")
    return parsed


def unified_lines(parsed: list[tuple[str, Change | None]], glyphs: Glyphs = UNICODE) -> list[Line]:
    """Draw a diff that came as text, every line of it."""
    width = len(str(max((change.number for _, change in parsed if change), default=1)))
    shown: list[Line] = []
    for row, change in parsed:
        if change is None:
            shown.append(heading_row(row, glyphs))
        else:
            shown.extend(_drawn(change, width, glyphs))
    return shown


def heading_row(row: str, glyphs: Glyphs = UNICODE) -> Line:
    """Draw a line of a diff text that is no change: file names, hunk positions."""
    return Line(paint(inert(row, True, glyphs=glyphs), DIM), 2)


def _split(text: str) -> list[str]:
    """Lines with their line feeds; only LF ends a line."""
    lines = text.split("\n")
    ended = [f"{each}\n" for each in lines[:-1]]
    return [*ended, lines[-1]] if lines[-1] else ended


def _change(sign: str, number: int, row: str) -> Change:
    return Change(sign, number, row.removesuffix("\n"), row.endswith("\n"))


def _opcodes(
    before: Sequence[str], after: Sequence[str]
) -> Iterator[tuple[str, int, int, int, int]]:
    """Like difflib's, after the common ends are set aside, and bounded in time."""
    most = min(len(before), len(after))
    start = 0
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    if start:
        yield "equal", 0, start, 0, start
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    for tag, i1, i2, j1, j2 in _middle(old, new):
        yield tag, i1 + start, i2 + start, j1 + start, j2 + start
    if end:
        yield "equal", len(before) - end, len(before), len(after) - end, len(after)


def _middle(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    counts = Counter(new)
    pairs = sum(counts[row] for row in old)
    if not old and not new:
        return []
    if len(old) + len(new) > _MOST_LINES or pairs > _MOST_PAIRS:
        return [("replace", 0, len(old), 0, len(new))]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [(str(tag), i1, i2, j1, j2) for tag, i1, i2, j1, j2 in matcher.get_opcodes()]


def _folded(found: list[Change], context: int | None) -> Iterator[Change | int]:
    """The changes, with the count of unchanged lines where a run is left out."""
    if context is None:
        yield from found
        return
    at = [index for index, change in enumerate(found) if change.sign != " "]
    kept = {i for index in at for i in range(index - context, index + context + 1)}
    hidden = 0
    for index, change in enumerate(found):
        if index in kept:
            if hidden:
                yield hidden
            hidden = 0
            yield change
        else:
            hidden += 1
    if hidden:
        yield hidden


def _heading(path: str, old: str | None, new: str, found: list[Change]) -> Line:
    added = sum(1 for change in found if change.sign == "+")
    removed = sum(1 for change in found if change.sign == "-")
    words: list[tuple[str, str]] = []
    if not old:
        words.append(("  new file" if new else "  new, empty file", DIM))
    elif not new:
        words.append(("  everything removed", DIM))
    elif old == new:
        words.append(("  no change", DIM))
    if added:
        words.append((f"  +{added}", ADD))
    if removed:
        words.append((f"  -{removed}", REMOVE))
    return line(paint(inert(path), NAME), *words, hang=2)


def _drawn(change: Change, width: int, glyphs: Glyphs) -> list[Line]:
    role = {"+": ADD, "-": REMOVE}.get(change.sign, CONTEXT)
    body = paint(inert(change.text, True, glyphs=glyphs), role)
    number = f"{change.number:>{width}} "
    shown = [Line(join((number, FAINT), (f"{change.sign} ", role), body), width + 3)]
    if not change.ended:
        shown.append(line((f"{' ' * width}   no line feed at its end", FAINT), hang=width + 3))
    return shown
