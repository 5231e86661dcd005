"""What the daemon answers to writes: recorded, refused, and what became of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, TypeAdapter

from rig_tui.wire.errors import UnreadableError
from rig_tui.wire.json import load_object
from rig_tui.wire.openrig.asks import decode_item, decode_outcome, encode_item, encode_outcome
from rig_tui.wire.openrig.people import decode_changes
from rig_tui.wire.openrig.shape import SHAPE, read

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask, JsonObject, JsonValue, Outcome
    from rig_tui.wire.openrig.people import Change
    from rig_tui.wire.openrig.shape import JsonInput


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request was refused; nothing was changed by it."""

    code: str
    message: str
    reason: str | None = None
    """With `not_applicable`: `answered`, `permitted`, `moved`, …"""
    ask: Ask | None = None
    outcome: Outcome | None = None
    changes: tuple[Change, ...] = ()


class OperationRow(BaseModel):
    """What became of an idempotency key."""

    model_config = SHAPE

    state: str


_OPERATION = TypeAdapter(OperationRow)


def encode_recorded(ask: Ask) -> JsonObject:
    """The answer to an act that took effect."""
    return {
        "status": "recorded",
        "outcome": encode_outcome(ask.outcome),
        "item": encode_item(ask),
    }


def decode_recorded(data: JsonInput) -> Ask | None:
    """The ask as it stands after an act, when the daemon sent it along.

    Raises:
        UnreadableError: It isn't the answer to an act.
    """
    item = _object(data).get("item")
    return None if item is None else decode_item(item)


def encode_error(
    code: str, message: str, *, ask: Ask | None = None, **extra: JsonValue
) -> JsonObject:
    """A refusal's body; with the ask as it stands, when it is about one."""
    body: JsonObject = {"error": code, "message": message, **extra}
    if ask is not None:
        body |= {"outcome": encode_outcome(ask.outcome), "item": encode_item(ask)}
    return body


def decode_error(status: int, body: bytes) -> Refusal:
    """A refusal from any daemon's body; one nobody can read becomes `http_<status>`."""
    try:
        error = load_object(body)
    except UnreadableError:
        return Refusal(f"http_{status}", f"The daemon answered {status} without saying why.")
    # Older routes say {ok, code, error|detail}, newer ones {error, message}.
    code = _text(error, "code") or _text(error, "error") or f"http_{status}"
    message = _text(error, "message") or _text(error, "detail") or _text(error, "error") or code
    ask = outcome = None
    changes: tuple[Change, ...] = ()
    try:
        ask = decode_item(error["item"]) if error.get("item") else None
        outcome = decode_outcome(error["outcome"]) if error.get("outcome") else None
        changes = decode_changes(error["changes"]) if error.get("changes") else ()
    except UnreadableError:
        # The refusal itself stands; what it would have shown is re-read anyway.
        pass
    return Refusal(code, message, _text(error, "reason") or None, ask, outcome, changes)


def decode_operation(data: JsonInput) -> bool:
    """Whether the daemon knows that the write of this key was done.

    Raises:
        UnreadableError: It isn't an answer of `/api/operations/:key`.
    """
    return read(_OPERATION, "An operation", data).state == "done"


def _object(data: JsonInput) -> JsonObject:
    if isinstance(data, bytes | str):
        return load_object(data)
    if not isinstance(data, dict):
        raise UnreadableError("The answer is JSON but not an object.")
    return data


def _text(error: JsonObject, key: str) -> str:
    value = error.get(key)
    return value if isinstance(value, str) else ""
