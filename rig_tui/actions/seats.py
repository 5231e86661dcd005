"""Acting on a seat's attention (T4-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.action import Action, Context, Family, Fill
from rig_tui.actions.shown import why_not_seat
from rig_tui.domain import select
from rig_tui.domain.commands import ClearAttention

if TYPE_CHECKING:
    from rig_tui.domain.model import Seat


def _why_not_clear(context: Context) -> str | None:
    why, seat = why_not_seat(context), context.seat
    if why is not None or seat is None:
        return why
    if not select.needs_person(seat):
        return f"{seat.seat_ref} has no attention to clear"
    return None


def clear(seat: Seat, reason: str) -> ClearAttention:
    """The command that clears a seat's attention for a reason, which can't be blank."""
    return ClearAttention(seat.seat_id, seat.session_name, reason)


SEATS = Family(
    "Seats",
    (
        Action(
            "seat.clear_attention",
            ("c",),
            "clear attention…",
            "Clear the selected seat's attention, with a reason. "
            "It answers nothing and cancels nothing: a waiting ask goes on waiting.",
            lambda _: Fill("clear-attention"),
            _why_not_clear,
            lambda _: "answers nothing and cancels nothing; a waiting ask goes on waiting",
        ),
    ),
)
