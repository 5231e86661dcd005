"""What became of an ask, and what this console sent for it, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from rig_tui.domain.mapping import kind_in_words
from rig_tui.domain.model import REMEMBERED_KINDS, AskState, Sending
from rig_tui.domain.watching import PICK_UP, overdue
from rig_tui.ui.present.age import age_words, clock
from rig_tui.ui.present.how import how_words
from rig_tui.ui.present.inert import inert, inert_lines, inert_words
from rig_tui.ui.present.lines import Line, join, line, paint
from rig_tui.ui.present.roles import (
    ACCENT,
    ACCENT_STRONG,
    DANGER,
    DANGER_STRONG,
    DIM,
    NAME,
    OK,
    QUOTE,
    VIOLET,
)
from rig_tui.ui.present.who import holder_words, option_words, who

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from rig_tui.domain.model import Ask, People, Sent

_TOLD: Final = frozenset({"choice", "yes", "no", "denied"})
"""Acts that a choice is told with; a plain click needs no telling."""
_WITHDRAWN: Final = {
    "turn_ended": "the agent's turn ended",
    "turn_cancelled": "the agent's turn was cancelled",
    "exited": "the agent exited",
    "canceled": "the seat that held it cancelled it",
}
_REFUSED: Final = {
    "said_no": "a no, and no reject option was offered",
    "no_allow_offered": "closed without choosing, and no allow option was offered",
    "options_unsupported": "its options can't be shown to a person",
}
_HANDED_OVER: Final = {AskState.ANSWERED, AskState.PERMITTED, AskState.REFUSED}
"""End states that a runner still has to read."""


def state_line(ask: Ask, now: datetime, people: People, operator: str | None = None) -> Text:
    """Where the ask stands, in one line (T7-17)."""
    outcome = ask.outcome
    by = who(ask.decided_by, people, operator)
    at = f" at {clock(ask.decided_at, now)}" if ask.decided_at else ""
    match outcome.state:
        case AskState.PENDING:
            return join(
                ("waiting", ACCENT_STRONG), " for ", holder_words(ask.holder, operator or "")
            )
        case AskState.ANSWERED:
            how = (
                join(" (", how_words(ask.decided_how), ")")
                if ask.decided_how in _TOLD
                else Text("")
            )
            return join(("answered", OK), at, " by ", by, how, " with ", _option(ask))
        case AskState.PERMITTED:
            default = join(("permitted by default", DANGER_STRONG), at, " with ", _option(ask))
            return join(default, ": ", how_words(ask.decided_how), " by ", by)
        case AskState.REFUSED:
            why = _REFUSED.get(outcome.reason or "", outcome.reason or "reason not given")
            return join(("refused", ACCENT), at, " by ", by, ": ", inert(why))
        case AskState.WITHDRAWN:
            reason = _WITHDRAWN.get(outcome.reason or "", outcome.reason or "reason not given")
            return join(("withdrawn", VIOLET), at, ": ", inert(reason), "; nobody answered")
        case AskState.CLOSED:
            by_whom = join(" by ", by) if ask.decided_by else Text("")
            how = inert(outcome.reason or "nobody says how")
            return join(("closed", OK), at, by_whom, ": ", how)
        case AskState.STALE:
            words = ": its seat was relaunched or stopped; nobody answered"
            return join(("stale", VIOLET), at, words)


def outcome_lines(
    ask: Ask,
    now: datetime,
    offset: timedelta,
    people: People,
    *,
    awaiting: bool = False,
    operator: str | None = None,
) -> list[Line]:
    """The end of an ask: who, when, what, and whether the runner has read it.

    Args:
        ask: An ask that has ended.
        now: The instant that ages are counted to.
        offset: The daemon's clock minus ours.
        people: Who is registered.
        awaiting: Whether the runner has posted nothing since.
        operator: Who sits here, to be called "you".
    """
    lines = [Line(state_line(ask, now, people, operator), 2)]
    outcome = ask.outcome
    if outcome.remembered or (outcome.option_id and outcome.kind in REMEMBERED_KINDS):
        words = "The agent's harness remembers it; nobody here recorded that or can undo it."
        lines.append(line((words, DANGER)))
    if outcome.said is not None:
        lines.append(line(("The words go to the agent as a later prompt, or are dropped:", DIM)))
        lines.extend(Line(join("  ", paint(each, QUOTE)), 2) for each in inert_lines(outcome.said))
    if outcome.state in _HANDED_OVER:
        lines.append(_reading(ask, now, offset))
        if awaiting:
            lines.append(_awaited(ask, now + offset))
    if ask.origin is not None:
        place = f", process {ask.origin.pid}" if ask.origin.pid is not None else ""
        tty = join(" on ", inert(ask.origin.tty)) if ask.origin.tty else Text("")
        lines.append(Line(paint(join("sent from ", inert(ask.origin.program), tty, place), DIM), 2))
    return lines


def _awaited(ask: Ask, now: datetime) -> Line:
    """That its runner has posted nothing since, and whether it has had long enough."""
    if overdue(ask, now):
        seconds = f"{PICK_UP.total_seconds():.0f} s"
        words = f"not picked up: its runner has posted nothing for more than {seconds}. It may "
        return line((f"{words}hang, or have ended; the agent may go on without it", DANGER))
    return line(("not picked up yet: its runner hasn't posted since", ACCENT))


def answering_line(label: str) -> Line:
    """What is sent in a moment, unless another key comes first."""
    return line(("answering… ", ACCENT), paint(inert_words(label), NAME), hang=11)


def sent_lines(sent: Sent, ask: Ask | None, now: datetime) -> list[Line]:
    """What this console sent for an ask, when, and the daemon's verdict."""
    at = (f"{clock(sent.at, now)}  ", DIM)
    label = paint(inert_words(sent.label), NAME)
    detail = inert_words(sent.detail.rstrip(".") or "no reason given")
    match sent.state:
        case Sending.SENDING:
            return [line(at, ("sending ", ACCENT), label, hang=10)]
        case Sending.DONE:
            return [line(at, ("sent ", OK), label, ": recorded by the daemon", hang=10)]
        case Sending.REJECTED:
            words = join(("not done ", ACCENT_STRONG), label, ": ", detail)
            return [line(at, words, "; nothing was changed", hang=10)]
        case Sending.UNSENT:
            words = join(("not sent ", DANGER_STRONG), label, ": ", detail)
            waits = "" if ask is not None and not ask.pending else " The ask still waits."
            return [line(at, words, f".{waits}", hang=10)]
        case Sending.UNCONFIRMED:
            words = join(("not confirmed ", DANGER_STRONG), label, ": ", detail)
            return [line(at, words, ". It may have arrived; the ask is read again.", hang=10)]


def _option(ask: Ask) -> Text:
    outcome = ask.outcome
    option = ask.option(outcome.option_id) if outcome.option_id is not None else None
    if option is None:
        return join("option ", paint(inert(outcome.option_id or "not recorded"), NAME))
    if not option.name.strip(" "):
        return join(
            paint(inert(option.option_id), NAME), " (", inert_words(kind_in_words(option.kind)), ")"
        )
    return option_words(option.name, option.kind)


def _reading(ask: Ask, now: datetime, offset: timedelta) -> Line:
    """Whether the runner has it."""
    if ask.read_at is not None:
        return line((f"the runner read it at {clock(ask.read_at, now)}", DIM))
    if ask.withdrawn_at is not None:
        words = "the runner withdrew the request before reading this: it wasn't delivered"
        return line((words, DANGER))
    since = f", {age_words(ask.decided_at, now, offset)} after" if ask.decided_at else ""
    return line((f"the runner hasn't read it yet{since}", ACCENT))
