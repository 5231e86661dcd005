"""Launch records that come late, or again: kept, told, and applied only by an operator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import launch_records, launches, seats
from rig_tui.daemon.launch_records import MOST_EVIDENCE
from rig_tui.daemon.reply import RefusedError
from rig_tui.daemon.timekeeper import GLANCE_EVERY, Timekeeper
from rig_tui.domain.launching import LaunchReport
from tests.rules import rule

if TYPE_CHECKING:
    from rig_tui.domain.model import Launch
    from tests.daemon.harness import Daemon, Runner, Served


@pytest.fixture
def runner(daemon: Daemon) -> Runner:
    return daemon.runner(preset="dsh", resume=True)


def watch(daemon: Daemon) -> None:
    launch_records.watch(daemon.core, list(daemon.core.seats))


def give_up(daemon: Daemon) -> None:
    daemon.clock.advance(60)
    watch(daemon)


def launch(daemon: Daemon) -> Launch:
    found = daemon.seat().launch
    assert found is not None
    return found


def recheck(daemon: Daemon, runner: Runner) -> dict[str, Any]:
    record = daemon.core.seats[runner.session_name]
    reply = launch_records.recheck(daemon.core, record, "ana@external", None)
    assert isinstance(reply.body, dict)
    return reply.body


@rule("A-44", "D3-04")
def test_a_late_record_is_evidence_and_nothing_else(daemon: Daemon, runner: Runner) -> None:
    give_up(daemon)
    assert "No such file" in launch(daemon).detail
    daemon.clock.advance(5)
    runner.report(nativeRef="late-1", producer="dsh-seat 0.3")
    keeper = Timekeeper(daemon.core)
    keeper.tick()

    came = daemon.clock()
    assert launch(daemon).evidence == (LaunchReport(came, "late-1", None, "dsh-seat 0.3", True),)
    assert launch(daemon).outcome == "none"
    assert daemon.seat().identity is None
    assert daemon.seat().launch_attention
    assert "late-1" in daemon.seat().notices[0]
    newest = daemon.core.events.newest
    daemon.clock.advance(GLANCE_EVERY)
    keeper.tick()
    assert daemon.core.events.newest == newest, "it is told once"


@rule("A-44", "D3-03")
def test_an_operators_re_check_applies_a_late_record(daemon: Daemon, runner: Runner) -> None:
    give_up(daemon)
    with pytest.raises(RefusedError) as caught:
        recheck(daemon, runner)
    assert caught.value.code == "no_usable_record"
    assert launch(daemon).outcome == "none"

    runner.report(nativeRef="late-1", producer="dsh-seat 0.3")
    answer = recheck(daemon, runner)

    assert answer["seat"]["runner"]["launch"]["outcome"] == "reported"
    assert answer["seat"]["runner"]["identity"] == {
        "nativeRef": "late-1",
        "source": "launcher_reported",
        "producer": "dsh-seat 0.3",
    }
    assert "ana@external" in launch(daemon).detail
    assert not daemon.seat().launch_attention
    with pytest.raises(RefusedError) as caught:
        recheck(daemon, runner)
    assert caught.value.code == "launch_settled"


@rule("A-44", "D8-04", "D8-05")
@pytest.mark.parametrize(
    ("record", "outcome", "attention"),
    [
        ({"nativeRef": "old"}, "resumed", False),
        ({"nativeRef": "other"}, "mismatch", True),
        ({"error": "missing"}, "missing", True),
        ({"error": ""}, "unconfirmed", True),
    ],
)
def test_a_re_checked_resume_ends_as_its_record_says(
    daemon: Daemon, runner: Runner, record: dict[str, str], outcome: str, attention: bool
) -> None:
    runner.report(nativeRef="old")
    watch(daemon)
    again = daemon.relaunch(runner, resume=True)
    give_up(daemon)
    assert launch(daemon).outcome == "unconfirmed"
    again.report(**record)
    recheck(daemon, again)
    assert (launch(daemon).outcome, daemon.seat().launch_attention) == (outcome, attention)
    identity = daemon.seat().identity
    assert identity is not None
    assert identity.native_ref == "old"


@rule("D3-09")
def test_a_rewritten_record_is_noted_and_changes_nothing(daemon: Daemon, runner: Runner) -> None:
    runner.report(nativeRef="first")
    watch(daemon)
    runner.report(nativeRef="first", producer="another version")
    launch_records.look_again(daemon.core)
    assert launch(daemon).evidence == (), "it says the same"

    for again in ("second", "third"):
        daemon.clock.advance(1)
        runner.report(nativeRef=again)
        launch_records.look_again(daemon.core)
    runner.report(nativeRef="first")
    launch_records.look_again(daemon.core)

    assert [report.native_ref for report in launch(daemon).evidence] == ["second", "third"]
    assert not any(report.late for report in launch(daemon).evidence)
    assert [n for n in daemon.seat().notices if "second" in n] == [], "the newest notice stands"
    assert "third" in daemon.seat().notices[0]
    identity = daemon.seat().identity
    assert identity is not None
    assert identity.native_ref == "first"
    assert launch(daemon).outcome == "reported"
    with pytest.raises(RefusedError) as caught:
        recheck(daemon, runner)
    assert caught.value.code == "launch_settled"


@rule("D3-09", "D3-08")
def test_an_error_that_decided_isnt_taken_back(daemon: Daemon, runner: Runner) -> None:
    runner.report(error="missing")
    watch(daemon)
    assert "missing" in launch(daemon).detail
    runner.report(nativeRef="found after all")
    launch_records.look_again(daemon.core)
    assert launch(daemon).outcome == "none"
    assert daemon.seat().identity is None
    assert [report.late for report in launch(daemon).evidence] == [False]


def test_evidence_is_bounded(daemon: Daemon, runner: Runner) -> None:
    give_up(daemon)
    for number in range(MOST_EVIDENCE + 3):
        runner.report(nativeRef=f"c{number}")
        launch_records.look_again(daemon.core)
    assert len(launch(daemon).evidence) == MOST_EVIDENCE
    assert len(daemon.seat().notices) == 1


@rule("A-44", "D3-02")
def test_late_evidence_survives_the_process_and_ends_with_its_launch(
    daemon: Daemon, runner: Runner
) -> None:
    give_up(daemon)
    assert runner.result_path
    Path(runner.result_path).write_text('{"format": 1')
    launch_records.look_again(daemon.core)
    assert launch(daemon).evidence == (), "half a record is none"
    daemon.restart()
    runner.report(nativeRef="late")
    launch_records.look_again(daemon.core)
    daemon.restart()
    assert [report.native_ref for report in launch(daemon).evidence] == ["late"]

    launches.stop(daemon.core, daemon.core.seats[runner.session_name], None)
    runner.report(nativeRef="later")
    launch_records.look_again(daemon.core)
    assert len(launch(daemon).evidence) == 1
    with pytest.raises(RefusedError):
        recheck(daemon, runner)


@rule("A-14", "A-44")
def test_an_operators_clear_leaves_the_launch_to_be_re_checked(
    daemon: Daemon, runner: Runner
) -> None:
    give_up(daemon)
    seats.clear_attention(
        daemon.core, runner.session_name, by="ana@external", reason="seen", key=None
    )
    assert not daemon.seat().launch_attention
    runner.report(nativeRef="late")
    recheck(daemon, runner)
    assert launch(daemon).outcome == "reported"


@rule("A-44")
async def test_a_re_check_over_http_needs_the_operator(served: Served) -> None:
    runner = await served.seat(preset="dsh")
    give_up(served.daemon)
    runner.report(nativeRef="late")
    path = "/api/seats/builder@my-rig/recheck-launch"
    assert (await served.hooks.post(path)).status_code == 401
    assert launch(served.daemon).outcome == "none"
    key = {"Idempotency-Key": "k"}
    answer = await served.operator.post(path, headers=key)
    assert answer.status_code == 200
    assert answer.json()["seat"]["runner"]["launch"]["outcome"] == "reported"
    assert (await served.operator.post(path, headers=key)).content == answer.content
    assert (await served.operator.post(path)).json()["error"] == "launch_settled"
