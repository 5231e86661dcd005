"""What the console is told at its start."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from rig_tui.actions.keys import Keymap
from rig_tui.domain.model import Fleet
from rig_tui.domain.notify import Policy
from rig_tui.domain.view import View
from rig_tui.settings import state_folder
from rig_tui.ui import themes
from rig_tui.ui.arming import ARMING_SECONDS
from rig_tui.ui.holding import HOLD_SECONDS
from rig_tui.ui.present.glyphs import UNICODE, Glyphs

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from rig_tui.client.backend import Backend
    from rig_tui.client.receipts import Journal
    from rig_tui.settings.values import CopyTo, ReadFirst
    from rig_tui.ui.notifier import Means

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
    arm: float = ARMING_SECONDS
    """Seconds an ask must have been painted, unchanged, before a key answers it."""
    hold: float = HOLD_SECONDS
    """Seconds a single key's answer is held; 0 sends it at once."""
    reads_first: ReadFirst = "allow"
    """Which answers wait until a call was seen to its end."""
    next_ask: Literal["stay", "auto"] = "stay"
    """After an answer: stay on the answered ask, or show the next one."""
    keymap: Keymap = field(default_factory=Keymap)
    """The keys of every action."""
    view: View = field(default_factory=View)
    """What the list shows at the start."""
    dense: bool = False
    """Whether to draw with less whitespace."""
    still: bool = False
    """Whether nothing may move by itself."""
    mouse: bool = True
    """Whether the console takes the mouse."""
    copy: CopyTo = "terminal"
    """Where copies go."""
    state_folder: Callable[[], Path] = state_folder
    """Where copies that go to a file are written."""
    journal: Journal | None = None
    """Where receipts are written; None keeps none."""
    means: Means | None = None
    """How to call the operator; None calls nobody."""
    policy: Policy = field(default_factory=Policy)
    """What to call the operator for."""
    tmux_depth: int = 0
    """How many tmux lie around this terminal."""
