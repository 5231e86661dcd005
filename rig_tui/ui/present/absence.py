"""What changed while the daemon was away, in a line and in full."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from rig_tui.domain.model import AskState
from rig_tui.domain.tool_call import kind_of, title_of
from rig_tui.ui.present.age import clock
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import BLANK, Line, join, line
from rig_tui.ui.present.outcome import state_line
from rig_tui.ui.present.permit import permit_words, runner_permit_words
from rig_tui.ui.present.roles import ACCENT, ACCENT_STRONG, DANGER, DIM, HEADING, NAME

if TYPE_CHECKING:
    from datetime import datetime

    from rich.text import Text

    from rig_tui.domain.absence import Absence
    from rig_tui.domain.model import Ask, People

_ENDED: Final = {
    AskState.ANSWERED: ("answered", ACCENT),
    AskState.PERMITTED: ("closed as permitted", DANGER),
    AskState.REFUSED: ("refused", ACCENT),
    AskState.WITHDRAWN: ("withdrawn", DIM),
    AskState.STALE: ("stale", DIM),
}


def absence_line(told: Absence, key: str) -> Text:
    """How much changed, and the key that lists it."""
    states = Counter(ask.outcome.state for ask in told.ended)
    parts = [
        ("another database or an older one", DANGER) if told.anew else None,
        _count(len(told.gone), "ask", "gone", DANGER),
        _count(len(told.permits), "", "permitted by default", DANGER),
        _count(len(told.runner_permits), "", "permitted by a runner itself", DANGER),
        _count(len(told.opened), "ask", "came", ACCENT_STRONG),
        *(_count(states[state], "", word, role) for state, (word, role) in _ENDED.items()),
        _count(len(told.seats_gone), "seat", "gone", ACCENT),
        _count(len(told.seats_come), "seat", "came", DIM),
        ("other people", ACCENT) if told.people else None,
    ]
    words: list[str | Text | tuple[str, str]] = []
    for part in filter(None, parts):
        words += [", " if words else "", part]
    listed = f"; {key} lists it" if key else ""
    return join(("while the daemon was away: ", ACCENT), *words, (listed, DIM))


def absence_lines(
    told: Absence, now: datetime, people: People, glyphs: Glyphs = UNICODE
) -> list[Line]:
    """Everything that changed, one line each; what matters most comes first."""
    lines = [line((f"Without the daemon, {clock(told.since, now)} to {clock(told.until, now)}",
                   HEADING))]  # fmt: skip
    if told.anew:
        words = "It came back with another database, or an older one: what was held is forgotten."
        lines.append(line((words, DANGER)))
    lines += [_ask_line(ask, join(("gone", DANGER), ": it waited, and isn't listed any more"))
              for ask in told.gone]  # fmt: skip
    lines += [Line(permit_words(permit, now, glyphs), 2) for permit in told.permits]
    lines += [Line(runner_permit_words(cause, now), 2) for cause in told.runner_permits]
    lines += [_ask_line(ask, state_line(ask, now, people)) for ask in told.opened]
    lines += [_ask_line(ask, state_line(ask, now, people)) for ask in told.ended]
    lines += [_seat_line(ref, "gone", ACCENT) for ref in told.seats_gone]
    lines += [_seat_line(ref, "came", DIM) for ref in told.seats_come]
    if told.people:
        lines.append(line(("Other people are registered, or another one is the default.", ACCENT)))
    return [*lines, BLANK]


def _count(count: int, noun: str, what: str, role: str) -> tuple[str, str] | None:
    plural = "s" if noun and count != 1 else ""
    return (" ".join(filter(None, (str(count), noun + plural, what))), role) if count else None


def _ask_line(ask: Ask, words: Text) -> Line:
    title = inert(title_of(ask.tool_call) or kind_of(ask.tool_call) or "no title")
    return line(inert(ask.seat_ref, rtl_tokens=True), "  ", join((title.plain, NAME)), "  ", words,
                hang=2)  # fmt: skip


def _seat_line(ref: str, what: str, role: str) -> Line:
    return line("seat ", inert(ref, rtl_tokens=True), " ", (what, role), hang=2)
