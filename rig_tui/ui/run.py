"""Run the console in this process's terminal.

Only what the first frame needs is imported here: the client and the models come in
on a thread, once that frame is out.
"""

from __future__ import annotations

import getpass
import os
import subprocess
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING

from rig_tui.actions.keymap import keymap_of
from rig_tui.client.receipts import NAME, Journal
from rig_tui.domain.model import Fleet
from rig_tui.domain.view import Shows, View
from rig_tui.settings import inside_seat, state_folder
from rig_tui.ui import sequences, themes
from rig_tui.ui.app import RigApp
from rig_tui.ui.notifier import Means, policy_of
from rig_tui.ui.present.glyphs import ASCII, UNICODE, Glyphs
from rig_tui.ui.setup import Setup
from rig_tui.ui.terminal import OutlivingDriver, keep_title, leave_on_signals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rig_tui.client.backend import Backend
    from rig_tui.settings import Overrides, Settings
    from rig_tui.settings.values import Notifications

THEMES = {
    "dark": themes.DARK.name,
    "light": themes.LIGHT.name,
    "contrast": themes.CONTRAST.name,
    "mono": themes.MONO.name,
}


def run_tui(settings: Settings, overrides: Overrides) -> int:
    """Run the console until the operator leaves; gives the exit code.

    `DEMO_EXIT` instead of one says that the operator asked for the demo.

    Raises:
        SettingsError: A key of the settings can't be given to its action.
    """
    environ: Mapping[str, str] = {} if overrides.demo else os.environ
    calls = settings.notifications
    app = RigApp(
        Setup(
            open_backend=_opener(settings, overrides, environ),
            now=lambda: datetime.now().astimezone(),  # noqa: TID251 (an edge)
            monotonic=time.monotonic,
            fleet=Fleet(acting_as=settings.acting_as, demo=overrides.demo),
            barred=_barred(environ),
            login=_login(),
            theme=themes.MONO.name if "NO_COLOR" in os.environ else THEMES[settings.theme],
            glyphs=_glyphs(settings),
            start_daemon=_starter(overrides),
            next_ask=settings.answer.next,
            arm=settings.answer.arm_ms / 1000,
            hold=settings.answer.hold_ms / 1000,
            reads_first=settings.answer.read_first,
            keymap=keymap_of(settings),
            view=_view(settings),
            dense=settings.density == "compact",
            still=settings.motion == "none",
            mouse=settings.mouse,
            copy=settings.copy,
            journal=_journal(overrides),
            means=_means(calls, os.environ),
            policy=policy_of(calls),
            tmux_depth=_tmux_depth(calls, os.environ),
        )
    )
    app.driver_class = OutlivingDriver
    with leave_on_signals(app), keep_title(calls.title):
        app.run(mouse=settings.mouse)
    if app.return_value is not None:
        return app.return_value
    return app.return_code or 0


def _glyphs(settings: Settings) -> Glyphs:
    if settings.glyphs == "auto":
        return UNICODE if _speaks_unicode() else ASCII
    return UNICODE if settings.glyphs == "unicode" else ASCII


def _view(settings: Settings) -> View:
    chosen = settings.filter
    return View(chosen.text, Shows(chosen.state), chosen.mine, chosen.flat)


def _means(calls: Notifications, environ: Mapping[str, str]) -> Means:
    channel = sequences.channel_of(environ) if calls.terminal == "auto" else calls.terminal
    return Means(calls.bell, channel, calls.title, calls.command)


def _tmux_depth(calls: Notifications, environ: Mapping[str, str]) -> int:
    found = calls.tmux_depth
    return sequences.tmux_depth_of(environ) if found is None else found


def _opener(
    settings: Settings, overrides: Overrides, environ: Mapping[str, str]
) -> Callable[[Callable[[], str]], Backend]:
    def open_backend(actor: Callable[[], str]) -> Backend:
        from rig_tui.client.local import local_backend

        return local_backend(overrides, settings, environ, program="tui", actor=actor)

    return open_backend


def _starter(overrides: Overrides) -> Callable[[], str]:
    """Start a daemon that outlives this process, and say how that went."""
    home = ["--home", str(overrides.home)] if overrides.home is not None else []

    def start() -> str:
        done = subprocess.run(
            [sys.executable, "-m", "rig_tui", "daemon", "start", "--json", *home],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            return "A daemon is started. It stays when this console leaves."
        return f"It couldn't be started: {(done.stderr or done.stdout).strip()}"

    return start


def _journal(overrides: Overrides) -> Journal:
    """The operator's journal, or a demo's own, which goes with it."""
    folder = overrides.home if overrides.demo and overrides.home else state_folder()
    return Journal(folder / NAME)


def _barred(environ: Mapping[str, str]) -> str:
    variable = inside_seat(environ)
    if variable is None:
        return ""
    return f"this terminal is inside a seat ({variable} is set); answer from another one"


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


def _speaks_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
