"""Launches from preset files: what is declared, frozen, passed on and refused."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import launch_records, launches, presets
from rig_tui.daemon.reply import RefusedError
from rig_tui.daemon.schema import MIGRATIONS
from rig_tui.daemon.timekeeper import GLANCE_EVERY, Timekeeper
from rig_tui.domain.launching import Model, PresetFile
from rig_tui.domain.model import AskState, Reading
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.daemon.reply import Reply
    from tests.daemon.harness import Daemon, Runner, Served

BASE = "format: 1\nname: {name}\ncommand: {name}-seat\n"
RUNNER = "runner: true\nlaunch_result: true\n"


def write(daemon: Daemon, text: str, name: str = "dsh") -> Path:
    file = daemon.home.presets / f"{name}.yaml"
    file.write_text(BASE.format(name=name) + text)
    return file


def declare(daemon: Daemon, **fields: Any) -> Reply:
    body = {"rig": "my-rig", "name": "builder", "preset": "dsh", **fields}
    return launches.declare(daemon.core, body, None)


def launch(daemon: Daemon, **fields: Any) -> Runner:
    return daemon.occupant(declare(daemon, **fields))


def refused(do: Callable[[], object]) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        do()
    return caught.value


def report(daemon: Daemon, runner: Runner, **fields: str) -> None:
    runner.report(**fields)
    launch_records.watch(daemon.core, list(daemon.core.seats))


@rule("D2-01", "D2-02")
@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("runner: true\n", "launch_result"),
        ('runner: "true"\nlaunch_result: true\n', "runner"),
        (RUNNER + "names_conversation: true\n", "names_conversation"),
        (RUNNER + "limits: 5\n", "limits"),
    ],
)
def test_a_faulty_preset_launches_nothing_and_is_named_with_its_field(
    daemon: Daemon, text: str, field: str
) -> None:
    file = write(daemon, text)
    error = refused(lambda: declare(daemon))
    assert (error.status, error.code) == (400, "invalid_preset")
    assert str(file) in error.message
    assert field in error.message
    body: Any = error.reply.body
    assert body["file"] == str(file)
    assert [fault["field"] for fault in body["faults"]] == [field]
    assert not daemon.core.seats


def test_a_preset_nobody_can_read_launches_nothing(daemon: Daemon) -> None:
    (daemon.home.presets / "dsh.yaml").mkdir()
    assert refused(lambda: declare(daemon)).code == "invalid_preset"
    os.mkfifo(daemon.home.presets / "pipe.yaml")
    assert refused(lambda: declare(daemon, preset="pipe")).code == "invalid_preset"


@pytest.mark.parametrize("preset", ["../dsh", "a/b", "", ".dsh", "a" * 129, 5])
def test_a_preset_is_named_and_never_a_path(daemon: Daemon, preset: object) -> None:
    assert refused(lambda: declare(daemon, preset=preset)).code == "invalid_request"


@rule("D2-03", "D2-04")
def test_the_file_decides_and_what_disagrees_is_refused(daemon: Daemon) -> None:
    write(daemon, RUNNER + "limits: [no fork, no images]\nmaintainer: me\n")
    assert refused(lambda: declare(daemon, runner=False)).code == "preset_disagrees"
    assert refused(lambda: declare(daemon, launchResult=False)).code == "preset_disagrees"
    launch(daemon, runner=True, launchResult=True)
    seat = daemon.seat()
    assert (seat.runtime, seat.runner, seat.limits) == ("dsh", True, ("no fork", "no images"))
    assert seat.declaration is not None
    assert (seat.declaration.command, seat.declaration.maintainer) == ("dsh-seat", "me")
    assert seat.preset_file is PresetFile.SAME


@rule("D2-03", "D2-04")
def test_a_declaration_is_frozen_until_the_next_launch(daemon: Daemon) -> None:
    write(daemon, RUNNER)
    runner = launch(daemon)
    write(daemon, "")
    daemon.restart()

    assert runner.prompt()["counted"] is True
    assert daemon.seat().reading is Reading.WORKING
    again = daemon.relaunch(runner)
    assert again.result_path is None
    assert again.prompt()["reason"] == "plain_preset"
    assert daemon.seat().reading is Reading.UNKNOWN

    write(daemon, RUNNER)
    assert again.prompt()["reason"] == "plain_preset"
    assert daemon.relaunch(again).prompt()["counted"] is True


@rule("D2-03")
def test_a_launch_recorded_without_the_field_is_plain_whatever_the_file_says(
    daemon: Daemon,
) -> None:
    write(daemon, RUNNER)
    runner = launch(daemon)
    doc = daemon.store.seat_docs()[0]
    assert '"runner":true' in doc
    with daemon.store.transaction(durable=True):
        daemon.store.put_seat("builder@my-rig", doc.replace('"runner":true,', ""))
    daemon.restart()

    assert runner.post("Stop", "idle_heartbeat", livenessSeconds=9)["reason"] == "plain_preset"
    assert daemon.seat().reading is Reading.UNKNOWN
    assert not daemon.seat().runner


@rule("D2-04")
def test_how_the_file_stands_to_what_was_launched_is_told(daemon: Daemon) -> None:
    file = write(daemon, RUNNER)
    launch(daemon)
    keeper = Timekeeper(daemon.core)

    def stands() -> PresetFile:
        daemon.clock.advance(GLANCE_EVERY)
        keeper.tick()
        return daemon.core.seats["builder@my-rig"].seat.preset_file

    assert stands() is PresetFile.SAME
    write(daemon, RUNNER + "# the same, said with more words\n")
    assert stands() is PresetFile.SAME
    write(daemon, RUNNER + "resume: true\n")
    assert stands() is PresetFile.CHANGED
    assert daemon.events()[-1]["runner"]["presetFile"] == "changed"
    newest = daemon.core.events.newest
    assert stands() is PresetFile.CHANGED
    assert daemon.core.events.newest == newest, "it is told once"
    write(daemon, "runner: true\n")
    assert stands() is PresetFile.UNUSABLE
    file.unlink()
    assert stands() is PresetFile.GONE


def test_a_relaunch_needs_the_file_it_was_launched_from(daemon: Daemon) -> None:
    file = write(daemon, RUNNER)
    runner = launch(daemon)
    before = daemon.core.seats.copy()
    file.unlink()
    assert refused(lambda: daemon.relaunch(runner)).code == "preset_not_found"
    write(daemon, "runner: true\n")
    assert refused(lambda: daemon.relaunch(runner)).code == "invalid_preset"
    assert daemon.core.seats == before


@rule("D2-05")
@pytest.mark.parametrize("text", ["one\r\ntwo", "no newline", "ünïcode\n\n", "\0 and \x1b"])
def test_the_first_input_is_a_private_file_of_exactly_these_bytes(
    daemon: Daemon, text: str
) -> None:
    write(daemon, RUNNER + "first_input: true\n")
    previous = os.umask(0)
    try:
        runner = launch(daemon, firstInput=text)
    finally:
        os.umask(previous)
    path = Path(runner.env["OPENRIG_FIRST_INPUT"])
    assert path.read_bytes() == text.encode()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.is_relative_to(daemon.home.runners)


@rule("D2-05")
def test_a_first_input_goes_only_where_it_is_declared_and_with_its_launch(daemon: Daemon) -> None:
    write(daemon, RUNNER)
    runner = launch(daemon, firstInput="begin")
    assert "OPENRIG_FIRST_INPUT" not in runner.env
    assert any("first_input isn't declared" in said for said in daemon.seat().warnings)

    write(daemon, RUNNER + "first_input: true\n")
    runner = daemon.relaunch(runner, firstInput="begin")
    path = Path(runner.env["OPENRIG_FIRST_INPUT"])
    runner = daemon.relaunch(runner)
    assert "OPENRIG_FIRST_INPUT" not in runner.env, "it is said once"
    assert not path.exists()
    runner = daemon.relaunch(runner, firstInput="again")
    path = Path(runner.env["OPENRIG_FIRST_INPUT"])
    daemon.restart()
    assert path.exists()
    launches.stop(daemon.core, daemon.core.seats[runner.session_name], None)
    assert not path.exists()


def test_a_first_input_that_cant_be_written_is_warned_of(daemon: Daemon) -> None:
    write(daemon, RUNNER + "first_input: true\n")
    daemon.home.first_inputs.write_text("in the way")
    runner = launch(daemon, firstInput="begin")
    assert "OPENRIG_FIRST_INPUT" not in runner.env
    assert any("can't be written" in said for said in daemon.seat().warnings)
    assert runner.prompt()["counted"] is True


@rule("D2-06", "D9-02")
@pytest.mark.parametrize(
    ("passes", "model", "passed"),
    [
        ("true", "haiku-4.5 latest", "haiku-4.5 latest"),
        ("true", None, None),
        ("false", "haiku", None),
    ],
)
def test_the_declared_model_is_passed_as_it_is_or_not_at_all(
    daemon: Daemon, passes: str, model: str | None, passed: str | None
) -> None:
    write(daemon, f"{RUNNER}passes_model: {passes}\n")
    runner = launch(daemon, model=model)
    assert runner.env.get("OPENRIG_MODEL") == passed
    assert daemon.seat().model == Model(model, "unknown")
    again = daemon.relaunch(runner)
    assert again.env.get("OPENRIG_MODEL") == passed, "a seat's model is the seat's"


@pytest.mark.parametrize(("key", "value"), [("model", " "), ("model", 5), ("firstInput", ["x"])])
def test_a_model_or_first_input_that_isnt_text_launches_nothing(
    daemon: Daemon, key: str, value: object
) -> None:
    write(daemon, RUNNER)
    assert refused(lambda: declare(daemon, **{key: value})).code == "invalid_request"
    assert not daemon.core.seats


@rule("D9-01")
def test_a_launch_warns_of_what_isnt_delivered(daemon: Daemon) -> None:
    write(daemon, RUNNER + "passes_modle: true\n")
    answer: Any = declare(daemon, model="haiku").body
    assert answer["warnings"] == list(daemon.seat().warnings)
    assert "Guidance, skills and startup files" in answer["warnings"][0]
    assert "passes_model isn't declared" in answer["warnings"][1]
    assert "passes_modle isn't known" in answer["warnings"][2]


@rule("D8-08")
def test_a_preset_that_doesnt_declare_resume_isnt_asked_to(daemon: Daemon) -> None:
    write(daemon, RUNNER)
    assert refused(lambda: declare(daemon, resume=True)).code == "resume_not_supported"
    runner = launch(daemon)
    report(daemon, runner, nativeRef="old")
    before = daemon.core.seats.copy()
    error = refused(lambda: daemon.relaunch(runner, resume=True))
    assert (error.status, error.code) == (409, "resume_not_supported")
    assert "dsh" in error.message
    assert daemon.core.seats == before
    write(daemon, RUNNER + "resume: true\n")
    assert daemon.relaunch(runner, resume=True).env["OPENRIG_RESUME_REF"] == "old"


@rule("D8-01", "D8-08")
def test_a_resume_never_becomes_a_new_conversation(daemon: Daemon) -> None:
    write(daemon, RUNNER + "resume: true\n")
    runner = launch(daemon)
    before = daemon.core.seats.copy()
    assert refused(lambda: daemon.relaunch(runner, resume=True)).code == "nothing_to_resume"
    assert daemon.core.seats == before
    assert "OPENRIG_RESUME_REF" not in daemon.relaunch(runner).env


@rule("D8-07")
def test_a_conversation_is_never_handed_to_another_harness(daemon: Daemon) -> None:
    for name in ("codex", "dsh"):
        write(daemon, RUNNER + "resume: true\n", name)
    runner = launch(daemon, preset="codex")
    runner.report(harness="codex", nativeRef="codex-1")
    launch_records.watch(daemon.core, list(daemon.core.seats))
    before = daemon.core.seats.copy()

    error = refused(lambda: daemon.relaunch(runner, preset="dsh", resume=True))
    assert error.code == "saved_by_another_harness"
    assert "codex" in error.message
    assert daemon.core.seats == before

    other = daemon.relaunch(runner, preset="dsh")
    assert other.env["RIG_TUI_RUNTIME"] == "dsh"
    assert "OPENRIG_RESUME_REF" not in other.env
    assert daemon.seat().identity is None


@rule("D3-06", "D8-06", "D3-04")
def test_a_resume_that_starts_nothing_shows_on_a_seat_nobody_occupies(daemon: Daemon) -> None:
    write(daemon, RUNNER + "resume: true\n")
    runner = launch(daemon)
    report(daemon, runner, nativeRef="old")
    launches.stop(daemon.core, daemon.core.seats[runner.session_name], None)
    for file in daemon.home.launches.iterdir():
        file.unlink()
    daemon.home.launches.rmdir()
    daemon.home.launches.write_text("in the way")

    assert refused(lambda: daemon.relaunch(runner, resume=True)).code == "not_started"

    seat = daemon.seat()
    assert seat.launch is not None
    assert (seat.launch.kind, seat.launch.outcome) == ("resume", "not_started")
    assert (seat.generation, seat.readiness) == (None, "attention")
    assert "folder" in seat.launch.detail
    assert seat.identity is not None
    assert seat.identity.native_ref == "old"


@rule("D9-03", "D9-04")
def test_a_stop_ends_that_seat_at_once_and_nothing_else(daemon: Daemon) -> None:
    daemon.person()
    write(daemon, RUNNER)
    runner, other = launch(daemon), launch(daemon, name="qa")
    ask_id, others = runner.ask(), other.ask()

    reply = launches.stop(daemon.core, daemon.core.seats[runner.session_name], None)

    assert reply.status == 200
    seat = daemon.seat()
    assert (seat.session_status, seat.generation) == ("stopped", None)
    assert daemon.ask(ask_id).outcome.state is AskState.STALE
    assert seat.launch is not None
    assert (seat.launch.outcome, seat.readiness) == ("none", "ready"), "no record is waited for"
    assert daemon.ask(others).pending
    assert other.prompt()["counted"] is True


def test_a_seat_of_an_earlier_build_is_as_it_was_declared(daemon: Daemon) -> None:
    runner, plain = daemon.runner(), daemon.runner("plain", runner=False, launchResult=False)
    step = next(step for step in MIGRATIONS if "'$.seat.declaration'" in step)
    update = step[step.index("UPDATE seats") :]
    for doc in daemon.store.seat_docs():
        name = "plain" if '"name":"plain"' in doc else "builder"
        reports = str(name == "builder").lower()
        old = doc.replace("{", f'{{"reports_launch":{reports},', 1)
        with daemon.store.transaction(durable=True):
            daemon.store.put_seat(f"{name}@my-rig", old)
    daemon.store._db.executescript(update)
    daemon.restart()

    declaration = daemon.seat().declaration
    assert declaration is not None
    assert (declaration.runner, declaration.launch_result, declaration.resume) == (True,) * 3
    assert runner.prompt()["counted"] is True
    assert plain.prompt()["reason"] == "plain_preset"


@rule("D2-01", "D2-07", "D9-01", "D9-02")
async def test_over_http_a_seat_says_what_it_was_launched_with(served: Served) -> None:
    file = write(served.daemon, RUNNER + "passes_model: true\nlimits: [no fork]\n")
    body = {"rig": "my-rig", "name": "builder", "preset": "dsh", "model": "haiku"}
    made = (await served.operator.post("/api/seats", json=body)).json()
    assert made["env"]["OPENRIG_MODEL"] == "haiku"
    assert made["warnings"]

    async def row() -> dict[str, Any]:
        rig = (await served.operator.get("/api/rigs/summary")).json()[0]["id"]
        rows = (await served.operator.get(f"/api/rigs/{rig}/nodes")).json()
        answer: dict[str, Any] = rows[0]["runner"]
        return answer

    seen = await row()
    assert seen["model"] == {"declared": "haiku", "effective": "unknown"}
    assert (seen["preset"], seen["presetFile"], seen["limits"]) == ("dsh", "same", ["no fork"])
    assert (seen["declaration"]["runner"], seen["declaration"]["passesModel"]) == (True, True)
    assert (seen["readiness"], seen["ready"], seen["launch"]["kind"]) == ("pending", False, "new")
    file.write_text(BASE.format(name="dsh"))
    seen = await row()
    assert (seen["presetFile"], seen["declaration"]["runner"]) == ("changed", True)

    file.write_text("runner: [")
    refusal = await served.operator.post("/api/seats/builder@my-rig/relaunch", json={})
    assert refusal.status_code == 400
    assert refusal.json()["error"] == "invalid_preset"
    assert str(file) in refusal.json()["message"]


def test_a_changed_file_that_cant_be_told_of_disturbs_nobody(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(daemon, RUNNER)
    launch(daemon)
    write(daemon, "")

    def broken(*_: object) -> None:
        raise sqlite3.OperationalError("disk full")

    with monkeypatch.context() as broken_store:
        broken_store.setattr(daemon.store, "put_seat", broken)
        presets.refresh(daemon.core)
    assert daemon.seat().preset_file is PresetFile.SAME
    presets.refresh(daemon.core)
    assert daemon.seat().preset_file is PresetFile.CHANGED
