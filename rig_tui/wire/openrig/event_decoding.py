"""Frames' data to what happened, on the hot path of the stream."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from rig_tui.domain.events import (
    AskChanged,
    AskClosed,
    AskOpened,
    AttentionCleared,
    LinkRemarked,
    PeopleRead,
    PermitRecorded,
    RigSeen,
    RunnerWillPermit,
    SeatRead,
)
from rig_tui.domain.model import Rig
from rig_tui.wire.errors import UnreadableError
from rig_tui.wire.json import load_object
from rig_tui.wire.openrig.ask_row import ItemRow
from rig_tui.wire.openrig.event_encoding import StreamOpened
from rig_tui.wire.openrig.people import ConnectionsRow
from rig_tui.wire.openrig.permits import RunnerPermitRow, StreamRow
from rig_tui.wire.openrig.seat_row import ActivityState, SeatRow
from rig_tui.wire.openrig.shape import SHAPE, Instant, fault

if TYPE_CHECKING:
    from rig_tui.domain.events import Event
    from rig_tui.domain.model import JsonObject


@dataclass(frozen=True, slots=True)
class Resync:
    """Events up to `seq` were lost for this subscriber: read again."""

    seq: int


@dataclass(frozen=True, slots=True)
class Hint:
    """Something changed and the event doesn't say to what: read again."""

    topic: str
    """`seats`, `asks`, `permits`, `people` or `runner_permits`."""
    subject: str
    """The session or row it is about, when it says."""


Signal: TypeAlias = "Event | StreamOpened | Resync | Hint"


class _Opened(BaseModel):
    model_config = SHAPE

    type: Literal["stream.opened"]
    seq: int
    epoch: str
    reset: bool
    now: Instant | None = None

    def signals(self) -> tuple[Signal, ...]:
        return (StreamOpened(self.seq, self.epoch, self.reset, self.now),)


class _Resync(BaseModel):
    model_config = SHAPE

    type: Literal["stream.resync"]
    seq: int

    def signals(self) -> tuple[Signal, ...]:
        return (Resync(self.seq),)


class _SeatChanged(SeatRow):
    type: Literal["seat.activity_changed"]
    activity_state: ActivityState
    appeared: bool = False

    def signals(self) -> tuple[Signal, ...]:
        read = SeatRead(self.value())
        if not self.appeared:
            return (read,)
        return (RigSeen(Rig(self.rig_id, self.rig_name), read.seat.version), read)


class _PermissionsToChanged(SeatRow):
    type: Literal["seat.permissions_to_changed"]
    activity_state: ActivityState

    def signals(self) -> tuple[Signal, ...]:
        return (SeatRead(self.value()),)


class _AttentionCleared(SeatRow):
    type: Literal["seat.attention_cleared"]
    activity_state: ActivityState
    created_at: Instant
    actor_session: str | None = None
    reason: str | None = None

    def signals(self) -> tuple[Signal, ...]:
        seat = self.value()
        cleared = AttentionCleared(
            seat.seat_id, self.actor_session or "", self.reason or "", self.created_at
        )
        return (SeatRead(seat), cleared)


class _Queue(BaseModel):
    model_config = SHAPE

    type: Literal[
        "queue.created",
        "queue.updated",
        "queue.handed_off",
        "mission_control.action_executed",
    ]
    item: ItemRow

    def signals(self) -> tuple[Signal, ...]:
        if self.item.permission is None:
            return ()
        ask = self.item.permission.value()
        if not ask.pending:
            return (AskClosed(ask),)
        return (AskOpened(ask) if self.type == "queue.created" else AskChanged(ask),)


class _Emitted(BaseModel):
    model_config = SHAPE

    type: Literal["stream.emitted"]
    item: StreamRow

    def signals(self) -> tuple[Signal, ...]:
        return (PermitRecorded(self.item.value()),) if self.item.is_permit else ()


class _WillPermit(BaseModel):
    model_config = SHAPE

    type: Literal["runner.will_permit"]
    item: RunnerPermitRow

    def signals(self) -> tuple[Signal, ...]:
        return (RunnerWillPermit(self.item.value()),)


class _PostRefused(BaseModel):
    model_config = SHAPE

    type: Literal["runner.post_refused"]
    created_at: Instant
    code: str
    detail: str = ""

    def signals(self) -> tuple[Signal, ...]:
        remark = f"a runner's activity post was refused: {self.detail or self.code}"
        return (LinkRemarked(remark, self.created_at),)


class _PeopleChanged(BaseModel):
    model_config = SHAPE

    type: Literal["gateway.default_changed", "gateway.human_changed"]
    seq: int = 0
    connections: ConnectionsRow

    def signals(self) -> tuple[Signal, ...]:
        return (PeopleRead(replace(self.connections.value(), version=self.seq)),)


_Known: TypeAlias = Annotated[
    _Opened
    | _Resync
    | _SeatChanged
    | _PermissionsToChanged
    | _AttentionCleared
    | _Queue
    | _Emitted
    | _WillPermit
    | _PostRefused
    | _PeopleChanged,
    Field(discriminator="type"),
]
_KNOWN: TypeAdapter[_Known] = TypeAdapter(_Known)
_validate_json = _KNOWN.validator.validate_json

_INLINE = {
    "stream.opened": ("", ""),
    "stream.resync": ("", ""),
    "seat.activity_changed": ("seats", "activityState"),
    "seat.permissions_to_changed": ("seats", "activityState"),
    "seat.attention_cleared": ("seats", "activityState"),
    "queue.created": ("asks", "item"),
    "queue.updated": ("asks", "item"),
    "queue.handed_off": ("asks", "item"),
    "mission_control.action_executed": ("asks", "item"),
    "stream.emitted": ("permits", "item"),
    "runner.will_permit": ("runner_permits", "item"),
    "runner.post_refused": ("", ""),
    "gateway.default_changed": ("people", "connections"),
    "gateway.human_changed": ("people", "connections"),
}
"""Per known type: what a hint of it is about, and the key that carries the state."""


def parse_event(data: str | bytes) -> tuple[Signal, ...]:
    """What one frame's data says happened; nothing, for a type nobody here knows.

    Raises:
        UnreadableError: It isn't an event, or a known one that isn't well formed.
    """
    try:
        return _known(data).signals()
    except ValidationError as error:
        return _without_state(data, error)


def _known(data: str | bytes) -> _Known:
    known: _Known = _validate_json(data)
    return known


def _without_state(data: str | bytes, error: ValidationError) -> tuple[Signal, ...]:
    event = load_object(data)
    type_ = event.get("type")
    if not isinstance(type_, str):
        raise UnreadableError("An event on the stream has no type.")
    if type_ not in _INLINE:
        return ()
    topic, key = _INLINE[type_]
    if key and key not in event:
        return (Hint(topic, _subject(event)),)
    raise UnreadableError(f"An event {type_}: {fault(error)}")


def _subject(event: JsonObject) -> str:
    for key in ("qitemId", "sessionName", "sourceSession"):
        if isinstance(subject := event.get(key), str):
            return subject
    return ""
