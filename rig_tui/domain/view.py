"""Which rows of the board the operator wants in sight, and which may wait.

Rule of this file: a view is this console's own. Nothing here reaches the daemon, and an
ask that is filtered out or snoozed waits on exactly as before.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from rig_tui.domain import select
from rig_tui.domain.model import PRIMARY_USER, AskedMode, Reading
from rig_tui.domain.select import AskKey, Group, SeatKey

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from datetime import datetime

    from rig_tui.domain.model import Ask, Fleet, Seat
    from rig_tui.domain.select import Key

SNOOZE_MINUTES = 10
SNOOZED_TITLE = "SNOOZED"
FLAT_TITLE = "SEATS"


class Shows(StrEnum):
    """The one state to list, or all of them."""

    ALL = "all"
    NEEDS = "needs"
    WORKING = "working"
    IDLE = "idle"
    UNKNOWN = "unknown"


class Until(StrEnum):
    """When a snoozed ask comes back."""

    LATER = "later"
    """When the operator wakes it."""
    MINUTES = "minutes"
    TURN = "turn"
    """When its seat reads something else, or is in another turn."""


@dataclass(frozen=True, slots=True)
class Snooze:
    """One ask that may wait, and what ends that. Another holder always does."""

    row_id: str
    until: datetime | None = None
    seat: tuple[str | None, str | None, Reading] | None = None
    """The seat's turn, generation and reading that it lasts for."""


@dataclass(frozen=True, slots=True)
class View:
    """What the operator wants to see of the fleet."""

    text: str = ""
    """Words that a row must hold, each anywhere."""
    shows: Shows = Shows.ALL
    mine: bool = False
    """Only what the operator is asked for."""
    flat: bool = False
    """One list of seats by name, instead of one for each rig."""
    snoozed: Mapping[str, Snooze] = field(default_factory=dict)
    """By ask id."""

    @property
    def narrowed(self) -> bool:
        """Whether rows may be missing from the list."""
        return bool(self.text.split()) or self.mine or self.shows is not Shows.ALL


def next_shows(shows: Shows) -> Shows:
    """The state after this one, around the end."""
    every = list(Shows)
    return every[(every.index(shows) + 1) % len(every)]


def snooze(view: View, fleet: Fleet, ask: Ask, until: Until, now: datetime) -> View:
    """Let an ask wait."""
    seat = select.seat_of(fleet, ask)
    made = Snooze(
        ask.row_id,
        now + timedelta(minutes=SNOOZE_MINUTES) if until is Until.MINUTES else None,
        _marks(seat) if until is Until.TURN and seat is not None else None,
    )
    return replace(view, snoozed={**view.snoozed, ask.ask_id: made})


def wake(view: View, ask_id: str) -> View:
    """Bring a snoozed ask back."""
    return replace(view, snoozed={k: v for k, v in view.snoozed.items() if k != ask_id})


def awake(view: View, fleet: Fleet, now: datetime) -> View:
    """The view without the snoozes that are over; the same one where none is."""
    kept = {k: v for k, v in view.snoozed.items() if _sleeps(fleet, k, v, now)}
    return view if len(kept) == len(view.snoozed) else replace(view, snoozed=kept)


def _sleeps(fleet: Fleet, ask_id: str, held: Snooze, now: datetime) -> bool:
    ask = fleet.asks.get(ask_id)
    if ask is None or not ask.pending or ask.row_id != held.row_id:
        return False
    if held.until is not None and now >= held.until:
        return False
    if held.seat is None:
        return True
    seat = select.seat_of(fleet, ask)
    return seat is not None and _marks(seat) == held.seat


def _marks(seat: Seat) -> tuple[str | None, str | None, Reading]:
    return seat.turn_id, seat.generation, seat.reading


def groups(fleet: Fleet, view: View) -> list[Group]:
    """The board's groups as this view shows them, those who need a person first."""
    asleep: list[Key] = []
    shown: list[Group] = []
    calm: list[Group] = []
    for group in select.board(fleet):
        rows = tuple(key for key in group.rows if matches(fleet, view, key, group))
        if group.needs_person:
            asleep = [key for key in rows if _is_asleep(view, key)]
            rows = tuple(key for key in rows if not _is_asleep(view, key))
            if rows:
                shown.append(replace(group, count=len(rows), rows=rows))
        elif rows or not view.narrowed:
            count = len(rows) if view.narrowed else group.count
            calm.append(replace(group, count=count, rows=rows))
    if view.flat and calm:
        every = [key for group in calm for key in group.rows if isinstance(key, SeatKey)]
        every.sort(key=lambda key: (fleet.seats[key.seat_id].name, key.seat_id.rig_id))
        calm = [Group(FLAT_TITLE, sum(group.count for group in calm), tuple(every))]
    if asleep:
        calm.append(Group(SNOOZED_TITLE, len(asleep), tuple(asleep), of_asks=True))
    return shown + calm


def _is_asleep(view: View, key: Key) -> bool:
    return isinstance(key, AskKey) and key.ask_id in view.snoozed


def matches(fleet: Fleet, view: View, key: Key, group: Group) -> bool:
    """Whether a row of this group is to be listed."""
    if not view.narrowed:
        return True
    ask = fleet.asks.get(key.ask_id) if isinstance(key, AskKey) else None
    seat = _seat(fleet, key)
    if view.mine and not _is_mine(fleet, seat, ask):
        return False
    if view.shows is Shows.NEEDS and not group.needs_person:
        return False
    if view.shows not in (Shows.ALL, Shows.NEEDS) and (
        seat is None or seat.reading.value != view.shows.value
    ):
        return False
    words = _words(seat, ask)
    return all(word in words for word in view.text.casefold().split())


def _is_mine(fleet: Fleet, seat: Seat | None, ask: Ask | None) -> bool:
    if ask is not None:
        return select.held_by_operator(fleet, ask)
    if seat is None or seat.asked.mode is not AskedMode.PERSON:
        return False
    return fleet.operator in (PRIMARY_USER, f"{seat.asked.person}@external")


def _words(seat: Seat | None, ask: Ask | None) -> str:
    """Everything about a row that can be looked for: names, tool kind, state words."""
    words: list[str] = []
    if seat is not None:
        words += [seat.seat_ref, seat.name, seat.rig_name, seat.reading.value.replace("_", " ")]
        words += [seat.evidence.detail, "exited" if seat.exited else ""]
        words += ["launch" if seat.launch_attention else ""]
        words += [seat.asked.mode.value if seat.asked.mode is not AskedMode.PERSON else ""]
    if ask is not None:
        words += [ask.seat_ref, ask.holder.name, ask.outcome.state.value]
        kind = ask.tool_call.get("kind") if isinstance(ask.tool_call, dict) else None
        words += [kind if isinstance(kind, str) else "permission"]
    return "\n".join(words).casefold()


def _seat(fleet: Fleet, key: Key) -> Seat | None:
    if isinstance(key, SeatKey):
        return fleet.seats.get(key.seat_id)
    ask = fleet.asks.get(key.ask_id)
    return select.seat_of(fleet, ask) if ask is not None else None


def hidden(fleet: Fleet, view: View) -> int:
    """How many rows that need a person this view leaves out."""
    if not view.narrowed:
        return 0
    return sum(
        not matches(fleet, view, key, group)
        for group in select.board(fleet)
        if group.needs_person
        for key in group.rows
    )


def waiting(fleet: Fleet, view: View) -> list[Ask]:
    """The waiting asks that this view shows and that aren't snoozed, most urgent first."""
    group = Group("", 0, (), needs_person=True)
    return [
        ask
        for ask in select.pending_asks(fleet)
        if ask.ask_id not in view.snoozed and matches(fleet, view, AskKey(ask.ask_id), group)
    ]


def step_ask(fleet: Fleet, view: View, current: str | None, by: int) -> Ask | None:
    """The waiting ask `by` places after the current one, around the end."""
    others = [ask for ask in waiting(fleet, view) if ask.ask_id != current]
    if not others:
        return None
    held = fleet.asks.get(current) if current is not None else None
    if held is None:
        return others[0 if by > 0 else -1]
    here = select.urgency(fleet, held)
    after = [ask for ask in others if select.urgency(fleet, ask) > here]
    ring = after + others[: len(others) - len(after)]
    return ring[0] if by > 0 else ring[-1]


def next_needing(fleet: Fleet, view: View, current: Key | None) -> Key | None:
    """The row after the current one that needs a person, around the end."""
    rows = next((group.rows for group in groups(fleet, view) if group.needs_person), ())
    if current in rows:
        at = rows.index(current) + 1
        rows = (*rows[at:], *rows[: at - 1])
    return next(iter(rows), None)


def newer(
    listed: Container[object], fleet: Fleet, view: View, current: Key | None
) -> tuple[int, int]:
    """How many rows that need a person a still list lacks: above the current, below."""
    fresh = next((group.rows for group in groups(fleet, view) if group.needs_person), ())
    lacking = [row not in listed for row in fresh]
    at = fresh.index(current) if current is not None and current in fresh else len(fresh)
    return sum(lacking[:at]), sum(lacking[at:])
