"""`rig-tui brief`: what whoever takes over must know, in Markdown."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rig_tui.cli.asks import ask_row, ended_row, title
from rig_tui.cli.people import asked_row
from rig_tui.cli.printing import age, instant, print_json
from rig_tui.cli.progress import progress
from rig_tui.cli.record import permit_row
from rig_tui.cli.seats import asked_line
from rig_tui.cli.stop import USAGE, Stop
from rig_tui.cli.words import option_words, state_words
from rig_tui.domain import history, ledger, select
from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.commands import EndedAsks, PermitsBefore, SeatEvents
from rig_tui.domain.history import Filters
from rig_tui.domain.inert import inert
from rig_tui.domain.model import OverrideMode
from rig_tui.domain.timeline import SeatEventKind

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from datetime import datetime

    from rig_tui.cli.desk import Desk
    from rig_tui.domain.history import EndedAsk
    from rig_tui.domain.ledger import Entry
    from rig_tui.domain.model import Ask, JsonObject, Permit, Seat
    from rig_tui.domain.timeline import SeatEvent

MOST_ROWS: Final = 2000
"""Rows of one list that are read; the brief says where there were more."""
_PAGE: Final = 400
_CHANGES: Final = (
    SeatEventKind.LAUNCH,
    SeatEventKind.STOPPED,
    SeatEventKind.EXIT,
    SeatEventKind.ERROR,
    SeatEventKind.OVERRIDE,
    SeatEventKind.GRANT,
    SeatEventKind.CLEARED,
)
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")


@dataclass(frozen=True, slots=True)
class Brief:
    """What a shift leaves to the next."""

    since: datetime
    now: datetime
    waiting: list[Ask]
    permits: list[Permit]
    ended: list[EndedAsk]
    unchosen: list[Entry]
    """What harnesses have probably remembered though nobody chose it."""
    overridden: list[Seat]
    permitting: list[Seat]
    changed: list[tuple[Seat, SeatEvent]]
    whole: bool
    """Whether every row since then was read."""


async def brief(desk: Desk, given: argparse.Namespace) -> int:
    """Write the shift's handover; gives the exit code.

    Raises:
        Stop: `--since` isn't a time.
    """
    async with progress("reading the record"):
        made = await _made(desk, _since(given.since, desk.now()))
    if given.as_json:
        print_json(_json(made, desk))
    else:
        sys.stdout.write("\n".join(_markdown(made, desk)) + "\n")
    return 0


def _since(text: str, now: datetime) -> datetime:
    try:
        since = history.parse(f'since:"{text}"', now.astimezone()).since
    except history.FilterError as error:
        raise Stop(USAGE, f"--since: {str(error).replace('since:', '', 1)}") from error
    return since if since is not None else now


async def _made(desk: Desk, since: datetime) -> Brief:
    fleet = desk.fleet
    filters = Filters(since=since)
    permits: list[Permit] = []
    ended: list[EndedAsk] = []
    more = True
    while more and len(permits) < MOST_ROWS:
        before = permits[-1].sort_key if permits else None
        page = await desk.backend.fetch(PermitsBefore(before, limit=_PAGE, filters=filters))
        permits, more = [*permits, *page.permits], page.more
    whole, more = not more, True
    while more and len(ended) < MOST_ROWS:
        before = ended[-1].sort_key if ended else None
        page = await desk.backend.fetch(EndedAsks(before, filters, _PAGE))
        ended, more = [*ended, *page.ended], page.more
    seats = sorted(fleet.seats.values(), key=lambda seat: seat.seat_ref)
    told = ledger.fold(ledger.Ledger(), permits, ended)
    return Brief(
        since, desk.now(), select.pending_asks(fleet), permits, ended,
        [entry for entry in told.newest_first if entry.unchosen],
        [seat for seat in seats if seat.override.mode is not OverrideMode.NONE],
        select.permitting_seats(fleet),
        [change for seat in seats for change in await _changes(desk, seat, since)],
        whole and not more,
    )  # fmt: skip


async def _changes(desk: Desk, seat: Seat, since: datetime) -> list[tuple[Seat, SeatEvent]]:
    page = await desk.backend.fetch(SeatEvents(seat.seat_ref, tuple(_CHANGES)))
    return [(seat, event) for event in page.seat_events if event.at >= since]


def _json(made: Brief, desk: Desk) -> JsonObject:
    daemon = desk.daemon
    return {
        "daemon": daemon,
        "since": instant(made.since),
        "at": instant(made.now),
        "whole": made.whole,
        "waiting": [ask_row(ask, daemon) for ask in made.waiting],
        "permits": [permit_row(permit, daemon) for permit in made.permits],
        "rememberedUnchosen": [
            {
                "session": entry.key.session_name,
                "kind": entry.key.kind,
                "name": entry.key.name,
                "subject": entry.key.subject,
                "times": entry.unchosen,
                "last": instant(entry.last),
            }
            for entry in made.unchosen
        ],
        "ended": [ended_row(each.ask, daemon) for each in made.ended],
        "overrides": [asked_row(seat, daemon) for seat in made.overridden],
        "permitting": [asked_row(seat, daemon) for seat in made.permitting],
        "changed": [
            {
                "seatRef": seat.seat_ref,
                "at": instant(event.at),
                "kind": event.kind,
                "what": event.what,
                "by": event.by,
                "reason": event.reason,
            }
            for seat, event in made.changed
        ],
    }


def _markdown(made: Brief, desk: Desk) -> Iterator[str]:
    now = made.now
    yield f"# Handover, {_clock(now)}"
    yield ""
    yield f"{_text(desk.daemon)}, since {_clock(made.since)}."
    if not made.whole:
        yield f"There is more on record than the {MOST_ROWS} rows of each list read here."
    yield from _section(
        "Waiting",
        [
            f"**{_text(ask.seat_ref)}** {_text(title(ask)) or 'untitled'}: "
            f"{age(ask.opened_at, now)}, {_text(state_words(ask))} ({_text(ask.ask_id)})"
            for ask in made.waiting
        ],
        "Nobody waits.",
    )
    yield from _section(
        "Seats that PERMIT without asking",
        [
            f"**{_text(seat.seat_ref)}** {_text(asked_line(seat.asked)[0])}"
            for seat in made.permitting
        ],
        "None.",
    )
    yield from _section(
        "Overrides in force", [_override(seat, now) for seat in made.overridden], "None."
    )
    yield from _section("Permitted by default", [_permit(p) for p in made.permits], "Nothing.")
    yield from _section(
        "Probably remembered by harnesses, though nobody chose it",
        [
            f"**{_text(e.key.session_name)}** {_text(e.key.subject)}: ‘{_text(e.key.name)}’, "
            f"{e.unchosen} times, last {_clock(e.last)}"
            for e in made.unchosen
        ],
        "Nothing, as far as the record tells.",
    )
    yield from _section("Answered, by whom", [*_by_whom(made.ended)], "Nothing.")
    yield from _section(
        "What else changed",
        [
            f"{_clock(event.at)} **{_text(seat.seat_ref)}** {_text(event.kind)}: "
            f"{_text(event.what)}{_aside(event)}"
            for seat, event in made.changed
        ],
        "Nothing.",
    )


def _section(heading: str, rows: list[str], nothing: str) -> Iterator[str]:
    yield ""
    yield f"## {heading}"
    yield ""
    if not rows:
        yield nothing
    yield from (f"- {row}" for row in rows)


def _override(seat: Seat, now: datetime) -> str:
    override = seat.override
    by = f"{override.by or 'somebody'}, {age(override.at, now)} ago"
    asked = asked_line(seat.asked)[0]
    return f"**{_text(seat.seat_ref)}** {_text(asked)}, by {_text(by)}: {_text(override.reason)}"


def _permit(permit: Permit) -> str:
    option = permit.option_name or permit.option_id
    closed = f", by {permit.closed_by.actor}" if permit.closed_by is not None else ""
    why = f"{cause_in_words(permit.cause)}{closed}"
    what = _text(ledger.subject_of(permit.tool_call))
    lasting = " (remembered)" if ledger.remembered(permit) else ""
    return (
        f"{_clock(permit.at)} **{_text(permit.session_name)}** {what} → "
        f"‘{_text(option)}’{lasting}: {_text(why)}"
    )


def _by_whom(ended: list[EndedAsk]) -> Iterator[str]:
    by: dict[str, list[str]] = {}
    for each in ended:
        ask = each.ask
        got = option_words(ask, ask.outcome) if ask.outcome.option_id else ask.outcome.state
        row = f"{_clock(each.at)} {_text(ask.seat_ref)} {_text(title(ask))}: {_text(got)}"
        by.setdefault(ask.decided_by or "nobody", []).append(row)
    for who in sorted(by):
        yield f"{_text(who)}\n" + "\n".join(f"  - {row}" for row in by[who])


def _aside(event: SeatEvent) -> str:
    words = ", ".join(filter(None, (event.by and f"by {event.by}", event.reason)))
    return f" ({_text(words)})" if words else ""


def _clock(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def _text(text: str | None) -> str:
    """Other people's text: inert, and no Markdown."""
    return _SPECIAL.sub(r"\\\1", inert(text or ""))
