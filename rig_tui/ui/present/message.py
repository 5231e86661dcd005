"""What is said of words for a seat: kept, offered, on their way, sent (T5-01, T7-19)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rig_tui.actions.keys import Keymap
from rig_tui.actions.registry import ACTIONS
from rig_tui.domain import drafts
from rig_tui.domain.model import Reading, Sending
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, cut, join, paint
from rig_tui.ui.present.reply import trouble_line
from rig_tui.ui.present.roles import ACCENT, ACCENT_STRONG, DANGER, DIM, NAME

if TYPE_CHECKING:
    from rich.text import Text

    from rig_tui.domain.drafts import Draft
    from rig_tui.domain.model import Ask, Fleet, Seat, Sent

NOT_AN_ANSWER: Final = (
    "It waits for a person. A message is never an answer, nor is text typed in its pane: "
    "sending is off until it is answered."
)
_DEFAULT: Final = Keymap()
KEPT: Final = "The words stay here as a draft to copy."


def message_title(draft: Draft) -> Text:
    """`Message to qa@my-rig`."""
    return paint(join("Message to ", inert(draft.seat_ref, rtl_tokens=True)), ACCENT)


def message_lines(fleet: Fleet, draft: Draft, why_not: str | None) -> list[Line]:
    """Where the words would go, or why they can't."""
    seat = drafts.occupied_seat(fleet, draft.seat_ref)
    same = seat is not None and seat.generation == draft.generation
    lines: list[Line] = []
    waits = seat is not None and same and drafts.waits_for_a_person(fleet, seat)
    if waits:
        lines.append(Line(join((NOT_AN_ANSWER, ACCENT))))
    if draft.sent is not None:
        lines.append(_sent_line(draft.sent))
    if why_not is None and seat is not None:
        lines.append(Line(join((_goes(seat), DIM))))
    elif not draft.sending:
        if not waits:
            lines.append(trouble_line(why_not or ""))
        lines.append(Line(join((KEPT, DIM))))
    if draft.after_turn:
        words = "These words were kept from a reject. Nothing has been sent of them."
        lines.append(Line(join((words, DIM))))
    return lines


def draft_lines(fleet: Fleet, ask: Ask, keymap: Keymap = _DEFAULT) -> list[Line]:
    """What an ask's pane says of the words kept for it."""
    draft = drafts.kept_for(fleet, ask)
    if draft is None:
        return []
    reply = keymap.words(ACTIONS["answer.reply"])
    offer = keymap.words(ACTIONS["seat.kept_words"])
    if ask.pending:
        return [_line(reply, " goes on with your draft.")]
    if not draft.after_turn:
        return [_line(reply, " shows your words; they weren't sent.")]
    if drafts.why_not_send(fleet, draft) is None:
        return [_line(offer, " offers your words as a message: its turn has ended.")]
    seat = drafts.occupied_seat(fleet, draft.seat_ref)
    if drafts.deliverable(fleet, seat) and seat is not None and seat.generation == draft.generation:
        return [_line(reply, " shows your words, kept until its turn ends.")]
    return [_line(reply, " shows your words, a draft to copy; they weren't sent.")]


def offer_line(fleet: Fleet, width: int, keymap: Keymap = _DEFAULT) -> Text | None:
    """That words kept from a reject may go out now; they never do by themselves."""
    waiting = drafts.offered(fleet)
    if not waiting:
        return None
    name = inert(waiting[0].seat_ref).plain
    more = f" (+{len(waiting) - 1})" if len(waiting) > 1 else ""
    key = keymap.words(ACTIONS["seat.kept_words"])
    words = f" shows your words kept for {name}{more}: its turn has ended"
    return cut(join((key, ACCENT_STRONG), (words, ACCENT)), width)


def _line(key: str, words: str) -> Line:
    return Line(join((key, ACCENT_STRONG), (words, DIM)))


def _goes(seat: Seat) -> str:
    match seat.reading:
        case Reading.WORKING:
            return "A turn of it is running: this is queued for the next turn."
        case Reading.UNKNOWN:
            return "What it does isn't known: its runner takes this when it asks for messages."
        case _:
            return "It is idle: its runner takes this as its next prompt."


def _sent_line(sent: Sent) -> Line:
    detail = inert(sent.detail or "no reason given")
    match sent.state:
        case Sending.SENDING | Sending.DONE:
            return Line(join(("Sending…", ACCENT)))
        case Sending.REJECTED:
            return Line(join(("Not sent: ", DANGER), paint(detail, NAME)))
        case Sending.UNSENT:
            return Line(join(("Nothing was sent: ", DANGER), paint(detail, NAME)))
        case Sending.UNCONFIRMED:
            words = ". It may have arrived: look at the seat before sending it again."
            return Line(join(("Not confirmed: ", DANGER), paint(detail, NAME), words))
