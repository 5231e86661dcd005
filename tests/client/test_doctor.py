"""What a doctor makes of terminals, files and daemons."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from rig_tui.client.doctor import (
    Finding,
    KnownFile,
    Level,
    TerminalFacts,
    account_finding,
    clock_finding,
    daemon_findings,
    file_findings,
    people_finding,
    terminal_findings,
)
from rig_tui.domain.model import People, Person
from tests.builders import a_seat

if TYPE_CHECKING:
    from pathlib import Path

    from tests.client.conftest import Console
    from tests.client.scripted_daemon import ScriptedDaemon

ANA, BEN = Person("ana", "Ana"), Person("ben", "Ben")
GOOD = TerminalFacts(True, 160, 50, "xterm-256color", "truecolor")


def judged(facts: TerminalFacts) -> dict[str, Finding]:
    return {finding.check: finding for finding in terminal_findings(facts)}


def test_a_good_terminal_has_no_problem_and_its_clipboard_can_not_be_vouched_for() -> None:
    found = judged(GOOD)
    assert {f.check for f in found.values() if f.level is not Level.OK} == {"clipboard"}
    assert found["size"].words == "160×50"


@pytest.mark.parametrize(
    ("facts", "check", "level", "fix"),
    [
        (replace(GOOD, columns=39), "size", Level.PROBLEM, "40×12"),
        (replace(GOOD, rows=20), "size", Level.NOTE, "80×24"),
        (replace(GOOD, term="dumb"), "colours", Level.PROBLEM, "--plain"),
        (replace(GOOD, encoding="ISO-8859-1"), "encoding", Level.NOTE, "UTF-8"),
        (replace(GOOD, tmux=True), "tmux pass-through", Level.NOTE, "allow-passthrough on"),
        (
            replace(GOOD, tmux=True, clipboard="off"),
            *("tmux clipboard", Level.NOTE, "set-clipboard on"),
        ),
    ],
)
def test_what_is_amiss_is_named_with_its_fix(
    facts: TerminalFacts, check: str, level: Level, fix: str
) -> None:
    finding = judged(facts)[check]
    assert finding.level is level
    assert fix in finding.fix


def test_colours_are_those_the_environment_promises() -> None:
    assert judged(GOOD)["colours"].words == "16 million"
    assert judged(replace(GOOD, colour=""))["colours"].words == "256, by TERM=xterm-256color"
    assert "NO_COLOR" in judged(replace(GOOD, plain=True))["colours"].words
    assert judged(replace(GOOD, tmux=True, passthrough="on"))["tmux pass-through"].words == "on"
    assert judged(TerminalFacts(False)).keys() == {"tty"}


def test_a_file_that_others_can_get_at_is_a_problem_and_a_missing_one_none(tmp_path: Path) -> None:
    token = tmp_path / "operator-endpoint.json"
    token.write_text("{}")
    token.chmod(0o640)
    known = [KnownFile(token, "token", 0o600), KnownFile(tmp_path / "no", "other", 0o600)]
    (finding,) = file_findings(known)
    assert (finding.level, finding.fix) == (Level.PROBLEM, f"chmod 600 {token}")
    token.chmod(0o600)
    (finding,) = file_findings(known)
    assert finding.level is Level.OK


def test_one_account_for_people_and_agents_is_called_a_seat_belt() -> None:
    assert "not a wall" in account_finding(None).words
    assert "OPENRIG_LAUNCH_ATTEMPT" in account_finding("OPENRIG_LAUNCH_ATTEMPT").words


async def looked_at(console: Console, *, searched: bool = False) -> dict[str, Finding]:
    (candidate,) = console.discovery().candidates
    found = await daemon_findings(candidate, console.backend, searched=searched)
    return {finding.check: finding for finding in found}


async def test_a_daemon_is_judged_by_what_it_says_of_itself(
    console: Console, daemon: ScriptedDaemon
) -> None:
    daemon.seats = (a_seat(),)
    found = await looked_at(console)
    assert found["reachable"].level is Level.OK
    assert "version 9.9, contract 0.7.9" in found["version"].words
    assert "a token file" in found["token"].words
    assert daemon.token not in "".join(finding.words for finding in found.values())
    assert "reply" in found["capabilities"].words
    assert found["clock"].level is Level.OK


@pytest.mark.parametrize(
    ("people", "level", "fix"),
    [
        (People(), Level.PROBLEM, "people add"),
        (People((ANA, BEN)), Level.PROBLEM, "people default"),
        (People((ANA,), default="zoe"), Level.PROBLEM, "people default"),
        (People((ANA,), readable=False), Level.PROBLEM, "daemon logs"),
        (People((ANA,)), Level.OK, ""),
        (People((ANA, BEN), default="ben"), Level.OK, ""),
    ],
)
def test_people_of_whom_nobody_can_be_asked_are_a_problem_with_its_fix(
    people: People, level: Level, fix: str
) -> None:
    finding = people_finding("here", people)
    assert finding.level is level
    assert fix in finding.fix


@pytest.mark.parametrize(
    ("seconds", "level"), [(1, Level.OK), (-10, Level.NOTE), (31, Level.PROBLEM)]
)
def test_clocks_that_disagree_are_noted_and_far_apart_a_problem(seconds: int, level: Level) -> None:
    assert clock_finding("here", timedelta(seconds=seconds)).level is level


async def test_a_daemon_that_does_not_answer_is_a_problem_unless_it_was_only_searched_for(
    console: Console, daemon: ScriptedDaemon
) -> None:
    await daemon.stop()
    assert (await looked_at(console))["reachable"].level is Level.PROBLEM
    assert (await looked_at(console, searched=True))["reachable"].level is Level.NOTE
    daemon.proof = False
    await daemon.start()
    finding = (await looked_at(console, searched=True))["reachable"]
    assert finding.level is Level.PROBLEM
    assert "no token was sent there" in finding.fix
