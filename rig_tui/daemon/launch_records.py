"""Launch records: looked for, judged, and what they say of a seat.

A launcher writes its record once, when its conversation is open; until then, and for at
most the launch's wait, it is looked for.
"""

from __future__ import annotations

import logging
import os
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.domain import activity
from rig_tui.domain.model import Identity
from rig_tui.wire.contract import LaunchRecord, parse_launch_record
from rig_tui.wire.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rig_tui.daemon.core import Core, Effect
    from rig_tui.daemon.seat_state import LaunchWatch, SeatRecord

log = logging.getLogger(__name__)

_LARGEST_RECORD = 1024 * 1024


def watch(core: Core, seat_refs: Iterable[str]) -> None:
    """Look for the launch records of these seats, and end waits that are over."""
    now = core.clock()
    for record in [core.seats[ref] for ref in seat_refs]:
        waits = record.watch
        if waits is None or waits.deadline is None:
            continue
        found = None
        try:
            found = _read_record(record, waits.path)
        except LookupError as exc:
            if now < waits.deadline:
                continue
            log.warning("no usable launch record of %s: %s", record.seat.seat_ref, exc)
        with core.effect() as fx:
            fx.save_seat(_concluded(fx, record, waits, found))


def _read_record(record: SeatRecord, path: str) -> LaunchRecord:
    """Read a launch record.

    Raises:
        LookupError: There is no usable one; the message says why (A-44).
    """
    seat = record.seat
    attempt = seat.launch.attempt if seat.launch else ""
    try:
        return parse_launch_record(_contents(path), attempt=attempt, harness=seat.runtime)
    except OSError as exc:
        raise LookupError(exc.strerror) from exc
    except WireError as exc:
        raise LookupError(exc.message) from exc


def _contents(path: str) -> bytes:
    # Not blocking, for whatever a launcher put there must not stop the daemon.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(0, "it isn't a file")
        return file.read(_LARGEST_RECORD)


def _concluded(
    fx: Effect, record: SeatRecord, waits: LaunchWatch, found: LaunchRecord | None
) -> SeatRecord:
    """Apply what the launcher reported, or that it reported nothing (D3-02…09, D8-02…05)."""
    seat = record.seat
    assert seat.launch is not None
    outcome, usable = _judge(waits.expected, found)
    identity = seat.identity
    if found and found.native_ref and outcome == "reported":
        identity = Identity(found.native_ref, found.producer)
    seat = replace(seat, launch=replace(seat.launch, outcome=outcome), identity=identity)
    after = (
        activity.clear_launch_attention(record.activity)
        if usable
        else activity.set_launch_attention(record.activity, fx.now)
    )
    return replace(record, seat=seat, activity=after, watch=None)


def _judge(expected: str | None, found: LaunchRecord | None) -> tuple[str, bool]:
    """Name a launch's outcome, and say whether its seat is ready."""
    if found is None:
        return ("unconfirmed" if expected else "none"), False
    if expected is None:
        return ("reported", True) if found.native_ref else ("none", False)
    if found.native_ref:
        return ("resumed", True) if found.native_ref == expected else ("mismatch", False)
    return ("missing" if found.error == "missing" else "unconfirmed"), False
