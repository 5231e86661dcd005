"""Declaring seats, their environment, and the launch records that identify them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import launch_records, launches
from rig_tui.daemon.reply import RefusedError
from rig_tui.domain.model import Identity, Reading
from tests.rules import rule

if TYPE_CHECKING:
    from tests.daemon.harness import Daemon


def look(daemon: Daemon) -> None:
    launch_records.watch(daemon.core, list(daemon.core.seats))


def outcome(daemon: Daemon) -> tuple[str | None, bool]:
    seat = daemon.seat()
    return (seat.launch.outcome if seat.launch else None), seat.launch_attention


@rule("D2-07", "D3-01")
def test_a_launch_gives_the_environment_and_names_nothing_of_the_daemons_own(
    daemon: Daemon,
) -> None:
    runner = daemon.runner(preset="dsh")
    env = dict(runner.env)

    home = daemon.home.path
    path = Path(env.pop("OPENRIG_LAUNCH_RESULT"))
    assert path.parent == home / "runners" / "launches"
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert env == {
        "OPENRIG_URL": "http://127.0.0.1:1",
        "OPENRIG_HOME": str(home / "runners"),
        "OPENRIG_ACTIVITY_HOOK_TOKEN": "hook-secret",
        "OPENRIG_OCCUPANT_GENERATION": runner.generation,
        "OPENRIG_LAUNCH_ATTEMPT": runner.attempt,
        "RIG_TUI_SESSION_NAME": "builder@my-rig",
        "RIG_TUI_NODE_ID": daemon.seat().node_id,
        "RIG_TUI_RUNTIME": "dsh",
        "RIG_TUI_SEAT_REF": "builder@my-rig",
    }


@rule("D3-02", "D3-03")
def test_a_usable_record_identifies_the_conversation(daemon: Daemon) -> None:
    runner = daemon.runner(preset="dsh")
    look(daemon)
    assert outcome(daemon) == ("pending", False)

    runner.report(nativeRef="conversation-1", producer="dsh-seat 0.3.0")
    look(daemon)

    assert outcome(daemon) == ("reported", False)
    assert daemon.seat().identity == Identity("conversation-1", "dsh-seat 0.3.0")


@rule("D3-02", "D3-04", "A-44")
@pytest.mark.parametrize(
    "bytes_",
    [
        b"",
        b'{"format": 1, "attempt"',
        b"[]",
        b'{"format":2,"attempt":"ATTEMPT","harness":"dsh","nativeRef":"x"}',
        b'{"format":1,"attempt":"another","harness":"dsh","nativeRef":"x"}',
        b'{"format":1,"attempt":"ATTEMPT","harness":"codex","nativeRef":"x"}',
        b'{"format":1,"attempt":"ATTEMPT","harness":"dsh","nativeRef":"x","error":"missing"}',
        b'{"format":1,"attempt":"ATTEMPT","harness":"dsh"}',
        b'{"format":1,"attempt":"ATTEMPT","harness":"dsh","nativeRef":" "}',
    ],
)
def test_an_unusable_record_is_waited_past_until_attention(daemon: Daemon, bytes_: bytes) -> None:
    runner = daemon.runner(preset="dsh")
    assert runner.result_path
    Path(runner.result_path).write_bytes(bytes_.replace(b"ATTEMPT", runner.attempt.encode()))
    daemon.clock.advance(59.9)
    look(daemon)
    assert outcome(daemon) == ("pending", False)

    daemon.clock.advance(0.1)
    look(daemon)
    assert outcome(daemon) == ("none", True)
    assert daemon.seat().identity is None


def test_what_isnt_a_file_stops_nobody(daemon: Daemon) -> None:
    runner = daemon.runner(preset="dsh")
    assert runner.result_path
    os.mkfifo(runner.result_path)
    look(daemon)
    assert outcome(daemon) == ("pending", False)
    daemon.clock.advance(60)
    look(daemon)
    assert outcome(daemon) == ("none", True)


@rule("D3-04", "A-14", "D4-20")
def test_launch_attention_is_apart_from_the_reading(daemon: Daemon) -> None:
    runner = daemon.runner(preset="dsh")
    daemon.clock.advance(60)
    look(daemon)
    runner.prompt()

    assert daemon.seat().reading is Reading.WORKING
    assert daemon.seat().launch_attention
    beat = runner.post("active", "liveness", turnId="7")
    assert beat["reason"] == "beat_during_attention"
    again = daemon.relaunch(runner)
    assert not daemon.seat().launch_attention
    again.report(nativeRef="x")
    look(daemon)
    assert outcome(daemon) == ("reported", False)


@rule("D3-08")
def test_missing_on_a_new_launch_is_no_identity(daemon: Daemon) -> None:
    runner = daemon.runner(preset="dsh")
    runner.report(error="missing")
    look(daemon)
    assert outcome(daemon) == ("none", True)


@rule("D3-09")
def test_the_first_usable_record_decides(daemon: Daemon) -> None:
    runner = daemon.runner(preset="dsh")
    runner.report(nativeRef="first")
    look(daemon)
    runner.report(nativeRef="second")
    daemon.clock.advance(3600)
    look(daemon)
    identity = daemon.seat().identity
    assert identity is not None
    assert identity.native_ref == "first"


@rule("D3-05")
def test_a_new_launch_without_a_folder_starts_without_the_variable(daemon: Daemon) -> None:
    daemon.home.launches.write_text("in the way")
    runner = daemon.runner(preset="dsh")
    assert "OPENRIG_LAUNCH_RESULT" not in runner.env
    assert outcome(daemon) == ("none", True)
    assert runner.prompt()["counted"] is True


def test_the_wait_starts_at_registration(daemon: Daemon) -> None:
    runner = daemon.runner(preset="dsh", registered=False)
    assert daemon.seat().generation is None
    assert runner.prompt()["counted"] is False
    daemon.clock.advance(3600)
    look(daemon)
    assert outcome(daemon) == ("pending", False)

    launches.register(daemon.core, daemon.core.seats[runner.session_name], None)

    assert daemon.seat().generation == runner.generation
    assert runner.prompt()["counted"] is True
    daemon.clock.advance(60)
    look(daemon)
    assert outcome(daemon) == ("none", True)
    with pytest.raises(RefusedError):
        launches.register(daemon.core, daemon.core.seats[runner.session_name], None)


def test_a_wait_survives_the_process(daemon: Daemon) -> None:
    runner = daemon.runner(preset="dsh")
    daemon.restart()
    runner.report(nativeRef="x")
    look(daemon)
    assert outcome(daemon) == ("reported", False)


@rule("D8-01", "D8-02", "D8-03", "D8-04", "D8-05", "D3-07")
@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"nativeRef": "old"}, ("resumed", False)),
        ({"error": "missing"}, ("missing", True)),
        ({"error": "timeout"}, ("unconfirmed", True)),
        (None, ("unconfirmed", True)),
        ({"nativeRef": "other"}, ("mismatch", True)),
    ],
)
def test_a_resume_ends_as_its_record_says_and_keeps_the_conversation(
    daemon: Daemon, record: dict[str, str] | None, expected: tuple[str, bool]
) -> None:
    first = daemon.runner(preset="dsh", resume=True)
    assert "OPENRIG_RESUME_REF" not in first.env
    first.report(nativeRef="old")
    look(daemon)

    runner = daemon.relaunch(first, resume=True)
    assert runner.env["OPENRIG_RESUME_REF"] == "old"
    if record:
        runner.report(**record)
    else:
        daemon.clock.advance(60)
    look(daemon)

    assert outcome(daemon) == expected
    identity = daemon.seat().identity
    assert identity is not None
    assert identity.native_ref == "old"


@rule("D2-01")
@pytest.mark.parametrize("launch_result", [False, None])
def test_a_runner_needs_launch_result(daemon: Daemon, launch_result: object) -> None:
    body: dict[str, Any] = {"rig": "r", "name": "n", "runner": True}
    if launch_result is not None:
        body["launchResult"] = launch_result
    with pytest.raises(RefusedError) as caught:
        launches.declare(daemon.core, body, None)
    assert caught.value.status == 400
    assert "runner" in caught.value.message
    assert "launch_result" in caught.value.message
    assert not daemon.core.seats
    assert not daemon.core.rigs


@pytest.mark.parametrize(
    "body",
    [
        {"name": "x"},
        {"rig": "My-Rig", "name": "x"},
        {"rig": "r", "name": "-x"},
        {"rig": "r", "name": "x/y"},
        {"rig": "r", "name": "x@y"},
        {"rig": "r", "name": "x", "runner": "true"},
        {"rig": "r", "name": "x", "preset": 5},
    ],
)
def test_a_declaration_that_makes_no_sense_creates_nothing(
    daemon: Daemon, body: dict[str, Any]
) -> None:
    with pytest.raises(RefusedError) as caught:
        launches.declare(daemon.core, body, None)
    assert caught.value.status == 400
    assert not daemon.core.seats


def test_a_seat_is_declared_once_and_its_rig_with_it(daemon: Daemon) -> None:
    daemon.runner()
    daemon.runner("qa")
    assert [rig.name for rig in daemon.core.rigs.values()] == ["my-rig"]
    with pytest.raises(RefusedError) as caught:
        daemon.runner()
    assert caught.value.code == "seat_exists"
    daemon.restart()
    assert list(daemon.core.seats) == ["builder@my-rig", "qa@my-rig"]


@rule("D3-06", "D8-06")
def test_a_resume_without_a_folder_starts_nothing(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner(preset="dsh", resume=True)
    runner.report(nativeRef="old")
    look(daemon)
    ask_id = runner.ask()
    for file in daemon.home.launches.iterdir():
        file.unlink()
    daemon.home.launches.rmdir()
    daemon.home.launches.write_text("in the way")
    before = daemon.core.seats.copy()

    with pytest.raises(RefusedError) as caught:
        daemon.relaunch(runner, resume=True)

    assert caught.value.code == "not_started"
    assert daemon.core.seats == before
    assert daemon.ask(ask_id).pending
