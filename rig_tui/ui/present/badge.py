"""A seat's badge explained: what it rests on, until when, and what comes after.

Rule of this file: unknown is never called idle, a beat is never called progress, and a
screen says nothing but "working".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from rig_tui.domain.activity import WORKING_LASTS
from rig_tui.domain.model import EvidenceKind, Reading, Seat
from rig_tui.ui.present.age import clock
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, fact, join
from rig_tui.ui.present.roles import ACCENT

if TYPE_CHECKING:
    from datetime import datetime

_WORKING_LASTS: Final = f"{WORKING_LASTS.total_seconds():.0f} s"


def badge_lines(seat: Seat, now: datetime) -> list[Line]:
    """Why the badge reads what it reads, what ends that, and what never could."""
    lines = [
        fact("because", _because(seat, now)),
        fact("next", _next(seat, now)),
        fact("heartbeat", _heartbeat(seat)),
    ]
    if not seat.runner:
        words = "no runner posts for it: a changing screen reads working, a still one unknown"
        return [*lines, fact("screen", Text(f"{words}, never idle"))]
    words = "never makes a seat idle: only its runner's post does"
    return [*lines, fact("screen", Text(words))]


def _because(seat: Seat, now: datetime) -> Text:
    evidence = seat.evidence
    at = f" at {clock(evidence.at, now)}" if evidence.at else ""
    detail = join(" ‘", inert(evidence.detail), "’") if evidence.detail else Text("")
    match evidence.kind:
        case EvidenceKind.POST:
            accepted = f"; a post counts for {_WORKING_LASTS} and proves no understanding"
            return join("its runner posted", detail, at, accepted)
        case EvidenceKind.BEAT:
            return join("its runner posted a beat", at, ": the turn is alive, not that it gets on")
        case EvidenceKind.STOP:
            return _turn_end(evidence.detail, at)
        case EvidenceKind.HEARTBEAT:
            return join("its runner posted that it is idle", at)
        case EvidenceKind.ASK:
            return join("it asked for permission", at, " and an ask was opened")
        case EvidenceKind.PROMPT:
            return join("its runner refused a request itself and posted so", detail, at)
        case EvidenceKind.EXIT:
            return join("its runner posted that the agent's process ended", detail, at)
        case EvidenceKind.LAUNCH:
            return join("its launch left no usable record, and nothing was posted since")
        case EvidenceKind.SCREEN:
            return join("only its changing screen says so; nothing was posted")
        case EvidenceKind.HOOK:
            return join("an activity hook said so", detail, at)
        case EvidenceKind.NONE if evidence.at is not None:
            return join("its last evidence, of", at.removeprefix(" at"), ", counts no longer")
        case EvidenceKind.NONE:
            return join("nothing has been posted since it was launched")


def _turn_end(detail: str, at: str) -> Text:
    """How a turn ended; never more than its runner can know (T6-01, T10-01)."""
    if detail == "cancelled":
        words = "; that says nothing of work outside it or of what its provider charges for"
        return join("its runner posted that the turn was cancelled", at, words)
    how = join(" ‘", inert(detail), "’") if detail else Text("")
    task = "; a turn that ended is no task done: the task's own record says that"
    return join("its runner posted the end of a turn", how, at, task)


def _next(seat: Seat, now: datetime) -> Text:
    until = seat.evidence.until
    match seat.reading:
        case Reading.NEEDS_INPUT if seat.evidence.kind is EvidenceKind.HOOK and until is not None:
            words = "though the agent may still wait in its pane"
            return Text(f"unknown at {clock(until, now)}, {words}: its daemon forgets")
        case Reading.NEEDS_INPUT:
            return Text(
                "stays until its runner's next counted post, or until somebody clears it, which "
                "answers nothing; time, beats and restarts don't end it"
            )
        case Reading.WORKING if seat.evidence.kind is EvidenceKind.SCREEN:
            return Text("unknown, never idle, once the screen stands still")
        case Reading.WORKING if until is not None:
            return Text(f"unknown, never idle, at {clock(until, now)} unless more is posted")
        case Reading.IDLE if until is not None:
            return Text(f"unknown at {clock(until, now)} unless another heartbeat comes")
        case Reading.IDLE:
            words = "stays idle until it posts again, so it may be out of date"
            return join((words, ACCENT))
        case _ if seat.exited:
            return Text("stays unknown until a newer post counts or the seat is launched again")
        case _:
            return Text("stays until its next counted post; unknown isn't idle")


def _heartbeat(seat: Seat) -> Text:
    if seat.liveness_seconds is None:
        return Text("none promised by its last counted post")
    return Text(f"one every {seat.liveness_seconds} s, as its last counted post promised")
