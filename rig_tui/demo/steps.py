"""What a scripted seat can do, as data. Nothing here does I/O."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject


@dataclass(frozen=True, slots=True)
class Prompt:
    """A turn begins: the agent was given a prompt."""


@dataclass(frozen=True, slots=True)
class Work:
    """Tool calls, one post each, `every` seconds apart; `message` is a message chunk."""

    kinds: tuple[str, ...]
    every: float = 6.0


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing new to report for a while, with beats."""

    seconds: float
    liveness: int = 30


@dataclass(frozen=True, slots=True)
class Request:
    """One permission request of the agent."""

    tool_call: JsonObject
    options: tuple[JsonObject, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """Permission requests made together; the turn waits for all of them.

    A no, or patience running out, makes the agent stop here: the rest of the turn
    up to its `End` is skipped, and what nobody answered is withdrawn.
    """

    requests: tuple[Request, ...]
    patience: float | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The turn ends."""

    reason: str = "end_turn"
    liveness: int | None = 30


@dataclass(frozen=True, slots=True)
class Rest:
    """Between turns, with idle heartbeats."""

    seconds: float
    liveness: int = 30


@dataclass(frozen=True, slots=True)
class Exit:
    """The agent's process ends, in the middle of its turn."""


Step: TypeAlias = Prompt | Work | Quiet | Ask | End | Rest | Exit


@dataclass(frozen=True, slots=True)
class Script:
    """The life of one seat: the opening once, then the loop for ever."""

    rig: str
    name: str
    native_ref: str
    opening: tuple[Step, ...] = ()
    loop: tuple[Step, ...] = ()
