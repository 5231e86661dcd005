"""By which act something ended or moved on, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from rig_tui.ui.present.inert import inert

if TYPE_CHECKING:
    from collections.abc import Mapping

_HOW: Final[Mapping[str, str]] = {
    "click": "chosen",
    "answer": "chosen",
    "choice": "chosen by name",
    "yes": "a typed yes",
    "no": "a typed no",
    "words": "typed words that were neither a yes nor a no",
    "deny": "denied",
    "approve": "closed without choosing (approve)",
    "drop": "closed without choosing (drop)",
    "done": "its row closed as done",
    "failed": "its row closed as failed",
    "denied": "its row closed as denied",
    "canceled": "its row was cancelled",
    "withdraw": "its runner withdrew it",
    "stop": "its turn ended",
    "exit": "the agent exited",
    "relaunch": "its seat was relaunched",
    "stop_seat": "its seat was stopped",
    "route": "routed",
    "handoff": "handed over",
}


def how_words(how: str | None) -> Text:
    """The act in words; one that a later daemon names stays as it came."""
    name = how or ""
    return Text(_HOW[name]) if name in _HOW else inert(name or "closed without choosing")
