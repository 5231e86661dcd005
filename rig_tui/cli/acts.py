"""What each acting command means: the command, what the agent gets, the flag it needs.

Rule of this file: whether an act is possible is the registry's word, and what it comes to
is `domain.mapping`'s, exactly as for the console's keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.answering import needs_confirming, option_label
from rig_tui.actions.grants import revoke, revoking
from rig_tui.actions.headless import PERSON_HELD
from rig_tui.actions.items import command_of as item_command
from rig_tui.actions.items import why_not_verb
from rig_tui.actions.registry import ACTIONS
from rig_tui.actions.replying import Step as ReplyStep
from rig_tui.actions.replying import command_of, label_of, preview
from rig_tui.actions.seats import AT_ONCE, OUTSIDE, clear, goes_stale, stop
from rig_tui.cli.acting import Meant, carry_out, check, check_state
from rig_tui.cli.stop import REFUSED, USAGE, Stop
from rig_tui.domain import drafts, items, mapping
from rig_tui.domain.commands import (
    AnswerAsk,
    CloseAsk,
    DenyAsk,
    HandToSeat,
    RouteAsk,
    SendMessage,
    UpdateRow,
)
from rig_tui.domain.items import NEEDS, Needs, Verb
from rig_tui.domain.mapping import Act, Choose
from rig_tui.domain.model import PRIMARY_USER
from rig_tui.domain.replies import action_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from rig_tui.cli.desk import Desk
    from rig_tui.domain.model import Ask, Option

_CLOSINGS = {
    "approve": ("answer.approve", Act.APPROVE),
    "drop": ("answer.close", Act.DROP),
    "done": ("route.deny_row", Act.ROW_DONE),
    "failed": ("route.deny_row", Act.ROW_FAILED),
    "denied": ("route.deny_row", Act.ROW_DENIED),
    "canceled": ("route.cancel_row", Act.ROW_CANCELED),
}
"""For each way to close: the action whose conditions hold for it, and what it is."""
_WITHOUT_CHOICE = frozenset({Act.APPROVE, Act.DROP, Act.ROW_DONE, Act.ROW_FAILED})


async def on_ask(desk: Desk, given: argparse.Namespace) -> int:
    """Do an act on an ask; gives the exit code.

    Raises:
        Stop: It can't be done, or wasn't.
    """
    ask = await desk.ask(given.id)
    check_state(ask, given.if_ask_state)
    return await carry_out(desk, given, _ASK_ACTS[given.command](desk, given, ask))


async def on_seat(desk: Desk, given: argparse.Namespace) -> int:
    """Do an act on a seat; gives the exit code.

    Raises:
        Stop: It can't be done, or wasn't.
    """
    return await carry_out(desk, given, _SEAT_ACTS[given.command](desk, given))


def _answer(desk: Desk, given: argparse.Namespace, ask: Ask) -> Meant:
    check(desk, ACTIONS["answer.choose"], ask=ask)
    option = _option(given, ask)
    act = Choose(option.option_id)
    return Meant(
        AnswerAsk(ask.ask_id, ask.row_id, option.option_id),
        option_label(option),
        mapping.consequence(ask.options, act),
        mapping.outcome(ask.options, act),
        ask,
        needs="--remembered" if needs_confirming(option) else "",
        because=mapping.meaning(option.kind),
    )


def _option(given: argparse.Namespace, ask: Ask) -> Option:
    """The one option that is named.

    Raises:
        Stop: None is, or several are.
    """
    named = [name for name in (given.option, given.kind, given.name) if name is not None]
    if len(named) != 1:
        raise Stop(USAGE, f"give an optionId, --kind or --name, and only one\n{_offered(ask)}")
    found = [
        option
        for option in mapping.usable(ask.options)
        if given.option in (None, option.option_id)
        and given.kind in (None, option.kind)
        and given.name in (None, option.name)
    ]
    if len(found) != 1:
        how_many = f"{len(found)} options match" if found else "no option matches"
        raise Stop(USAGE, f"{how_many} {named[0]!r}; nothing was sent\n{_offered(ask)}")
    return found[0]


def _offered(ask: Ask) -> str:
    rows = (
        f"  {option.option_id}  {option.name}  {mapping.meaning(option.kind)}"
        for option in ask.options
    )
    return "\n".join(["this ask offers (optionId, name, meaning):", *rows])


def _deny(desk: Desk, given: argparse.Namespace, ask: Ask) -> Meant:
    check(desk, ACTIONS["answer.deny"], ask=ask)
    return Meant(
        DenyAsk(ask.ask_id, ask.row_id, given.reason),
        "Deny",
        mapping.consequence(ask.options, Act.DENY),
        outcome := mapping.outcome(ask.options, Act.DENY),
        ask,
        needs="--remembered" if outcome.remembered else "",
    )


def _reply(desk: Desk, given: argparse.Namespace, ask: Ask) -> Meant:
    check(desk, ACTIONS["answer.reply"], ask=ask)
    shown = preview(ask, given.text)
    needs, because = "", ""
    match shown.step:
        case ReplyStep.NOTHING:
            raise Stop(USAGE, "there is nothing to send: the words are blank")
        case ReplyStep.CONFIRM:
            needs = "--remembered"
        case ReplyStep.CHOOSE:
            needs = "--permit"
            because = f"{shown.consequence}. To say no, use rig-tui deny {ask.ask_id}"
        case ReplyStep.SEND:
            pass
    outcome = mapping.outcome(ask.options, action_of(shown.reply))
    return Meant(
        command_of(shown), label_of(shown), shown.consequence, outcome, ask, None, needs, because
    )


def _route(desk: Desk, given: argparse.Namespace, ask: Ask) -> Meant:
    check(desk, ACTIONS["route.person"], ask=ask)
    to = desk.address(given.person)
    return _handing(
        RouteAsk(ask.ask_id, ask.row_id, to, given.reason),
        f"Hand it to {to}", Act.ROUTE_TO_PERSON, ask,
    )  # fmt: skip


def _handoff(desk: Desk, given: argparse.Namespace, ask: Ask) -> Meant:
    check(desk, ACTIONS["route.seat"], ask=ask)
    seat = desk.seat(given.seat)
    if seat.session_name == ask.session_name:
        raise Stop(REFUSED, f"{seat.seat_ref} asked this itself; nothing was sent")
    return _handing(
        HandToSeat(ask.ask_id, ask.row_id, seat.session_name, given.reason),
        f"Hand it to the agent seat {seat.seat_ref}", Act.HAND_TO_SEAT, ask,
    )  # fmt: skip


def _handing(command: RouteAsk | HandToSeat, label: str, act: Act, ask: Ask) -> Meant:
    return Meant(
        command, label, mapping.consequence(ask.options, act),
        mapping.outcome(ask.options, act), ask,
    )  # fmt: skip


def _take_back(desk: Desk, given: argparse.Namespace, ask: Ask) -> Meant:
    check(desk, ACTIONS["route.take_back"], ask=ask)
    operator = desk.fleet.operator
    return Meant(
        RouteAsk(ask.ask_id, ask.row_id, operator, given.reason or "taken back"),
        f"Take it back from {ask.holder.name}",
        f"{operator} holds it then, with every option; taking it back permits nothing",
        mapping.outcome(ask.options, Act.ROUTE_TO_PERSON),
        ask,
    )


def _close(desk: Desk, given: argparse.Namespace, ask: Ask) -> Meant:
    action, act = _CLOSINGS[given.how]
    check(desk, ACTIONS[action], ask=ask)
    command: CloseAsk | UpdateRow
    if given.how in PERSON_HELD:
        done = "approved" if act is Act.APPROVE else "closed"
        reason = given.reason.strip() or f"{done} without choosing"
        command = CloseAsk(ask.ask_id, ask.row_id, given.how, reason)
    else:
        command = UpdateRow(ask.ask_id, ask.row_id, given.how)
    outcome = mapping.outcome(ask.options, act)
    needs = "--remembered" if outcome.remembered else ""
    return Meant(
        command,
        f"Close as {given.how}",
        mapping.consequence(ask.options, act),
        outcome,
        ask,
        needs="--permit" if act in _WITHOUT_CHOICE else needs,
    )


def _item(desk: Desk, given: argparse.Namespace, ask: Ask) -> Meant:
    check(desk, ACTIONS["item.act"], ask=ask)
    item, verb = ask.item, Verb(given.do)
    if item is None:
        raise ValueError("the registry lets nobody act on what is no item")
    why = why_not_verb(verb, item, desk.fleet.link)
    if why is not None:
        raise Stop(REFUSED, f"{why}; nothing was sent")
    needs, to = NEEDS[verb], ""
    silent = needs in (Needs.NOTHING, Needs.DESTINATION, Needs.REASON_OR_NOT)
    if not silent and not given.text.strip():
        raise Stop(USAGE, f"{verb} needs {needs} by --text")
    if needs is Needs.DESTINATION:
        if not given.to:
            raise Stop(USAGE, f"{verb} needs {needs} by --to")
        to = given.to if given.to == PRIMARY_USER else desk.seat(given.to).session_name
    label = f"{verb.title()}{f' to {to}' if to else ''}"
    text = "" if needs in (Needs.NOTHING, Needs.DESTINATION) else given.text
    words = f"{items.consequence(verb, item)}; nothing is permitted by it"
    return Meant(item_command(ask, verb, text, to), label, words, ask=ask)


def _clear_attention(desk: Desk, given: argparse.Namespace) -> Meant:
    if not given.reason.strip():
        raise Stop(USAGE, "clear-attention needs a --reason")
    seat = desk.seat(given.seat)
    action = ACTIONS["seat.clear_attention"]
    check(desk, action, seat=seat)
    return Meant(
        clear(seat, given.reason), f"Clear the attention of {seat.seat_ref}",
        action.consequence(desk.context(seat=seat)), seat=seat,
    )  # fmt: skip


def _message(desk: Desk, given: argparse.Namespace) -> Meant:
    seat = desk.seat(given.seat)
    action = ACTIONS["seat.message"]
    check(desk, action, seat=seat)
    if not given.text.strip():
        raise Stop(USAGE, "there is nothing to send: the words are blank")
    why = drafts.why_not_send(desk.fleet, drafts.for_seat(seat, given.text))
    if why is not None:
        raise Stop(REFUSED, f"{why}; nothing was sent")
    return Meant(
        SendMessage(seat.session_name, given.text), f"Write to {seat.seat_ref}",
        action.consequence(desk.context(seat=seat)), seat=seat,
    )  # fmt: skip


def _stop_seat(desk: Desk, given: argparse.Namespace) -> Meant:
    seat = desk.seat(given.seat)
    check(desk, ACTIONS["seat.stop"], seat=seat)
    stale = goes_stale(seat, desk.fleet)
    return Meant(
        stop(seat), f"Stop {seat.seat_ref}", " ".join(filter(None, (AT_ONCE, stale, OUTSIDE))),
        seat=seat, needs="--force" if stale else "", because=stale,
    )  # fmt: skip


def _revoke_grant(desk: Desk, given: argparse.Namespace) -> Meant:
    seat = desk.seat(given.seat)
    check(desk, ACTIONS["seat.revoke_grant"], seat=seat)
    return Meant(
        revoke(seat), f"Revoke the grant of {seat.seat_ref}", revoking(seat, desk.fleet),
        seat=seat, needs="--permit",
    )  # fmt: skip


_ASK_ACTS: dict[str, Callable[[Desk, argparse.Namespace, Ask], Meant]] = {
    "answer": _answer,
    "deny": _deny,
    "reply": _reply,
    "route": _route,
    "handoff": _handoff,
    "take-back": _take_back,
    "close": _close,
    "item": _item,
}
_SEAT_ACTS: dict[str, Callable[[Desk, argparse.Namespace], Meant]] = {
    "clear-attention": _clear_attention,
    "message": _message,
    "stop-seat": _stop_seat,
    "revoke-grant": _revoke_grant,
}
