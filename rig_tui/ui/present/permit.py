"""Default permits on record, and what runners will have permitted by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.text import Text

from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.mapping import kind_in_words
from rig_tui.domain.model import ALLOW_ALWAYS, Cause
from rig_tui.domain.tool_call import kind_of, title_of
from rig_tui.ui.present.age import clock
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.how import how_words
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import BLANK, Line, cut, fact, join, line, pad, paint
from rig_tui.ui.present.roles import (
    ACCENT,
    DANGER,
    DANGER_STRONG,
    DIM,
    FAINT,
    NAME,
    PLAIN,
)
from rig_tui.ui.present.tool_call import tool_call_lines

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import Permit, RunnerPermit

NOT_RECORDED: Final = "not recorded"
REMEMBERED: Final = "remembered by the harness though nobody chose it"
_ANY: Final = 1_000_000
_CAUSES: Final = {
    Cause.NO_REGISTERED_PERSON: "no registered person when it asked",
    Cause.SEVERAL_AND_NO_DEFAULT: "several registered people and no default when it asked",
    Cause.CHOSEN_PERSON_NOT_REGISTERED: "the person chosen for the seat wasn't registered",
    Cause.PEOPLE_UNREADABLE: "the register of people couldn't be read",
    Cause.OPTIONS_NOT_SHOWABLE: "its options couldn't be shown to a person",
    Cause.CLOSED_WITHOUT_CHOICE: "closed without choosing",
}


def permit_row(permit: Permit, now: datetime, width: int, glyphs: Glyphs = UNICODE) -> Text:
    """A permit in one line, exactly `width` cells wide; the right end gives way."""
    row = permit_words(permit, now, glyphs, wide=width >= 90, title=max(16, width // 3))
    return pad(cut(row, width, glyphs), width)


def permit_words(
    permit: Permit, now: datetime, glyphs: Glyphs, *, wide: bool = True, title: int = _ANY
) -> Text:
    """A permit in one line, with at most so many cells of its title."""
    kept = _remembered(permit)
    return join(
        (f"{clock(permit.at, now)}  ", FAINT),
        ("permitted by default" if wide else "permitted", DANGER),
        *([(", remembered", DANGER_STRONG)] if kept and not wide else []),
        "  ",
        paint(inert(permit.session_name, rtl_tokens=True), PLAIN),
        "  ",
        _quoted_title(permit, title, glyphs),
        f" {glyphs.arrow} ",
        _given(permit),
        *([(" remembered", DANGER_STRONG)] if kept and wide else []),
        (": ", DIM),
        paint(cause_words(permit.cause), DIM),
    )


def permit_lines(permit: Permit, now: datetime, glyphs: Glyphs = UNICODE) -> list[Line]:
    """Every field of a permit record, then the tool call."""
    lines = [
        line(("Permitted by default", DANGER_STRONG), ": nobody chose it."),
        fact("when", Text(clock(permit.at, now))),
        fact("seat", inert(permit.session_name, rtl_tokens=True)),
        fact("given", join(_given(permit), f" {glyphs.dot} id ", _or_gap(permit.option_id))),
        fact("remembered", _remembered_words(permit)),
        fact("because", cause_words(permit.cause)),
    ]
    if permit.closed_by is not None:
        by = permit.closed_by
        words = join(inert(by.actor), ", ", how_words(by.how), ", row ", inert(by.row_id))
        lines.append(fact("closed by", words))
    lines += [
        fact("ask", _or_gap(permit.ask_id, "none was opened")),
        fact("conversation", _or_gap(permit.native_ref)),
        fact("turn", _or_gap(permit.turn_id)),
        fact("request", _or_gap(permit.request_id)),
        fact("generation", _or_gap(permit.generation)),
        BLANK,
        line(paint(inert(title_of(permit.tool_call) or "(no title)"), NAME), "   ",
             paint(inert(kind_of(permit.tool_call)), DIM)),
    ]  # fmt: skip
    if permit.elided:
        lines.append(line(("The record was cut for its size; this is its beginning.", ACCENT)))
    body = tool_call_lines(permit.tool_call, glyphs=glyphs)
    return [*lines, BLANK, *body] if body else lines


def runner_permit_row(
    cause: RunnerPermit, now: datetime, width: int, glyphs: Glyphs = UNICODE
) -> Text:
    """A cause of a runner-made permit in one line, exactly `width` cells wide."""
    return pad(cut(runner_permit_words(cause, now), width, glyphs), width)


def runner_permit_words(cause: RunnerPermit, now: datetime) -> Text:
    """A cause of a runner-made permit in one line."""
    return join(
        (f"{clock(cause.at, now)}  ", FAINT),
        ("the runner will have permitted this", DANGER),
        "  ",
        _seat(cause),
        "  ",
        paint(inert(cause.code), NAME),
        paint(inert(f": {cause.detail}" if cause.detail else ""), DIM),
    )


def runner_permit_lines(cause: RunnerPermit, now: datetime) -> list[Line]:
    """Why a runner will have permitted something by itself, every field."""
    return [
        line(("The runner will have permitted this", DANGER_STRONG), ": its rule answers"),
        line("such a reply of the daemon with a permit. No record of what it gave exists here."),
        fact("when", Text(clock(cause.at, now))),
        fact("seat", _seat(cause)),
        fact("code", inert(cause.code)),
        fact("detail", _or_gap(cause.detail, "none")),
        fact("route", _or_gap(cause.route, "none")),
    ]


def log_note() -> Line:
    """What the log can't hold (T7-20)."""
    return line(
        ("Permits a runner makes by itself aren't in this log: they appear only in its pane.", DIM)
    )


def cause_words(cause: str) -> Text:
    """Why something was permitted by default."""
    known = {str(each): words for each, words in _CAUSES.items()}
    return inert(known.get(cause, cause_in_words(cause)))


def _seat(cause: RunnerPermit) -> Text:
    return inert(cause.session_name or "a seat that isn't known", rtl_tokens=True)


def _quoted_title(permit: Permit, most: int, glyphs: Glyphs) -> Text:
    title = title_of(permit.tool_call)
    text = inert(title) if title.strip(" ") else inert(kind_of(permit.tool_call) or "no title")
    if cell_len(text.plain) > most:
        text = cut(text, most, glyphs)
    return join(glyphs.open_quote, text, glyphs.close_quote)


def _given(permit: Permit) -> Text:
    """`Allow (allow once)`, with the gaps of an older record said (D7-53)."""
    name = permit.option_name if permit.option_name else permit.option_id
    kind = kind_in_words(permit.option_kind) if permit.option_kind else f"kind {NOT_RECORDED}"
    return join(paint(inert(name, rtl_tokens=True), PLAIN), " (", inert(kind), ")")


def _remembered(permit: Permit) -> bool:
    return permit.remembered is True or permit.option_kind == ALLOW_ALWAYS


def _remembered_words(permit: Permit) -> Text:
    if _remembered(permit):
        return join((REMEMBERED, DANGER_STRONG))
    return Text("no" if permit.remembered is False else NOT_RECORDED)


def _or_gap(value: str | None, gap: str = NOT_RECORDED) -> Text:
    return inert(value, rtl_tokens=True) if value else join((gap, DIM))
