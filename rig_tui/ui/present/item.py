"""An item that waits for a person, drawn where a permission request would be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from rig_tui.domain.items import ItemKind
from rig_tui.ui.present.age import age_words
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert, inert_lines
from rig_tui.ui.present.lines import Line, cut, fact, join, line, paint
from rig_tui.ui.present.roles import ACCENT, DIM, FAINT, HEADING, KEY, NAME, QUOTE
from rig_tui.ui.present.who import holder_words
from rig_tui.ui.present.wrap import wrap

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from rig_tui.domain.items import Item
    from rig_tui.domain.model import Ask

_WHY: Final = {
    ItemKind.DECISION: "a decision is asked for",
    ItemKind.GATE: "it must not go on without a person",
    ItemKind.BLOCKED: "a seat waits for a decision",
}
_STAYS: Final = "stays until somebody closes it; silence decides nothing"


def item_lines(item: Item) -> list[Line | Text]:
    """What its author wrote, whole."""
    lines: list[Line | Text] = [Line(paint(each, QUOTE)) for each in inert_lines(item.body)]
    if item.detail:
        lines += [Text(), *(Line(paint(each, QUOTE)) for each in inert_lines(item.detail))]
    for question in item.questions:
        lines += [Text(), Line(paint(inert(question.text), HEADING))]
        for choice in question.choices:
            mark = "  recommended" if choice.recommended else ""
            lines.append(Line(join("  · ", paint(inert(choice.label), NAME), (mark, ACCENT)), 4))
    if item.questions:
        words = "This daemon takes a choice among these in Slack alone; a verb chooses none."
        lines += [Text(), line((words, ACCENT))]
    if item.evidence:
        lines += [Text(), fact("evidence", inert(item.evidence))]
    return lines


def item_facts(
    ask: Ask,
    item: Item,
    now: datetime,
    offset: timedelta,
    *,
    operator: str,
    width: int,
    narrow: bool = False,
    glyphs: Glyphs = UNICODE,
) -> list[Text]:
    """Whose it is and why, who filed it, and how long it waits."""
    dot = f" {glyphs.dot} "
    whose = join(holder_words(ask.holder, operator), ": ", _WHY[item.kind])
    named = [inert(part) for part in (item.priority, item.tier, *item.tags) if part]
    about = join(inert(ask.ask_id), *(part for each in named for part in (dot, each)))
    way = join(inert(item.source), f" {glyphs.arrow} ", inert(item.destination))
    age = age_words(ask.opened_at, now, offset)
    if narrow:
        return [
            cut(join(("for    ", FAINT), whose), width, glyphs),
            cut(join(("from   ", FAINT), way, dot, age), width, glyphs),
        ]
    facts = [fact("for", whose), fact("from", way), fact("item", about)]
    if ask.pending:
        facts.append(fact("waiting", join(age, dot, _STAYS)))
    return wrap(facts, width)


def verb_lines(key: str, width: int, glyphs: Glyphs = UNICODE) -> list[Text]:
    """In place of the options: the one key that lists what can be done."""
    dot = f" {glyphs.dot} "
    verbs = dot.join(("approve", "deny", "resolve", "route", "hold", "drop", "annotate"))
    return [
        cut(join("  ", (key, KEY), "  ", ("act on it", NAME), "  ", (verbs, DIM)), width, glyphs),
        cut(
            join(
                "     ", ("no permission request: the keys that answer one do nothing here", FAINT)
            ),
            width,
            glyphs,
        ),
    ]
