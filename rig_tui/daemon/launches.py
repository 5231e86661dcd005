"""Launches: declaring a seat, relaunching it, registering its occupant, stopping it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from rig_tui.daemon import declaring, endings, grants, launch_files, launch_start, messages
from rig_tui.daemon.declaring import Declared, flag
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.daemon.seat_state import LaunchWatch, SeatRecord
from rig_tui.domain import activity
from rig_tui.domain.launching import Model
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import Grant, Launch, Rig, Seat, SeatId
from rig_tui.domain.timeline import SeatEventKind

if TYPE_CHECKING:
    from rig_tui.daemon.core import Core, Effect
    from rig_tui.daemon.idempotency import Key
    from rig_tui.daemon.launch_start import Start
    from rig_tui.domain.model import JsonObject


def declare(core: Core, body: JsonObject, key: Key | None) -> Reply:
    """Create a seat, in a new rig if need be, and launch it."""
    rig_name, name = declaring.name_of(body, "rig"), declaring.name_of(body, "name")
    declared = declaring.of_new_seat(core, body)
    if f"{name}@{rig_name}" in core.seats:
        raise RefusedError(
            409,
            "seat_exists",
            f"The seat {name}@{rig_name} exists. Nothing was changed; relaunch it instead.",
        )
    with core.effect() as fx:
        rig = next((r for r in core.rigs.values() if r.name == rig_name), None)
        if rig is None:
            rig = Rig(core.ids.of("rig"), rig_name)
            fx.add_rig(rig)
        seat = Seat(
            seat_id=SeatId(rig.rig_id, name),
            rig_name=rig_name,
            name=name,
            session_name=f"{name}@{rig_name}",
            node_id=core.ids.of("node"),
        )
        return _launch(fx, SeatRecord(seat), declared, None, body, key)


def relaunch(core: Core, record: SeatRecord, body: JsonObject, key: Key | None) -> Reply:
    """Launch a seat again: its earlier occupant is gone, and so are its asks (D7-37)."""
    declared = declaring.of_relaunch(core, record.seat, body)
    resumes = _conversation(record, declared) if flag(body, "resume") else None
    if resumes and declared.declaration.launch_result and not launch_files.result_path(core, ""):
        _note_not_started(core, record)
        raise RefusedError(
            500,
            "not_started",
            "The folder for launch records can't be made, so the launcher couldn't say what it "
            "reopened. Nothing was started, and an occupant stays as it was.",
        )
    with core.effect() as fx:
        endings.make_stale(fx, record.seat.seat_ref, Act.RELAUNCH)
        reply = _launch(fx, record, declared, resumes, body, key)
    launch_files.sweep(core)
    return reply


def register(core: Core, record: SeatRecord, key: Key | None) -> Reply:
    """Let a launch's occupant take its seat; the wait for its record starts here."""
    if record.waiting_generation is None:
        raise RefusedError(
            409, "already_registered", f"{record.seat.seat_ref} has no launch that waits."
        )
    with core.effect() as fx:
        seat = fx.save_seat(_registered(fx, record))
        reply = Reply(200, {"ok": True, "seatRef": seat.seat_ref, "generation": seat.generation})
        fx.remember(key, reply)
        return reply


def stop(core: Core, record: SeatRecord, key: Key | None) -> Reply:
    """End a seat's occupancy; its pending asks become stale (D9-04)."""
    with core.effect() as fx:
        endings.make_stale(fx, record.seat.seat_ref, Act.STOP_SEAT)
        lost = messages.drop(fx, record.seat.seat_ref)
        record = fx.seat(record.seat.seat_ref)
        seat = replace(
            record.seat,
            generation=None,
            session_status="stopped",
            launch=_ended(record.seat.launch),
            notices=(*record.seat.notices, *lost),
            takes_messages=False,
        )
        fx.save_seat(
            replace(
                record,
                seat=seat,
                activity=activity.relaunched(record.activity),
                watch=None,
                waiting_generation=None,
            )
        )
        fx.log(seat.seat_ref, SeatEventKind.STOPPED, "stopped")
        reply = Reply(200, {"ok": True, "seatRef": seat.seat_ref})
        fx.remember(key, reply)
    launch_files.sweep(core)
    return reply


def _launch(
    fx: Effect,
    record: SeatRecord,
    declared: Declared,
    resumes: str | None,
    body: JsonObject,
    key: Key | None,
) -> Reply:
    declaration, before = declared.declaration, record.seat
    granted = flag(body, "grant") if "grant" in body else before.grant.mode == grants.GRANTED
    start = launch_start.prepare(fx, before, declared, resumes, granted=granted)
    fresh = activity.relaunched(record.activity)
    if declaration.launch_result and start.path is None:
        fresh = activity.set_launch_attention(fresh, fx.now)
    seat = replace(
        before,
        runtime=declared.runtime,
        runner=declaration.runner,
        generation=None,
        session_status="running",
        launch=start.launch(fx.now) if declaration.launch_result else None,
        last_error=None,
        notices=messages.drop(fx, before.seat_ref),
        identity=before.identity if resumes else None,
        preset=declared.preset,
        declaration=declaration,
        preset_file=declared.file,
        model=Model(declared.model),
        limits=declaration.limits,
        warnings=launch_start.warnings(declared, start),
        takes_messages=False,
        grant=Grant(grants.GRANTED) if granted else Grant(),
    )
    launched = replace(
        record,
        seat=seat,
        activity=fresh,
        watch=LaunchWatch(str(start.path), resumes) if start.path else None,
        waiting_generation=start.generation,
    )
    if body.get("registered") is not False:
        launched = _registered(fx, launched)
    seat = fx.save_seat(launched, appeared=seat.seat_ref not in fx.core.seats)
    fx.log(seat.seat_ref, SeatEventKind.LAUNCH, "resume" if resumes else "new")
    return _launched(fx, seat, start, key)


def _launched(fx: Effect, seat: Seat, start: Start, key: Key | None) -> Reply:
    answer: JsonObject = {
        "seatRef": seat.seat_ref,
        "sessionName": seat.session_name,
        "nodeId": seat.node_id,
        "generation": start.generation,
        "attempt": start.attempt,
        "launchResultPath": str(start.path) if start.path else None,
        "warnings": list(seat.warnings),
    }
    fx.remember(key, Reply(201, {**answer, "env": start.shareable_env}))
    return Reply(201, {**answer, "env": start.env})


def _conversation(record: SeatRecord, declared: Declared) -> str:
    """Find the conversation a resume is to reopen.

    Raises:
        RefusedError: There is none this launcher may be handed; a resume is never turned
            into a new conversation.
    """
    seat = record.seat
    if not declared.declaration.resume:
        raise declaring.resume_not_supported(declared.preset)
    if seat.identity is None:
        raise RefusedError(
            409,
            "nothing_to_resume",
            f"No conversation of {seat.seat_ref} is on record. Nothing was started; relaunch it "
            "without resume to begin a new one.",
        )
    # A new launch forgets the conversation, so the one on record is its latest runtime's.
    if seat.runtime != declared.runtime:
        raise RefusedError(
            409,
            "saved_by_another_harness",
            f"The conversation was saved by {seat.runtime}, which {declared.runtime} isn't handed. "
            "Nothing was started.",
        )
    return seat.identity.native_ref


def _note_not_started(core: Core, record: SeatRecord) -> None:
    """Show that a resume started nothing (D3-06), unless somebody occupies the seat."""
    if record.seat.generation or record.waiting_generation:
        return
    with core.effect() as fx:
        attempt = core.ids.of("attempt")
        launch = Launch(attempt, "resume", "not_started", fx.now, launch_start.NO_FOLDER)
        needs = activity.set_launch_attention(record.activity, fx.now)
        seat = replace(record.seat, launch=launch)
        fx.save_seat(replace(record, seat=seat, activity=needs))
        fx.log(seat.seat_ref, SeatEventKind.LAUNCH, launch.outcome)


def _ended(launch: Launch | None) -> Launch | None:
    """Give a launch whose seat was stopped: its record isn't waited for any more."""
    if launch is None or launch.outcome != "pending":
        return launch
    outcome = "unconfirmed" if launch.kind == "resume" else "none"
    return replace(launch, outcome=outcome, detail="the seat was stopped first")


def _registered(fx: Effect, record: SeatRecord) -> SeatRecord:
    waits = record.watch and replace(
        record.watch, deadline=fx.now + timedelta(seconds=fx.core.serving.launch_wait)
    )
    return replace(
        record,
        seat=replace(record.seat, generation=record.waiting_generation),
        watch=waits,
        waiting_generation=None,
    )
