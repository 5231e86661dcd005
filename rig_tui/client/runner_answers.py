"""What the agent gets for a permission request, whatever OpenRig says or doesn't say.

Nothing here does I/O: a status and a reply come in, an `Answer` comes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from rig_tui.domain.mapping import allow_of
from rig_tui.domain.model import Option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rig_tui.domain.model import JsonObject, JsonValue


class Refusal(StrEnum):
    """What a runner does when OpenRig doesn't answer a request."""

    PERMIT = "permit"
    """Give the agent its own allow, and print that in the pane."""
    CANCEL = "cancel"
    """Answer cancelled and hold nothing: it isn't the live occupant's request."""
    HOLD = "hold"
    """Refuse, post permission_prompt and hold it until the next accepted prompt."""


_LISTED = {
    (409, "denied_by_seat"): Refusal.HOLD,
    (422, "options_unsupported"): Refusal.HOLD,
    (409, "stale_generation"): Refusal.CANCEL,
    (403, "activity_grant_wrong_seat"): Refusal.CANCEL,
    (409, "activity_grant_stale"): Refusal.CANCEL,
}


def what_to_do(status: int | None, code: str | None) -> Refusal:
    """Read the refusal table; a status of None means OpenRig couldn't be reached.

    Whatever the table doesn't list may still be a live request, so it permits.
    """
    if status is None or code is None:
        return Refusal.PERMIT
    return _LISTED.get((status, code), Refusal.PERMIT)


@dataclass(frozen=True, slots=True)
class PermissionRequest:
    """What the agent asked, as it asked it: ids keep their JSON type."""

    request_id: JsonValue
    tool_call: JsonValue
    options: Sequence[JsonObject]
    turn_id: JsonValue = None
    native_ref: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A person is asked; read on until there is an answer."""

    ask_id: str
    created: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What the agent gets, once: an option of its own, or cancelled."""

    option_id: str | None
    """None is the outcome `cancelled`."""
    why: str
    """OpenRig's state or reason, or what kept it from answering."""
    ask_id: str | None = None
    by_runner: bool = False
    """The runner permitted by itself; OpenRig has no record of it."""
    hold: bool = False
    """Refused: keep permission_prompt as the last post of the turn."""
    said: str | None = None
    """A person's own words, to queue as an ordinary prompt. Never the answer."""


def own_allow(options: Sequence[JsonObject]) -> str | None:
    """The option a runner permits with: allow_once, else allow_always, else none."""
    allow = allow_of([option for raw in options if (option := _option(raw)) is not None])
    return allow.option_id if allow else None


def _option(raw: JsonObject) -> Option | None:
    option_id, name, kind = raw.get("optionId"), raw.get("name"), raw.get("kind")
    if not isinstance(option_id, str):
        return None
    return Option(
        option_id,
        name if isinstance(name, str) else "",
        kind if isinstance(kind, str) else None,
    )


def answered(
    request: PermissionRequest, status: int | None, reply: JsonObject, ask_id: str | None = None
) -> Answer:
    """Turn OpenRig's reply, its refusal or its silence into what the agent gets."""
    if status == 200:
        return _decided(request, reply, ask_id) or _permit(request, "an unreadable reply", ask_id)
    named = next((v for v in (reply.get("code"), reply.get("error")) if isinstance(v, str)), None)
    why = named or ("OpenRig can't be reached" if status is None else f"HTTP {status}")
    match what_to_do(status, named):
        case Refusal.CANCEL:
            return Answer(None, why, ask_id)
        case Refusal.HOLD:
            return Answer(None, why, ask_id, hold=True)
        case Refusal.PERMIT:
            return _permit(request, why, ask_id)


def _permit(request: PermissionRequest, why: str, ask_id: str | None) -> Answer:
    allow = own_allow(request.options)
    return Answer(allow, why, ask_id, by_runner=allow is not None, hold=allow is None)


def _decided(request: PermissionRequest, reply: JsonObject, ask_id: str | None) -> Answer | None:
    state, option_id, words = reply.get("state"), reply.get("optionId"), reply.get("said")
    said = words if isinstance(words, str) else None
    if state in ("answered", "permitted") and isinstance(option_id, str):
        if any(option.get("optionId") == option_id for option in request.options):
            return Answer(option_id, str(state), ask_id, said=said)
    elif state in ("refused", "withdrawn", "stale"):
        return Answer(None, str(reply.get("reason") or state), ask_id, said=said)
    return None
