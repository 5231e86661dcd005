"""The known world as values: rigs, seats, asks, permits, people.

Rule of this file: frozen data and nothing else. What changes them is
`reduce.py`, what decides an outcome is `mapping.py`, what asks questions of them
is `select.py`. Instants are aware datetimes in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from rig_tui.domain.launching import UNDECLARED, PresetFile, Readiness

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rig_tui.domain.absence import Absence
    from rig_tui.domain.drafts import Draft, DraftKey
    from rig_tui.domain.items import Item
    from rig_tui.domain.launching import Declaration, LaunchReport, Model
    from rig_tui.domain.watching import UsedAnyway

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = dict[str, JsonValue]

PRIMARY_USER = "human@host"
"""The actor name of whoever holds the operator token."""

NO_CONTRACT = "none"
"""The contract level of a daemon that takes no permission requests."""

ALLOW_ONCE = "allow_once"
ALLOW_ALWAYS = "allow_always"
REJECT_ONCE = "reject_once"
REJECT_ALWAYS = "reject_always"
KNOWN_KINDS = (ALLOW_ONCE, ALLOW_ALWAYS, REJECT_ONCE, REJECT_ALWAYS)
REMEMBERED_KINDS = frozenset({ALLOW_ALWAYS, REJECT_ALWAYS})
"""Kinds the agent's harness remembers; nobody here records or revokes that."""


class Reading(StrEnum):
    """What a seat reads (contract section 4). Unknown is never idle."""

    WORKING = "working"
    IDLE = "idle"
    NEEDS_INPUT = "needs_input"
    UNKNOWN = "unknown"


class EvidenceKind(StrEnum):
    """What a reading rests on."""

    POST = "post"
    """A working post: accepted prompt, message, tool call."""
    BEAT = "beat"
    """A working beat: alive, not progress."""
    STOP = "stop"
    """The end of a turn."""
    HEARTBEAT = "heartbeat"
    """An idle heartbeat."""
    ASK = "ask"
    """A permission ask the daemon opened."""
    PROMPT = "prompt"
    """A permission_prompt the runner posted itself after refusing."""
    EXIT = "exit"
    """The agent's process ended."""
    LAUNCH = "launch"
    """A launch that left no usable record."""
    SCREEN = "screen"
    """A changing screen."""
    HOOK = "hook"
    """An activity hook, as judged by a daemon that knows no runners."""
    NONE = "none"
    """Nothing is known."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a seat reads what it reads."""

    kind: EvidenceKind = EvidenceKind.NONE
    at: datetime | None = None
    until: datetime | None = None
    """When the evidence stops counting; None means until the next counted post."""
    detail: str = ""
    """The tool kind, stop reason or prompt the post named, as the runner wrote it."""


@dataclass(frozen=True, slots=True)
class SeatId:
    """A seat's identity, stable over relaunches and session renames."""

    rig_id: str
    logical_id: str


class AskedMode(StrEnum):
    """Who is asked for a seat."""

    PERSON = "person"
    REFUSES = "refuses"
    PERMITS = "permits"
    ELSEWHERE = "elsewhere"
    """Nobody through this daemon: the agent asks where it runs."""


class Cause(StrEnum):
    """Why nobody could answer, in the words permit records use (D7-12, D7-49)."""

    NO_REGISTERED_PERSON = "no_registered_person"
    SEVERAL_AND_NO_DEFAULT = "several_and_no_default"
    CHOSEN_PERSON_NOT_REGISTERED = "chosen_person_not_registered"
    PEOPLE_UNREADABLE = "people_unreadable"
    OPTIONS_NOT_SHOWABLE = "options_not_showable"
    CLOSED_WITHOUT_CHOICE = "closed_without_choice"


class AskedBecause(StrEnum):
    """Why this person, or why nobody (a `Cause` value, when the seat permits)."""

    DEFAULT_PERSON = "default_person"
    ONLY_PERSON = "only_registered_person"
    CHOSEN_FOR_SEAT = "chosen_for_seat"
    HANDED_OVER = "handed_over"
    DENIED_BY_SEAT = "denied_by_seat"


@dataclass(frozen=True, slots=True)
class Asked:
    """Who a permission request of a seat would reach now (D7-12, D7-14)."""

    mode: AskedMode
    person: str | None = None
    """The entity id, with mode PERSON."""
    because: str = ""
    """An `AskedBecause` value, or a `Cause` value with mode PERMITS."""


class OverrideMode(StrEnum):
    """What `set-permissions-to` set for a seat."""

    NONE = "none"
    TO = "to"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class Override:
    """A seat's override of who is asked (D7-16)."""

    mode: OverrideMode = OverrideMode.NONE
    person: str | None = None
    reason: str | None = None
    by: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """A registered person."""

    entity_id: str
    display_name: str

    @property
    def address(self) -> str:
        return f"{self.entity_id}@external"


@dataclass(frozen=True, slots=True)
class People:
    """Everyone registered, and the gateway default."""

    registered: tuple[Person, ...] = ()
    default: str | None = None
    """The default's entity id as set, registered or not."""
    readable: bool = True
    version: int = 0
    """The sequence number of the event or lists that told it."""

    def find(self, entity_id: str) -> Person | None:
        return next((p for p in self.registered if p.entity_id == entity_id), None)


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch of a seat (sections 3 and 8)."""

    attempt: str
    kind: str
    """`new` or `resume`."""
    outcome: str
    """`pending`, `reported`, `resumed`, `missing`, `unconfirmed`, `mismatch`, `none`,
    `not_started`."""
    at: datetime | None = None
    detail: str = ""
    """Why there is no usable launch record, in words."""
    evidence: tuple[LaunchReport, ...] = ()
    """What the launcher reported besides what decided the outcome, newest last."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A conversation as the launcher reported it; nobody here observed it (D3-03)."""

    native_ref: str
    producer: str = ""


@dataclass(frozen=True, slots=True)
class Grant:
    """Whether the seat's runner holds the local token or a grant of its own."""

    mode: str = "token"
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """One agent's place, with what its live occupant reads."""

    seat_id: SeatId
    rig_name: str
    name: str
    """The logical id, unique in the rig."""
    session_name: str
    node_id: str = ""
    runtime: str = ""
    runner: bool = True
    session_status: str = "running"
    generation: str | None = None
    """The live occupant's generation; None when nobody occupies the seat."""
    reading: Reading = Reading.UNKNOWN
    evidence: Evidence = Evidence()
    liveness_seconds: int | None = None
    turn_id: str | None = None
    exited: bool = False
    last_error: str | None = None
    clock_skew_seconds: float | None = None
    launch: Launch | None = None
    launch_attention: bool = False
    identity: Identity | None = None
    preset: str | None = None
    declaration: Declaration | None = None
    """As launched; None when the daemon doesn't say."""
    preset_file: PresetFile = PresetFile.NONE
    model: Model = UNDECLARED
    limits: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """What this launch didn't deliver, as sentences."""
    takes_messages: bool = False
    """Whether its runner asks for messages, so that one can be sent to it."""
    grant: Grant = Grant()
    override: Override = Override()
    asked: Asked = Asked(AskedMode.PERMITS, because=Cause.NO_REGISTERED_PERSON)
    notices: tuple[str, ...] = ()
    """Standing notices, such as requests of this seat that can't be shown."""
    version: int = 0
    """The sequence number of the event that last changed it."""

    @property
    def seat_ref(self) -> str:
        return f"{self.name}@{self.rig_name}"

    @property
    def readiness(self) -> Readiness:
        """Whether its launch is through; what it reads is independent of that (A-14)."""
        if self.launch_attention:
            return Readiness.ATTENTION
        if self.launch and self.launch.outcome == "pending":
            return Readiness.PENDING
        return Readiness.READY


@dataclass(frozen=True, slots=True)
class Option:
    """One native option of an agent's permission request, as offered."""

    option_id: str
    name: str
    kind: str | None
    """The agent's own kind; anything outside `KNOWN_KINDS` has no known meaning."""


class AskState(StrEnum):
    """Where an ask stands (D7-40)."""

    PENDING = "pending"
    ANSWERED = "answered"
    PERMITTED = "permitted"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    STALE = "stale"
    CLOSED = "closed"
    """An item, which no agent is given anything by; the reason says how."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the agent gets (part 2 of the rules). Absent facts are None."""

    state: AskState
    option_id: str | None = None
    kind: str | None = None
    remembered: bool | None = None
    """With an option: whether the agent's harness remembers it."""
    reason: str | None = None
    """`said_no`, `no_allow_offered`, `options_unsupported`, `unknown_option`, or for a
    withdrawal the runner's reason."""
    said: str | None = None


PENDING = Outcome(AskState.PENDING)


class HolderType(StrEnum):
    """Who can hold an ask."""

    PERSON = "person"
    SEAT = "seat"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds the ask now."""

    type: HolderType
    id: str
    """`<entityId>@external` or `human@host` for a person, a session name for a seat."""
    name: str


@dataclass(frozen=True, slots=True)
class Destination:
    """Somebody an ask can be handed to."""

    type: HolderType
    address: str
    """`<entityId>@external` or `human@host` for a person, a session name for a seat."""
    label: str
    rig_name: str | None = None
    """With a seat."""
    status: str | None = None
    """With a seat: its session's status."""


@dataclass(frozen=True, slots=True)
class Row:
    """One queue row of an ask; handing over closes a row and opens the next."""

    row_id: str
    holder: Holder
    state: str
    closed_by: str | None = None
    how: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an answer came from, as its sender said."""

    program: str
    """`tui`, `cli` or what else the sender names."""
    pid: int | None = None
    tty: str | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A permission request, from its opening to its end (D7-19)."""

    ask_id: str
    """The id of its first queue row; it never changes."""
    row_id: str
    """The current queue row."""
    seat_ref: str
    session_name: str
    generation: str
    native_ref: str | None
    turn_id: str | None
    request_id: str
    tool_call: JsonValue
    options: tuple[Option, ...]
    asked_because: str
    holder: Holder
    opened_at: datetime
    occurred_at: datetime | None = None
    asked_reason: str | None = None
    """The override's reason, when somebody chose this person for the seat."""
    tool_call_bytes: int = 0
    """The size of the whole tool call as JSON."""
    elided: bool = False
    """Whether `tool_call` or a name was cut; the whole is one fetch away."""
    rows: tuple[Row, ...] = ()
    outcome: Outcome = PENDING
    decided_by: str | None = None
    decided_how: str | None = None
    """The act that decided: `click`, `yes`, `no`, `words`, `deny`, `approve`, `drop`, …"""
    decided_at: datetime | None = None
    origin: Origin | None = None
    read_at: datetime | None = None
    """When the runner first read the end state."""
    withdrawn_at: datetime | None = None
    """When the runner withdrew, also after an answer it never read (A-40)."""
    notices: tuple[str, ...] = ()
    item: Item | None = None
    """What waits, where it is no permission request: then there are no options."""
    version: int = 0

    @property
    def pending(self) -> bool:
        return self.outcome.state is AskState.PENDING

    def option(self, option_id: str) -> Option | None:
        return next((o for o in self.options if o.option_id == option_id), None)


@dataclass(frozen=True, slots=True)
class ClosedBy:
    """Who closed an ask without choosing, and how."""

    actor: str
    row_id: str
    how: str


@dataclass(frozen=True, slots=True)
class Permit:
    """A default permit on record: nobody chose it (D7-49).

    `option_name`, `option_kind` and `remembered` are None in records older than 0.7.9
    (D7-53): show "not recorded", never "not remembered".
    """

    permit_id: str
    sort_key: str
    at: datetime
    session_name: str
    cause: str
    tool_call: JsonValue
    option_id: str
    option_name: str | None = None
    option_kind: str | None = None
    remembered: bool | None = None
    ask_id: str | None = None
    native_ref: str | None = None
    request_id: str | None = None
    turn_id: str | None = None
    generation: str | None = None
    closed_by: ClosedBy | None = None
    elided: bool = False


@dataclass(frozen=True, slots=True)
class RunnerPermit:
    """Something that will have made a runner permit by itself (D7-58)."""

    sort_key: str
    at: datetime
    session_name: str | None
    code: str
    """The refusal code or HTTP status that the runner's rule answers with a permit."""
    detail: str = ""
    route: str = ""


@dataclass(frozen=True, slots=True)
class Rig:
    """A team of seats."""

    rig_id: str
    name: str


class LinkState(StrEnum):
    """How the connection to the daemon stands."""

    CONNECTING = "connecting"
    LIVE = "live"
    STALE = "stale"
    LOST = "lost"
    RETRYING = "retrying"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Link:
    """The connection to one daemon."""

    state: LinkState = LinkState.CONNECTING
    address: str = ""
    """host:port, for the header."""
    since: datetime | None = None
    cause: str = ""
    """What happened, in words, when it isn't live."""
    retry_at: datetime | None = None
    attempts: int = 0
    found_by: str = ""
    """Which discovery rule named this daemon."""
    version: str = ""
    contract: str = ""
    epoch: str = ""
    capabilities: frozenset[str] = frozenset()
    clock_offset: timedelta = timedelta()
    """The daemon's clock minus ours; ages are counted on the daemon's clock."""
    remarks: tuple[str, ...] = ()
    """Malformed or skipped events, newest last, at most 50."""

    @property
    def live(self) -> bool:
        return self.state is LinkState.LIVE

    @property
    def takes_requests(self) -> bool:
        """Whether agents' permission requests come here; so until a daemon says it isn't."""
        return self.contract != NO_CONTRACT

    @property
    def open(self) -> bool:
        """Whether an act can be sent; on a stale link its ask is read again first."""
        return self.state in (LinkState.LIVE, LinkState.STALE)


class Sending(StrEnum):
    """Where an act of this console on an ask stands."""

    SENDING = "sending"
    DONE = "done"
    REJECTED = "rejected"
    UNSENT = "unsent"
    UNCONFIRMED = "unconfirmed"


@dataclass(frozen=True, slots=True)
class Sent:
    """What this console last sent for an ask, and how that went."""

    command_key: str
    label: str
    """What was meant, in the words painted: `Allow (allow once)`."""
    at: datetime
    state: Sending = Sending.SENDING
    detail: str = ""
    """The daemon's verdict or the cause, in words."""


@dataclass(frozen=True, slots=True)
class Fleet:
    """The whole known world: written by `reduce`, read by everyone else."""

    link: Link = Link()
    rigs: tuple[Rig, ...] = ()
    seats: Mapping[SeatId, Seat] = field(default_factory=dict)
    asks: Mapping[str, Ask] = field(default_factory=dict)
    """By ask id: every pending ask, and the ended ones seen since start."""
    permits: tuple[Permit, ...] = ()
    """Newest first; a window, the rest is paged from the daemon."""
    runner_permits: tuple[RunnerPermit, ...] = ()
    """Newest first."""
    people: People = People()
    read_to: int | None = None
    """The newest sequence number the last lists can have seen. What an event up to it is
    about, and isn't held, is gone since. None before the first lists."""
    flips: Mapping[SeatId, tuple[datetime, ...]] = field(default_factory=dict)
    """When each seat last went between working and idle, oldest first."""
    refusals: Mapping[str, Ask] = field(default_factory=dict)
    """By session name: the ask of it that was refused last."""
    used_anyway: Mapping[SeatId, UsedAnyway] = field(default_factory=dict)
    """Which tool a seat used last that it had been refused."""
    sent: Mapping[str, Sent] = field(default_factory=dict)
    """By ask id: what this console sent last."""
    drafts: Mapping[DraftKey, Draft] = field(default_factory=dict)
    """Words typed at this console and not sent."""
    absences: tuple[Absence, ...] = ()
    """Times without the daemon in which something changed, newest first."""
    acting_as: str | None = None
    """Whom the settings name to act as, `<entityId>@external` or `human@host`."""
    demo: bool = False

    @property
    def operator(self) -> str:
        """Who answers at this keyboard.

        Whom the settings name, else the only registered person, else the primary user;
        never the default person of several.
        """
        if self.acting_as is not None:
            return self.acting_as
        if len(self.people.registered) == 1:
            return self.people.registered[0].address
        return PRIMARY_USER
