"""`rig-tui asks` and `rig-tui show`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rig_tui.cli.printing import age, instant, print_blocks, print_json, print_table
from rig_tui.cli.words import state_words
from rig_tui.domain import items, mapping, select
from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.commands import EndedAsks
from rig_tui.domain.items import ItemKind
from rig_tui.domain.ledger import subject_of
from rig_tui.domain.look_closely import look_closely
from rig_tui.domain.mapping import Act, Choose
from rig_tui.domain.model import HolderType
from rig_tui.domain.tool_call import title_of, uninformative

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from datetime import datetime

    from rig_tui.cli.desk import Desk
    from rig_tui.cli.printing import Line
    from rig_tui.domain.history import EndedAsk
    from rig_tui.domain.model import Ask, Fleet, JsonObject, Outcome

_KINDS = {ItemKind.DECISION: "decision", ItemKind.GATE: "gate", ItemKind.BLOCKED: "blocked"}
_ACTS = (
    (Act.DENY, "deny"),
    (Act.DROP, "close"),
    (Act.HAND_TO_SEAT, "handoff"),
)


async def asks(desk: Desk, given: argparse.Namespace) -> int:
    """Print what waits, or what has ended; gives the exit code."""
    if given.ended:
        from rig_tui.cli.record import filters_of

        query = EndedAsks(filters=filters_of(given, desk), limit=given.limit)
        _print_ended(desk, (await desk.backend.fetch(query)).ended, as_json=given.as_json)
        return 0
    waiting = _pending(desk.fleet)
    if given.mine:
        waiting = [ask for ask in waiting if select.held_by_operator(desk.fleet, ask)]
    if given.as_json:
        print_json([ask_row(ask, desk.daemon) for ask in waiting])
    else:
        print_blocks((block(ask, desk.now()) for ask in waiting), "Nobody is asked anything.")
    return 0


async def show(desk: Desk, given: argparse.Namespace) -> int:
    """Print one ask whole; gives the exit code."""
    ask = await desk.ask(given.id)
    if given.as_json:
        print_json(whole_row(ask, desk.daemon))
    else:
        print_blocks(_whole(ask, desk.now()), "")
    return 0


def ask_row(ask: Ask, daemon: str) -> JsonObject:
    """An ask as the documented row."""
    return {
        "daemon": daemon,
        "id": ask.ask_id,
        "kind": _KINDS[ask.item.kind] if ask.item is not None else "permission",
        "seatRef": ask.seat_ref,
        "holder": {"type": ask.holder.type.value, "id": ask.holder.id, "name": ask.holder.name},
        "state": ask.outcome.state.value,
        "title": title(ask),
        "options": [
            {"optionId": option.option_id, "name": option.name, "kind": option.kind}
            for option in ask.options
        ],
        "openedAt": instant(ask.opened_at),
    }


def ended_row(ask: Ask, daemon: str) -> JsonObject:
    """An ask that has ended as the documented row."""
    return ask_row(ask, daemon) | {
        "outcome": outcome_json(ask.outcome),
        "decidedBy": ask.decided_by,
        "decidedHow": ask.decided_how,
        "decidedAt": instant(ask.decided_at),
        "readAt": instant(ask.read_at),
        "withdrawnAt": instant(ask.withdrawn_at),
        "origin": None
        if ask.origin is None
        else {"program": ask.origin.program, "pid": ask.origin.pid, "tty": ask.origin.tty},
    }


def whole_row(ask: Ask, daemon: str) -> JsonObject:
    """An ask with all that is known of it."""
    return ended_row(ask, daemon) | {
        "rowId": ask.row_id,
        "session": ask.session_name,
        "generation": ask.generation,
        "nativeRef": ask.native_ref,
        "turnId": ask.turn_id,
        "requestId": ask.request_id,
        "toolCall": ask.tool_call,
        "askedBecause": ask.asked_because,
        "acts": {
            name: {
                "outcome": outcome_json(mapping.outcome(ask.options, act)),
                "consequence": mapping.consequence(ask.options, act),
            }
            for act, name in _ACTS
            if ask.item is None
        },
        "notices": [*ask.notices],
    }


def outcome_json(outcome: Outcome) -> JsonObject:
    """What the agent gets, for a program."""
    return {
        "state": outcome.state.value,
        "optionId": outcome.option_id,
        "kind": outcome.kind,
        "remembered": outcome.remembered,
        "reason": outcome.reason,
        "said": outcome.said,
    }


def block(ask: Ask, now: datetime) -> tuple[Line, ...]:
    """A waiting ask in a few lines."""
    waiting = f"{ask.seat_ref}  waiting {age(ask.opened_at, now)}, held by {ask.holder.name}"
    return (
        _titled(ask),
        (waiting, ""),
        *((f"  {option.name}  {mapping.kind_in_words(option.kind)}", "") for option in ask.options),
        (ask.ask_id, "dim"),
    )


def _titled(ask: Ask) -> Line:
    return (title(ask) or "(the agent gave it no title)", "bold yellow")


def _whole(ask: Ask, now: datetime) -> Iterator[tuple[Line, ...]]:
    because = cause_in_words(ask.asked_because)
    conversation = f"conversation {ask.native_ref or 'unknown'}   turn {ask.turn_id or 'unknown'}"
    yield (
        _titled(ask),
        (f"{ask.seat_ref}  {state_words(ask)}", ""),
        (f"asked {age(ask.opened_at, now)} ago: {because}", ""),
        (f"{conversation}   request {ask.request_id}", "dim"),
        (ask.ask_id, "dim"),
    )
    if ask.item is not None:
        yield ((ask.item.kind.value, "bold"), *((row, "") for row in ask.item.body.split("\n")))
        if ask.pending:
            words = ((verb, items.consequence(verb, ask.item)) for verb in items.Verb)
            yield (("What comes of", "dim"), *((f"  item --do {v}: {w}", "") for v, w in words))
        return
    call = json.dumps(ask.tool_call, indent=2, ensure_ascii=False)
    yield (("The tool call, as the agent says", "dim"), *((row, "") for row in call.split("\n")))
    little = uninformative(ask.tool_call)
    remarks = [*ask.notices, *([little] if little else [])]
    remarks += [f"look closely: {note}" for note in look_closely(ask.tool_call)]
    if remarks:
        yield tuple((remark, "") for remark in remarks)
    if ask.pending and ask.holder.type is HolderType.PERSON:
        yield tuple(_ways(ask))


def _ways(ask: Ask) -> Iterator[Line]:
    yield ("What the agent gets for", "dim")
    for option in ask.options:
        choice = mapping.consequence(ask.options, Choose(option.option_id))
        odd = mapping.contradicts(option)
        yield (f"  answer {option.option_id}: {choice}" + (f" ({odd})" if odd else ""), "")
    for act, name in _ACTS:
        words = mapping.consequence(ask.options, act)
        yield (f"  {name}: {words}", "bold red" if words.startswith("PERMITS") else "")


def title(ask: Ask) -> str:
    """What the agent calls it, or an item's first words; "" when it says nothing."""
    if ask.item is not None:
        return ask.item.summary or ask.item.body.partition("\n")[0]
    return title_of(ask.tool_call)


def _print_ended(desk: Desk, ended: tuple[EndedAsk, ...], *, as_json: bool) -> None:
    if as_json:
        print_json([ended_row(each.ask, desk.daemon) for each in ended])
        return
    now = desk.now()
    print_table(
        ("ENDED", "SEAT", "WHAT", "HOW", "ID"),
        (
            (
                f"{age(each.at, now)} ago",
                each.ask.seat_ref,
                subject_of(each.ask.tool_call),
                state_words(each.ask),
                (each.ask.ask_id, "dim"),
            )
            for each in ended
        ),
        "No ask has ended.",
    )


def _pending(fleet: Fleet) -> list[Ask]:
    waiting = (ask for ask in fleet.asks.values() if ask.pending)
    return sorted(waiting, key=lambda ask: ask.opened_at)
