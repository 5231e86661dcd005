"""Handing an ask over: to a person, to an agent seat, and back (T7-14…16).

Handing over never answers by itself. What a seat may do with the row is
`domain.mapping`'s word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.action import Action, Confirm, Context, Family, Fill, Plan
from rig_tui.actions.shown import (
    UNREACHABLE,
    daemon_words,
    shown_ask,
    what_it_gives,
    why_not_waiting,
)
from rig_tui.domain import mapping, select
from rig_tui.domain.commands import RouteAsk, UpdateRow
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import HolderType

if TYPE_CHECKING:
    from collections.abc import Callable


def _why_not(context: Context, capability: str) -> str | None:
    why = why_not_waiting(context)
    if why is not None:
        return why
    ask, fleet = shown_ask(context), context.fleet
    if not fleet.link.live:
        return UNREACHABLE
    if capability not in fleet.link.capabilities:
        return f"{daemon_words(fleet.link)} can't do that (it has no {capability})"
    if select.sending(fleet, ask.ask_id):
        return "an act on it is on its way"
    return context.unarmed or None


def _why_not_hand_over(context: Context) -> str | None:
    why = _why_not(context, "handoff")
    if why is None and context.ask is not None and context.ask.holder.type is HolderType.HOST:
        return "another host holds it: it won't come back by itself"
    return why


def _why_not_seat_row(context: Context, capability: str = "update") -> str | None:
    ask = context.ask
    if ask is not None and ask.pending and ask.holder.type is HolderType.PERSON:
        return "a person holds it: answer it, or hand it on"
    if ask is not None and ask.pending and ask.holder.type is HolderType.HOST:
        return "another host holds it: it won't come back by itself"
    return _why_not(context, capability)


def _why_not_take_back(context: Context) -> str | None:
    return _why_not_seat_row(context, "handoff")


def _plan_take_back(context: Context) -> Plan:
    ask = shown_ask(context)
    operator = context.fleet.operator
    command = RouteAsk(ask.ask_id, ask.row_id, operator, "taken back")
    words = "comes back to you, with every option; taking it back permits nothing"
    return Confirm(command, f"Take it back from {ask.holder.name}", words)


def _plan_row(state: str, act: Act, label: str) -> Callable[[Context], Plan]:
    def plan(context: Context) -> Plan:
        ask = shown_ask(context)
        words = mapping.consequence(ask.options, act)
        return Confirm(UpdateRow(ask.ask_id, ask.row_id, state), label, words)

    return plan


ROUTING = Family(
    "Handing over",
    (
        Action(
            "route.person", ("o",), "route…",
            "Hand the ask to a person, who gets the same options. Handing over never permits.",
            lambda _: Fill("route-person"), _why_not_hand_over,
            what_it_gives(Act.ROUTE_TO_PERSON),
        ),
        Action(
            "route.seat", ("g",), "hand to seat…",
            "Hand the ask to an agent seat. It sees no options: done, dropped or failed PERMITS.",
            lambda _: Fill("route-seat"), _why_not_hand_over,
            what_it_gives(Act.HAND_TO_SEAT),
        ),
        Action(
            "route.take_back", ("b",), "take back…",
            "Take the ask back from the agent seat that holds it; its options come back with it.",
            _plan_take_back, _why_not_take_back,
            lambda _: "comes back to you, with every option", footer=False,
        ),
        Action(
            "route.deny_row", (), "close the seat's row as denied…",
            "Close an agent seat's row as denied: a no. The agent gets its reject option.",
            _plan_row("denied", Act.ROW_DENIED, "Close the row as denied"), _why_not_seat_row,
            what_it_gives(Act.ROW_DENIED), footer=False,
        ),
        Action(
            "route.cancel_row", (), "cancel the request…",
            "Set an agent seat's row to canceled: the request is cancelled and nothing permitted.",
            _plan_row("canceled", Act.ROW_CANCELED, "Cancel the request"), _why_not_seat_row,
            what_it_gives(Act.ROW_CANCELED), footer=False,
        ),
    ),
)  # fmt: skip
