"""Standing notices on a seat: sentences an operator should see until its relaunch."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.daemon.core import Effect
    from rig_tui.domain.launching import LaunchReport

CONTENT_CHANGED = (
    "The agent sent this request again with other content. This is the first; "
    "an answer applies to the request, whatever it now holds."
)
OTHER_CONVERSATION = "The request names another conversation than the launch record did."


def not_showable(most: int) -> str:
    """Say that requests of a seat are permitted unseen (D7-13)."""
    told = (
        f"This agent offered options a person can't be shown (2 to {most}, each with an id of "
        "its own): such requests are PERMITTED without asking."
    )
    more = " A daemon started with --options-max shows up to 9." if most < 9 else ""
    return told + more


def launch_report(report: LaunchReport) -> str:
    """Say that a launcher reported something that changed nothing (A-44, D3-09)."""
    what = f"conversation {report.native_ref}" if report.native_ref else f"{report.error}"
    when = f"{report.at:%Y-%m-%d %H:%M:%S} UTC"
    if report.late:
        return f"A launch record came after the wait, at {when}: {what}. A re-check applies it."
    return f"The launch record was written again, at {when}: {what}. The first one counts."


def rechecked(by: str, at: datetime) -> str:
    """Say who applied a late launch record."""
    return f"Applied late by {by} at {at:%Y-%m-%d %H:%M:%S} UTC."


def unrecorded(at: datetime) -> str:
    """Say that a permit is missing from the records (D7-52)."""
    return f"A permit given at {at:%Y-%m-%d %H:%M:%S} UTC couldn't be put on record."


def grant_revoked(at: datetime) -> str:
    """Say what follows from a revoked grant."""
    return (
        f"This seat's grant was revoked at {at:%Y-%m-%d %H:%M:%S} UTC. A runner that still uses it "
        "PERMITS by itself whatever its agent asks, until the seat is relaunched or stopped."
    )


def add(fx: Effect, seat_ref: str, notice: str) -> None:
    """Put a notice on a seat, once."""
    record = fx.seat(seat_ref)
    if notice not in record.seat.notices:
        seat = replace(record.seat, notices=(*record.seat.notices, notice))
        fx.save_seat(replace(record, seat=seat))
