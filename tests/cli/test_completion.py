"""What a shell offers next, and the manual."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rig_tui.cli.commands import COMMANDS
from rig_tui.cli.completion import SHELLS
from tests.cli.shell import run

if TYPE_CHECKING:
    from tests.client.real_daemon import RealDaemon

pytestmark = pytest.mark.usefixtures("no_settings")
HOSTILE = [
    {"optionId": "ok", "name": "Allow", "kind": "allow_once"},
    {"optionId": "$(reboot)", "name": "Reject", "kind": "reject_once"},
]


@pytest.fixture(scope="module")
def ask(daemon: RealDaemon) -> str:
    daemon.register("ana")
    return daemon.ask(daemon.seat("builder"), "Run", HOSTILE)


def offered(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    code, out, err = run(capsys, "complete", "--", *words)
    assert (code, err) == (0, "")
    return out.splitlines()


def test_commands_flags_and_choices_are_offered(capsys: pytest.CaptureFixture[str]) -> None:
    assert offered(capsys, "cl") == ["close", "clear-attention"]
    assert "complete" not in offered(capsys, "")
    assert offered(capsys, "close", "x", "--how", "d") == ["drop", "done", "denied"]
    assert offered(capsys, "close", "x", "--pe") == ["--permit"]
    assert "--home" in offered(capsys, "--as", "ana", "seats", "--")
    assert offered(capsys, "people", "re") == ["remove"]
    assert offered(capsys, "daemon", "st") == ["start", "status", "stop"]
    assert offered(capsys, "clear-attention", "x", "--reason", "") == []


def test_what_the_daemon_knows_is_offered_and_nothing_a_shell_could_run(
    daemon: RealDaemon, ask: str, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ("--home", str(daemon.home))
    assert offered(capsys, *at, "answer", "") == [ask]
    assert offered(capsys, *at, "answer", ask, "") == ["ok"]
    assert offered(capsys, *at, "timeline", "bu") == ["builder@my-rig"]
    assert offered(capsys, *at, "route", ask, "") == ["ana"]
    assert offered(capsys, *at, "who-is-asked", "builder@my-rig", "--to", "") == ["ana"]


def test_without_a_daemon_nothing_is_offered_and_nothing_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert offered(capsys, "--home", str(tmp_path), "answer", "") == []


def test_bash_completes_a_name_it_takes_apart(
    daemon: RealDaemon, tmp_path: Path, capsys: pytest.CaptureFixture[str], ask: str
) -> None:
    code, script, _ = run(capsys, "completion", "bash")
    assert code == 0
    line = f"rig-tui --home {daemon.home} show {ask[:12]}"
    typed = f"{script}\nCOMP_LINE='{line}' COMP_POINT={len(line)}\n_rig_tui\necho ${{COMPREPLY[@]}}"
    line = f"rig-tui --home {daemon.home} timeline builder@"
    typed += f"\nCOMP_LINE='{line}' COMP_POINT={len(line)}\n_rig_tui\necho ${{COMPREPLY[@]}}"
    done = subprocess.run(
        ["bash", "-c", typed],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )
    assert done.stdout == f"{ask}\nmy-rig\n"
    assert done.stderr == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_has_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, script, _ = run(capsys, "completion", shell)
    assert code == 0
    assert "complete -- " in script
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=script, text=True, check=True)


def test_the_manual_names_every_command_and_flag(capsys: pytest.CaptureFixture[str]) -> None:
    code, page, _ = run(capsys, "man")
    assert code == 0
    for command in COMMANDS:
        heading = f".SS {command.name}".replace("-", r"\-")
        assert (heading in page) != command.hidden
    assert r"\-\-remembered" in page
    groff = shutil.which("groff")
    if groff is not None:
        drawn = subprocess.run(
            [groff, "-man", "-Tutf8", "-ww"], input=page, text=True, check=True, capture_output=True
        )
        assert drawn.stderr == ""
        plain = re.sub(".\b|\x1b\\[[0-9;]*m", "", drawn.stdout)
        assert "clear-attention SEAT" in plain
