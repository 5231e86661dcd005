"""What the daemon keeps of a seat, and how that reads."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rig_tui.domain.activity import Activity, reading

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import Asked, Seat


@dataclass(frozen=True, slots=True)
class LaunchWatch:
    """A launch whose record may still come."""

    path: str
    """Where the record is to appear."""
    expected: str | None = None
    """The conversation a resume was asked to reopen."""
    deadline: datetime | None = None
    """When waiting ends; None until the occupant is registered."""


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """A seat with what isn't told to anyone."""

    seat: Seat
    """As last announced; `view` brings it up to now."""
    activity: Activity = field(default_factory=Activity)
    reports_launch: bool = False
    """Whether its launches are asked for a launch record."""
    watch: LaunchWatch | None = None
    """The launch that is waited for, if one is."""
    waiting_generation: str | None = None
    """The generation of a launch that hasn't registered its occupant yet."""


def view(record: SeatRecord, now: datetime, asked: Asked) -> Seat:
    """Give the seat as it reads now."""
    activity = record.activity
    reads, evidence = reading(activity, now)
    turn = activity.turn
    return replace(
        record.seat,
        reading=reads,
        evidence=evidence,
        liveness_seconds=activity.liveness_seconds,
        turn_id=turn.turn_id if turn and not turn.ended else None,
        exited=activity.exited is not None,
        clock_skew_seconds=activity.clock_skew_seconds,
        launch_attention=activity.launch_attention is not None,
        asked=asked,
    )
