"""The line mode: everything by lines, and nothing drawn."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from rig_tui.cli.commands import COMMANDS
from rig_tui.cli.plain import ELSEWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.client.real_daemon import RealDaemon

pytestmark = pytest.mark.usefixtures("no_settings")


class Talk:
    """A session of the line mode in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout
        self.said: list[str] = []

    def type(self, line: str) -> None:
        self._in.write(f"{line}\n")
        self._in.flush()

    def until(self, words: str) -> str:
        """The next line that holds these words."""
        for line in self._out:
            self.said.append(line)
            if words in line:
                return line
        raise AssertionError(f"{words!r} was never said: {self.said}")


@contextmanager
def talk(daemon: RealDaemon) -> Iterator[tuple[Talk, subprocess.Popen[str]]]:
    with subprocess.Popen(
        [sys.executable, "-m", "rig_tui", "--plain", "--home", str(daemon.home)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        try:
            yield Talk(process), process
        finally:
            process.kill()


def test_an_ask_is_heard_of_and_answered_by_lines_without_a_control_byte(
    daemon: RealDaemon,
) -> None:
    daemon.register("ana")
    seat = daemon.seat("builder")
    first = daemon.ask(seat, "Run \x1b[2J tests")
    with talk(daemon) as (t, process):
        t.until("answering as ana@external")
        line = t.until("#1 builder@my-rig")
        assert "yes: Allow, allow once; no: Reject, reject once" in line
        t.until("Leaving answers nothing")
        daemon.ask(seat, "Read a file")
        assert "ask opened: builder@my-rig" in t.until("#2")
        t.type("close #2 --how drop")
        t.until("Give --permit to do it")
        t.until("Exit code 6")
        t.type("")
        t.type("yes")
        t.until("invalid choice")
        t.type("answer #1 no")
        t.until("Reject (reject once): the agent gets ‘Reject’")
        t.until("ask closed: builder@my-rig")
        t.type("seats")
        assert "rig my-rig, seat builder, reads needs input" in t.until("seat builder")
        t.type("deny #9")
        t.until("no ask has the number #9")
        t.type("asks")
        t.until("1 waiting")
        t.type("help")
        t.until("help COMMAND tells more")
        for command in COMMANDS:
            heard = any(line.startswith(command.name) for line in t.said)
            assert heard or command.name in ELSEWHERE, command.name
        t.type("quit")
        assert process.wait(timeout=60) == 0
        assert not [line for line in t.said if line.startswith("people: ")], "no news"
        assert "\x1b" not in "".join(t.said)
        assert "\r" not in "".join(t.said)
    state = daemon.get(f"/api/queue/{first}")["permission"]
    assert (state["state"], state["optionId"]) == ("answered", "no")


def test_the_end_of_the_lines_is_the_end_and_no_daemon_is_5(daemon: RealDaemon) -> None:
    here = [sys.executable, "-m", "rig_tui", "--plain", "--home"]
    done = subprocess.run(
        [*here, str(daemon.home)], input="people\n", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "Leaving answers nothing" in done.stdout
    gone = subprocess.run(
        [*here, str(daemon.home / "nowhere")], input="", capture_output=True, text=True, check=False
    )
    assert (gone.returncode, gone.stdout) == (5, "")
