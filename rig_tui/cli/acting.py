"""Doing what was meant, once: a receipt, the command, the daemon's verdict, an exit code.

Rule of this file: nothing is sent twice. Where the answer got lost the daemon is asked
what became of it, and what isn't known isn't claimed.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from rig_tui.actions.told import done_words
from rig_tui.cli.asks import outcome_json
from rig_tui.cli.printing import complain, print_json
from rig_tui.cli.progress import progress
from rig_tui.cli.stop import REFUSED, UNKNOWN, UNREACHABLE, USAGE, Stop, code_of, over
from rig_tui.cli.words import given_words
from rig_tui.client.local import now
from rig_tui.client.lost import look_up
from rig_tui.client.receipts import NAME, Journal
from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.commands import (
    AskCommand,
    Done,
    Rejected,
    Unconfirmed,
    Unsent,
)
from rig_tui.domain.inert import inert
from rig_tui.domain.overtaken import why_not as why_taken
from rig_tui.domain.receipt import Seen, sent_facts, settled_facts
from rig_tui.settings import state_folder

if TYPE_CHECKING:
    import argparse

    from rig_tui.actions.action import Action
    from rig_tui.cli.desk import Desk
    from rig_tui.domain.commands import Command, Verdict
    from rig_tui.domain.model import Ask, JsonObject, Outcome, Seat


@dataclass(frozen=True, slots=True)
class Meant:
    """What a command line means, before anything is sent."""

    command: Command
    label: str
    """What is meant, in words: `Allow (allow once)`."""
    consequence: str
    """What the agent gets, in words."""
    outcome: Outcome | None = None
    """For an act on an ask: what `domain.mapping` says it becomes."""
    ask: Ask | None = None
    seat: Seat | None = None
    needs: str = ""
    """The flag without which it isn't sent; empty when it may be."""
    because: str = ""
    """Why it needs that."""


def check(desk: Desk, action: Action, *, ask: Ask | None = None, seat: Seat | None = None) -> None:
    """Pass what an action of the registry may do now.

    Raises:
        Stop: It may not; the message says why.
    """
    why = action.why_not(desk.context(ask=ask, seat=seat))
    if why is None:
        return
    if ask is not None and not ask.pending:
        raise over(ask, why_taken(ask.outcome.state, ask) or why)
    raise Stop(REFUSED, f"{why}; nothing was sent")


def check_state(ask: Ask, wanted: str | None) -> None:
    """Pass an ask that is what `--if-ask-state` says.

    Raises:
        Stop: It is something else.
    """
    state = ask.outcome.state
    holder = f"held_by_{ask.holder.type}" if ask.pending else None
    if wanted is None or wanted in (state, holder):
        return
    if not ask.pending:
        raise over(ask, why_taken(state, ask))
    is_now = f"{state}, held by {ask.holder.name}"
    raise Stop(REFUSED, f"the ask is {is_now}, not {wanted}; nothing was sent")


async def carry_out(desk: Desk, given: argparse.Namespace, meant: Meant) -> int:
    """Say it, or do it and say what came of it; gives the exit code.

    Raises:
        Stop: It lacks a flag, was refused, or isn't known to have been done.
    """
    flag = meant.needs
    if flag and not getattr(given, flag.removeprefix("--")):
        raise Stop(
            REFUSED, f"{meant.label}: {meant.because or meant.consequence}. Give {flag} to do it; "
            "nothing was sent"
        )  # fmt: skip
    if given.dry_run:
        return _tell(desk, given, meant)
    key = uuid4().hex
    receipts = Receipts(Journal(state_folder() / NAME))
    receipts.sent(desk, key, meant, given)
    try:
        async with progress("waiting for the daemon's answer"):
            verdict = await desk.backend.send(meant.command, key)
        if isinstance(verdict, Unconfirmed):
            operator = desk.fleet.operator
            verdict = await look_up(desk.backend, meant.command, key, verdict, operator)
    except BaseException:
        ended = Unconfirmed("the command was ended while it waited for the answer")
        receipts.settled(desk, key, ended)
        raise
    receipts.settled(desk, key, verdict)
    return _report(desk, given, meant, key, verdict)


class Receipts:
    """The journal, of which a failure is said and stops nothing."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def sent(self, desk: Desk, key: str, meant: Meant, given: argparse.Namespace) -> None:
        """Write down what is about to be sent."""
        facts = sent_facts(
            meant.command, meant.label, meant.ask, Seen("command", text=meant.consequence)
        )
        if meant.seat is not None:
            facts["seat"] = meant.seat.seat_ref
        if getattr(given, "reason", ""):
            facts["reason"] = given.reason
        whom: JsonObject = {"daemon": desk.fleet.link.address, "as": desk.fleet.operator}
        self._write({"id": key, "sentAt": now().isoformat(), **whom, **facts})

    def settled(self, desk: Desk, key: str, verdict: Verdict) -> None:
        """Write down what became of it."""
        facts = settled_facts(verdict, desk.fleet.operator)
        self._write({"id": key, "settledAt": now().isoformat(), **facts})

    def _write(self, facts: JsonObject) -> None:
        try:
            self._journal.write(facts)
        except OSError as error:
            complain(f"no receipt is kept: {error}. The act is sent all the same")


def _tell(desk: Desk, given: argparse.Namespace, meant: Meant) -> int:
    if given.as_json:
        print_json(_facts(desk, given, meant) | {"dryRun": True, "outcome": _outcome(meant)})
    else:
        sys.stdout.write(f"{inert(meant.label)}: {inert(meant.consequence)}. Nothing was sent.\n")
    return 0


def _report(desk: Desk, given: argparse.Namespace, meant: Meant, key: str, verdict: Verdict) -> int:
    match verdict:
        case Done():
            _say_done(desk, given, meant, key, verdict)
            return 0
        case Rejected():
            raise _refusal(meant, verdict)
        case Unsent(cause):
            raise Stop(UNREACHABLE, f"nothing was sent: {cause}")
        case Unconfirmed(cause):
            raise Stop(
                UNKNOWN,
                f"{cause}. Whether “{meant.label}” arrived isn't known; it isn't sent again. "
                f"Look with rig-tui {_look(meant)}, and rig-tui receipts {key}",
            )


def _look(meant: Meant) -> str:
    return f"show {meant.ask.ask_id}" if meant.ask is not None else "seats"


def _refusal(meant: Meant, verdict: Rejected) -> Stop:
    ended = verdict.ask is not None and not verdict.ask.pending
    lines = [f"{meant.label}: {verdict.message}" + ("" if ended else "; nothing was changed")]
    lines += [
        f"  {seat_ref} would then permit: {cause_in_words(then.because)}"
        for seat_ref, _, then in verdict.changes
    ]
    if verdict.reason == "would_permit":
        lines.append("  give --confirm to go on all the same")
    usage = verdict.reason in ("unknown_option", "not_found")
    return Stop(USAGE if usage else code_of(verdict.reason), "\n".join(lines))


def _say_done(desk: Desk, given: argparse.Namespace, meant: Meant, key: str, done: Done) -> None:
    outcome = done.outcome or (done.ask.outcome if done.ask is not None else None)
    if given.as_json:
        told = _facts(desk, given, meant) | {"dryRun": False, "receipt": key}
        told["outcome"] = outcome_json(outcome) if outcome is not None else None
        if done.queued:
            told["queued"] = True
        print_json(told)
    elif isinstance(meant.command, AskCommand):
        ask = done.ask or meant.ask
        words = given_words(ask, outcome) if ask is not None and outcome is not None else "done"
        sys.stdout.write(f"{inert(meant.label)}: {inert(words)}.\n")
    else:
        sys.stdout.write(f"{inert(done_words(meant.command, done, desk.fleet))}\n")


def _facts(desk: Desk, given: argparse.Namespace, meant: Meant) -> JsonObject:
    return {
        "daemon": desk.daemon,
        "command": given.command,
        "as": desk.fleet.operator,
        "id": meant.ask.ask_id if meant.ask is not None else None,
        "seatRef": _seat_ref(meant),
        "label": meant.label,
        "consequence": meant.consequence,
    }


def _seat_ref(meant: Meant) -> str | None:
    if meant.ask is not None:
        return meant.ask.seat_ref
    return meant.seat.seat_ref if meant.seat is not None else None


def _outcome(meant: Meant) -> JsonObject | None:
    return outcome_json(meant.outcome) if meant.outcome is not None else None
