"""Facts from outside, in the past tense: the only things that change a `Fleet`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from rig_tui.domain.commands import Verdict
    from rig_tui.domain.drafts import Draft, DraftKey
    from rig_tui.domain.model import (
        Ask,
        People,
        Permit,
        Rig,
        RunnerPermit,
        Seat,
        SeatId,
        Sent,
    )


@dataclass(frozen=True, slots=True)
class LinkTried:
    """A connection attempt has begun."""

    address: str
    found_by: str


@dataclass(frozen=True, slots=True)
class LinkMade:
    """The stream is open and the lists have been read: the picture is the daemon's."""

    address: str
    at: datetime
    version: str
    contract: str
    epoch: str
    capabilities: frozenset[str]
    clock_offset: timedelta
    renumbered: bool = False
    """Whether the daemon counts from a lower number than before, as after a restored backup."""


@dataclass(frozen=True, slots=True)
class LinkDoubted:
    """Nothing vouches for the picture any more; whether it still holds is being found out."""

    cause: str
    since: datetime
    """When it was last known to hold."""


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The daemon can't be reached; it is tried again at `retry_at`."""

    cause: str
    at: datetime
    retry_at: datetime


@dataclass(frozen=True, slots=True)
class LinkRefused:
    """The daemon answers but won't have us: a wrong token, a foreign listener."""

    cause: str
    at: datetime
    retry_at: datetime


@dataclass(frozen=True, slots=True)
class LinkRemarked:
    """Something on the stream couldn't be read; a re-read brings what it carried."""

    remark: str
    at: datetime


@dataclass(frozen=True, slots=True)
class AbsencesRead:
    """The operator has seen what changed while the daemon was away."""


@dataclass(frozen=True, slots=True)
class FleetRead:
    """The daemon's lists, whole. What is held and newer stays; everything else is this."""

    rigs: tuple[Rig, ...]
    seats: tuple[Seat, ...]
    asks: tuple[Ask, ...]
    """Every pending ask, and recently ended ones."""
    permits: tuple[Permit, ...]
    runner_permits: tuple[RunnerPermit, ...]
    people: People
    version: int
    """The newest sequence number the reads can have seen."""


@dataclass(frozen=True, slots=True)
class SeatRead:
    """A seat's whole state after a change."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RigSeen:
    """A rig that wasn't known."""

    rig: Rig
    version: int


@dataclass(frozen=True, slots=True)
class AskOpened:
    """A permission request waits for a person."""

    ask: Ask


@dataclass(frozen=True, slots=True)
class AskChanged:
    """A pending ask changed hands or content."""

    ask: Ask


@dataclass(frozen=True, slots=True)
class AskClosed:
    """An ask reached its end state, or an ended one was read by its runner."""

    ask: Ask


@dataclass(frozen=True, slots=True)
class PermitRecorded:
    """The daemon permitted something by default."""

    permit: Permit


@dataclass(frozen=True, slots=True)
class RunnerWillPermit:
    """A runner will have permitted something by itself."""

    cause: RunnerPermit


@dataclass(frozen=True, slots=True)
class PeopleRead:
    """Who is registered, and who is the default."""

    people: People


@dataclass(frozen=True, slots=True)
class AttentionCleared:
    """Somebody cleared a seat's attention."""

    seat_id: SeatId
    by: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class AskActSent:
    """This console has sent an act on an ask."""

    ask_id: str
    sent: Sent


@dataclass(frozen=True, slots=True)
class AskActSettled:
    """The verdict on an act this console sent."""

    ask_id: str
    command_key: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class AskFetched:
    """One ask's uncut content."""

    ask: Ask


@dataclass(frozen=True, slots=True)
class DraftKept:
    """Words were typed and not sent; blank ones are no draft."""

    draft: Draft


@dataclass(frozen=True, slots=True)
class DraftDropped:
    """These words aren't needed any more; others typed since are kept."""

    key: DraftKey
    text: str


@dataclass(frozen=True, slots=True)
class MessageSent:
    """This console has sent a draft as a message."""

    key: DraftKey
    sent: Sent


@dataclass(frozen=True, slots=True)
class MessageSettled:
    """The verdict on a message this console sent."""

    key: DraftKey
    command_key: str
    verdict: Verdict


Event: TypeAlias = (
    LinkTried
    | LinkMade
    | LinkDoubted
    | LinkLost
    | LinkRefused
    | LinkRemarked
    | AbsencesRead
    | FleetRead
    | SeatRead
    | RigSeen
    | AskOpened
    | AskChanged
    | AskClosed
    | PermitRecorded
    | RunnerWillPermit
    | PeopleRead
    | AttentionCleared
    | AskActSent
    | AskActSettled
    | AskFetched
    | DraftKept
    | DraftDropped
    | MessageSent
    | MessageSettled
)
EventBatch: TypeAlias = tuple[Event, ...]
