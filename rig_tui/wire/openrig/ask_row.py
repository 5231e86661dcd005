"""The shape of a permission ask inside its queue item, and how it maps to an ask."""

from __future__ import annotations

from pydantic import BaseModel, JsonValue

from rig_tui.domain.model import Ask, AskState, Holder, HolderType, Option, Origin, Outcome, Row
from rig_tui.wire.json import dump_bytes
from rig_tui.wire.openrig.shape import SHAPE, Instant


class OptionRow(BaseModel):
    """One native option."""

    model_config = SHAPE

    option_id: str
    name: str = ""
    kind: str | None = None


class HolderRow(BaseModel):
    """Who holds a row."""

    model_config = SHAPE

    type: HolderType
    id: str
    name: str = ""

    @classmethod
    def of(cls, holder: Holder) -> HolderRow:
        return cls(type=holder.type, id=holder.id, name=holder.name)

    def value(self) -> Holder:
        return Holder(self.type, self.id, self.name)


class RowRow(BaseModel):
    """One queue row of an ask."""

    model_config = SHAPE

    qitem_id: str
    holder: HolderRow
    state: str
    closed_by: str | None = None
    how: str | None = None
    at: Instant | None = None

    @classmethod
    def of(cls, row: Row) -> RowRow:
        return cls(
            qitem_id=row.row_id,
            holder=HolderRow.of(row.holder),
            state=row.state,
            closed_by=row.closed_by,
            how=row.how,
            at=row.at,
        )

    def value(self) -> Row:
        return Row(
            self.qitem_id, self.holder.value(), self.state, self.closed_by, self.how, self.at
        )


class OriginRow(BaseModel):
    """Where an answer came from."""

    model_config = SHAPE

    program: str
    pid: int | None = None
    tty: str | None = None

    @classmethod
    def of(cls, origin: Origin) -> OriginRow:
        return cls(program=origin.program, pid=origin.pid, tty=origin.tty)

    def value(self) -> Origin:
        return Origin(self.program, self.pid, self.tty)


class OutcomeRow(BaseModel):
    """What the agent gets."""

    model_config = SHAPE

    state: AskState
    option_id: str | None = None
    kind: str | None = None
    remembered: bool | None = None
    reason: str | None = None
    said: str | None = None

    def outcome(self) -> Outcome:
        return Outcome(
            self.state, self.option_id, self.kind, self.remembered, self.reason, self.said
        )


class PermissionRow(OutcomeRow):
    """The part of a queue item that no public OpenRig has."""

    ask_id: str
    seat_ref: str
    session_name: str
    generation: str
    native_ref: str | None = None
    turn_id: str | None = None
    request_id: str
    tool_call: JsonValue = None
    tool_call_bytes: int = 0
    tool_call_elided: bool = False
    options: tuple[OptionRow, ...] = ()
    asked_because: str = ""
    asked_reason: str | None = None
    holder: HolderRow
    row_id: str
    rows: tuple[RowRow, ...] = ()
    decided_by: str | None = None
    decided_how: str | None = None
    decided_at: Instant | None = None
    origin: OriginRow | None = None
    read_at: Instant | None = None
    withdrawn_at: Instant | None = None
    opened_at: Instant
    occurred_at: Instant | None = None
    notices: tuple[str, ...] = ()
    version: int = 0

    @classmethod
    def of(cls, ask: Ask, tool_call: JsonValue) -> PermissionRow:
        outcome = ask.outcome
        return cls(
            state=outcome.state,
            option_id=outcome.option_id,
            kind=outcome.kind,
            remembered=outcome.remembered,
            reason=outcome.reason,
            said=outcome.said,
            ask_id=ask.ask_id,
            seat_ref=ask.seat_ref,
            session_name=ask.session_name,
            generation=ask.generation,
            native_ref=ask.native_ref,
            turn_id=ask.turn_id,
            request_id=ask.request_id,
            tool_call=tool_call,
            tool_call_bytes=ask.tool_call_bytes or len(dump_bytes(ask.tool_call)),
            tool_call_elided=ask.elided,
            options=tuple(
                OptionRow(option_id=o.option_id, name=o.name, kind=o.kind) for o in ask.options
            ),
            asked_because=ask.asked_because,
            asked_reason=ask.asked_reason,
            holder=HolderRow.of(ask.holder),
            row_id=ask.row_id,
            rows=tuple(RowRow.of(row) for row in ask.rows),
            decided_by=ask.decided_by,
            decided_how=ask.decided_how,
            decided_at=ask.decided_at,
            origin=OriginRow.of(ask.origin) if ask.origin else None,
            read_at=ask.read_at,
            withdrawn_at=ask.withdrawn_at,
            opened_at=ask.opened_at,
            occurred_at=ask.occurred_at,
            notices=ask.notices,
            version=ask.version,
        )

    def value(self) -> Ask:
        return Ask(
            ask_id=self.ask_id,
            row_id=self.row_id,
            seat_ref=self.seat_ref,
            session_name=self.session_name,
            generation=self.generation,
            native_ref=self.native_ref,
            turn_id=self.turn_id,
            request_id=self.request_id,
            tool_call=self.tool_call,
            options=tuple(Option(o.option_id, o.name, o.kind) for o in self.options),
            asked_because=self.asked_because,
            holder=self.holder.value(),
            opened_at=self.opened_at,
            occurred_at=self.occurred_at,
            asked_reason=self.asked_reason,
            tool_call_bytes=self.tool_call_bytes,
            elided=self.tool_call_elided,
            rows=tuple(row.value() for row in self.rows),
            outcome=self.outcome(),
            decided_by=self.decided_by,
            decided_how=self.decided_how,
            decided_at=self.decided_at,
            origin=self.origin.value() if self.origin else None,
            read_at=self.read_at,
            withdrawn_at=self.withdrawn_at,
            notices=self.notices,
            version=self.version,
        )


class ItemRow(BaseModel):
    """A queue item; only what marks and carries a permission ask is read back."""

    model_config = SHAPE

    qitem_id: str
    permission: PermissionRow | None = None


class EndedRow(ItemRow):
    """A queue item in the list of ended asks."""

    sort_key: str
