"""Asks that have ended: each in one line, and in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.text import Text

from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.model import AskState
from rig_tui.domain.tool_call import kind_of, title_of
from rig_tui.ui.present.age import clock
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.how import how_words
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import BLANK, Line, cut, fact, join, line, pad, paint
from rig_tui.ui.present.outcome import outcome_lines
from rig_tui.ui.present.roles import ACCENT, DANGER, DANGER_STRONG, DIM, FAINT, NAME, OK, VIOLET
from rig_tui.ui.present.tool_call import tool_call_lines
from rig_tui.ui.present.who import option_words, who

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from rig_tui.domain.history import EndedAsk
    from rig_tui.domain.model import Ask, People, Row

_STATES: Final = {
    AskState.PENDING: ("waiting", ACCENT),
    AskState.ANSWERED: ("answered", OK),
    AskState.PERMITTED: ("permitted", DANGER_STRONG),
    AskState.REFUSED: ("refused", ACCENT),
    AskState.WITHDRAWN: ("withdrawn", VIOLET),
    AskState.STALE: ("stale", VIOLET),
    AskState.CLOSED: ("closed", OK),
}
_STATE: Final = 9


def ended_row(
    ended: EndedAsk, now: datetime, width: int, people: People, glyphs: Glyphs = UNICODE
) -> Text:
    """An ended ask in one line, exactly `width` cells wide; the right end gives way."""
    ask = ended.ask
    word, role = _STATES[ask.outcome.state]
    row = join(
        (f"{clock(ended.at, now)}  ", FAINT),
        (word.ljust(_STATE), role),
        "  ",
        inert(ask.seat_ref, rtl_tokens=True),
        "  ",
        _title(ask, max(16, width // 3), glyphs),
        *_given(ask, glyphs),
        *((" by ", who(ask.decided_by, people)) if ask.decided_by else ()),
        *((" (", how_words(ask.decided_how), ")") if ask.decided_how else ()),
    )
    return pad(cut(row, width, glyphs), width)


def ended_lines(
    ended: EndedAsk, now: datetime, offset: timedelta, people: People, glyphs: Glyphs = UNICODE
) -> list[Line]:
    """How an ask ended: who, with which option or words, how, and from where."""
    ask = ended.ask
    lines = [
        *outcome_lines(ask, now, offset, people),
        BLANK,
        fact("seat", inert(ask.seat_ref, rtl_tokens=True)),
        fact("opened", Text(clock(ask.opened_at, now))),
        fact("asked", _asked(ask)),
        *_chain(ask, now, people),
        fact("conversation", _or_gap(ask.native_ref)),
        fact("turn", _or_gap(ask.turn_id)),
        fact("request", inert(ask.request_id)),
        fact("ask", inert(ask.ask_id)),
        BLANK,
        line(
            paint(inert(title_of(ask.tool_call) or "(no title)"), NAME),
            "   ",
            paint(inert(kind_of(ask.tool_call)), DIM),
        ),
    ]
    if ask.elided:
        lines.append(line(("The request was cut for its size; this is its beginning.", ACCENT)))
    body = tool_call_lines(ask.tool_call, glyphs=glyphs)
    return [*lines, BLANK, *body] if body else lines


def _given(ask: Ask, glyphs: Glyphs) -> tuple[str | Text | tuple[str, str], ...]:
    outcome = ask.outcome
    if outcome.option_id is None:
        return ()
    option = ask.option(outcome.option_id)
    name = option.name if option is not None else outcome.option_id
    kind = option.kind if option is not None else outcome.kind
    kept = ((" remembered", DANGER),) if outcome.remembered else ()
    return (f" {glyphs.arrow} ", option_words(name, kind), *kept)


def _title(ask: Ask, most: int, glyphs: Glyphs) -> Text:
    title = inert(title_of(ask.tool_call) or kind_of(ask.tool_call) or "no title")
    if cell_len(title.plain) > most:
        title = cut(title, most, glyphs)
    return join(glyphs.open_quote, title, glyphs.close_quote)


def _asked(ask: Ask) -> Text:
    reason = join(": ", inert(ask.asked_reason)) if ask.asked_reason else Text("")
    return join(inert(cause_in_words(ask.asked_because) or "reason not given"), reason)


def _chain(ask: Ask, now: datetime, people: People) -> list[Line]:
    return [fact("held by", _row(row, now, people)) for row in ask.rows]


def _row(row: Row, now: datetime, people: People) -> Text:
    by = join(" by ", who(row.closed_by, people)) if row.closed_by else Text("")
    told = row.how in (None, "", row.state, "handoff")  # the state says it already
    how = Text("") if told else join(", ", how_words(row.how))
    at = f" at {clock(row.at, now)}" if row.at else ""
    return join(inert(row.holder.name or row.holder.id), ", ", inert(row.state), by, how, at)


def _or_gap(value: str | None) -> Text:
    return inert(value, rtl_tokens=True) if value else join(("not recorded", DIM))
