"""What the list leaves out, what is new beside it, and what is snoozed, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rig_tui.domain.view import Shows
from rig_tui.ui.present.inert import inert

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask
    from rig_tui.domain.view import View

_STATES: Final = {
    Shows.NEEDS: "needs a person",
    Shows.WORKING: "working",
    Shows.IDLE: "idle",
    Shows.UNKNOWN: "unknown",
}


def list_title(view: View) -> str:
    """The list's title: what it is narrowed to, if it is."""
    parts = ["Seats"]
    if view.text.split():
        parts.append(f"“{inert(' '.join(view.text.split())).plain}”")
    if view.shows in _STATES:
        parts.append(_STATES[view.shows])
    if view.mine:
        parts.append("only mine")
    return " · ".join(parts)


def list_notes(hidden: int, newer: tuple[int, int]) -> str:
    """What isn't in the list though it needs a person; empty when nothing is missing."""
    above, below = newer
    notes = []
    if above or below:
        notes.append(f"{above or below} newer {'above' if above else 'below'}")
    if above and below:
        notes.append(f"{below} below")
    if hidden:
        notes.append(f"{hidden} that need{'s' if hidden == 1 else ''} a person hidden")
    return " · ".join(notes)


def snoozed_words(view: View, ask: Ask) -> str:
    """Until when the shown ask is snoozed; empty when it isn't."""
    held = view.snoozed.get(ask.ask_id)
    if held is None:
        return ""
    if held.until is not None:
        return f"snoozed until {held.until:%H:%M}"
    return "snoozed until its turn changes" if held.seat is not None else "snoozed"
