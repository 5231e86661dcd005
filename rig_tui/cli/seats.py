"""`rig-tui seats`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.cli.printing import age, instant, print_json, print_table
from rig_tui.domain import select
from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.model import AskedMode, Reading

if TYPE_CHECKING:
    import argparse
    from datetime import datetime

    from rig_tui.cli.desk import Desk
    from rig_tui.domain.model import Asked, Fleet, JsonObject, Seat

_STYLES = {Reading.NEEDS_INPUT: "bold yellow", Reading.WORKING: "green"}


async def seats(desk: Desk, given: argparse.Namespace) -> int:
    """Print every seat that is wanted; gives the exit code."""
    fleet = desk.fleet
    wanted = [seat for seat in _in_order(fleet) if _wanted(fleet, seat, given)]
    if given.as_json:
        print_json([seat_row(fleet, seat, desk.daemon) for seat in wanted])
    else:
        _print(fleet, wanted, desk.now())
    return 0


def _wanted(fleet: Fleet, seat: Seat, given: argparse.Namespace) -> bool:
    words = " ".join(
        (seat.rig_name, seat.seat_ref, seat.reading, seat.evidence.kind, seat.evidence.detail)
    ).casefold()
    if not all(word in words for word in given.filter.casefold().split()):
        return False
    if given.state == "needs":
        return select.needs_person(seat) or bool(_pending(fleet, seat))
    return given.state in (None, seat.reading.value)


def seat_row(fleet: Fleet, seat: Seat, daemon: str) -> JsonObject:
    """A seat as the documented row."""
    return {
        "daemon": daemon,
        "rig": seat.rig_name,
        "name": seat.name,
        "seatRef": seat.seat_ref,
        "reading": seat.reading.value,
        "because": seat.evidence.kind.value,
        "at": instant(seat.evidence.at),
        "until": instant(seat.evidence.until),
        "asked": asked_json(seat.asked),
        "pendingAsks": [*_pending(fleet, seat)],
    }


def asked_json(asked: Asked) -> JsonObject:
    """Who is asked, for a program."""
    return {"mode": asked.mode.value, "person": asked.person, "because": asked.because}


def _print(fleet: Fleet, seats: list[Seat], now: datetime) -> None:
    print_table(
        ("RIG", "SEAT", "READS", "BECAUSE", "AGE", "ASKS", "WHO IS ASKED"),
        (
            (
                seat.rig_name,
                seat.name,
                (seat.reading.value.replace("_", " "), _STYLES.get(seat.reading, "")),
                " ".join(filter(None, (seat.evidence.kind.value, seat.evidence.detail))),
                age(seat.evidence.at, now),
                str(len(_pending(fleet, seat)) or ""),
                asked_line(seat.asked),
            )
            for seat in seats
        ),
        "No seats.",
    )


def asked_line(asked: Asked) -> tuple[str, str]:
    """Who is asked and why, and its style."""
    because = cause_in_words(asked.because)
    match asked.mode:
        case AskedMode.PERSON:
            return f"{asked.person} ({because})", ""
        case AskedMode.REFUSES:
            return "REFUSES all", ""
        case AskedMode.ELSEWHERE:
            return "where it runs", ""
        case AskedMode.PERMITS:
            return f"PERMITS all: {because}", "bold red"


def _in_order(fleet: Fleet) -> list[Seat]:
    return sorted(fleet.seats.values(), key=lambda seat: (seat.rig_name, seat.name))


def _pending(fleet: Fleet, seat: Seat) -> list[str]:
    return [
        ask.ask_id for ask in fleet.asks.values() if ask.pending and ask.seat_ref == seat.seat_ref
    ]
