"""What an operator is told once a command that isn't about an ask was done.

Rule of this file: other people's names stay as they came; whoever draws them makes them
inert.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from rig_tui.actions.seats import OUTSIDE
from rig_tui.domain import drafts
from rig_tui.domain.commands import (
    ChooseDefault,
    ClearAttention,
    RegisterPerson,
    RemovePerson,
    RevokeGrant,
    SendMessage,
    SetOverride,
    StopSeat,
)
from rig_tui.domain.model import AskedMode, OverrideMode, Reading

if TYPE_CHECKING:
    from rig_tui.domain.commands import Done, PeopleCommand, Rejected, SeatCommand
    from rig_tui.domain.model import Fleet, Seat

NAMED: Final = 3
"""How many seats are named; the map of who is asked shows the rest."""
OPEN_ASKS_STAY: Final = "Asks that are open stay as they are."


def done_words(command: PeopleCommand | SeatCommand, done: Done, fleet: Fleet) -> str:
    """What was done, as the daemon said; names as they came."""
    match command:
        case RegisterPerson(entity_id, make_default=True):
            return f"{entity_id} is registered and is asked by default.{_changed(done)}"
        case RegisterPerson(entity_id):
            return f"{entity_id} is registered.{_changed(done)}"
        case RemovePerson(entity_id):
            return f"{entity_id} is registered no more.{_changed(done)}"
        case ChooseDefault(None):
            return f"There is no default person now.{_changed(done)}"
        case ChooseDefault(entity_id):
            return f"{entity_id} is the default person now.{_changed(done)}"
        case SetOverride():
            return _override(command)
        case ClearAttention(seat_id):
            seat = fleet.seats.get(seat_id)
            name = seat.seat_ref if seat is not None else command.session_name
            return f"The attention of {name} is cleared. Nothing was answered or cancelled."
        case RevokeGrant(seat_ref=seat_ref):
            return f"The grant of {seat_ref} is revoked: its runner now permits."
        case StopSeat(seat_ref=seat_ref):
            return f"The session of {seat_ref} is ended. {OUTSIDE}"
        case SendMessage():
            seat = drafts.addressed(fleet, command)
            return arrived_words(seat, command.session_name, queued=done.queued, seen=done.seen)
        case _:
            assert_never(command)


def _override(command: SetOverride) -> str:
    match command.mode:
        case OverrideMode.TO:
            said = f"asks {command.person} from its next request on."
        case OverrideMode.DENY:
            said = "refuses every request from the next one on."
        case OverrideMode.NONE:
            said = "goes back to the default person."
        case _:
            assert_never(command.mode)
    return f"{command.seat_ref} {said} {OPEN_ASKS_STAY}"


def _changed(done: Done) -> str:
    """Which seats ask someone else now, and which nobody at all."""
    permit = _permitting(done)
    others = [ref for ref, _, _ in done.changes if ref not in permit]
    said = f" Who is asked has changed for {_named(others)}." if others else ""
    if permit:
        said += f" These PERMIT without asking now: {_named(permit)}."
    return f"{said} {OPEN_ASKS_STAY}" if said else ""


def would_permit_words(rejected: Rejected) -> str:
    """Which seats a refused change of people would have made permit."""
    return f"{_named(_permitting(rejected))} would PERMIT without asking"


def _permitting(verdict: Done | Rejected) -> list[str]:
    return [ref for ref, _, after in verdict.changes if after.mode is AskedMode.PERMITS]


def _named(seats: list[str]) -> str:
    more = f" and {len(seats) - NAMED} more" if len(seats) > NAMED else ""
    return ", ".join(seats[:NAMED]) + more


def arrived_words(seat: Seat | None, session_name: str, *, queued: bool, seen: bool = False) -> str:
    """What is known of a message that was taken: never that it was read or steers anything."""
    name = seat.seat_ref if seat is not None else session_name
    if seat is not None and seat.reading is Reading.WORKING:
        return f"Queued for the next turn of {name}."
    if queued:
        return f"Queued for the runner of {name}, which takes it as a prompt of its own."
    if seen:
        return f"Seen in the pane of {name}. Whether its agent takes it up isn't known."
    return f"Sent to the pane of {name}."
