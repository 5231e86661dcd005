"""Tables for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rig_tui.cli.inert import inert

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rig_tui.domain.model import JsonValue

_PIPE_WIDTH = 200


def print_json(value: JsonValue) -> None:
    """Print a value as ASCII JSON, which no terminal can take for anything else."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def print_table(
    headings: Sequence[str], rows: Iterable[Sequence[str | tuple[str, str]]], nothing: str
) -> None:
    """Print rows of cells, a cell being text or (text, style); `nothing` when there are none."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=_PIPE_WIDTH)
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(_cell(cell) for cell in row))
    console.print(table if table.row_count else nothing)


def _cell(cell: str | tuple[str, str]) -> Text:
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
