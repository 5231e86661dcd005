"""`rig-tui doctor`: what is wrong here, and what mends it."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from contextlib import aclosing
from itertools import groupby
from typing import TYPE_CHECKING

from rig_tui.cli.printing import print_blocks, print_json
from rig_tui.cli.progress import progress
from rig_tui.client import doctor
from rig_tui.client.discovery import ENDPOINT_FILE, Candidate, Discovery, candidate_for, discover
from rig_tui.client.doctor import Finding, KnownFile, Level, TerminalFacts
from rig_tui.client.errors import DiscoveryError
from rig_tui.client.local import backend_at
from rig_tui.client.receipts import NAME
from rig_tui.domain.model import PRIMARY_USER
from rig_tui.settings import config_path, default_home, inside_seat, load, state_folder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from rig_tui.cli.printing import Line
    from rig_tui.settings import Overrides, Settings

_STYLES = {Level.OK: "", Level.NOTE: "yellow", Level.PROBLEM: "bold red"}


def run(given: argparse.Namespace, overrides: Overrides, environ: Mapping[str, str]) -> int:
    """Look at everything; gives 1 when there is a problem, else 0.

    Raises:
        SettingsError: A setting can't be used.
    """
    settings = load(overrides, environ)
    found = [
        *doctor.terminal_findings(_terminal(settings, environ)),
        *asyncio.run(_daemons(overrides, settings, environ)),
        *doctor.file_findings(_files(overrides, environ)),
        doctor.account_finding(inside_seat(environ)),
    ]
    problems = [each for each in found if each.level is Level.PROBLEM]
    if given.as_json:
        print_json(
            [
                {
                    "subject": each.subject,
                    "check": each.check,
                    "level": each.level.value,
                    "words": each.words,
                    "fix": each.fix or None,
                }
                for each in found
            ]
        )
    else:
        print_blocks(_blocks(found), "")
    return 1 if problems else 0


def _blocks(found: list[Finding]) -> Iterator[tuple[Line, ...]]:
    """Findings by what they are about, each problem with its fix below it."""
    for subject, findings in groupby(found, key=lambda each: each.subject):
        lines: list[Line] = [(subject, "bold")]
        for each in findings:
            words = f"  {each.level.value:<8} {each.check}: {each.words}"
            lines.append((words, _STYLES[each.level]))
            if each.fix:
                lines.append((f"{'':11}{each.fix}", ""))
        yield tuple(lines)


def _terminal(settings: Settings, environ: Mapping[str, str]) -> TerminalFacts:
    tty = next(
        (s for s in (sys.stdout, sys.stderr, sys.stdin) if s is not None and s.isatty()), None
    )
    if tty is None:
        return TerminalFacts(present=False)
    size = os.get_terminal_size(tty.fileno())
    inside = bool(environ.get("TMUX"))
    return TerminalFacts(
        present=True,
        columns=size.columns,
        rows=size.lines,
        term=environ.get("TERM", ""),
        colour=environ.get("COLORTERM", ""),
        plain="NO_COLOR" in environ,
        encoding=sys.stdout.encoding or "unknown",
        tmux=inside,
        passthrough=_tmux("allow-passthrough") if inside else None,
        clipboard=_tmux("set-clipboard") if inside else None,
        bell=settings.notifications.bell,
        copy_to_file=settings.copy == "file",
    )


def _tmux(option: str) -> str | None:
    """An option of the tmux around this; None when it can't say."""
    program = shutil.which("tmux")
    if program is None:
        return None
    try:
        said = subprocess.run(
            [program, "show-options", "-gv", option],
            capture_output=True, text=True, timeout=2, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return said.stdout.strip() or None


async def _daemons(
    overrides: Overrides, settings: Settings, environ: Mapping[str, str]
) -> list[Finding]:
    fix = "see the settings file, the flags and the environment: rig-tui config"
    try:
        named = discover(overrides, settings, environ)
        others = [
            candidate_for(daemon, overrides, settings, environ) for daemon in settings.daemons
        ]
    except DiscoveryError as error:
        return [Finding("daemons", "name", Level.PROBLEM, str(error), fix)]
    known = {candidate.base_url for candidate in named.candidates}
    candidates = [*named.candidates, *(each for each in others if each.base_url not in known)]
    found: list[Finding] = []
    async with progress("looking at the daemons"):
        for candidate in candidates:
            found += await _daemon(candidate, searched=named.search)
    if not any(each.check == "version" for each in found) and named.search:
        words = "none was found"
        found.append(Finding("daemons", "any", Level.PROBLEM, words, "rig-tui daemon start"))
    return found


async def _daemon(candidate: Candidate, *, searched: bool) -> list[Finding]:
    alone = Discovery((candidate,), search=False)
    backend = backend_at(lambda: alone, program="cli", actor=lambda: PRIMARY_USER)
    async with aclosing(backend):
        return await doctor.daemon_findings(candidate, backend, searched=searched)


def _files(overrides: Overrides, environ: Mapping[str, str]) -> list[KnownFile]:
    home = overrides.home or default_home()
    state = state_folder()
    return [
        KnownFile(config_path(environ), "settings", 0o755),
        KnownFile(home, "home", 0o700),
        KnownFile(home / ENDPOINT_FILE, "operator token", 0o600),
        KnownFile(home / "daemon.sqlite", "database", 0o600),
        KnownFile(home / "runners" / "activity-endpoint.json", "runner token", 0o600),
        KnownFile(state / NAME, "receipts", 0o600),
    ]
