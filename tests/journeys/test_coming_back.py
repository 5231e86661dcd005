"""A console put in the background, and one that breaks: the shell is usable, nothing answers."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.journeys import stage
from tests.journeys.broken_console import SECRET
from tests.journeys.stage import ALLOW, CONSOLE, REJECT
from tests.journeys.terminal import Terminal
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.journeys.stage import Daemon, Runner

    StartRunner = Callable[..., Runner]

BROKEN = Path(__file__).with_name("broken_console.py")
SUSPEND = "\x1a"
SHOWN_AGAIN = "has only just appeared"


@rule("T7-06", "T7-25")
def test_brought_back_from_the_background_it_takes_no_key_that_was_typed_ahead(
    daemon: Daemon, runner: StartRunner
) -> None:
    asking = runner(ALLOW, REJECT)
    shell = shutil.which("bash")
    assert shell is not None
    env = stage.environment(daemon.folder) | {"PS1": "shell> "}
    screen = Terminal([shell, "--norc", "--noprofile", "-i"], env, daemon.folder)
    try:
        screen.wait_for("shell>")
        screen.type(shlex.join([*CONSOLE, "--home", str(daemon.home)]) + "\r")
        screen.wait_for("armed ·")
        taken = screen.modes()

        screen.press(SUSPEND)

        screen.wait_for("Stopped")
        assert restored(screen)
        screen.type("fg\ra")
        screen.wait_for(SHOWN_AGAIN)
        assert screen.modes() == taken
        screen.wait_for("armed ·")
        assert daemon.ask(asking.ask_id)["state"] == "pending"
        screen.press("a")
        assert asking.got() == f"optionId={ALLOW['optionId']}"
        screen.press("q")
        screen.wait_for("shell>")
        screen.type("exit\r")
        assert screen.ended() == 0
        assert restored(screen)
    finally:
        print(screen.picture())
        screen.close()


@rule("T7-25")
def test_a_console_that_fails_restores_the_terminal_and_says_what_that_means(
    daemon: Daemon, runner: StartRunner
) -> None:
    asking = runner(ALLOW, REJECT)
    env = stage.environment(daemon.folder)
    screen = Terminal([sys.executable, str(BROKEN), "--home", str(daemon.home)], env, daemon.folder)
    try:
        screen.wait_for("armed ·")
        screen.press("?")
        assert screen.ended() == 1
        assert restored(screen)
        assert screen.settings_kept
        said = after_the_frames(screen)
        assert "rig-tui failed and had to end. That sent nothing" in said
        assert r"RuntimeError: broken \x1b]0;owned\x07\u202e" in said
        assert not re.search("[^\n\r -~]", said)
        assert SECRET not in said
        assert asking.waits()
        assert daemon.ask(asking.ask_id)["state"] == "pending"
    finally:
        print(screen.picture())
        screen.close()


def restored(screen: Terminal) -> bool:
    """Whether the ordinary screen, the cursor and the mouse are the terminal's again."""
    modes = screen.modes()
    return modes[25] and modes[7] and not any(modes[mode] for mode in (1049, 1000, 1003, 1006))


def after_the_frames(screen: Terminal) -> str:
    """What was written once the terminal was given back, without its own sequences."""
    last = screen.written.rindex(b"\x1b[?1049l")
    return re.sub(r"\x1b(?:\[[\d;?<>]*[a-zA-Z]|\][^\x07]*\x07)", "", screen.written[last:].decode())
