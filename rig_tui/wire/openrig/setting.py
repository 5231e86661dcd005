"""What the daemon answers when who is asked for a seat was set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.wire.openrig.runner_row import AskedRow, OverrideRow
from rig_tui.wire.openrig.shape import dump

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject, Override, Seat


def encode_setting(seat: Seat, before: Override, *, changed: bool, pending_asks: int) -> JsonObject:
    """The answer to `/api/seat/set-permissions-to/:seatRef`.

    Args:
        seat: The seat as it is now.
        before: What was set before.
        changed: Whether that is another setting now.
        pending_asks: How many of its asks are open, which this doesn't touch.
    """
    return {
        "ok": True,
        "seat": seat.seat_ref,
        "from": dump(OverrideRow.of(before)),
        "to": dump(OverrideRow.of(seat.override)),
        "changed": changed,
        "asked": dump(AskedRow.of(seat.asked)),
        "pendingAsks": pending_asks,
    }
