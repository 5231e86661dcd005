"""What happened at a seat, as its daemon logged it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


class SeatEventKind(StrEnum):
    """What an entry of a seat's timeline is about, and what its `what` then holds."""

    POST = "post"
    """A counted activity post: its hook event and subtype."""
    REFUSED = "refused"
    """An activity post that didn't count: the same; `reason` says why."""
    ERROR = "error"
    """A runtime error its runner reported."""
    EXIT = "exit"
    """The agent's process ended: the post that said so."""
    CLEARED = "cleared"
    """Somebody cleared its attention: what was cleared."""
    OVERRIDE = "override"
    """Somebody set who is asked: `to <person>`, `deny` or `default`."""
    GRANT = "grant"
    """Somebody changed what its runner holds: `issued` or `revoked`."""
    LAUNCH = "launch"
    """A launch began, as `new` or `resume`, or came to its outcome."""
    STOPPED = "stopped"
    """Its occupancy was ended."""
    ASK = "ask"
    """A permission ask opened: its title."""
    HANDOFF = "handoff"
    """An ask went on: to whom."""
    ENDED = "ended"
    """An ask ended: its end state; `reason` is the act."""
    PERMIT = "permit"
    """The daemon permitted by default: the option; `reason` is the cause."""


@dataclass(frozen=True, slots=True)
class SeatEvent:
    """One entry of a seat's timeline."""

    sort_key: str
    at: datetime
    kind: str
    """A `SeatEventKind` value, or one of a later daemon."""
    what: str
    by: str | None = None
    """Who did it, where somebody did."""
    reason: str | None = None
    ask_id: str | None = None
