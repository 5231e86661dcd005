"""How the shown ask has changed since it was opened, and by whom."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from rich.text import Text

from rig_tui.ui.present.age import clock
from rig_tui.ui.present.inert import inert, inert_words
from rig_tui.ui.present.lines import Line, join, paint
from rig_tui.ui.present.outcome import state_line
from rig_tui.ui.present.roles import ACCENT, NAME
from rig_tui.ui.present.who import holder_words, who

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import Ask, Holder, People, Row

_SINCE = "changed since you opened it: "


def change_lines(opened: Ask, ask: Ask, now: datetime, people: People, operator: str) -> list[Line]:
    """What is other than it was, a line each; nothing where nothing is."""
    changes = what_changed(opened, ask, now, people, operator)
    return [Line(paint(join(_SINCE, change), ACCENT), 2) for change in changes]


def what_changed(opened: Ask, ask: Ask, now: datetime, people: People, operator: str) -> list[Text]:
    """Everything about an ask that an operator decides by and that is other than it was."""
    changes = _handed(opened, ask, now, people, operator)
    agent = join("the agent of ", inert(ask.seat_ref, rtl_tokens=True))
    if not opened.elided and opened.tool_call != ask.tool_call:
        changes.append(join(agent, " asks for something else now"))
    if not opened.elided and opened.options != ask.options:
        changes.append(join(agent, " offers other options now: ", _options(opened, ask)))
    changes += [inert(each) for each in ask.notices if each not in opened.notices]
    if opened.pending and not ask.pending:
        changes.append(state_line(ask, now, people, operator))
    return changes


def _handed(opened: Ask, ask: Ask, now: datetime, people: People, operator: str) -> list[Text]:
    """Each time it was handed on since, from its rows; from its holder where those are missing."""
    if opened.row_id == ask.row_id and opened.holder == ask.holder:
        return []
    ids = [row.row_id for row in ask.rows]
    since = ask.rows[ids.index(opened.row_id) :] if opened.row_id in ids else ()
    if len(since) < 2:
        return [_handing(None, ask.holder, now, people, operator)]
    return [_handing(row, later.holder, now, people, operator) for row, later in pairwise(since)]


def _handing(row: Row | None, to: Holder, now: datetime, people: People, operator: str) -> Text:
    by = who(row.closed_by if row is not None else None, people, operator)
    at = f" at {clock(row.at, now)}" if row is not None and row.at is not None else ""
    if row is not None and row.closed_by == to.id:
        return join(paint(by, NAME), " took it", at)
    return join(paint(by, NAME), " handed it to ", holder_words(to, operator), at)


def _options(opened: Ask, ask: Ask) -> Text:
    """Which options came, went, or are called or meant otherwise."""
    before = {option.option_id: option for option in opened.options}
    after = {option.option_id: option for option in ask.options}
    told = [
        *(join("‘", inert_words(before[each].name), "’ is gone") for each in before.keys() - after),
        *(join("‘", inert_words(after[each].name), "’ is new") for each in after.keys() - before),
        *(
            join("‘", inert_words(before[each].name), "’ is now ‘",
                 inert_words(after[each].name), "’")
            for each in before
            if each in after and before[each] != after[each]
        ),
    ]  # fmt: skip
    return Text("; ").join(told) if told else Text("in another order")
