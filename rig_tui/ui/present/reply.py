"""What a reply box says: what the words would do, and what is offered instead."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from rig_tui.domain import mapping
from rig_tui.domain.mapping import Act
from rig_tui.domain.replies import ReplyClass
from rig_tui.domain.tool_call import title_of
from rig_tui.ui.present.inert import inert, inert_words
from rig_tui.ui.present.lines import Line, join, paint
from rig_tui.ui.present.roles import (
    ACCENT,
    ACCENT_STRONG,
    DANGER,
    DANGER_STRONG,
    DIM,
    FAINT,
    KEY,
    NAME,
)

if TYPE_CHECKING:
    from rich.text import Text

    from rig_tui.actions.replying import Preview
    from rig_tui.domain.model import Ask

_CLASS: Final = {
    ReplyClass.YES: "A plain yes: ",
    ReplyClass.NO: "A plain no: ",
    ReplyClass.CHOICE: "An option by name: ",
    ReplyClass.WORDS: "Not a plain yes or no: ",
}
_PASSES_WORDS_ON: Final = (0, 7, 9)
"""The first contract whose runners get what was said."""
REJECT_THEN_SEND: Final = "Reject now, then send these words after the turn"
REJECT_AND_KEEP: Final = "Reject now; your words stay here as a draft to copy"
ABORT_NOTICE: Final = (
    "“/abort” from here is only words and cancels nothing. "
    "To cancel the turn, type /abort in the runner's pane."
)
_KEY_COLUMN: Final = 8


class Offer(Enum):
    """What can be done with words that are no answer, in the order it is offered."""

    REJECT = auto()
    BACK = auto()
    GO_ON = auto()
    """Send the words as they are."""


@dataclass(frozen=True, slots=True)
class OfferRow:
    """One offer, a logical line."""

    offer: Offer
    line: Line


def reply_title(ask: Ask) -> Text:
    """`Reply to qa@my-rig · “Run the release script”`."""
    title = title_of(ask.tool_call)
    words = join("Reply to ", inert(ask.seat_ref, rtl_tokens=True))
    if title.strip():
        words = join(words, " · “", inert(title[:200], rtl_tokens=True), "”")
    return paint(words, ACCENT)


def effect_lines(shown: Preview) -> list[Line]:
    """The class of the words and what they would do; wholly visible before they may go."""
    cls = shown.reply.cls
    if cls is ReplyClass.EMPTY:
        return [Line(join(("Nothing to send: an empty reply does nothing.", DIM)))]
    if cls is ReplyClass.WORDS:
        words = join((_CLASS[cls], DANGER_STRONG), paint(_bare_effect(shown), DANGER_STRONG))
        return [Line(join(words, "."))]
    risky = shown.outcome.remembered is not False and shown.outcome.option_id is not None
    effect = paint(inert_words(shown.consequence, rtl_tokens=True), DANGER if risky else NAME)
    return [Line(join((_CLASS[cls], ACCENT_STRONG), effect))]


def fate_lines(shown: Preview, contract: str) -> list[Line]:
    """What becomes of words that are no answer, as far as anyone here knows."""
    cls = shown.reply.cls
    if cls is ReplyClass.EMPTY:
        words = "A plain yes, a plain no or an option's name is an answer. Other words are not."
        return [Line(join((words, FAINT)))]
    if cls is not ReplyClass.WORDS:
        return []
    fate = shown.consequence.removeprefix(_effect_of_words(shown)).removeprefix(". ")
    if not _passes_words_on(contract):
        fate = "Your words are not an answer: they are kept on the ask only"
    return [Line(join((f"{fate}.", DIM)))]


def offer_rows(
    shown: Preview, ask: Ask, *, deliverable: bool, at: Offer | None, brief: bool, reject_key: str
) -> list[OfferRow]:
    """Reject first, then back, then sending them as they are.

    Args:
        shown: What the words would do.
        ask: The ask they are for.
        deliverable: Whether the seat can be sent words after its turn.
        at: The offer under the cursor, when the offers have the focus.
        brief: Whether only what can't be guessed fits beside the offers.
        reject_key: The key of the first offer.
    """
    given = mapping.outcome(ask.options, Act.DENY)
    plain = given.option_id is not None and not given.remembered
    reject = inert_words(mapping.consequence(ask.options, Act.DENY), rtl_tokens=True)
    label = REJECT_THEN_SEND if deliverable else REJECT_AND_KEEP
    go_on = "Permit and send the words" if shown.permits else "Send the words: closes as refused"
    asks = "asks for the word PERMIT" if shown.needs_the_word else "asks for Y"
    why = ": it reads like a no, or like hesitation" if shown.needs_the_word else ""
    back = "Back: the draft is kept" if brief else "Back: the ask keeps waiting, the draft is kept"
    gives = None if brief and plain else join("  ", reject)
    rows = [
        (Offer.REJECT, (reject_key, KEY), (label, NAME), gives),
        (Offer.BACK, ("esc", KEY), (back, ""), None),
        (Offer.GO_ON, ("tab ↓", DANGER_STRONG if shown.permits else KEY), (go_on, ""),
         None if brief else join(f" ({asks}{why})")),
    ]  # fmt: skip
    return [
        OfferRow(offer, _offer_line(key, words, note, chosen=offer is at))
        for offer, key, words, note in rows
    ]


def _offer_line(
    key: tuple[str, str], words: tuple[str, str], note: Text | None, *, chosen: bool
) -> Line:
    mark = join(("▌", ACCENT) if chosen else " ")
    lead = join(mark, (key[0].ljust(_KEY_COLUMN), key[1]))
    label = join((words[0], NAME if chosen or words[1] else "plain"))
    return Line(join(lead, label, paint(note, FAINT) if note else ""), _KEY_COLUMN + 1)


def trouble_line(words: str) -> Line:
    """Why nothing can be sent from here now."""
    return Line(join((f"Can't be sent now: {inert(words).plain}.", ACCENT)))


def abort_lines() -> list[Line]:
    """What `/abort` isn't when it is sent (T5-02)."""
    return [Line(join((ABORT_NOTICE, ACCENT)))]


def _effect_of_words(shown: Preview) -> str:
    """What closing without a choice gives: words come to the same."""
    return mapping.consequence(shown.options, Act.DROP)


def _bare_effect(shown: Preview) -> Text:
    return inert_words(_effect_of_words(shown), rtl_tokens=True)


def _passes_words_on(contract: str) -> bool:
    numbers = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", contract)
    return numbers is None or tuple(int(n or 0) for n in numbers.groups()) >= _PASSES_WORDS_ON
