"""What an operator action is: one entry that keys, footer, help and palette share.

An action never acts. `plan` says what the operator's key means right now, as data;
the screen carries the plan out and the backend does the command.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from rig_tui.actions.keys import Keymap
from rig_tui.domain.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.domain.commands import AskCommand
    from rig_tui.domain.model import Ask, Fleet, Option, Seat


@dataclass(frozen=True, slots=True)
class Context:
    """What is on screen when a key arrives."""

    fleet: Fleet
    ask: Ask | None = None
    """The shown ask."""
    seat: Seat | None = None
    """The selected seat, or the shown ask's."""
    barred: str = ""
    """Why this console may not act at all, in words; empty when it may."""
    unarmed: str = ""
    """Why answer keys are not live for the shown ask, in words; empty when they are."""
    view: View = field(default_factory=View)
    """What the operator wants to see of the fleet."""
    keymap: Keymap = field(default_factory=Keymap)
    """The keys of every action, for words that name one."""


@dataclass(frozen=True, slots=True)
class Send:
    """One command, at once."""

    command: AskCommand
    label: str
    """What is meant, in words: `Allow (allow once)`."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """One command, after a second and different key."""

    command: AskCommand
    label: str
    consequence: str


@dataclass(frozen=True, slots=True)
class Choose:
    """A choice by label among options."""

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Fill:
    """A dialog that needs words before there is a command."""

    dialog: str
    """Its name: `close`, `clear-attention`, `register`, …"""


@dataclass(frozen=True, slots=True)
class Show:
    """Something of the console's own: a place to go, a move, the help."""

    what: str


Plan: TypeAlias = Send | Confirm | Choose | Fill | Show


def _always(_: Context) -> None:
    return None


def _silent(_: Context) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing an operator can do."""

    id: str
    """`family.verb`; the key map and the headless commands name it by this."""
    keys: tuple[str, ...]
    """Default keys in Textual's names; empty for palette only."""
    label: str
    """One or two words, for the footer."""
    help: str
    """One sentence: what it does and what it doesn't."""
    plan: Callable[[Context], Plan]
    """What the key means now; only called while `why_not` is None."""
    why_not: Callable[[Context], str | None] = _always
    """Why it can't be done now, in words; None when it can."""
    consequence: Callable[[Context], str] = _silent
    """What the agent gets, in the words of `domain.mapping`; empty for a view."""
    footer: bool = True
    """Whether the footer prints it."""

    @property
    def family(self) -> str:
        return self.id.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Family:
    """The actions of one subject, in the order they are printed."""

    title: str
    actions: tuple[Action, ...] = field(default_factory=tuple)
