"""The board's edges: the line above, the line of news, what the footer offers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.actions.answering import why_not_answer
from rig_tui.actions.keys import Keymap, key_words
from rig_tui.actions.registry import ACTIONS
from rig_tui.domain import drafts, select
from rig_tui.ui.present.absence import absence_line
from rig_tui.ui.present.footer import Hint
from rig_tui.ui.present.header import HeaderFacts, header_line
from rig_tui.ui.present.lines import join
from rig_tui.ui.present.link import link_banner
from rig_tui.ui.present.message import offer_line
from rig_tui.ui.present.permit import permit_row
from rig_tui.ui.present.roles import DANGER_STRONG
from rig_tui.ui.present.seat_detail import asked_line, reading_line
from rig_tui.ui.present.view_words import snoozed_words
from rig_tui.ui.present.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from rich.text import Text

    from rig_tui.actions.action import Context
    from rig_tui.domain.model import Ask, Fleet, Seat
    from rig_tui.ui.present.glyphs import Glyphs


def above(fleet: Fleet, width: int, glyphs: Glyphs, *, snoozed: Collection[str] = ()) -> Text:
    """The header: which daemon, who is needed, who answers here."""
    mine, others = select.need_counts(fleet, snoozed)
    facts = HeaderFacts(
        link=fleet.link,
        operator=fleet.operator,
        mine=mine,
        others=others,
        seats=len(fleet.seats),
        rigs=len(fleet.rigs),
        permitting=len(select.permitting_seats(fleet)),
        demo=fleet.demo,
        snoozed=len(snoozed),
    )
    return header_line(facts, width, glyphs)


def news(
    fleet: Fleet,
    now: datetime,
    width: int,
    glyphs: Glyphs,
    *,
    too_small: bool = False,
    keymap: Keymap = Keymap(),  # noqa: B008 (a value)
) -> list[Text]:
    """What must be known before all else.

    No link; what changed without one; kept words that may go; the newest permit.
    """
    if too_small:
        return wrap([join(("Too small to answer safely: 40×12 at least.", DANGER_STRONG))], width)
    banner = link_banner(fleet.link, now)
    if banner is not None:
        return wrap([banner], width)[:2]
    told = select.untold(fleet)
    offer = offer_line(fleet, width, keymap)
    lines = wrap([absence_line(told, _link_key(keymap))], width)[:2] if told is not None else []
    lines += [offer] if offer is not None else []
    if fleet.permits:
        lines.append(permit_row(fleet.permits[0], now, width, glyphs))
    return lines


def urgent(fleet: Fleet) -> bool:
    """Whether the news is shown however little room there is."""
    return not fleet.link.live or bool(drafts.offered(fleet) or select.untold(fleet))


def _link_key(keymap: Keymap) -> str:
    return keymap.words(ACTIONS["view.link"])


def seat_summary(seat: Seat | None, fleet: Fleet, now: datetime, width: int) -> list[Text]:
    """Who is asked for the selected seat, and what it reads, two lines each at most."""
    if seat is None:
        return []
    lines = [asked_line(seat, fleet.people), reading_line(seat, now, fleet.link.clock_offset)]
    return [part for line in lines for part in wrap([line], width)[:2]]


def hints(
    context: Context, *, focus: str = "", more: bool = False, mouse: bool = True
) -> list[Hint]:
    """The footer: keys that would do something for what is shown, others dimmed.

    Args:
        context: What is on screen, armed or about to be.
        focus: `filter` while words are typed; `tiny` where nothing can be done safely;
            `seats` or `detail` where only that pane is on screen: an answer key would
            first open the ask, so it isn't offered from the seats.
        more: Whether the tool call goes on below what is shown.
        mouse: Whether the console has the mouse.
    """
    if focus == "filter":
        return _typing(context.view.text)
    if focus == "tiny":
        return [_of(context, "view.help", "help")]
    found = [] if mouse else [_of(context, "view.mouse", "select: mouse back")]
    if more and focus != "seats":
        found.append(_of(context, "view.page_down", "more"))
    if focus == "seats":
        found.append(_of(context, "view.open", "open"))
    for action in ACTIONS.values():
        answers = action.family == "answer"
        keys = context.keymap.keys(action)
        if not action.footer or not keys or (answers and focus == "seats"):
            continue
        enabled = action.why_not(context) is None
        if enabled or not answers:
            found.append(Hint(key_words(keys[0]), action.label, enabled))
    if focus == "detail":
        found.insert(-1, _of(context, "view.back", "seats"))
    return found


def _typing(text: str) -> list[Hint]:
    esc = Hint("esc", "clear" if text else "leave")
    return [Hint("enter", "keep"), esc, Hint("↓", "to the list")]


def _of(context: Context, identifier: str, label: str) -> Hint:
    keys = context.keymap.keys(ACTIONS[identifier])
    return Hint(key_words(keys[-1]) if keys else "", label)


def armed_words(context: Context, new: int) -> str:
    """What the ask's frame says below: whether its keys are live, and what is new."""
    key = context.keymap.words(ACTIONS["view.next"])
    words = [f"{new} new: {key}" if key else f"{new} new"] if new else []
    ask = context.ask
    if ask is not None and ask.pending:
        if why_not_answer(replace(context, unarmed="")) is not None:
            words.append("answer keys are off")
        elif context.unarmed:
            words.append("not armed yet")
        else:
            again = "" if context.fleet.link.live else ", read again first"
            words.append(f"armed · {_keys(ask, context)} answer this ask{again}")
        words.append(snoozed_words(context.view, ask))
    return " · ".join(filter(None, words))


def _keys(ask: Ask, context: Context) -> str:
    offered = {option.kind for option in ask.options}
    kinds = ("allow_once", "allow_always", "reject_once", "reject_always")
    keys = [context.keymap.words(ACTIONS[f"answer.{kind}"]) for kind in kinds if kind in offered]
    return " ".join(filter(None, keys)) or context.keymap.words(ACTIONS["answer.deny"])
