"""Questions asked of a `Fleet`. Nothing here changes anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rig_tui.domain.events import (
    AskActSent,
    AskActSettled,
    AskChanged,
    AskClosed,
    AskFetched,
    AskOpened,
    AttentionCleared,
    EventBatch,
    FleetRead,
    LinkMade,
    SeatRead,
)
from rig_tui.domain.model import (
    PRIMARY_USER,
    Ask,
    AskedMode,
    AskState,
    EvidenceKind,
    Fleet,
    HolderType,
    Reading,
    Seat,
    SeatId,
    Sending,
)

if TYPE_CHECKING:
    from collections.abc import Container
    from datetime import datetime

    from rig_tui.domain.absence import Absence

_ANYWHERE = (
    FleetRead, LinkMade, AskOpened, AskChanged, AskClosed, AskFetched, AskActSent, AskActSettled,
)  # fmt: skip
CLOSED_BY_SOMEBODY = frozenset({AskState.ANSWERED, AskState.PERMITTED, AskState.REFUSED})


@dataclass(frozen=True, slots=True)
class AskKey:
    """A row of the board that stands for one ask."""

    ask_id: str


@dataclass(frozen=True, slots=True)
class SeatKey:
    """A row of the board that stands for a seat."""

    seat_id: SeatId


Key: TypeAlias = AskKey | SeatKey


@dataclass(frozen=True, slots=True)
class Group:
    """A heading of the board and the rows below it."""

    title: str
    count: int
    rows: tuple[Key, ...]
    needs_person: bool = False
    of_asks: bool = False
    """Whether its rows are asks, not seats."""


def seat_of(fleet: Fleet, ask: Ask) -> Seat | None:
    """The seat an ask came from; None when it isn't known (yet)."""
    # Asks and seats can be thousands, and rigs are few.
    for rig in fleet.rigs:
        name = ask.seat_ref.removesuffix(f"@{rig.name}")
        found = fleet.seats.get(SeatId(rig.rig_id, name))
        if found is not None and found.seat_ref == ask.seat_ref:
            return found
    for seat in fleet.seats.values():
        if seat.seat_ref == ask.seat_ref or seat.session_name == ask.session_name:
            return seat
    return None


def pending_asks(fleet: Fleet) -> list[Ask]:
    """Every waiting ask, the most urgent first."""
    waiting = [ask for ask in fleet.asks.values() if ask.pending]
    return sorted(waiting, key=lambda ask: urgency(fleet, ask))


def urgency(fleet: Fleet, ask: Ask) -> tuple[bool, datetime, str]:
    """What asks are ordered by: the operator's own first, then the longest waiting."""
    return (not held_by_operator(fleet, ask), ask.opened_at, ask.ask_id)


def held_by_operator(fleet: Fleet, ask: Ask) -> bool:
    """Whether the ask counts as needing whoever sits here.

    The primary user stands in for every person, so every person-held ask does.
    """
    if ask.holder.type is not HolderType.PERSON:
        return False
    return fleet.operator in (PRIMARY_USER, ask.holder.id)


def need_counts(fleet: Fleet, snoozed: Container[str] = ()) -> tuple[int, int]:
    """How many asks wait for the operator, and how many for others; none snoozed."""
    waiting = [ask for ask in pending_asks(fleet) if ask.ask_id not in snoozed]
    mine = sum(1 for ask in waiting if held_by_operator(fleet, ask))
    return mine, len(waiting) - mine


def picked_up(fleet: Fleet, ask: Ask) -> bool:
    """Whether the runner has posted since the ask was closed by somebody.

    An answer doesn't clear the seat's attention: the runner's next counted post
    does (A-15). Until then its seat still reads the ask.
    """
    if ask.outcome.state not in CLOSED_BY_SOMEBODY:
        return True
    seat = seat_of(fleet, ask)
    return seat is None or not _still_reads(seat, ask)


def _still_reads(seat: Seat, ask: Ask) -> bool:
    return (
        seat.generation == ask.generation
        and seat.reading is Reading.NEEDS_INPUT
        and seat.evidence.kind is EvidenceKind.ASK
    )


def asks_by_session(fleet: Fleet) -> dict[str, list[Ask]]:
    """Waiting asks by session name, and ended ones not picked up where none waits."""
    found: dict[str, list[Ask]] = {}
    for ask in pending_asks(fleet):
        found.setdefault(ask.session_name, []).append(ask)
    by_session = {seat.session_name: seat for seat in fleet.seats.values()}
    newest: dict[str, Ask] = {}
    for ask in fleet.asks.values():
        seat = by_session.get(ask.session_name)
        if ask.pending or ask.outcome.state not in CLOSED_BY_SOMEBODY or seat is None:
            continue
        if ask.session_name in found or not _still_reads(seat, ask):
            continue
        held = newest.get(ask.session_name)
        if held is None or ask.version > held.version:
            newest[ask.session_name] = ask
    found.update({session: [ask] for session, ask in newest.items()})
    return found


def needs_person(seat: Seat) -> bool:
    """Whether a seat by itself needs a person, whatever its asks (T4-04)."""
    return seat.reading is Reading.NEEDS_INPUT or seat.launch_attention


def board(fleet: Fleet) -> list[Group]:
    """The board's groups: who needs a person first, then the rigs by name.

    Those who need one are ordered by urgency, then by age: the operator's asks, seats
    that wait without an ask, asks that others hold, answers not picked up yet.

    Needs a person: seats reading needs input, seats with a waiting ask, seats whose
    launch needs attention (T4-04). An ask of an unknown seat is listed too.
    """
    by_session = asks_by_session(fleet)
    by_rig: dict[str, list[Seat]] = {rig.rig_id: [] for rig in fleet.rigs}
    needing: list[tuple[int, float, str, Key]] = []
    calm: set[SeatId] = set()
    for seat in fleet.seats.values():
        by_rig.setdefault(seat.seat_id.rig_id, []).append(seat)
        asks = by_session.pop(seat.session_name, [])
        needing.extend(_ask_row(fleet, ask) for ask in asks)
        if not asks and needs_person(seat):
            at = seat.evidence.at.timestamp() if seat.evidence.at else 0.0
            needing.append((1, at, seat.seat_ref, SeatKey(seat.seat_id)))
        elif not asks:
            calm.add(seat.seat_id)
    needing.extend(_ask_row(fleet, ask) for asks in by_session.values() for ask in asks)
    rows = tuple(key for *_, key in sorted(needing, key=lambda row: row[:3]))
    groups = [Group("NEEDS A PERSON", len(rows), rows, needs_person=True)] if rows else []
    names = {rig.rig_id: rig.name for rig in fleet.rigs}
    for rig_id, seats in sorted(by_rig.items(), key=lambda item: (names.get(item[0], ""), item[0])):
        listed = sorted((s for s in seats if s.seat_id in calm), key=lambda seat: seat.name)
        title = names.get(rig_id) or (seats[0].rig_name if seats else rig_id)
        groups.append(Group(title, len(seats), tuple(SeatKey(s.seat_id) for s in listed)))
    return groups


def _ask_row(fleet: Fleet, ask: Ask) -> tuple[int, float, str, Key]:
    rank = 3 if not ask.pending else 0 if held_by_operator(fleet, ask) else 2
    return (rank, ask.opened_at.timestamp(), ask.ask_id, AskKey(ask.ask_id))


def first_ask(fleet: Fleet) -> Ask | None:
    """The most urgent waiting ask: the operator's own, then the longest waiting."""
    return next(iter(pending_asks(fleet)), None)


def position(fleet: Fleet, ask: Ask) -> tuple[int, int]:
    """The ask's place among those waiting, from 1, and how many wait."""
    waiting = pending_asks(fleet)
    ids = [a.ask_id for a in waiting]
    return (ids.index(ask.ask_id) + 1 if ask.ask_id in ids else 0, len(ids))


def permitting_seats(fleet: Fleet) -> list[Seat]:
    """Seats whose requests are known to be permitted without asking anyone (T7-21)."""
    found = [
        seat
        for seat in fleet.seats.values()
        if seat.asked.mode is AskedMode.PERMITS and seat.asked.because
    ]
    return sorted(found, key=lambda seat: (seat.rig_name, seat.name))


def untold(fleet: Fleet) -> Absence | None:
    """The last time without the daemon, while the operator hasn't seen what changed in it."""
    return next((each for each in fleet.absences if not each.read), None)


def sending(fleet: Fleet, ask_id: str) -> bool:
    """Whether an act on this ask is on its way."""
    sent = fleet.sent.get(ask_id)
    return sent is not None and sent.state is Sending.SENDING


def touched(batch: EventBatch) -> set[SeatId] | None:
    """The seats whose rows a batch can have changed; None when any row can have."""
    seats: set[SeatId] = set()
    for event in batch:
        if isinstance(event, SeatRead):
            seats.add(event.seat.seat_id)
        elif isinstance(event, _ANYWHERE):
            return None
        elif isinstance(event, AttentionCleared):
            seats.add(event.seat_id)
    return seats
