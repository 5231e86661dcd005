"""Every setting, and what each is when nobody sets it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import time
    from pathlib import Path

NextAsk: TypeAlias = Literal["stay", "auto"]
ReadFirst: TypeAlias = Literal["allow", "all", "none"]
Theme: TypeAlias = Literal["dark", "light", "contrast", "mono"]
Density: TypeAlias = Literal["normal", "compact"]
Motion: TypeAlias = Literal["full", "none"]
GlyphSet: TypeAlias = Literal["auto", "unicode", "ascii"]
CopyTo: TypeAlias = Literal["terminal", "file"]
ShownStates: TypeAlias = Literal["all", "needs", "working", "idle", "unknown"]
Channel: TypeAlias = Literal["auto", "osc9", "osc777", "osc99", "none"]
Reason: TypeAlias = Literal["ask", "attention", "reminder", "permit", "link"]


class SettingsError(Exception):
    """A setting can't be used; the message names it and where it stands."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line said."""

    url: str | None = None
    """The one daemon to use."""
    home: Path | None = None
    """The home whose daemon to use."""
    token_file: Path | None = None
    """A file that holds the operator token for a daemon named by URL."""
    acting_as: str | None = None
    """Who answers: `<entityId>@external` or `human@host`."""
    demo: bool = False
    """Whether `home` is a demo's: no real agent waits there."""


@dataclass(frozen=True, slots=True)
class NamedDaemon:
    """A daemon of the file, `[daemons.<name>]`."""

    name: str
    """What the operator calls it."""
    url: str | None = None
    """Its base URL; exactly one of `url` and `home` is set."""
    home: Path | None = None
    """The home it serves."""
    token_file: Path | None = None
    """With `url`: the file that holds its operator token."""


@dataclass(frozen=True, slots=True)
class Answering:
    """The table `[answer]`."""

    next: NextAsk = "stay"
    """After an answer: `stay` on the answered ask, or `auto` to show the next one."""
    arm_ms: int = 400
    """How long an ask must have been on screen, unchanged, before a key answers it."""
    hold_ms: int = 80
    """How long a single key's answer is held, in case the key was part of pasted text."""
    read_first: ReadFirst = "allow"
    """Which answers wait until a call was seen to its end: those that allow, `all`, `none`."""


@dataclass(frozen=True, slots=True)
class Filter:
    """The table `[filter]`: what the list of seats shows at the start."""

    text: str = ""
    """Words that a row must hold."""
    state: ShownStates = "all"
    """The only state to list."""
    mine: bool = False
    """Whether to list only what needs the operator."""
    flat: bool = False
    """Whether to list seats in one list instead of by rig."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """A part of the day, on the local clock; it may lie around midnight."""

    start: time
    end: time

    def __str__(self) -> str:
        return f"{self.start:%H:%M}-{self.end:%H:%M}"


@dataclass(frozen=True, slots=True)
class Notifications:
    """The table `[notifications]`."""

    reasons: tuple[Reason, ...] = ("ask", "attention", "reminder", "link")
    """What to notify of."""
    bell: bool = True
    """Whether the terminal's bell rings."""
    terminal: Channel = "auto"
    """Which notification the terminal takes; `auto` goes by its environment."""
    title: bool = True
    """Whether the terminal's title counts the asks."""
    command: tuple[str, ...] = ()
    """A program to run, with its arguments; no shell reads them."""
    quiet: tuple[QuietHours, ...] = ()
    """When nothing rings; what still waits afterwards rings then."""
    remind_minutes: tuple[int, ...] = (10, 60)
    """How long an ask waits before each reminder."""
    tmux_depth: int | None = None
    """How many tmux lie around this one; None goes by the environment."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, with what the environment and the flags made of it."""

    acting_as: str | None = None
    """`as`, `RIG_TUI_AS` or `--as`: who answers; None leaves it to who is registered."""
    token: str | None = field(default=None, repr=False)
    """`RIG_TUI_TOKEN`: the operator token for a daemon named by URL."""
    theme: Theme = "dark"
    """The colours; `NO_COLOR` wins over all."""
    density: Density = "normal"
    """How much whitespace there is."""
    motion: Motion = "full"
    """Whether anything may move by itself."""
    glyphs: GlyphSet = "auto"
    """Which characters the console draws with; `auto` goes by the terminal's encoding."""
    mouse: bool = True
    """Whether the console takes the mouse; without it the terminal selects text."""
    copy: CopyTo = "terminal"
    """Where copies go: the terminal's clipboard, or a file."""
    answer: Answering = Answering()
    """What happens around an answer."""
    filter: Filter = Filter()
    """What the list shows at the start."""
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keys by action id, as written; whether they can be used is the registry's word."""
    notifications: Notifications = Notifications()
    """How the console calls its operator."""
    daemons: tuple[NamedDaemon, ...] = ()
    """The daemons of the file; the first is used when nothing else names one."""
    path: Path | None = None
    """The file that was read, None when there is none."""
    origins: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where each setting that isn't a default came from, by its dotted key."""
