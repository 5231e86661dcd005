"""What is known of a seat's activity, and the posts it comes from, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import Evidence


@dataclass(frozen=True, slots=True)
class Post:
    """One activity post whose seat is known; what was absent or invalid is None."""

    hook_event: str
    subtype: str
    arrived_at: datetime
    generation: str | None = None
    """As written, or as the post's grant says for it."""
    sequence: int | None = None
    occurred_at: datetime | None = None
    turn_id: str | None = None
    """Normalised: 7 and "7" are the same turn (D7-05)."""
    liveness_seconds: int | None = None
    """1 to 3600."""
    ask_id: str | None = None
    """Not matched to anything (D4-26)."""

    @property
    def dated(self) -> datetime:
        """The instant it is ordered by (D4-12)."""
        return self.occurred_at or self.arrived_at

    @property
    def carries_generation(self) -> bool:
        return self.generation is not None

    @property
    def is_exit(self) -> bool:
        return self.hook_event == "Stop" and self.subtype.endswith("_exited")

    @property
    def is_beat(self) -> bool:
        return self.hook_event == "active" and self.subtype == "liveness"

    @property
    def is_activity(self) -> bool:
        """Whether the reading table has a row for it (D4-05, A-09)."""
        if self.hook_event == "Notification":
            return self.subtype == "permission_prompt"
        return self.hook_event in {"UserPromptSubmit", "active", "PreToolUse", "Stop"}


@dataclass(frozen=True, slots=True)
class Turn:
    """The latest accepted prompt."""

    turn_id: str | None
    carried_generation: bool
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Activity:
    """What is known of a seat's activity in one occupant generation."""

    ordered_at: datetime | None = None
    """With `ordered_sequence`: the last counted post; nothing older counts."""
    ordered_sequence: int | None = None
    work: Evidence | None = None
    """The last working post, with the latest expiry of those since the last boundary."""
    beat: Evidence | None = None
    """The last counted beat, likewise. A boundary is a Stop, an exit or attention."""
    idle: Evidence | None = None
    exited: Evidence | None = None
    attention: Evidence | None = None
    """What first asked for attention since it was last cleared."""
    launch_attention: datetime | None = None
    liveness_seconds: int | None = None
    """What the last counted post is good for, if it is a beat or a Stop that says so."""
    clock_skew_seconds: float | None = None
    """The runner's clock minus ours at the last counted post, when it is worth showing."""

    turn: Turn | None = None
    """In memory only, like `highest_sequence`: a restart forgets it (D4-24)."""
    highest_sequence: int | None = None


class Why(StrEnum):
    """Why a post changed nothing."""

    STALE_GENERATION = "stale_generation"
    NOT_ACTIVITY = "not_activity"
    """An error report or an unknown event: recorded only."""
    OLDER = "older"
    DUPLICATE = "duplicate"
    BEAT_WITHOUT_GENERATION = "beat_without_generation"
    BEAT_OUTSIDE_TURN = "beat_outside_turn"
    BEAT_WITHOUT_RISING_SEQUENCE = "beat_without_rising_sequence"
    BEAT_DURING_ATTENTION = "beat_during_attention"


@dataclass(frozen=True, slots=True)
class Intake:
    """What one post did."""

    activity: Activity
    counted: bool
    why: str = ""
    """A `Why`, when it didn't count."""
    ends_turn: str | None = None
    """The turn whose pending asks end with it (A-16)."""
    is_exit: bool = False
    """Whether every pending ask of its generation ends with it (A-16)."""
