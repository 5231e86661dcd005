"""Tables for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rig_tui.domain.inert import inert, inert_block

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rig_tui.domain.model import JsonValue

_PIPE_WIDTH = 200
SPOKEN: ContextVar[bool] = ContextVar("spoken", default=False)
"""Whether rows are said in lines, for a reader who can't see columns."""

Line: TypeAlias = tuple[str, str]
"""Text, and its style."""


def print_json(value: JsonValue) -> None:
    """Print a value as ASCII JSON, which no terminal can take for anything else."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def complain(message: str) -> None:
    """Say something on stderr, which is no command's output."""
    sys.stderr.write(f"rig-tui: {inert_block(message)}\n")


def print_table(
    headings: Sequence[str], rows: Iterable[Sequence[str | Line]], nothing: str
) -> None:
    """Print rows of cells; `nothing` when there are none."""
    if SPOKEN.get():
        _say_rows(headings, rows, nothing)
        return
    console = _console()
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(_cell(cell) for cell in row))
    console.print(table if table.row_count else nothing)


def _say_rows(headings: Sequence[str], rows: Iterable[Sequence[str | Line]], nothing: str) -> None:
    said = False
    for row in rows:
        texts = [cell if isinstance(cell, str) else cell[0] for cell in row]
        pairs = [
            f"{heading.lower()} {text}".strip()
            for heading, text in zip(headings, texts, strict=True)
            if text
        ]
        sys.stdout.write(f"{inert(', '.join(pairs))}.\n")
        said = True
    if not said:
        sys.stdout.write(f"{nothing}\n")


def print_blocks(blocks: Iterable[Sequence[Line]], nothing: str) -> None:
    """Print groups of lines, an empty line between two; `nothing` when there are none."""
    console = _console()
    printed = False
    for block in blocks:
        if printed:
            console.print()
        for line in block:
            console.print(_cell(line), soft_wrap=not console.is_terminal)
        printed = True
    if not printed:
        console.print(nothing)


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to whoever runs the command: a reader that left is no failure."""
        raise BrokenPipeError


def _console() -> Console:
    terminal = False if SPOKEN.get() else None
    console = _Console(highlight=False, markup=False, emoji=False, force_terminal=terminal)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console


def _cell(cell: str | Line) -> Text:
    text, style = (cell, "") if isinstance(cell, str) else cell
    return Text(inert(text), style=style)


def instant(at: datetime | None) -> str | None:
    """An instant for JSON."""
    if at is None:
        return None
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def age(at: datetime | None, now: datetime) -> str:
    """How long ago, in one unit."""
    if at is None:
        return ""
    seconds = max(0, int((now - at).total_seconds()))
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"
