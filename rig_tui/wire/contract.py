"""The runner-facing bodies: hooks, permission requests, launch records.

A permission request is read as leniently as can be. Whatever this module refuses
with `BadRequestError`, the runner permits by itself.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from rig_tui.domain.model import AskState, Option
from rig_tui.wire.errors import BadRequestError, UnfinishedError, UnkeepableError, UnreadableError
from rig_tui.wire.json import dump_bytes, dumps, is_text, load_object, may_need_mending, mend, parse

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask, JsonObject, JsonValue

LONGEST_WAIT = 25.0
_LONGEST_LIVENESS = 3600
_LONGEST_NUMBER = 4000


@dataclass(frozen=True, slots=True)
class HookBody:
    """One activity post, as sent; fields that were absent or senseless are None."""

    session_name: str | None
    node_id: str | None
    runtime: str | None
    generation: str | None
    sequence: int | None
    occurred_at: datetime | None
    hook_event: str
    subtype: str
    turn_id: str | None
    liveness_seconds: int | None
    """1 to 3600, not clamped; anything else counts as absent (D4-08)."""
    ask_id: str | None


@dataclass(frozen=True, slots=True)
class Submit:
    """One permission request, as sent."""

    session_name: str | None
    node_id: str | None
    generation: str | None
    native_ref: str | None
    turn_id: str | None
    request_id: str
    tool_call: JsonValue
    options: tuple[Option, ...]
    """In offered order. An id that wasn't a string is blank, which is a bad id."""
    occurred_at: datetime | None
    tool_call_text: str = field(default="null", compare=False, repr=False)
    """The tool call as ASCII JSON, which carries every string there is."""
    tool_call_bytes: int = field(default=4, compare=False)
    """What the tool call weighs as UTF-8 JSON."""


@dataclass(frozen=True, slots=True)
class LaunchRecord:
    """What a launcher reported: a conversation, or that it doesn't exist."""

    native_ref: str | None
    error: str | None
    producer: str


def parse_post(body: bytes) -> HookBody:
    """Read an activity post.

    Raises:
        BadRequestError: It isn't a JSON object, or names neither its seat nor its event.
    """
    try:
        post = load_object(body)
    except UnreadableError as error:
        raise BadRequestError("invalid_json", error.message) from None
    session_name, node_id = _name(post.get("sessionName")), _name(post.get("nodeId"))
    if session_name is None and node_id is None:
        raise BadRequestError(
            "missing_session_identity", "The post names neither sessionName nor nodeId."
        )
    hook_event = _name(post.get("hookEvent"))
    if hook_event is None:
        raise BadRequestError("missing_hook_event", "The post names no hookEvent.")
    return HookBody(
        session_name=session_name,
        node_id=node_id,
        runtime=_name(post.get("runtime")),
        generation=_generation(post.get("generation")),
        sequence=_whole(post.get("sequence")),
        occurred_at=instant(post.get("occurredAt")),
        hook_event=hook_event,
        subtype=_name(post.get("subtype")) or "",
        turn_id=normal_id(post.get("turnId")),
        liveness_seconds=_liveness(post.get("livenessSeconds")),
        ask_id=_name(post.get("askId")),
    )


def parse_submit(body: bytes) -> Submit:
    """Read a permission request; only its requestId must make sense (A-21).

    Raises:
        BadRequestError: It isn't a JSON object, or its requestId is no string or number.
        UnkeepableError: It can't be kept whole: nested too deep, or an option id that no
            UTF-8 text can carry back to the agent.
    """
    try:
        raw = parse(body)
    except UnreadableError as error:
        if error.code == "too_deep":
            raise UnkeepableError(error.message) from None
        raise BadRequestError("invalid_request", error.message) from None
    if not isinstance(raw, dict):
        raise BadRequestError("invalid_request", "The body is JSON but not an object.")
    _check_option_ids(raw.get("options"))
    request = mend(raw) if may_need_mending(body) else raw
    assert isinstance(request, dict)
    request_id = _exact_id(body, request, "requestId")
    if request_id is None:
        raise BadRequestError(
            "invalid_request", "requestId must be a non-empty string or a number."
        )
    text = json.dumps(request.get("toolCall"), separators=(",", ":"))
    # Only what is escaped here is shorter as UTF-8.
    size = len(dump_bytes(request.get("toolCall")) if "\\u" in text else text)
    return Submit(
        session_name=_name(request.get("sessionName")),
        node_id=_name(request.get("nodeId")),
        generation=_generation(request.get("generation")),
        native_ref=_name(request.get("nativeRef")),
        turn_id=_exact_id(body, request, "turnId"),
        request_id=request_id,
        tool_call=request.get("toolCall"),
        options=_options(request.get("options")),
        occurred_at=instant(request.get("occurredAt")),
        tool_call_text=text,
        tool_call_bytes=size,
    )


def parse_withdraw(body: bytes) -> str:
    """The reason as the runner gave it; a senseless body withdraws too (A-42)."""
    try:
        reason = load_object(body).get("reason")
    except UnreadableError:
        return ""
    return reason if isinstance(reason, str) else ""


def wait_seconds(text: str | None) -> float:
    """How long a read may wait: 0 to 25, whatever was asked for (A-41)."""
    try:
        wanted = float(text or 0)
    except ValueError:
        return 0.0
    return min(wanted, LONGEST_WAIT) if wanted > 0 else 0.0


def read_body(ask: Ask) -> JsonObject:
    """What the runner reads of an ask (D7-40, D7-41)."""
    outcome = ask.outcome
    body: JsonObject = {"ok": True, "state": outcome.state.value}
    if outcome.state in (AskState.ANSWERED, AskState.PERMITTED):
        body["optionId"] = outcome.option_id
    elif outcome.state is AskState.REFUSED:
        body["reason"] = outcome.reason
    if outcome.said is not None and outcome.state in (AskState.PERMITTED, AskState.REFUSED):
        body["said"] = outcome.said
    return body


def opened_body(ask_id: str, *, created: bool) -> JsonObject:
    """The reply when a person is asked."""
    return {"ok": True, "askId": ask_id, "created": created}


def permitted_body(option_id: str, reason: str) -> JsonObject:
    """The reply when nobody can be asked."""
    return {"ok": True, "state": "permitted", "optionId": option_id, "reason": reason}


def refusal_body(code: str, message: str) -> JsonObject:
    """The reply that refuses a runner's request."""
    return {"ok": False, "code": code, "error": message}


def parse_launch_record(data: bytes, *, attempt: str, harness: str) -> LaunchRecord:
    """Read a launch record for one attempt of one preset (D3-02).

    Raises:
        UnfinishedError: It isn't whole JSON; it may be half written.
        UnreadableError: It is whole and not usable; the message says why.
    """
    try:
        record = parse(data)
    except UnreadableError as unread:
        raise UnfinishedError(unread.message) from None
    if not isinstance(record, dict):
        raise UnreadableError("The launch record isn't a JSON object.")
    if record.get("format") != 1 or record.get("format") is True:
        raise UnreadableError(
            f"The launch record's format is {dumps(record.get('format'))}, not 1."
        )
    for key, expected in (("attempt", attempt), ("harness", harness)):
        if record.get(key) != expected:
            raise UnreadableError(
                f"The launch record's {key} is {dumps(record.get(key))}, not {dumps(expected)}."
            )
    producer = record.get("producer")
    producer = producer if isinstance(producer, str) else ""
    native_ref, error = record.get("nativeRef"), record.get("error")
    if "error" not in record and isinstance(native_ref, str) and native_ref.strip():
        return LaunchRecord(native_ref, None, producer)
    if "nativeRef" not in record and isinstance(error, str):
        return LaunchRecord(None, error, producer)
    raise UnreadableError("The launch record needs exactly one of nativeRef and error, as text.")


def launch_record(
    *,
    attempt: str,
    harness: str,
    native_ref: str | None = None,
    error: str | None = None,
    producer: str = "",
) -> bytes:
    """A launch record's bytes, as a runner writes them."""
    record: JsonObject = {"format": 1, "attempt": attempt, "harness": harness}
    record |= {"nativeRef": native_ref} if error is None else {"error": error}
    return dump_bytes(record | {"producer": producer})


def normal_id(value: object) -> str | None:
    """A request or turn id as the one text both its forms mean (D7-05), or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return value or None
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        value = Decimal(repr(value))
    if not isinstance(value, Decimal) or not value.is_finite():
        return None
    if abs(value.adjusted()) > _LONGEST_NUMBER:
        return str(value)
    whole = value == value.to_integral_value()
    return str(int(value)) if whole else format(value.normalize(), "f")


def instant(value: object) -> datetime | None:
    """An `occurredAt` as a moment in UTC; None when it isn't one (D4-12)."""
    if not isinstance(value, str):
        return None
    try:
        parsed = datetime.fromisoformat(value.strip())
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _exact_id(body: bytes, request: JsonObject, key: str) -> str | None:
    value: object = request.get(key)
    if isinstance(value, float):
        exact = parse(body, fraction=Decimal)
        value = exact.get(key) if isinstance(exact, dict) else None
    return normal_id(value)


def _name(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _generation(value: object) -> str | None:
    return _name(value) if isinstance(value, str) else normal_id(value)


def _whole(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _liveness(value: object) -> int | None:
    seconds = _whole(value)
    return seconds if seconds and seconds <= _LONGEST_LIVENESS else None


def _check_option_ids(options: JsonValue) -> None:
    for option in options if isinstance(options, list) else ():
        option_id = option.get("optionId") if isinstance(option, dict) else None
        if isinstance(option_id, str) and not is_text(option_id):
            raise UnkeepableError("An option's id isn't Unicode text and couldn't be sent back.")


def _options(value: JsonValue) -> tuple[Option, ...]:
    return tuple(_option(entry) for entry in value) if isinstance(value, list) else ()


def _option(value: JsonValue) -> Option:
    if not isinstance(value, dict):
        return Option("", _as_text(value), None)
    option_id, kind = value.get("optionId"), value.get("kind")
    return Option(
        option_id if isinstance(option_id, str) else "",
        _as_text(value.get("name")),
        None if kind is None else _as_text(kind),
    )


def _as_text(value: JsonValue) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else dumps(value)
