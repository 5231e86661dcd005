"""`rig-tui run`: what one run is asked to do, its terminal, its exit code."""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from rig_tui.client.discovery import discover
from rig_tui.client.runner_launch import RunnerEnv, RunnerEnvError
from rig_tui.runner import command as commands
from rig_tui.runner import declaring
from rig_tui.runner.host import Host, Launch
from rig_tui.runner.pane import Pane, raw
from rig_tui.settings import SettingsError, load

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence

    from rig_tui.settings import Overrides


def main(given: Namespace, overrides: Overrides, environ: Mapping[str, str]) -> int:
    """Run an agent in the seat that was named, else in the one the environment names."""
    pane = Pane(sys.stdout.fileno(), draws=sys.stdin.isatty() and sys.stdout.isatty())
    try:
        environ = {**environ, **_seat(given, overrides, environ)}
        launch = _launch(given.program, environ, given.env)
    except (RunnerEnvError, commands.CommandError, declaring.DeclareError) as error:
        pane.say(f"rig-tui run: {error}")
        return 2
    logging.basicConfig(level=logging.WARNING, handlers=[_PaneLog(pane)])
    with ExitStack() as stack:
        if sys.stdin.isatty():
            stack.enter_context(raw(sys.stdin.fileno()))
        return asyncio.run(Host(launch, pane, sys.stdin.fileno()).run())


def _seat(given: Namespace, overrides: Overrides, environ: Mapping[str, str]) -> Mapping[str, str]:
    if given.seat is None:
        if given.preset is not None or given.resume:
            raise SettingsError("--preset and --resume go with --seat: a launch brings its own")
        return {}
    if not all(given.seat.partition("@")):
        raise SettingsError(f"--seat wants NAME@RIG, not {given.seat}")
    daemon = discover(overrides, load(overrides, environ), environ).candidates[0]
    return declaring.launch(daemon, given.seat, given.preset, resume=given.resume)


def _launch(program: Sequence[str], environ: Mapping[str, str], names: Sequence[str]) -> Launch:
    if not program:
        raise SettingsError("run wants the agent's command after --")
    first_input = environ.get("OPENRIG_FIRST_INPUT")
    try:
        # Bytes, since reading it as text would change its line ends.
        given = Path(first_input).read_bytes().decode() if first_input else None
    except (OSError, UnicodeDecodeError) as error:
        raise commands.CommandError(
            f"The first input can't be given to the agent, so it wasn't started: {error}"
        ) from error
    return Launch(
        command=commands.with_model(program, environ.get("OPENRIG_MODEL") or None),
        env=RunnerEnv.from_environ(environ),
        agent_environ=commands.environment(environ, names),
        folder=str(Path.cwd()),
        first_input=given,
        resume_ref=environ.get("OPENRIG_RESUME_REF") or None,
    )


class _PaneLog(logging.Handler):
    """Puts what libraries report into the pane, where raw text would steer the terminal."""

    def __init__(self, pane: Pane) -> None:
        super().__init__()
        self._pane = pane

    def emit(self, record: logging.LogRecord) -> None:
        self._pane.say(f"{record.name}: {record.getMessage()}")
