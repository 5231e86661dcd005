"""Queue items of published daemons, as asks of a person (`/api/queue`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, TypeAdapter

from rig_tui.domain.items import Choice, Item, ItemKind, Question
from rig_tui.domain.model import (
    PENDING,
    PRIMARY_USER,
    Ask,
    AskState,
    Holder,
    HolderType,
    Outcome,
)
from rig_tui.wire.openrig.shape import SHAPE, Instant, read

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import JsonObject
    from rig_tui.wire.openrig.shape import JsonInput

_PERSON: Final = re.compile(r"human(?:-[A-Za-z0-9._-]+)?@(?:kernel|host)|[^@\s]+@external")
_OPEN: Final = frozenset({"pending", "in-progress", "blocked"})


class _Choice(BaseModel):
    model_config = SHAPE

    id: str
    label: str
    recommended: bool = False


class _Question(BaseModel):
    model_config = SHAPE

    id: str
    question: str
    options: tuple[_Choice, ...] = ()


class ItemRow(BaseModel):
    """One queue item."""

    model_config = SHAPE

    qitem_id: str
    ts_created: Instant
    ts_updated: Instant | None = None
    source_session: str
    destination_session: str
    state: str
    priority: str | None = None
    tier: str | None = None
    tags: tuple[str, ...] | None = None
    blocked_on: str | None = None
    handed_off_to: str | None = None
    body: str | None = None
    summary: str | None = None
    evidence_ref: str | None = None
    human_intent: str | None = None
    human_detail: str | None = None
    human_questions: tuple[_Question, ...] | None = None
    closure_reason: str | None = None
    closure_target: str | None = None

    @property
    def waits_for_person(self) -> bool:
        """Whether it would be in the list of what needs one."""
        gated = self.tier == "human-gate" or is_person(self.destination_session)
        return self.state in _OPEN and (gated or self.parked)

    @property
    def parked(self) -> bool:
        """Whether a seat holds it and waits for a person."""
        return self.state == "blocked" and is_person(self.blocked_on or "")

    def value(self) -> Ask:
        """The item as an ask, without a version; ended when it waits for nobody."""
        item = self._item()
        seat = self.destination_session if self.parked else self.source_session
        return Ask(
            ask_id=self.qitem_id,
            row_id=self.qitem_id,
            seat_ref=seat,
            session_name=seat,
            generation="",
            native_ref=None,
            turn_id=None,
            request_id=self.qitem_id,
            tool_call=_record(item),
            options=(),
            asked_because="",
            holder=self._holder(),
            opened_at=self.ts_created,
            outcome=PENDING if self.waits_for_person else Outcome(AskState.CLOSED, reason=self.end),
            item=item,
        )

    @property
    def end(self) -> str:
        """How it ended; a no has three forms here."""
        reason = self.closure_reason or ""
        why = f": {self.closure_target}" if self.closure_target else ""
        if self.state == "denied" or (self.state, reason) == ("done", "denied"):
            return f"denied{why}"
        if self.state == "canceled" or (self.state, reason) == ("done", "canceled"):
            return f"dropped{why}"
        if self.state == "handed-off":
            return f"handed over to {self.handed_off_to or self.closure_target or 'somebody'}"
        if self.state == "done":
            return "closed as done" if reason in ("", "no-follow-on") else f"done, {reason}{why}"
        if self.state in _OPEN:
            return f"no longer waiting for a person: it is {self.state}"
        return self.state

    def _item(self) -> Item:
        questions = tuple(
            Question(
                q.id, q.question, tuple(Choice(c.id, c.label, c.recommended) for c in q.options)
            )
            for q in self.human_questions or ()
        )
        kind = ItemKind.DECISION if questions or self.human_intent == "decision" else ItemKind.GATE
        return Item(
            kind=ItemKind.BLOCKED if self.parked else kind,
            state=self.state,
            source=self.source_session,
            destination=self.destination_session,
            body=self.body or "",
            summary=self.summary or "",
            evidence=self.evidence_ref or "",
            detail=self.human_detail or "",
            priority=self.priority or "",
            tier=self.tier or "",
            tags=self.tags or (),
            blocked_on=self.blocked_on or "",
            questions=questions,
        )

    def _holder(self) -> Holder:
        """Whose decision it is; of a gate whose row a seat has, it is a person's all the same."""
        named = [self.blocked_on or "" if self.parked else "", self.destination_session]
        person = next((name for name in named if is_person(name)), PRIMARY_USER)
        return Holder(HolderType.PERSON, person, person)


def is_person(session: str) -> bool:
    """Whether an address is a person's; `human@some-rig` is a seat's like any other."""
    return _PERSON.fullmatch(session) is not None


def _record(item: Item) -> JsonObject:
    """What the item says, as one record: for its title, for copies, and for what is shown."""
    title = item.summary or item.body.strip().partition("\n")[0]
    return {
        "title": title,
        "kind": item.kind.value,
        "state": item.state,
        "body": item.body,
        "evidence": item.evidence,
    }


class TransitionRow(BaseModel):
    """One step of an item's way."""

    model_config = SHAPE

    ts: Instant
    actor_session: str | None = None


_TRANSITIONS = TypeAdapter(list[TransitionRow])
_ITEMS = TypeAdapter(list[ItemRow])
_ITEM = TypeAdapter(ItemRow)


def decode_items(data: JsonInput) -> tuple[Ask, ...]:
    """What waits for a person.

    Raises:
        UnreadableError: It isn't a list of queue items.
    """
    rows = read(_ITEMS, "The list of asks", data)
    return tuple(row.value() for row in rows if row.waits_for_person)


def decode_item(data: JsonInput) -> Ask:
    """One item, waiting or ended.

    Raises:
        UnreadableError: It isn't one.
    """
    return read(_ITEM, "A queue item", data).value()


def decode_last_transition(data: JsonInput) -> tuple[str | None, datetime | None]:
    """Who last changed an item, and when.

    Raises:
        UnreadableError: It isn't a list of transitions.
    """
    rows = read(_TRANSITIONS, "An item's transitions", data)
    return (rows[-1].actor_session, rows[-1].ts) if rows else (None, None)
