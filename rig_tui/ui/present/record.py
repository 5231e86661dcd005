"""The record's rows whatever they are of: each in one line, and in full."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rig_tui.domain.history import EndedAsk
from rig_tui.domain.ledger import Entry, remembered
from rig_tui.domain.model import Permit, RunnerPermit
from rig_tui.ui.present.ended import ended_lines, ended_row
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.ledger import ledger_lines, ledger_note, ledger_row, stop_lines
from rig_tui.ui.present.lines import BLANK, Line, join
from rig_tui.ui.present.permit import (
    log_note,
    permit_lines,
    permit_row,
    runner_permit_lines,
    runner_permit_row,
)
from rig_tui.ui.present.roles import ACCENT, ACCENT_STRONG, DANGER, DIM, FAINT, KEY, NAME

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from rich.text import Text

    from rig_tui.domain.model import Fleet

Record: TypeAlias = Permit | RunnerPermit | EndedAsk | Entry


@dataclass(frozen=True, slots=True)
class Look:
    """What a row is drawn by."""

    fleet: Fleet
    now: datetime
    glyphs: Glyphs = UNICODE


def session_of(record: Record) -> str | None:
    """The seat a row is about, by its session name."""
    match record:
        case EndedAsk(ask=ask):
            return ask.session_name
        case Entry(key=key):
            return key.session_name
        case _:
            return record.session_name


def record_row(record: Record, look: Look, width: int) -> Text:
    """A row in one line, exactly `width` cells wide."""
    people = look.fleet.people
    match record:
        case Permit():
            return permit_row(record, look.now, width, look.glyphs)
        case RunnerPermit():
            return runner_permit_row(record, look.now, width, look.glyphs)
        case EndedAsk():
            return ended_row(record, look.now, width, people, look.glyphs)
        case Entry():
            return ledger_row(record, look.now, width, people, look.glyphs)


def record_lines(record: Record, look: Look) -> list[Line]:
    """A row in full, with what the record can't hold."""
    fleet, now = look.fleet, look.now
    match record:
        case Permit():
            first, *facts = permit_lines(record, now, look.glyphs)
            stop = [*stop_lines([record.cause]), BLANK] if remembered(record) else []
            return [first, *stop, *facts, log_note()]
        case RunnerPermit():
            return runner_permit_lines(record, now)
        case EndedAsk():
            return ended_lines(record, now, fleet.link.clock_offset, fleet.people, look.glyphs)
        case Entry():
            name = record.key.session_name
            seats = [seat for seat in fleet.seats.values() if seat.session_name == name]
            seat = seats[0] if seats else None
            return [*ledger_lines(record, seat, now, fleet.people), ledger_note()]


def tabs_line(names: Sequence[str], current: int, width: int) -> Text:
    """The views by name, the current one in brackets; only it where they don't all fit."""
    parts = [
        _bracketed(name) if number == current else join((f" {name} ", DIM))
        for number, name in enumerate(names)
    ]
    line = join(*parts)
    if line.cell_len <= width:
        return line
    return join(_bracketed(names[current]), (f" {current + 1}/{len(names)}", FAINT))


def _bracketed(name: str) -> Text:
    return join(("[", KEY), (name, ACCENT_STRONG), ("]", KEY))


def narrowed_words(written: str) -> Text:
    """Which filter a list is narrowed by."""
    return join(("only ", DIM), (inert(written).plain, NAME))


def untaken_words(names: Sequence[str]) -> Text:
    """Why a view has no rows at all under a filter that means nothing to them."""
    words = f"No row here has a {' or '.join(names)}: this view can't be narrowed by it."
    return join((words, ACCENT))


def trouble_words(cause: str) -> Text:
    """Why the last read failed."""
    return join(("It couldn't be read: ", DANGER), inert(cause))


def stale_words() -> Text:
    """What rows are while the daemon is gone."""
    return join(("The daemon can't be reached: rows as last read.", ACCENT))


def newer_words(*, arrived: bool) -> Text:
    """That there are newer rows than those held, and how to get to them."""
    new = "Newer rows have come: " if arrived else "Newer rows lie above: "
    return join((new, ACCENT), ("home", KEY), (" shows them", DIM))
