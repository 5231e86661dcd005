"""Acting on work that waits for a person and is no permission request.

One key opens the list of what can be done, each with what it comes to here. The keys
that answer a permission do nothing to such an item, and this one does nothing to a
permission: the same key never means a permit in one place and a closing in another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.action import Action, Context, Family, Fill
from rig_tui.actions.shown import STATE_WORDS, UNREACHABLE
from rig_tui.domain import items, select
from rig_tui.domain.commands import ActOnItem

if TYPE_CHECKING:
    from rig_tui.domain.items import Item, Verb
    from rig_tui.domain.model import Ask, Link


def why_not_act(context: Context) -> str | None:
    """Why nothing can be done about the shown item now; None when something can."""
    ask, fleet = context.ask, context.fleet
    if ask is None:
        return "no ask is shown"
    if not ask.pending:
        return f"{STATE_WORDS[ask.outcome.state]}; nothing was sent"
    if ask.item is None:
        return "it is a permission request: its own options answer it"
    if context.barred:
        return context.barred
    if not fleet.link.live:
        return UNREACHABLE
    if select.sending(fleet, ask.ask_id):
        return "an act on it is on its way"
    return context.unarmed or None


def why_not_verb(verb: Verb, item: Item, link: Link) -> str | None:
    """Why one verb can't be used on an item; None when it can."""
    if f"do:{verb}" not in link.capabilities:
        return f"{link.version} has no {verb}"
    return items.why_not(verb, item)


def command_of(ask: Ask, verb: Verb, text: str = "", to: str = "") -> ActOnItem:
    """The command that a verb is, bound to the item as it is shown."""
    return ActOnItem(ask.ask_id, ask.row_id, verb.value, text, to)


def _consequence(context: Context) -> str:
    return "nothing yet: each act is listed with what it comes to, and asks for a last key"


ITEMS = Family(
    "Items that are no permission request",
    (
        Action(
            "item.act", ("e",), "act on it…",
            "What can be done about an item of a daemon without permission requests: approve, "
            "deny, resolve, route, hold, drop, annotate. None of it answers a permission request.",
            lambda _: Fill("item-act"), why_not_act, _consequence, footer=False,
        ),
    ),
)  # fmt: skip
