"""`rig-tui seats`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.cli.printing import age, instant, print_table
from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.model import AskedMode, Reading

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.events import FleetRead
    from rig_tui.domain.model import Asked, JsonObject, JsonValue, Seat

_STYLES = {Reading.NEEDS_INPUT: "bold yellow", Reading.WORKING: "green"}


def seats_json(fleet: FleetRead, daemon: str) -> JsonValue:
    """Every seat as the documented row."""
    rows: list[JsonValue] = [_row(fleet, seat, daemon) for seat in _in_order(fleet)]
    return rows


def _row(fleet: FleetRead, seat: Seat, daemon: str) -> JsonObject:
    return {
        "daemon": daemon,
        "rig": seat.rig_name,
        "name": seat.name,
        "seatRef": seat.seat_ref,
        "reading": seat.reading.value,
        "because": seat.evidence.kind.value,
        "at": instant(seat.evidence.at),
        "until": instant(seat.evidence.until),
        "asked": {
            "mode": seat.asked.mode.value,
            "person": seat.asked.person,
            "because": seat.asked.because,
        },
        "pendingAsks": [*_pending(fleet, seat)],
    }


def print_seats(fleet: FleetRead, now: datetime) -> None:
    """Print the seats as a table."""
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
                _asked(seat.asked),
            )
            for seat in _in_order(fleet)
        ),
        "No seats.",
    )


def _asked(asked: Asked) -> tuple[str, str]:
    because = cause_in_words(asked.because)
    match asked.mode:
        case AskedMode.PERSON:
            return f"{asked.person} ({because})", ""
        case AskedMode.REFUSES:
            return "REFUSES all", ""
        case AskedMode.PERMITS:
            return f"PERMITS all: {because}", "bold red"


def _in_order(fleet: FleetRead) -> list[Seat]:
    return sorted(fleet.seats, key=lambda seat: (seat.rig_name, seat.name))


def _pending(fleet: FleetRead, seat: Seat) -> list[str]:
    return [ask.ask_id for ask in fleet.asks if ask.pending and ask.seat_ref == seat.seat_ref]
