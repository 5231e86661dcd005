"""The board's edges: the line above, the line of news, what the footer offers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.actions.answering import why_not_answer
from rig_tui.actions.registry import ACTIONS, key_words
from rig_tui.domain import select
from rig_tui.ui.present.footer import Hint, footer_line
from rig_tui.ui.present.header import HeaderFacts, header_line
from rig_tui.ui.present.lines import join
from rig_tui.ui.present.link import link_banner
from rig_tui.ui.present.permit import permit_row
from rig_tui.ui.present.roles import DANGER_STRONG
from rig_tui.ui.present.seat_detail import asked_line, reading_line
from rig_tui.ui.present.wrap import wrap

if TYPE_CHECKING:
    from datetime import datetime

    from rich.text import Text

    from rig_tui.actions.action import Context
    from rig_tui.domain.model import Ask, Fleet, Seat
    from rig_tui.ui.present.glyphs import Glyphs


def above(fleet: Fleet, width: int, glyphs: Glyphs) -> Text:
    """The header: which daemon, who is needed, who answers here."""
    mine, others = select.need_counts(fleet)
    facts = HeaderFacts(
        link=fleet.link,
        operator=fleet.operator,
        mine=mine,
        others=others,
        seats=len(fleet.seats),
        rigs=len(fleet.rigs),
        permitting=len(select.permitting_seats(fleet)),
        demo=fleet.demo,
    )
    return header_line(facts, width, glyphs)


def news(
    fleet: Fleet, now: datetime, width: int, glyphs: Glyphs, *, too_small: bool = False
) -> list[Text]:
    """What must be known before all else: no link, or else the newest default permit."""
    if too_small:
        return wrap([join(("Too small to answer safely: 40×12 at least.", DANGER_STRONG))], width)
    banner = link_banner(fleet.link, now)
    if banner is not None:
        return wrap([banner], width)[:2]
    if fleet.permits:
        return [permit_row(fleet.permits[0], now, width, glyphs)]
    return []


def seat_summary(seat: Seat | None, fleet: Fleet, now: datetime, width: int) -> list[Text]:
    """Who is asked for the selected seat, and what it reads, two lines each at most."""
    if seat is None:
        return []
    lines = [asked_line(seat, fleet.people), reading_line(seat, now, fleet.link.clock_offset)]
    return [part for line in lines for part in wrap([line], width)[:2]]


def below(context: Context, width: int, *, alone: str = "", more: bool = False) -> Text:
    """The footer: keys that would do something for what is shown, others dimmed.

    Args:
        context: What is on screen, armed or about to be.
        width: The cells there are.
        alone: `seats` or `detail` where only that pane is on screen; an answer key
            would first open the ask, so it isn't offered from the seats.
        more: Whether the tool call goes on below what is shown.
    """
    hints = [_of("view.page_down", "more")] if more and alone != "seats" else []
    if alone == "seats":
        hints.append(_of("view.open", "open"))
    for action in ACTIONS.values():
        answers = action.family == "answer"
        if not action.footer or not action.keys or (answers and alone == "seats"):
            continue
        enabled = action.why_not(context) is None
        if enabled or not answers:
            hints.append(Hint(key_words(action.keys[0]), action.label, enabled))
    if alone == "detail":
        hints.insert(-1, _of("view.back", "seats"))
    return footer_line(hints, width)


def _of(identifier: str, label: str) -> Hint:
    return Hint(key_words(ACTIONS[identifier].keys[-1]), label)


def armed_words(context: Context, new: int) -> str:
    """What the ask's frame says below: whether its keys are live, and what is new."""
    words = [f"{new} new: n"] if new else []
    ask = context.ask
    if ask is not None and ask.pending:
        if why_not_answer(replace(context, unarmed="")) is not None:
            words.append("answer keys are off")
        elif context.unarmed:
            words.append("not armed yet")
        else:
            words.append(f"armed · {_keys(ask)} answer this ask")
    return " · ".join(words)


def _keys(ask: Ask) -> str:
    offered = {option.kind for option in ask.options}
    kinds = ("allow_once", "allow_always", "reject_once", "reject_always")
    keys = [ACTIONS[f"answer.{kind}"].keys[0] for kind in kinds if kind in offered]
    return " ".join(map(key_words, keys)) or "d"
