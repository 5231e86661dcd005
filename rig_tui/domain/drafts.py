"""Words that were typed and not sent, kept for their ask or for their seat's occupant.

Rule of this file: a draft never sends itself, and it is bound to the generation it was
written to. What an agent never saw the cause of, it never gets the words about.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from rig_tui.domain.commands import DenyAsk, Done, Rejected, ReplyAsk, Unsent
from rig_tui.domain.events import DraftDropped, DraftKept, MessageSent, MessageSettled
from rig_tui.domain.model import Reading, Sending
from rig_tui.domain.sending import settled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rig_tui.domain.commands import Command, SendMessage, Verdict
    from rig_tui.domain.events import EventBatch
    from rig_tui.domain.model import Ask, Fleet, Seat, Sent


@dataclass(frozen=True, slots=True)
class ForAsk:
    """Words typed as a reply to this ask."""

    ask_id: str


@dataclass(frozen=True, slots=True)
class ForOccupant:
    """Words typed as a message to this seat, as it was occupied then."""

    seat_ref: str
    generation: str


DraftKey: TypeAlias = ForAsk | ForOccupant


@dataclass(frozen=True, slots=True)
class Draft:
    """Words that wait for their author."""

    key: DraftKey
    seat_ref: str
    generation: str
    """The occupant they were written to; no other one gets them."""
    text: str
    after_turn: bool = False
    """Whether they explain a reject, and are to be offered once the turn has ended (T7-13)."""
    sent: Sent | None = None
    """Sent as a message, and how that went; a message that arrived is no draft any more."""

    @property
    def sending(self) -> bool:
        return self.sent is not None and self.sent.state is Sending.SENDING


def for_ask(ask: Ask, text: str, *, after_turn: bool = False) -> Draft:
    """Words to keep for an ask."""
    return Draft(ForAsk(ask.ask_id), ask.seat_ref, ask.generation, text, after_turn)


def for_seat(seat: Seat, text: str) -> Draft:
    """Words to keep for a seat's occupant."""
    generation = seat.generation or ""
    return Draft(ForOccupant(seat.seat_ref, generation), seat.seat_ref, generation, text)


def kept_for(fleet: Fleet, ask: Ask | None) -> Draft | None:
    """The words kept for an ask."""
    return fleet.drafts.get(ForAsk(ask.ask_id)) if ask is not None else None


def message_to(fleet: Fleet, seat: Seat) -> Draft:
    """What a message to this seat starts with: words kept for its occupant, or none."""
    generation = seat.generation or ""
    for draft in fleet.drafts.values():
        if draft.after_turn and (draft.seat_ref, draft.generation) == (seat.seat_ref, generation):
            return draft
    return fleet.drafts.get(ForOccupant(seat.seat_ref, generation)) or for_seat(seat, "")


def unsent(fleet: Fleet) -> int:
    """How many drafts would be lost by leaving."""
    return sum(1 for draft in fleet.drafts.values() if draft.text.strip())


def occupied_seat(fleet: Fleet, seat_ref: str) -> Seat | None:
    """The seat of this name."""
    return next((seat for seat in fleet.seats.values() if seat.seat_ref == seat_ref), None)


def deliverable(fleet: Fleet, seat: Seat | None) -> bool:
    """Whether words can be sent to this seat at all, sooner or later."""
    return seat is not None and seat.takes_messages and "send" in fleet.link.capabilities


def why_not_send(fleet: Fleet, draft: Draft) -> str | None:
    """Why these words can't go out as a message now; None when they can."""
    seat = occupied_seat(fleet, draft.seat_ref)
    if seat is None:
        return f"{draft.seat_ref} isn't known any more"
    if seat.generation != draft.generation:
        return f"{draft.seat_ref} was relaunched or stopped; they were for the agent before"
    if seat.exited:
        return f"the agent of {draft.seat_ref} has exited"
    if not fleet.link.live:
        return "the daemon can't be reached; nothing can be sent"
    if "send" not in fleet.link.capabilities:
        return "this daemon sends no messages to seats"
    if not seat.takes_messages:
        return f"the runner of {draft.seat_ref} takes no messages"
    if waits_for_a_person(fleet, seat):
        return f"{draft.seat_ref} waits for a person, and a message is never an answer"
    if draft.after_turn and seat.reading is not Reading.IDLE:
        return f"the turn of {draft.seat_ref} hasn't ended yet"
    if draft.sending:
        return "it is on its way"
    return None


def waits_for_a_person(fleet: Fleet, seat: Seat) -> bool:
    """Whether the seat has an ask waiting, or reads that it needs input."""
    return seat.reading is Reading.NEEDS_INPUT or any(
        ask.pending and ask.session_name == seat.session_name for ask in fleet.asks.values()
    )


def offered(fleet: Fleet) -> list[Draft]:
    """Words that explain a reject whose turn has ended: they may go out now (T7-13)."""
    return [
        draft
        for draft in fleet.drafts.values()
        if draft.after_turn and why_not_send(fleet, draft) is None
    ]


def addressed(fleet: Fleet, command: SendMessage) -> Seat | None:
    """The seat a message is for."""
    named = (seat for seat in fleet.seats.values() if seat.session_name == command.session_name)
    return next(named, None)


def holding(fleet: Fleet, command: SendMessage) -> DraftKey | None:
    """The draft that a message's words come from."""
    seat = addressed(fleet, command)
    if seat is None:
        return None
    written_to = (seat.seat_ref, seat.generation)
    for draft in fleet.drafts.values():
        if (draft.seat_ref, draft.generation) == written_to and draft.text == command.text:
            return draft.key
    return None


def after(fleet: Fleet, command: Command, verdict: Verdict) -> EventBatch:
    """What an act's verdict means for the words kept for its ask.

    A reply that was recorded is no draft any more. Words that were to explain a reject
    are an ordinary draft again when the reject didn't happen.
    """
    match command, verdict:
        case ReplyAsk(ask_id=ask_id, text=text), Done():
            return (DraftDropped(ForAsk(ask_id), text),)
        case DenyAsk(ask_id=ask_id), Rejected() | Unsent():
            draft = fleet.drafts.get(ForAsk(ask_id))
            if draft is not None and draft.after_turn:
                return (DraftKept(replace(draft, after_turn=False)),)
        case _:
            pass
    return ()


def with_draft(
    drafts: Mapping[DraftKey, Draft], event: DraftKept | DraftDropped | MessageSent | MessageSettled
) -> Mapping[DraftKey, Draft]:
    """The drafts after one of them was typed, dropped, sent, or met its verdict."""
    if isinstance(event, DraftKept):
        return _kept(drafts, event.draft)
    held = drafts.get(event.key)
    if held is None:
        return drafts
    others = {key: draft for key, draft in drafts.items() if key != event.key}
    match event:
        case DraftDropped(text=text):
            return others if held.text == text else drafts
        case MessageSent(key, sent):
            return {**others, key: replace(held, sent=sent)}
        case MessageSettled(key, command_key, verdict):
            if held.sent is None or held.sent.command_key != command_key:
                return drafts
            if isinstance(verdict, Done):
                return others
            return {**others, key: replace(held, sent=settled(held.sent, verdict))}


def _kept(drafts: Mapping[DraftKey, Draft], draft: Draft) -> Mapping[DraftKey, Draft]:
    held = drafts.get(draft.key)
    others = {key: other for key, other in drafts.items() if key != draft.key}
    if held is not None and held.sending:
        # What is on its way stays as it was sent, whatever is typed meanwhile.
        return drafts
    return {**others, draft.key: draft} if draft.text.strip() else others
