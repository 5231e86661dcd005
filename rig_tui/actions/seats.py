"""Acting on a seat: its attention, its turn, its session (T4-05, T6-01, T9-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rig_tui.actions.action import Action, Context, Family, Fill
from rig_tui.actions.shown import daemon_words, why_not_seat
from rig_tui.domain import select
from rig_tui.domain.commands import ClearAttention, StopSeat

if TYPE_CHECKING:
    from rig_tui.domain.model import Fleet, Seat

AT_ONCE: Final = (
    "It ends the session at once: no graceful stop reaches its runner, "
    "and nothing that is posted afterwards counts."
)
OUTSIDE: Final = "Work outside it, and what its provider charges for, may go on."
IN_THE_PANE: Final = "Nothing here can cancel a turn: type /abort in the seat's own pane."
REQUESTED: Final = (
    "That only requests it. It is cancelled once its runner posts so, and the seat then reads so; "
    "even that says nothing of work outside it or of what its provider charges for."
)


def _why_not_clear(context: Context) -> str | None:
    why, seat = why_not_seat(context), context.seat
    if why is not None or seat is None:
        return why
    if not select.needs_person(seat):
        return f"{seat.seat_ref} has no attention to clear"
    return None


def _why_not_stop(context: Context) -> str | None:
    why, seat = why_not_seat(context), context.seat
    if why is not None or seat is None:
        return why
    if "seats" not in context.fleet.link.capabilities:
        return f"{daemon_words(context.fleet.link)} can't stop seats (it has no seats)"
    if seat.generation is None:
        return f"nobody occupies {seat.seat_ref}"
    return None


def _why_no_turn(context: Context) -> str | None:
    return "no seat is selected" if context.seat is None else None


def clear(seat: Seat, reason: str) -> ClearAttention:
    """The command that clears a seat's attention for a reason, which can't be blank."""
    return ClearAttention(seat.seat_id, seat.session_name, reason)


def stop(seat: Seat) -> StopSeat:
    """The command that ends a seat's session."""
    return StopSeat(seat.seat_id, seat.seat_ref)


def goes_stale(seat: Seat, fleet: Fleet) -> str:
    """What stopping a seat does to the requests of it that wait; empty when none do."""
    waiting = [a for a in select.pending_asks(fleet) if a.session_name == seat.session_name]
    if not waiting:
        return ""
    named = "Its waiting request goes" if len(waiting) == 1 else f"Its {len(waiting)} waiting go"
    return f"{named} stale: nobody answers any more, and nothing is permitted."


def _stopping(context: Context) -> str:
    seat = context.seat
    stale = goes_stale(seat, context.fleet) if seat is not None else ""
    return " ".join(filter(None, (AT_ONCE, stale, OUTSIDE)))


SEATS = Family(
    "Seats",
    (
        Action(
            "seat.clear_attention", ("c",), "clear attention…",
            "Clear the selected seat's attention, with a reason. "
            "It answers nothing and cancels nothing: a waiting ask goes on waiting.",
            lambda _: Fill("clear-attention"), _why_not_clear,
            lambda _: "answers nothing and cancels nothing; a waiting ask goes on waiting",
        ),
        Action(
            "seat.cancel_turn", (), "cancel its turn…",
            "How the selected seat's turn is cancelled: in its own pane, never from here. "
            "Requested isn't cancelled.",
            lambda _: Fill("cancel-turn"), _why_no_turn,
            lambda _: "nothing is sent: a turn is cancelled in the seat's own pane", footer=False,
        ),
        Action(
            "seat.stop", (), "stop the seat…",
            "End the selected seat's session at once. Its waiting asks go stale; "
            "work outside it may go on.",
            lambda _: Fill("stop-seat"), _why_not_stop, _stopping, footer=False,
        ),
    ),
)  # fmt: skip
