"""Launch records: looked for, judged, and what they say of a seat.

A launcher writes its record once, when its conversation is open; until then, and for at
most the launch's wait, it is looked for. The first usable one decides. What comes late,
or after it, is kept as evidence, and only an operator applies a late one.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.daemon import notices
from rig_tui.daemon.regular_file import read_regular
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.domain import activity
from rig_tui.domain.launching import LaunchReport
from rig_tui.domain.model import Identity
from rig_tui.domain.timeline import SeatEventKind
from rig_tui.wire import openrig
from rig_tui.wire.contract import LaunchRecord, parse_launch_record
from rig_tui.wire.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rig_tui.daemon.core import Core, Effect
    from rig_tui.daemon.idempotency import Key
    from rig_tui.daemon.seat_state import LaunchWatch, SeatRecord
    from rig_tui.domain.model import Seat

log = logging.getLogger(__name__)

LARGEST_RECORD = 1024 * 1024
MOST_EVIDENCE = 5
"""Reports that are kept besides the one that decided; the oldest go first."""


def watch(core: Core, seat_refs: Iterable[str]) -> None:
    """Look for the launch records of these seats, and end waits that are over."""
    now = core.clock()
    for record in [core.seats[ref] for ref in seat_refs]:
        waits = record.watch
        if waits is None or waits.deadline is None or waits.concluded:
            continue
        found, why = None, ""
        try:
            found = _read_record(record, waits.path)
        except LookupError as exc:
            if now < waits.deadline:
                continue
            why = str(exc)
            log.warning("no usable launch record of %s: %s", record.seat.seat_ref, why)
        with core.effect() as fx:
            seat = fx.save_seat(_concluded(fx, record, waits, found, why))
            _log_outcome(fx, seat)


def look_again(core: Core) -> None:
    """Keep as evidence what launch records say after they were judged (A-44, D3-09)."""
    for record in list(core.seats.values()):
        waits, launch = record.watch, record.seat.launch
        if waits is None or launch is None or not waits.concluded:
            continue
        try:
            found = _read_record(record, waits.path)
        except LookupError:
            continue
        known = [*launch.evidence[-1:], *([waits.counted] if waits.counted else [])]
        if any(_says(report) == _says(found) for report in known):
            continue
        with core.effect() as fx:
            report = _report(found, fx, late=waits.counted is None)
            said = {notices.launch_report(earlier) for earlier in launch.evidence}
            kept = [notice for notice in record.seat.notices if notice not in said]
            seat = replace(
                record.seat,
                launch=replace(launch, evidence=(*launch.evidence, report)[-MOST_EVIDENCE:]),
                notices=(*kept, notices.launch_report(report)),
            )
            fx.save_seat(replace(record, seat=seat))


def recheck(core: Core, record: SeatRecord, by: str, key: Key | None) -> Reply:
    """Apply a launch record that came late, as an operator asks (A-44).

    Raises:
        RefusedError: The launch is settled by its record, or there is still no usable one.
    """
    seat, waits = record.seat, record.watch
    if waits is None or waits.deadline is None or waits.counted:
        raise RefusedError(
            409,
            "launch_settled",
            f"The live launch of {seat.seat_ref} waits for no record, or one has decided it. "
            "Nothing was changed.",
        )
    try:
        found = _read_record(record, waits.path)
    except LookupError as exc:
        raise RefusedError(
            409,
            "no_usable_record",
            f"There is no usable launch record of {seat.seat_ref}: {exc}. Nothing was changed.",
        ) from None
    with core.effect() as fx:
        after = _concluded(fx, record, waits, found, notices.rechecked(by, fx.now))
        seat = fx.save_seat(after)
        _log_outcome(fx, seat, by)
        row = openrig.encode_seat(seat)
        reply = Reply(200, {"ok": True, "seatRef": seat.seat_ref, "seat": row})
        fx.remember(key, reply)
    return reply


def outcome(expected: str | None, found: LaunchRecord | None) -> tuple[str, bool]:
    """Name a launch's outcome, and say whether its seat is ready.

    Args:
        expected: The conversation a resume was asked to reopen.
        found: The record that decides; None when there is none.
    """
    if found is None:
        return ("unconfirmed" if expected else "none"), False
    if expected is None:
        return ("reported", True) if found.native_ref else ("none", False)
    if found.native_ref:
        return ("resumed", True) if found.native_ref == expected else ("mismatch", False)
    return ("missing" if found.error == "missing" else "unconfirmed"), False


def _log_outcome(fx: Effect, seat: Seat, by: str | None = None) -> None:
    assert seat.launch is not None
    fx.log(seat.seat_ref, SeatEventKind.LAUNCH, seat.launch.outcome, by=by)


def _read_record(record: SeatRecord, path: str) -> LaunchRecord:
    """Read a launch record.

    Raises:
        LookupError: There is no usable one; the message says why (A-44).
    """
    seat = record.seat
    attempt = seat.launch.attempt if seat.launch else ""
    try:
        data = read_regular(path, LARGEST_RECORD)
        return parse_launch_record(data, attempt=attempt, harness=seat.runtime)
    except OSError as exc:
        raise LookupError(exc.strerror) from exc
    except WireError as exc:
        raise LookupError(exc.message) from exc


def _concluded(
    fx: Effect, record: SeatRecord, waits: LaunchWatch, found: LaunchRecord | None, detail: str
) -> SeatRecord:
    """Apply what the launcher reported, or that it reported nothing (D3-02…09, D8-02…05)."""
    seat = record.seat
    assert seat.launch is not None
    named, ready = outcome(waits.expected, found)
    identity = seat.identity
    if found and found.native_ref and named == "reported":
        identity = Identity(found.native_ref, found.producer)
    if found and not ready:
        detail = f"{_in_words(found)}. {detail}".strip()
    launch = replace(seat.launch, outcome=named, detail=detail)
    after = (
        activity.clear_launch_attention(record.activity)
        if ready
        else activity.set_launch_attention(record.activity, fx.now)
    )
    counted = _report(found, fx, late=False) if found else None
    return replace(
        record,
        seat=replace(seat, launch=launch, identity=identity),
        activity=after,
        watch=replace(waits, concluded=True, counted=counted),
    )


def _report(found: LaunchRecord, fx: Effect, *, late: bool) -> LaunchReport:
    return LaunchReport(fx.now, found.native_ref, found.error, found.producer, late)


def _says(report: LaunchReport | LaunchRecord) -> tuple[str | None, str | None]:
    return report.native_ref, report.error


def _in_words(found: LaunchRecord) -> str:
    if found.native_ref:
        return f"The launcher opened conversation {found.native_ref}"
    return f"The launcher reported {found.error or 'an error without a name'}"
