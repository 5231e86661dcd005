"""Launches: declaring a seat, its occupant and its environment."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from rig_tui.daemon import endings, grants
from rig_tui.daemon.home import make_private
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.daemon.seat_state import LaunchWatch, SeatRecord
from rig_tui.domain import activity
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import Grant, Launch, Rig, Seat, SeatId

if TYPE_CHECKING:
    from pathlib import Path

    from rig_tui.daemon.core import Core, Effect
    from rig_tui.daemon.idempotency import Key
    from rig_tui.domain.model import JsonObject

log = logging.getLogger(__name__)

TOKEN_VARIABLE = "OPENRIG_ACTIVITY_HOOK_TOKEN"
PLAIN_RUNTIME = "custom"

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


def declare(core: Core, body: JsonObject, key: Key | None) -> Reply:
    """Create a seat, in a new rig if need be, and launch it."""
    rig_name, name = _name(body, "rig"), _name(body, "name")
    runner, launch_result = _flag(body, "runner"), _flag(body, "launchResult")
    if runner and not launch_result:
        raise RefusedError(
            400,
            "runner_needs_launch_result",
            "A preset with runner: true needs launch_result: true as well. Nothing was created.",
        )
    preset = body.get("preset")
    if preset is not None and not (isinstance(preset, str) and preset.strip()):
        raise RefusedError(400, "invalid_request", "preset must be a name, or left out.")
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
            runtime=preset or PLAIN_RUNTIME,
            runner=runner,
            preset=preset,
        )
        return _launch(fx, SeatRecord(seat, reports_launch=launch_result), body, key)


def relaunch(core: Core, record: SeatRecord, body: JsonObject, key: Key | None) -> Reply:
    """Launch a seat again: its earlier occupant is gone, and so are its asks (D7-37)."""
    if _resumes(record.seat, body) and _result_path(core, "") is None:
        raise RefusedError(
            500,
            "not_started",
            "The folder for launch records can't be made, so the launcher couldn't say what it "
            "reopened. Nothing was started, and the seat stays as it was.",
        )
    with core.effect() as fx:
        endings.make_stale(fx, record.seat.seat_ref, Act.RELAUNCH)
        return _launch(fx, record, body, key)


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
        record = fx.seat(record.seat.seat_ref)
        seat = replace(record.seat, generation=None, session_status="stopped")
        fx.save_seat(
            replace(
                record,
                seat=seat,
                activity=activity.relaunched(record.activity),
                watch=None,
                waiting_generation=None,
            )
        )
        reply = Reply(200, {"ok": True, "seatRef": seat.seat_ref})
        fx.remember(key, reply)
        return reply


def _launch(fx: Effect, record: SeatRecord, body: JsonObject, key: Key | None) -> Reply:
    core, seat = fx.core, record.seat
    generation, attempt = core.ids.of("gen"), core.ids.of("attempt")
    resumes = _resumes(seat, body)
    path = _result_path(core, attempt) if record.reports_launch else None
    launch = Launch(
        attempt=attempt,
        kind="resume" if resumes else "new",
        outcome="pending" if path else "none",
        at=fx.now,
    )
    seat = replace(
        seat,
        generation=None,
        session_status="running",
        launch=launch if record.reports_launch else None,
        last_error=None,
        notices=(),
        identity=seat.identity if resumes else None,
    )
    granted = _flag(body, "grant") if "grant" in body else seat.grant.mode == grants.GRANTED
    seat = replace(seat, grant=Grant(grants.GRANTED) if granted else Grant())
    fresh = activity.relaunched(record.activity)
    if record.reports_launch and path is None:
        fresh = activity.set_launch_attention(fresh, fx.now)
    record = replace(
        record,
        seat=seat,
        activity=fresh,
        watch=LaunchWatch(str(path), resumes) if path else None,
        waiting_generation=generation,
    )
    if body.get("registered") is not False:
        record = _registered(fx, record)
    seat = fx.save_seat(record, appeared=seat.seat_ref not in core.seats)
    answer: JsonObject = {
        "seatRef": seat.seat_ref,
        "sessionName": seat.session_name,
        "nodeId": seat.node_id,
        "generation": generation,
        "attempt": attempt,
        "launchResultPath": str(path) if path else None,
    }
    env = _environment(core, seat, generation, attempt)
    if granted:
        env[TOKEN_VARIABLE] = grants.issue(fx, seat.seat_ref, generation)
        env["OPENRIG_URL"] = core.serving.grant_url
    if path:
        env["OPENRIG_LAUNCH_RESULT"] = str(path)
    if resumes:
        env["OPENRIG_RESUME_REF"] = resumes
    shareable: JsonObject = {k: v for k, v in env.items() if k != TOKEN_VARIABLE}
    fx.remember(key, Reply(201, {**answer, "env": shareable}))
    return Reply(201, {**answer, "env": env})


def _resumes(seat: Seat, body: JsonObject) -> str | None:
    """Give the conversation to reopen, when a resume is asked for and one is known."""
    wanted = _flag(body, "resume")
    return seat.identity.native_ref if wanted and seat.identity else None


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


def _environment(core: Core, seat: Seat, generation: str, attempt: str) -> JsonObject:
    """What the occupant's process is given; nothing in it names the daemon's own folder."""
    serving = core.serving
    return {
        "OPENRIG_URL": serving.base_url,
        "OPENRIG_HOME": str(serving.home.runners),
        TOKEN_VARIABLE: serving.hook_token,
        "OPENRIG_OCCUPANT_GENERATION": generation,
        "OPENRIG_LAUNCH_ATTEMPT": attempt,
        "RIG_TUI_SESSION_NAME": seat.session_name,
        "RIG_TUI_NODE_ID": seat.node_id,
        "RIG_TUI_RUNTIME": seat.runtime,
        "RIG_TUI_SEAT_REF": seat.seat_ref,
    }


def _result_path(core: Core, attempt: str) -> Path | None:
    """Make the folder of a launch's record; None when it can't be made (D3-05)."""
    folder = core.serving.home.launches
    try:
        make_private(folder)
    except OSError:
        log.exception("the folder of launch records can't be made")
        return None
    return folder / f"{attempt}.json"


def _name(body: JsonObject, key: str) -> str:
    value = body.get(key)
    if isinstance(value, str) and _NAME.fullmatch(value) and len(value) <= 128:
        return value
    raise RefusedError(
        400,
        "invalid_name",
        f"{key} must begin with a-z or 0-9 and go on with a-z, 0-9, '.', '_' or '-'. "
        "Nothing was created.",
    )


def _flag(body: JsonObject, key: str) -> bool:
    value = body.get(key, False)
    if isinstance(value, bool):
        return value
    raise RefusedError(400, "invalid_request", f"{key} must be true or false. Nothing was done.")
