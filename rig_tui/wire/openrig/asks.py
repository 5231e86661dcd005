"""Permission asks as queue items, and outcomes, in both directions.

The item is the ask's current row: `qitemId` is that row, `permission.askId` the ask.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from rig_tui.domain.history import EndedAsk
from rig_tui.domain.model import AskState, HolderType
from rig_tui.wire.errors import UnreadableError
from rig_tui.wire.openrig.ask_row import EndedRow, ItemRow, OutcomeRow, PermissionRow
from rig_tui.wire.openrig.shape import dump, encode_instant, read
from rig_tui.wire.openrig.sizes import cut_json, elide

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask, JsonObject, JsonValue, Outcome
    from rig_tui.wire.openrig.shape import JsonInput

ASK_TAG = "runner-permission-ask"
QUESTION_ID = "permission"
_ENDED_UNASKED = (AskState.WITHDRAWN, AskState.STALE)

_ITEM = TypeAdapter(ItemRow)
_ITEMS = TypeAdapter(list[ItemRow])
_ENDED = TypeAdapter(list[EndedRow])
_OUTCOME = TypeAdapter(OutcomeRow)


def encode_item(ask: Ask, *, whole: bool = False, options: bool = True) -> JsonObject:
    """An ask as its current queue item.

    Args:
        ask: The ask.
        whole: Don't cut it to the size of lists and events.
        options: Show what the agent offers; a seat that holds the ask sees none (D7-28).
    """
    if not options:
        ask = replace(ask, options=())
    tool_call, cut = (ask.tool_call, False) if whole else cut_json(ask.tool_call)
    permission = dump(PermissionRow.of(ask, tool_call))
    item = _queue_item(ask) | {"permission": permission}
    if whole:
        return item
    item, texts_cut = elide(item, whole=frozenset({"toolCall"}))
    if cut or texts_cut:
        item["permission"] = {**permission_of(item), "toolCallElided": True}
    return item


def permission_of(item: JsonObject) -> JsonObject:
    """The part of an item that no public OpenRig has."""
    permission = item["permission"]
    return permission if isinstance(permission, dict) else {}


def _queue_item(ask: Ask) -> JsonObject:
    title = title_of(ask.tool_call)
    by_person = ask.holder.type is HolderType.PERSON
    question: JsonObject = {
        "id": QUESTION_ID,
        "question": f"Permit {title}?",
        "options": [{"id": o.option_id, "label": o.name, "kind": o.kind} for o in ask.options],
    }
    chosen = ask.outcome.option_id if ask.outcome.state is AskState.ANSWERED else None
    moments = [ask.opened_at, *(row.at for row in ask.rows if row.at)]
    moments += [at for at in (ask.decided_at, ask.withdrawn_at) if at]
    earlier: list[JsonValue] = [row.row_id for row in ask.rows if row.row_id != ask.row_id]
    return {
        "qitemId": ask.row_id,
        "tsCreated": encode_instant(ask.opened_at),
        "tsUpdated": encode_instant(max(moments)),
        "sourceSession": ask.session_name,
        "destinationSession": ask.holder.id,
        "state": _row_state(ask),
        "priority": "urgent",
        "tier": "human-gate",
        "tags": [ASK_TAG],
        "blockedOn": None,
        "handedOffTo": None,
        "handedOffFrom": earlier[-1] if earlier else None,
        "expiresAt": None,
        "chainOfRecord": earlier or None,
        "body": f"{ask.seat_ref} asks for permission: {title}",
        "humanIntent": "decision",
        "humanQuestions": [question] if by_person else None,
        "humanAnswers": {QUESTION_ID: chosen} if chosen else None,
        "summary": title,
        "evidenceRef": None,
        "closureReason": _closure_reason(ask),
        "closureTarget": None,
        "closureRequiredAt": None,
        "claimedAt": None,
        "lastNudgeAttempt": None,
        "lastNudgeResult": None,
        "lastHeartbeat": None,
        "resolution": None,
        "targetRepo": None,
    }


def title_of(tool_call: JsonValue) -> str:
    """What a tool call calls itself, as well as it can be told."""
    call = tool_call if isinstance(tool_call, dict) else {}
    for key in ("title", "toolCallId"):
        if isinstance(text := call.get(key), str) and text.strip():
            return text
    return "a tool call"


def _row_state(ask: Ask) -> str:
    current = next((row for row in ask.rows if row.row_id == ask.row_id), None)
    if current:
        return current.state
    if ask.pending:
        return "pending"
    return "canceled" if ask.outcome.state in _ENDED_UNASKED else "done"


def _closure_reason(ask: Ask) -> str | None:
    if ask.pending:
        return None
    if ask.decided_how in ("deny", "no", "denied"):
        return "denied"
    if ask.decided_how == "drop" or ask.outcome.state in _ENDED_UNASKED:
        return "canceled"
    return "no-follow-on"


def decode_item(data: JsonInput) -> Ask:
    """The ask an item is.

    Raises:
        UnreadableError: It isn't a queue item, or not one of a permission ask.
    """
    row = read(_ITEM, "A queue item", data)
    if row.permission is None:
        raise UnreadableError("The queue item isn't a permission ask.")
    return row.permission.value()


def decode_items(data: JsonInput) -> tuple[Ask, ...]:
    """The permission asks of a list of queue items; other items are left out.

    Raises:
        UnreadableError: It isn't a list of queue items.
    """
    rows = read(_ITEMS, "The list of asks", data)
    return tuple(row.permission.value() for row in rows if row.permission)


def decode_ended(data: JsonInput) -> tuple[EndedAsk, ...]:
    """The asks of a list of ended ones, each with its place in it.

    Raises:
        UnreadableError: It isn't a list of queue items.
    """
    rows = read(_ENDED, "The list of ended asks", data)
    return tuple(EndedAsk(row.sort_key, row.permission.value()) for row in rows if row.permission)


def encode_outcome(outcome: Outcome) -> JsonObject:
    """An outcome; facts that don't apply are absent keys."""
    row = OutcomeRow(
        state=outcome.state,
        option_id=outcome.option_id,
        kind=outcome.kind,
        remembered=outcome.remembered,
        reason=outcome.reason,
        said=outcome.said,
    )
    return {key: value for key, value in dump(row).items() if value is not None}


def decode_outcome(data: JsonInput) -> Outcome:
    """An outcome.

    Raises:
        UnreadableError: It isn't one.
    """
    return read(_OUTCOME, "An outcome", data).outcome()
