"""What the operator wants done, and what came of it, as data.

A command carries the ids that were painted, never "the current one". A backend
answers each with one `Verdict`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rig_tui.domain.history import ANY

if TYPE_CHECKING:
    from rig_tui.domain.history import EndedAsk, Filters
    from rig_tui.domain.model import (
        Ask,
        Asked,
        Destination,
        Outcome,
        OverrideMode,
        Permit,
        RunnerPermit,
        SeatId,
    )
    from rig_tui.domain.timeline import SeatEvent


@dataclass(frozen=True, slots=True)
class AnswerAsk:
    """Choose one offered option (D7-22)."""

    ask_id: str
    row_id: str
    option_id: str


@dataclass(frozen=True, slots=True)
class DenyAsk:
    """Say no: the agent's reject, or cancelled where it offers none (D7-24)."""

    ask_id: str
    row_id: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReplyAsk:
    """Reply in words, as what they were shown to be (D7-23, T7-12)."""

    ask_id: str
    row_id: str
    text: str
    expect: str
    """The class that was painted: `yes`, `no`, `choice` or `words`."""
    option_id: str | None = None
    """The option that was painted, with class `choice`."""
    confirm_permit: bool = False
    """With class `words`: that they permit was read and is meant."""


@dataclass(frozen=True, slots=True)
class CloseAsk:
    """Close without choosing: a permit wherever an allow is offered (D7-25)."""

    ask_id: str
    row_id: str
    verb: str
    """`drop` or `approve`."""
    reason: str


@dataclass(frozen=True, slots=True)
class RouteAsk:
    """Hand the ask to a person, or take it back from an agent seat (D7-27, D7-32)."""

    ask_id: str
    row_id: str
    to: str
    """`<entityId>@external` or `human@host`."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HandToSeat:
    """Hand the ask to an agent seat, which sees no options (D7-28)."""

    ask_id: str
    row_id: str
    to_session: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class UpdateRow:
    """Close the row that an agent seat holds (D7-29, D7-30, D7-31)."""

    ask_id: str
    row_id: str
    state: str
    """`done` and `failed` permit, `denied` is a no, `canceled` cancels the request."""
    closure_reason: str = ""
    """With `done`: `no-follow-on`, `canceled` (a drop, which permits too), or `denied`."""


@dataclass(frozen=True, slots=True)
class ClearAttention:
    """Clear a seat's attention; answers and cancels nothing (D4-29)."""

    seat_id: SeatId
    session_name: str
    reason: str


@dataclass(frozen=True, slots=True)
class RegisterPerson:
    """Register a person who can be asked."""

    entity_id: str
    display_name: str
    make_default: bool = False
    confirm: bool = False
    """Go on even if seats then permit without asking."""
    dry_run: bool = False
    """Only tell which seats would change."""


@dataclass(frozen=True, slots=True)
class RemovePerson:
    """Take a person off the register."""

    entity_id: str
    confirm: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class ChooseDefault:
    """Choose the default person; None for no default."""

    entity_id: str | None
    confirm: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class SetOverride:
    """Set who is asked for a seat from its next request on (D7-16)."""

    seat_id: SeatId
    seat_ref: str
    mode: OverrideMode
    """`NONE` goes back to the default person."""
    person: str | None
    """With mode `TO`: the entity id."""
    reason: str


@dataclass(frozen=True, slots=True)
class RevokeGrant:
    """Revoke what a seat's runner holds; its waiting requests are then permitted (T4-08)."""

    seat_id: SeatId
    seat_ref: str


@dataclass(frozen=True, slots=True)
class StopSeat:
    """End a seat's session at once; its pending asks become stale (D9-04, T9-02)."""

    seat_id: SeatId
    seat_ref: str


@dataclass(frozen=True, slots=True)
class SendMessage:
    """Send words to a seat as an ordinary message; never an answer (D7-56)."""

    session_name: str
    text: str


@dataclass(frozen=True, slots=True)
class ActOnItem:
    """Do something about an item that is no permission request: no option is given."""

    ask_id: str
    row_id: str
    verb: str
    """An `items.Verb` value."""
    text: str = ""
    """The reason, the decision or the note the verb needs."""
    to: str = ""
    """Whom it is handed to."""


PermissionCommand: TypeAlias = (
    AnswerAsk | DenyAsk | ReplyAsk | CloseAsk | RouteAsk | HandToSeat | UpdateRow
)
AskCommand: TypeAlias = PermissionCommand | ActOnItem
PeopleCommand: TypeAlias = RegisterPerson | RemovePerson | ChooseDefault
SeatCommand: TypeAlias = ClearAttention | SetOverride | RevokeGrant | StopSeat | SendMessage
Command: TypeAlias = AskCommand | PeopleCommand | SeatCommand


@dataclass(frozen=True, slots=True)
class Done:
    """The daemon did it."""

    outcome: Outcome | None = None
    """For an act on an ask: what the agent gets, in the daemon's word."""
    version: int = 0
    ask: Ask | None = None
    """The ask as it stands, when the daemon sent it along."""
    changes: tuple[tuple[str, Asked, Asked], ...] = ()
    """For a change of people, tried or done: seat ref, who was asked, who is."""
    queued: bool = False
    """For a message: the daemon says that it waits for its runner to take it."""
    seen: bool = False
    """For a message: the daemon says that it saw the words in the pane (T10-01)."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The daemon refused it; nothing was changed."""

    reason: str
    """The daemon's code: `not_applicable`, `unknown_option`, `not_in_attention`, …"""
    message: str
    """A sentence for the operator."""
    ask: Ask | None = None
    """The ask as it stands, when the daemon sent it along."""
    changes: tuple[tuple[str, Asked, Asked], ...] = ()
    """With `would_permit`: seat ref, who is asked now, who would be."""


@dataclass(frozen=True, slots=True)
class Unsent:
    """Nothing left this console."""

    cause: str


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """It may or may not have arrived; the ask must be read again."""

    cause: str


Verdict: TypeAlias = Done | Rejected | Unsent | Unconfirmed


@dataclass(frozen=True, slots=True)
class WholeAsk:
    """One ask with its uncut content."""

    ask_id: str


@dataclass(frozen=True, slots=True)
class PermitsBefore:
    """A page of permits, newest first."""

    before: str | None = None
    """A sort key; None starts at the newest."""
    session_name: str | None = None
    limit: int = 100
    filters: Filters = ANY


@dataclass(frozen=True, slots=True)
class EndedAsks:
    """A page of the asks that have ended, newest first."""

    before: str | None = None
    filters: Filters = ANY
    limit: int = 100


@dataclass(frozen=True, slots=True)
class RunnerPermitsBefore:
    """A page of what will have made runners permit by themselves, newest first."""

    before: str | None = None
    filters: Filters = ANY
    limit: int = 100


@dataclass(frozen=True, slots=True)
class Operation:
    """What became of an idempotency key."""

    key: str


@dataclass(frozen=True, slots=True)
class SeatEvents:
    """A page of a seat's timeline, newest first."""

    seat_ref: str
    kinds: tuple[str, ...] = ()
    """`SeatEventKind` values; none means all."""
    before: str | None = None
    """A sort key; None starts at the newest."""
    limit: int = 100


@dataclass(frozen=True, slots=True)
class Destinations:
    """Everyone an ask can be handed to."""


Query: TypeAlias = (
    WholeAsk
    | PermitsBefore
    | EndedAsks
    | RunnerPermitsBefore
    | Operation
    | SeatEvents
    | Destinations
)


@dataclass(frozen=True, slots=True)
class Page:
    """The answer to a query; only the part asked for is filled."""

    ask: Ask | None = None
    permits: tuple[Permit, ...] = ()
    ended: tuple[EndedAsk, ...] = ()
    runner_permits: tuple[RunnerPermit, ...] = ()
    seat_events: tuple[SeatEvent, ...] = ()
    more: bool = False
    """Whether older rows exist."""
    destinations: tuple[Destination, ...] = ()
    operation_done: bool | None = None
