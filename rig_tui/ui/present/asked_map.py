"""Who is asked for each seat, and what a change would do to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.model import AskedMode, OverrideMode
from rig_tui.ui.present.age import age_words
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, clip, join, pad
from rig_tui.ui.present.roles import ACCENT, DANGER, DANGER_STRONG, DIM, FAINT, NAME
from rig_tui.ui.present.who import person, who

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

    from rich.text import Text

    from rig_tui.domain.model import Asked, Fleet, People, Seat
    from rig_tui.domain.people_changes import Change

_LISTED = 8


def by_risk(fleet: Fleet) -> list[Seat]:
    """Seats that permit unasked first, then those that refuse all, then the asked ones."""
    order = (AskedMode.PERMITS, AskedMode.REFUSES, AskedMode.PERSON, AskedMode.ELSEWHERE)
    return sorted(
        fleet.seats.values(),
        key=lambda seat: (order.index(seat.asked.mode), seat.rig_name, seat.name),
    )


def asked_text(asked: Asked, people: People) -> Text:
    """`ana: default person`, `REFUSES ALL`, or `PERMITS ALL: why`."""
    because = inert(cause_in_words(asked.because))
    match asked.mode:
        case AskedMode.PERSON:
            return join((person(asked.person, people).plain, NAME), (f": {because.plain}", DIM))
        case AskedMode.REFUSES:
            return join(("REFUSES ALL", ACCENT))
        case AskedMode.ELSEWHERE:
            return join(("asks where it runs: this daemon takes no requests", DIM))
        case AskedMode.PERMITS:
            return join(("PERMITS ALL", DANGER_STRONG), (f": {because.plain}", DANGER))


def asked_row(seat: Seat, people: People, width: int, glyphs: Glyphs = UNICODE) -> Text:
    """One seat and who is asked for it, exactly `width` cells."""
    room = max(10, min(28, width // 3))
    name = pad(clip(inert(seat.seat_ref), room, glyphs), room)
    row = join(" ", (name.plain, NAME), "  ", asked_text(seat.asked, people))
    return pad(clip(row, width, glyphs), width)


def override_lines(seat: Seat, people: People, now: datetime, offset: timedelta) -> list[Line]:
    """What was set for one seat, by whom and why; and what it leaves alone."""
    lines = [Line(join((inert(seat.seat_ref).plain, NAME), "  ", asked_text(seat.asked, people)))]
    held = seat.override
    if held.mode is OverrideMode.NONE:
        lines.append(Line(join(("It has no choice of its own: the default person counts.", DIM))))
    else:
        by = join("set by ", who(held.by, people), f" {age_words(held.at, now, offset)} ago: ")
        lines.append(Line(join((by.plain, DIM), inert(held.reason or "no reason recorded")), 2))
    lines.append(Line(join(("A change counts from the next request on; open asks stay.", FAINT))))
    return lines


def people_lines(people: People) -> list[Line]:
    """Everyone registered, and who is the default."""
    if not people.readable:
        return [Line(join(("The register of people can't be read.", DANGER_STRONG)))]
    if not people.registered:
        return [Line(join(("Nobody is registered: every seat PERMITS unasked.", DANGER_STRONG)))]
    found = []
    for each in people.registered:
        mark = "  default" if each.entity_id == people.default else ""
        found.append(Line(join((person(each.entity_id, people).plain, NAME), (mark, ACCENT))))
    if people.default is None and len(people.registered) > 1:
        found.append(Line(join(("None is the default: seats PERMIT unasked.", DANGER_STRONG))))
    return found


def change_lines(changes: Sequence[Change], people: People) -> list[Line]:
    """The seats a change would touch, those that would permit first."""
    if not changes:
        return [Line(join(("No seat's answerer changes.", DIM)))]
    ordered = sorted(changes, key=lambda change: not change.permits)
    lines = [
        Line(
            join(
                (inert(change.seat_ref).plain, NAME), ": ", asked_text(change.now, people),
                (" → ", DIM), asked_text(change.then, people),
            ),
            4,
        )
        for change in ordered[:_LISTED]
    ]  # fmt: skip
    if len(ordered) > _LISTED:
        lines.append(Line(join((f"…and {len(ordered) - _LISTED} more seats", DIM))))
    return lines
