"""Default permits as stream items, and what made runners permit, in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, JsonValue, TypeAdapter

from rig_tui.domain.model import ClosedBy, Permit, RunnerPermit
from rig_tui.wire.errors import UnreadableError
from rig_tui.wire.json import dumps
from rig_tui.wire.openrig.shape import SHAPE, Instant, dump, encode_instant, read
from rig_tui.wire.openrig.sizes import cut_json, elide

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject
    from rig_tui.wire.openrig.shape import JsonInput

PERMIT_TAG = "runner-permission-permit"
_VERSION = 1


class PermitOption(BaseModel):
    """The option given; records older than 0.7.9 know only its id (D7-53)."""

    model_config = SHAPE

    option_id: str
    name: str | None = None
    kind: str | None = None
    remembered: bool | None = None


class PermitClosedBy(BaseModel):
    """Who closed which row, and how."""

    model_config = SHAPE

    actor_session: str
    row_id: str
    how: str


class PermitBody(BaseModel):
    """The JSON inside a permit's stream item."""

    model_config = SHAPE

    v: int = _VERSION
    ask_id: str | None = None
    native_ref: str | None = None
    request_id: str | None = None
    turn_id: str | None = None
    generation: str | None = None
    tool_call: JsonValue = None
    tool_call_elided: bool = False
    cause: str = ""
    closed_by: PermitClosedBy | None = None
    option: PermitOption

    @classmethod
    def of(cls, permit: Permit, tool_call: JsonValue) -> PermitBody:
        closed = permit.closed_by
        return cls(
            ask_id=permit.ask_id,
            native_ref=permit.native_ref,
            request_id=permit.request_id,
            turn_id=permit.turn_id,
            generation=permit.generation,
            tool_call=tool_call,
            tool_call_elided=permit.elided,
            cause=permit.cause,
            closed_by=PermitClosedBy(
                actor_session=closed.actor, row_id=closed.row_id, how=closed.how
            )
            if closed
            else None,
            option=PermitOption(
                option_id=permit.option_id,
                name=permit.option_name,
                kind=permit.option_kind,
                remembered=permit.remembered,
            ),
        )


class StreamRow(BaseModel):
    """A stream item."""

    model_config = SHAPE

    stream_item_id: str
    ts_emitted: Instant
    stream_sort_key: str
    source_session: str
    body: str = ""
    hint_tags: tuple[str, ...] | None = None

    @property
    def is_permit(self) -> bool:
        return PERMIT_TAG in (self.hint_tags or ())

    def value(self) -> Permit:
        try:
            body = read(_BODY, "A permit's body", self.body)
        except UnreadableError:
            # What another version wrote is shown as the text it is, never hidden.
            body = PermitBody(tool_call=self.body, option=PermitOption(option_id=""))
        closed, option = body.closed_by, body.option
        return Permit(
            permit_id=self.stream_item_id,
            sort_key=self.stream_sort_key,
            at=self.ts_emitted,
            session_name=self.source_session,
            cause=body.cause,
            tool_call=body.tool_call,
            option_id=option.option_id,
            option_name=option.name,
            option_kind=option.kind,
            remembered=option.remembered,
            ask_id=body.ask_id,
            native_ref=body.native_ref,
            request_id=body.request_id,
            turn_id=body.turn_id,
            generation=body.generation,
            closed_by=ClosedBy(closed.actor_session, closed.row_id, closed.how) if closed else None,
            elided=body.tool_call_elided,
        )


class RunnerPermitRow(BaseModel):
    """A refusal that a runner answers with a permit of its own."""

    model_config = SHAPE

    sort_key: str
    at: Instant
    session_name: str | None = None
    code: str
    detail: str = ""
    route: str = ""

    def value(self) -> RunnerPermit:
        return RunnerPermit(
            self.sort_key, self.at, self.session_name, self.code, self.detail, self.route
        )


_BODY = TypeAdapter(PermitBody)
_STREAM_ITEMS = TypeAdapter(list[StreamRow])
_RUNNER_PERMITS = TypeAdapter(list[RunnerPermitRow])


def encode_permit(permit: Permit, *, whole: bool = False) -> JsonObject:
    """A permit as its stream item, the tool call cut unless `whole`."""
    tool_call, cut = (permit.tool_call, False) if whole else cut_json(permit.tool_call)
    body = dump(PermitBody.of(permit, tool_call))
    if not whole:
        body, texts_cut = elide(body, whole=frozenset({"toolCall"}))
        body["toolCallElided"] = permit.elided or cut or texts_cut
    return {
        "streamItemId": permit.permit_id,
        "tsEmitted": encode_instant(permit.at),
        "streamSortKey": permit.sort_key,
        "sourceSession": permit.session_name,
        "body": dumps(body),
        "format": "json",
        "hintType": "permission",
        "hintUrgency": None,
        "hintDestination": None,
        "hintTags": [PERMIT_TAG],
        "interrupt": False,
        "archivedAt": None,
    }


def decode_permits(data: JsonInput) -> tuple[Permit, ...]:
    """The permits of a list of stream items, in its order; other items are left out.

    Raises:
        UnreadableError: It isn't a list of stream items.
    """
    rows = read(_STREAM_ITEMS, "The list of permits", data)
    return tuple(row.value() for row in rows if row.is_permit)


def encode_runner_permit(cause: RunnerPermit) -> JsonObject:
    """A row of `/api/runner-permits`."""
    row = RunnerPermitRow(
        sort_key=cause.sort_key,
        at=cause.at,
        session_name=cause.session_name,
        code=cause.code,
        detail=cause.detail,
        route=cause.route,
    )
    return elide(dump(row))[0]


def decode_runner_permits(data: JsonInput) -> tuple[RunnerPermit, ...]:
    """The rows of `/api/runner-permits`, in their order.

    Raises:
        UnreadableError: It isn't such a list.
    """
    rows = read(_RUNNER_PERMITS, "The list of runners' own permits", data)
    return tuple(row.value() for row in rows)
