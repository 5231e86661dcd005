"""What the console is told at its start."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from rig_tui.domain.model import Fleet
from rig_tui.ui import themes
from rig_tui.ui.present.glyphs import UNICODE, Glyphs

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from rig_tui.client.backend import Backend

DEMO_EXIT = -1
"""Not an exit code: the operator asked for the demo instead."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything the console is told at its start."""

    open_backend: Callable[[Callable[[], str]], Backend]
    """Makes the backend; called in a thread, because it imports much. Its argument tells
    who acts: the backend asks it at each write."""
    now: Callable[[], datetime]
    """The wall clock, aware and in the local zone."""
    monotonic: Callable[[], float]
    ticks: bool = True
    """Whether ages move on by themselves, once a second."""
    fleet: Fleet = field(default_factory=Fleet)
    barred: str = ""
    """Why this console may not act, in words; empty when it may."""
    login: str = ""
    theme: str = themes.DARK.name
    glyphs: Glyphs = UNICODE
    start_daemon: Callable[[], str] | None = None
    """Starts a daemon of the operator's own and says how it went, in words."""
    next_ask: Literal["stay", "auto"] = "stay"
    """After an answer: stay on the answered ask, or show the next one."""
