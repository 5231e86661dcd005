"""What is wrong here, and what mends it: the terminal, each daemon, and the files.

Rule of this file: a probe looks and changes nothing, and each problem names its fix.
"""

from __future__ import annotations

import stat
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from rig_tui.client.errors import ClientError, ForeignError, NotAllowedError
from rig_tui.domain import select
from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.model import Fleet
from rig_tui.domain.reduce import reduce

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from rig_tui.client.discovery import Candidate
    from rig_tui.client.openrig import OpenRigBackend
    from rig_tui.domain.model import People

USABLE: Final = (40, 12)
"""Columns and rows below which asks can't be answered."""
COMFORTABLE: Final = (80, 24)
SKEW_SEEN: Final = timedelta(seconds=2)
SKEW_WRONG: Final = timedelta(seconds=30)
WANTED: Final = (
    *("asks", "answer", "reply", "close", "route", "handoff", "update", "clear-attention"),
    *("permissions-to", "people", "permits", "timeline", "send", "seats"),
)
"""What a console can make use of."""
SEAT_BELT: Final = (
    "Agents that run under your account can read the operator token: refusing to act inside a "
    "seat is a seat belt, not a wall"
)


class Level(StrEnum):
    """How a finding weighs."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing; nothing is broken."""
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    """`terminal`, `files`, or a daemon's address."""
    check: str
    level: Level
    words: str
    fix: str = ""
    """What to do about it."""


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    """What is known of the terminal, without asking it anything."""

    present: bool
    columns: int = 0
    rows: int = 0
    term: str = ""
    colour: str = ""
    """`COLORTERM`."""
    plain: bool = False
    """Whether `NO_COLOR` is set."""
    encoding: str = "utf-8"
    tmux: bool = False
    passthrough: str | None = None
    """tmux's `allow-passthrough`; None when it couldn't be asked."""
    clipboard: str | None = None
    """tmux's `set-clipboard`."""
    bell: bool = True
    """Whether the settings let the bell ring."""
    copy_to_file: bool = False
    """Whether the settings send copies to a file."""


def terminal_findings(facts: TerminalFacts) -> Iterator[Finding]:
    """Judge the terminal."""
    if not facts.present:
        yield _terminal("tty", Level.NOTE, "there is no terminal here; only commands can be used")
        return
    yield _size(facts)
    yield _colours(facts)
    if "utf" in facts.encoding.lower():
        yield _terminal("encoding", Level.OK, facts.encoding)
    else:
        words = f"{facts.encoding} can't show every character; glyphs are drawn in ASCII"
        yield _terminal("encoding", Level.NOTE, words, "set LANG to a UTF-8 locale")
    if facts.tmux:
        yield from _tmux(facts)
    if facts.copy_to_file:
        yield _terminal("clipboard", Level.OK, "copies go to a file, as set")
    else:
        words = "copies go by OSC 52; whether this terminal takes them can't be asked"
        yield _terminal("clipboard", Level.NOTE, words, 'if y copies nothing, set copy = "file"')
    bell = "rings for what needs a person" if facts.bell else "is off, as set"
    yield _terminal("bell", Level.OK, f"the bell {bell}")


def _size(facts: TerminalFacts) -> Finding:
    size = f"{facts.columns}×{facts.rows}"
    for (columns, rows), level, words in (
        (USABLE, Level.PROBLEM, "is too small to answer safely"),
        (COMFORTABLE, Level.NOTE, "shows one pane at a time"),
    ):
        if facts.columns < columns or facts.rows < rows:
            fix = f"make it {columns}×{rows} or larger"
            return _terminal("size", level, f"{size} {words}", fix)
    return _terminal("size", Level.OK, size)


def _colours(facts: TerminalFacts) -> Finding:
    if facts.term in ("", "dumb"):
        words = f"TERM is {facts.term or 'not set'}: the console can't be drawn"
        return _terminal("colours", Level.PROBLEM, words, "use rig-tui --plain, or set TERM")
    if facts.plain:
        return _terminal("colours", Level.OK, "none, because NO_COLOR is set")
    if facts.colour in ("truecolor", "24bit"):
        return _terminal("colours", Level.OK, "16 million")
    few = "256" if "256" in facts.term or "direct" in facts.term else "16"
    return _terminal("colours", Level.OK, f"{few}, by TERM={facts.term}")


def _tmux(facts: TerminalFacts) -> Iterator[Finding]:
    for check, value, fix in (
        ("tmux pass-through", facts.passthrough, "set -g allow-passthrough on"),
        ("tmux clipboard", facts.clipboard, "set -g set-clipboard on"),
    ):
        wanted = f"in tmux.conf: {fix}"
        if value is None:
            yield _terminal(check, Level.NOTE, "tmux couldn't be asked", wanted)
        elif value == "off":
            yield _terminal(check, Level.NOTE, "off: nothing gets through tmux", wanted)
        else:
            yield _terminal(check, Level.OK, value)


def _terminal(check: str, level: Level, words: str, fix: str = "") -> Finding:
    return Finding("terminal", check, level, words, fix)


async def daemon_findings(
    candidate: Candidate, backend: OpenRigBackend, *, searched: bool
) -> list[Finding]:
    """Look at one daemon.

    Args:
        candidate: What names it.
        backend: A backend for it alone; its owner closes it.
        searched: Whether it is only one of several places to look at.
    """
    where = candidate.address or candidate.rule
    try:
        batch = await backend.open()
    except ClientError as error:
        level = Level.NOTE if searched and not _answers(error) else Level.PROBLEM
        return [Finding(where, "reachable", level, str(error), _way_to(error, candidate))]
    return [*_living(where, candidate, reduce(Fleet(), batch))]


def _answers(error: ClientError) -> bool:
    return isinstance(error, NotAllowedError | ForeignError)


def _way_to(error: ClientError, candidate: Candidate) -> str:
    if isinstance(error, NotAllowedError):
        return "give the right token by --token-file or RIG_TUI_TOKEN, or name the --home"
    if isinstance(error, ForeignError):
        return f"see what listens at {candidate.address}; no token was sent there"
    return "rig-tui daemon start, or name another daemon by --url or --home"


def _living(where: str, candidate: Candidate, fleet: Fleet) -> Iterator[Finding]:
    link = fleet.link
    yield Finding(where, "reachable", Level.OK, f"found by {candidate.rule}")
    speaks = f"version {link.version or 'unknown'}, contract {link.contract or 'unknown'}"
    yield Finding(where, "version", Level.OK, speaks)
    yield Finding(where, "token", Level.OK, _token(candidate))
    lacking = [name for name in WANTED if name not in link.capabilities]
    if lacking:
        words = f"it has no {', '.join(lacking)}"
        yield Finding(where, "capabilities", Level.NOTE, words, "the console says where it matters")
    else:
        yield Finding(where, "capabilities", Level.OK, "everything the console can use")
    yield clock_finding(where, link.clock_offset)
    if "people" in link.capabilities:
        yield people_finding(where, fleet.people)
    yield _permitting(where, fleet)


def _token(candidate: Candidate) -> str:
    """Where the token came from; never the token."""
    if candidate.token is not None:
        return f"from {candidate.token_from}"
    bearers = candidate.bearers
    if bearers is None or (bearers.operator is None and bearers.terminal is None):
        return "none, and none was wanted so far"
    found = [
        name
        for name, given in (
            ("the operator's", bearers.operator),
            ("the terminal's", bearers.terminal),
        )
        if given is not None
    ]
    return f"{' and '.join(found)}, from {bearers.looked_in}"


def clock_finding(where: str, offset: timedelta) -> Finding:
    """Judge how far a daemon's clock is from this machine's."""
    seconds = offset.total_seconds()
    words = f"{abs(seconds):.1f} s {'ahead of' if seconds > 0 else 'behind'} this machine's"
    if abs(offset) <= SKEW_SEEN:
        return Finding(where, "clock", Level.OK, "agrees with this machine's")
    level = Level.NOTE if abs(offset) <= SKEW_WRONG else Level.PROBLEM
    return Finding(where, "clock", level, words, "synchronise both clocks; ages go by the daemon's")


def people_finding(where: str, people: People) -> Finding:
    """Judge whether somebody can be asked."""
    names = ", ".join(person.entity_id for person in people.registered)
    fix = "rig-tui people add NAME --default"
    if not people.readable:
        words = "can't be read: every seat PERMITS without asking until they can"
        return Finding(where, "people", Level.PROBLEM, words, "see rig-tui daemon logs")
    if not people.registered:
        words = "nobody is registered: every seat PERMITS without asking"
        return Finding(where, "people", Level.PROBLEM, words, fix)
    if people.default is not None and people.find(people.default) is None:
        words = f"the default person {people.default} isn't registered"
        return Finding(where, "people", Level.PROBLEM, words, "rig-tui people default NAME")
    if people.default is None and len(people.registered) > 1:
        words = f"several ({names}) and no default: seats PERMIT without asking"
        return Finding(where, "people", Level.PROBLEM, words, "rig-tui people default NAME")
    return Finding(
        where, "people", Level.OK, f"{names}; default {people.default or 'the only one'}"
    )


def _permitting(where: str, fleet: Fleet) -> Finding:
    seats = select.permitting_seats(fleet)
    if not seats:
        return Finding(where, "seats that permit", Level.OK, "none that is known")
    words = "; ".join(f"{s.seat_ref}: {cause_in_words(s.asked.because)}" for s in seats)
    fix = "rig-tui who-is-asked SEAT --to PERSON --reason WHY"
    return Finding(where, "seats that permit", Level.PROBLEM, words, fix)


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file or folder of this console or its daemon."""

    path: Path
    what: str
    most: int
    """The widest mode it may have."""


def file_findings(files: Iterable[KnownFile]) -> Iterator[Finding]:
    """Judge the modes of what is there; what isn't there isn't missed."""
    for each in files:
        try:
            mode = stat.S_IMODE(each.path.stat().st_mode)
        except FileNotFoundError:
            continue
        except OSError as error:
            words = f"{each.path} can't be looked at: {error.strerror}"
            yield Finding("files", each.what, Level.PROBLEM, words, "see who owns its folder")
            continue
        if mode & ~each.most:
            words = f"{each.path} has mode {mode:04o}: others can get at it"
            fix = f"chmod {each.most:o} {each.path}"
            yield Finding("files", each.what, Level.PROBLEM, words, fix)
        else:
            yield Finding("files", each.what, Level.OK, f"{each.path}, mode {mode:04o}")


def account_finding(inside: str | None) -> Finding:
    """What one user account for people and agents means."""
    fix = "run seats under another account, or in a sandbox with the guest listener"
    if inside is not None:
        words = f"this runs inside a seat ({inside} is set): nothing can be done from here"
        return Finding("account", "seat", Level.NOTE, words, "use a shell of your own")
    return Finding("account", "seat", Level.NOTE, SEAT_BELT, fix)
