"""The board's edges: the line above, the line of news, what the footer offers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.registry import ACTIONS, key_words
from rig_tui.domain import select
from rig_tui.ui.present.footer import Hint, footer_line
from rig_tui.ui.present.header import HeaderFacts, header_line
from rig_tui.ui.present.link import link_banner
from rig_tui.ui.present.permit import permit_row
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


def news(fleet: Fleet, now: datetime, width: int, glyphs: Glyphs) -> list[Text]:
    """What must be known before all else: no link, or else the newest default permit."""
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


def below(context: Context, width: int) -> Text:
    """The footer: keys that would do something for what is shown, others dimmed."""
    hints = []
    for action in ACTIONS.values():
        if action.footer and action.keys:
            enabled = action.why_not(context) is None
            if enabled or action.family != "answer":
                hints.append(Hint(key_words(action.keys[0]), action.label, enabled))
    return footer_line(hints, width)


def armed_words(ask: Ask, new: int, unarmed: str) -> str:
    """What the ask's frame says below: whether its keys are live, and what is new."""
    words = [f"{new} new: n"] if new else []
    if ask.pending and unarmed:
        words.append("not armed yet")
    elif ask.pending:
        words.append(f"armed · {_keys(ask)} answer this ask")
    return " · ".join(words)


def _keys(ask: Ask) -> str:
    offered = {option.kind for option in ask.options}
    kinds = ("allow_once", "allow_always", "reject_once", "reject_always")
    keys = [ACTIONS[f"answer.{kind}"].keys[0] for kind in kinds if kind in offered]
    return " ".join(map(key_words, keys)) or "d"
