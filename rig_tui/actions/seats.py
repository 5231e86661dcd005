"""Acting on a seat's attention (T4-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.action import Action, Context, Family, Fill
from rig_tui.domain import select
from rig_tui.domain.commands import ClearAttention

if TYPE_CHECKING:
    from rig_tui.domain.model import Seat


def _why_not_clear(context: Context) -> str | None:
    seat = context.seat
    if seat is None:
        return "no seat is selected"
    if context.barred:
        return context.barred
    if not context.fleet.link.live:
        return "the daemon can't be reached; nothing can be sent"
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
