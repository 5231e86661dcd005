"""An ask's head and facts: what is wanted, by whom, and why this person is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.text import Text

from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.inert import has_rtl
from rig_tui.domain.model import AskedBecause, HolderType
from rig_tui.domain.tool_call import kind_of, title_of
from rig_tui.ui.present.age import age_words
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.item import item_facts
from rig_tui.ui.present.lines import Line, clip, cut, fact, head, join, line, paint
from rig_tui.ui.present.roles import ACCENT, DANGER, DIM, FAINT, QUOTE, TITLE
from rig_tui.ui.present.who import holder_words, who
from rig_tui.ui.present.wrap import wrap

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from rig_tui.domain.model import Ask, People

AS_DESCRIBED: Final = "as the agent describes it"
STAYS: Final = "stays until the agent's turn ends; silence never permits"


def frame_title(ask: Ask, place: int, count: int) -> Text:
    """`Ask 1 of 3 · builder@my-rig`; place 0 for an ask that no longer waits."""
    number = f"Ask {place} of {count}" if place else "Ask"
    return join((f"{number} · ", ACCENT), paint(inert(ask.seat_ref, rtl_tokens=True), ACCENT))


def header_lines(
    ask: Ask, width: int, *, narrow: bool = False, glyphs: Glyphs = UNICODE
) -> list[Text]:
    """The title and kind, marked as the agent's claim; two or three lines.

    A title too long for two lines is drawn whole with the tool call.
    """
    title = title_of(ask.tool_call)
    shown = paint(inert(title), TITLE) if title.strip(" ") else join(("(no title)", DIM))
    kind = paint(clip(inert(kind_of(ask.tool_call)), max(8, width // 3), glyphs), DIM)
    rows = wrap([shown], width)
    if len(rows) > 2:
        rest = len(shown.plain) - len(rows[0].plain)
        second = join(shown[len(rows[0].plain) :]) if rest else Text("")
        rows = [rows[0], clip(second, width, glyphs)]
    if kind.plain and cell_len(rows[-1].plain) + 3 + cell_len(kind.plain) <= width:
        rows[-1] = join(rows[-1], "   ", kind)
    elif kind.plain:
        rows.append(kind)
    claim = join((AS_DESCRIBED, QUOTE))
    if not narrow:
        return [*rows, claim]
    if cell_len(rows[-1].plain) + 3 + len(AS_DESCRIBED) <= width:
        rows[-1] = join(rows[-1], "   ", claim)
    return rows


def fact_lines(
    ask: Ask,
    now: datetime,
    offset: timedelta,
    *,
    operator: str,
    people: People,
    width: int,
    narrow: bool = False,
    glyphs: Glyphs = UNICODE,
) -> list[Text]:
    """Who is asked and why, which request this is, and how long it waits."""
    if ask.item is not None:
        return item_facts(
            ask, ask.item, now, offset, operator=operator, width=width, narrow=narrow, glyphs=glyphs
        )
    asked = asked_words(ask, operator, people)
    dot = f" {glyphs.dot} "
    age = age_words(ask.opened_at, now, offset)
    request = _request_words(ask, dot)
    if narrow:
        words = join(asked, dot, age, dot, "silence never permits") if ask.pending else asked
        if cell_len(words.plain) + 7 > width and ask.pending:
            words = join(age, dot, asked)
        return [
            cut(join(("asked  ", FAINT), words), width, glyphs),
            cut(join(("id     ", FAINT), request), width, glyphs),
        ]
    facts = [fact("asked", asked), fact("conversation", request)]
    if ask.pending:
        facts.append(fact("waiting", join(age, dot, STAYS)))
    return wrap(facts, width)


def asked_words(ask: Ask, operator: str, people: People) -> Text:
    """Who holds the ask, and why they were asked."""
    holder = holder_words(ask.holder, operator)
    if ask.holder.type is not HolderType.PERSON:
        return holder
    why = inert(cause_in_words(ask.asked_because)) if ask.asked_because else None
    words = join(holder, ": ", why) if why is not None else join(holder, ": reason not given")
    if ask.asked_because == AskedBecause.HANDED_OVER and len(ask.rows) > 1:
        giver = who(ask.rows[-2].closed_by or ask.rows[-2].holder.id, people, operator)
        words = join(holder, ": handed over by ", giver)
    if ask.asked_reason:
        words = join(words, " (", inert(ask.asked_reason), ")")
    return words


def banner_lines(ask: Ask) -> list[Line]:
    """What must be known before anything else is read."""
    banners = [Line(paint(inert(notice), DANGER), 2) for notice in ask.notices]
    if ask.elided:
        words = "The request is longer than what is shown; it is being read whole."
        banners.append(line((words, ACCENT)))
    if has_rtl(str(ask.tool_call)):
        words = "Right-to-left letters are in this request: what is read first may be written last."
        banners.append(line((words, ACCENT)))
    return banners


def _request_words(ask: Ask, dot: str) -> Text:
    conversation = _id(ask.native_ref) if ask.native_ref else Text("not given")
    turn = _id(ask.turn_id) if ask.turn_id else Text("not given")
    return join(conversation, dot, "turn ", turn, dot, "request ", _id(ask.request_id))


def _id(value: str) -> Text:
    """An id whole up to 64 cells; agents choose them, and may choose long ones."""
    text = inert(value, rtl_tokens=True)
    return text if cell_len(text.plain) <= 64 else clip(head(text, 4096), 64)
