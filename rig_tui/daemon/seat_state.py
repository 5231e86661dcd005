"""What the daemon keeps of a seat, and how that reads."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rig_tui.domain.activity import Activity, reading

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.launching import LaunchReport
    from rig_tui.domain.model import Asked, Seat


@dataclass(frozen=True, slots=True)
class LaunchWatch:
    """Where one launch's record is looked for, and what it was good for."""

    path: str
    expected: str | None = None
    """The conversation a resume was asked to reopen."""
    deadline: datetime | None = None
    """When waiting ends; None until the occupant is registered."""
    concluded: bool = False
    """Whether the wait is over. The file is still looked at: what it says then is kept as
    evidence and changes nothing (A-44, D3-09)."""
    counted: LaunchReport | None = None
    """The record that decided, once one did."""

    @property
    def waits(self) -> bool:
        return self.deadline is not None and not self.concluded


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """A seat with what isn't told to anyone."""

    seat: Seat
    """As last announced; `view` brings it up to now."""
    activity: Activity = field(default_factory=Activity)
    watch: LaunchWatch | None = None
    """The live launch's record, if it is to leave one."""
    waiting_generation: str | None = None
    """The generation of a launch that hasn't registered its occupant yet."""


def view(record: SeatRecord, now: datetime, asked: Asked, version: int) -> Seat:
    """Give that version of the seat, as it reads now."""
    activity = record.activity
    reads, evidence = reading(activity, now)
    turn = activity.turn
    declaration = record.seat.declaration
    return replace(
        record.seat,
        runner=declaration.runner if declaration else record.seat.runner,
        reading=reads,
        evidence=evidence,
        liveness_seconds=activity.liveness_seconds,
        turn_id=turn.turn_id if turn and not turn.ended else None,
        exited=activity.exited is not None,
        clock_skew_seconds=activity.clock_skew_seconds,
        launch_attention=activity.launch_attention is not None,
        asked=asked,
        version=version,
    )
