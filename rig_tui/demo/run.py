"""Run a console over a demo that can't outlive it."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rig_tui.demo.people import OPERATOR
from rig_tui.domain.inert import inert_block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["OPERATOR", "DemoError", "main", "running_demo"]

_ENDS_WITHIN = 5.0


class DemoError(Exception):
    """The demo couldn't be started; the message is for the reader."""


def main(run_tui: Callable[[Path, str], int]) -> int:
    """Start the demo, run the console over it, and end the demo with it.

    Args:
        run_tui: Takes the demo's home and the entity id to act as; gives an exit code.
    """
    try:
        with running_demo() as home:
            return run_tui(home, OPERATOR)
    except DemoError as error:
        sys.stderr.write(f"{inert_block(str(error))}\n")
        return 1


@contextmanager
def running_demo() -> Iterator[Path]:
    """Give the home of a demo that ends with this block or this process.

    Raises:
        DemoError: It couldn't be started; nothing is left behind.
    """
    # Only this process holds the pipe's write end: subprocess makes it close-on-exec.
    # A session of its own keeps the terminal's signals for the console.
    supervisor = subprocess.Popen(
        [sys.executable, "-m", "rig_tui.demo.supervisor"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd="/",
        start_new_session=True,
    )
    assert supervisor.stdin is not None
    assert supervisor.stdout is not None
    try:
        yield _home_told(supervisor.stdout.readline())
    finally:
        supervisor.stdin.close()
        try:
            supervisor.wait(_ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            supervisor.kill()
            supervisor.wait()
        supervisor.stdout.close()


def _home_told(line: bytes) -> Path:
    try:
        told = json.loads(line)
    except ValueError:
        told = {"error": line.decode(errors="replace").strip() or "its supervisor said nothing"}
    if "home" not in told:
        raise DemoError(
            f"rig-tui: the demo couldn't be started: {told['error']}. Nothing was left behind."
        )
    return Path(told["home"])
