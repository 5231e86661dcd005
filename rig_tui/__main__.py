"""Which process to be, and its exit code.

Rule of this file: nothing is imported before it is known to be needed; the console's
first frame waits for whatever is.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from rig_tui.cli import argv
from rig_tui.settings import (
    Overrides,
    Settings,
    SettingsError,
    actor,
    default_home,
    load,
    state_folder,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `rig-tui` with these arguments."""
    try:
        overrides, rest = argv.split(sys.argv[1:] if arguments is None else arguments)
        if not rest:
            return _console(load(overrides, os.environ), overrides)
        return _command(overrides, argv.parse(rest))
    except SettingsError as error:
        from rig_tui.domain.inert import inert_block

        sys.stderr.write(f"rig-tui: {inert_block(str(error))}\n")
        return 2


def _command(overrides: Overrides, given: argparse.Namespace) -> int:
    if given.version:
        from rig_tui import __version__

        sys.stdout.write(f"rig-tui {__version__}\n")
        return 0
    if given.plain and given.command is None:
        from rig_tui.cli import plain

        return plain.run(overrides, os.environ, _command, sys.stdin)
    match given.command:
        case None:
            return _console(load(overrides, os.environ), overrides)
        case "demo":
            return _demo(overrides)
        case "daemon":
            return _daemon(overrides, given)
        case "run":
            from rig_tui.runner import run as runner

            return runner.main(given, overrides, os.environ)
        case "config":
            from rig_tui.cli.config import print_config

            return print_config(load(overrides, os.environ), os.environ, as_json=given.as_json)
        case "actions":
            from rig_tui.cli.actions import print_actions

            return print_actions(load(overrides, os.environ), as_json=given.as_json)
        case "doctor":
            from rig_tui.cli import doctor

            return doctor.run(given, overrides, os.environ)
        case "completion":
            from rig_tui.cli.completion import print_script

            return print_script(given.shell)
        case "complete":
            from rig_tui.cli.completion import print_candidates

            return print_candidates(given.words, os.environ)
        case "man":
            from rig_tui.cli.manual import print_manual

            return print_manual()
        case "receipts":
            from rig_tui.cli.receipts import print_receipts
            from rig_tui.client.receipts import NAME, Journal

            journal = Journal(state_folder() / NAME)
            return print_receipts(journal, given.id, as_json=given.as_json)
        case _:
            from rig_tui.cli.headless import run

            return run(given, overrides, os.environ)


def _console(settings: Settings, overrides: Overrides) -> int:
    if not _on_a_terminal():
        return 2
    from rig_tui.ui.run import run_tui
    from rig_tui.ui.setup import DEMO_EXIT

    code = run_tui(settings, overrides)
    return _demo(Overrides()) if code == DEMO_EXIT else code


def _demo(overrides: Overrides) -> int:
    if overrides != Overrides():
        raise SettingsError("demo brings its own daemon and its own operator: give it no flags")
    if not _on_a_terminal():
        return 2
    from rig_tui.demo.run import OPERATOR
    from rig_tui.demo.run import main as run_demo
    from rig_tui.ui.run import run_tui

    def console(home: Path, operator: str) -> int:
        settings = Settings(acting_as=actor(operator, OPERATOR))
        return run_tui(settings, Overrides(home=home, demo=True))

    return run_demo(console)


def _daemon(overrides: Overrides, given: argparse.Namespace) -> int:
    if overrides.url is not None:
        raise SettingsError("daemon serves a home on this machine: give --home, not --url")
    home = overrides.home or default_home()
    if given.act is None:
        from rig_tui.daemon import guest, process

        return process.main(
            process.DaemonOptions(
                home,
                given.port,
                tuple(given.allow_host),
                given.launch_wait,
                guest.address(os.environ),
                given.options_max,
            )
        )
    from rig_tui.daemon import detached

    match given.act:
        case "start":
            flags = [f"--options-max={given.options_max}", f"--launch-wait={given.launch_wait}"]
            flags += [f"--allow-host={host}" for host in given.allow_host]
            return detached.start(home, given.port, *flags, as_json=given.as_json)
        case "status":
            return detached.status(home, as_json=given.as_json)
        case "stop":
            return detached.stop(home, force=given.force)
        case _:
            return detached.logs(home, lines=given.lines)


def _on_a_terminal() -> bool:
    # Keys come by the first, the size by the second, and Textual draws on the third.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if all(stream is not None and stream.isatty() for stream in streams):
        return True
    sys.stderr.write(
        "rig-tui: the console needs a terminal; without one use rig-tui seats or rig-tui asks\n"
    )
    return False


if __name__ == "__main__":
    sys.exit(main())
