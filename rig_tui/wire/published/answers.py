"""What a published OpenRig answers when it won't: four shapes, one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rig_tui.wire.errors import UnreadableError
from rig_tui.wire.json import load_object

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonValue


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request was refused."""

    code: str
    message: str
    """A sentence, with what to do about it where the daemon says so."""


def decode_refusal(status: int, body: bytes) -> Refusal:
    """A refusal in any of the shapes, or in none.

    `{error, message, what_to_do?}` of the queue and its verbs, `{ok, code, message,
    guidance?}` of seats, `{ok, code, error | detail}` of activity and attention,
    `{error: "text"}` of what is missing, `{error: {fact, consequence, action}}` of rigs.
    A route that isn't there and a fault that nobody caught are plain text.
    """
    try:
        answer = load_object(body)
    except UnreadableError:
        text = " ".join(body.decode("utf-8", "replace").split())[:200]
        return Refusal(f"http_{status}", text or f"it answered {status} without saying why")
    error = answer.get("error")
    if isinstance(error, dict):
        parts = [_text(error.get(key)) for key in ("fact", "consequence", "action")]
        return Refusal(f"http_{status}", _sentences(*parts) or f"it answered {status}")
    stated, code = _text(error), _text(answer.get("code"))
    said = _text(answer.get("message")) or _text(answer.get("detail"))
    if not said:
        said = stated if code or " " in stated else f"it answered ‘{stated}’" if stated else ""
    # A code is one word; the plainest shape has a sentence in its place.
    code = code or (stated if stated and " " not in stated else f"http_{status}")
    advice = _text(answer.get("guidance")) or _text(answer.get("what_to_do"))
    return Refusal(code, _sentences(said, advice) or f"it answered {status}: {code}")


def _text(value: JsonValue) -> str:
    return value.strip() if isinstance(value, str) else ""


def _sentences(*parts: str) -> str:
    """Join what there is, each ended like a sentence but the last."""
    said = [part for part in parts if part]
    return " ".join([*(f"{part.rstrip('.')}." for part in said[:-1]), *said[-1:]])
