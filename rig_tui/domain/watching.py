"""What became of a decision: whether its runner heard it, and whether its agent obeyed.

Rule of this file: it points out and never judges. A runner that posts the kind of tool that
was refused may have asked again elsewhere, or been allowed by its own rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from rig_tui.domain.again import refused
from rig_tui.domain.model import EvidenceKind
from rig_tui.domain.tool_call import kind_of

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import Ask, Fleet, Seat

PICK_UP: Final = timedelta(seconds=15)
"""How long a runner may take to post after its ask was decided."""


@dataclass(frozen=True, slots=True)
class UsedAnyway:
    """A kind of tool that was used in the turn in which it had been refused."""

    kind: str
    generation: str | None
    turn_id: str | None


def overdue(ask: Ask, now: datetime) -> bool:
    """Whether its runner has had long enough, by the daemon's clock."""
    return ask.decided_at is not None and now - ask.decided_at >= PICK_UP


def used_anyway(ask: Ask | None, seat: Seat) -> UsedAnyway | None:
    """Whether a seat's newest post is of the tool that this ask of its turn was refused."""
    evidence = seat.evidence
    if ask is None or evidence.kind is not EvidenceKind.POST or not refused(ask):
        return None
    same_turn = (ask.generation, ask.turn_id) == (seat.generation, seat.turn_id)
    after = evidence.at is not None and ask.decided_at is not None and evidence.at > ask.decided_at
    kind = kind_of(ask.tool_call)
    if not (same_turn and after and kind and kind == evidence.detail):
        return None
    return UsedAnyway(kind, seat.generation, seat.turn_id)


def tool_after_no(fleet: Fleet, seat: Seat) -> str:
    """The kind of tool that was used after a no in the turn that goes on; "" for none."""
    used = fleet.used_anyway.get(seat.seat_id)
    if used is None or (used.generation, used.turn_id) != (seat.generation, seat.turn_id):
        return ""
    return used.kind
