"""One seat explained: what it reads and why, who is asked, how it was launched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.model import (
    Asked,
    AskedBecause,
    AskedMode,
    EvidenceKind,
    OverrideMode,
    People,
    Reading,
    Seat,
)
from rig_tui.ui.present.age import age_words, clock
from rig_tui.ui.present.badge import badge_lines
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import BLANK, Line, fact, join, line, paint
from rig_tui.ui.present.roles import (
    ACCENT,
    DANGER,
    DANGER_STRONG,
    DIM,
    NAME,
    VIOLET,
)
from rig_tui.ui.present.seat import badge
from rig_tui.ui.present.seat_launch import declaration_lines, launch_lines
from rig_tui.ui.present.who import person

if TYPE_CHECKING:
    from datetime import datetime, timedelta

_EVIDENCE: Final = {
    EvidenceKind.POST: "its runner posted",
    EvidenceKind.BEAT: "beat: alive, not progress",
    EvidenceKind.STOP: "its turn ended",
    EvidenceKind.HEARTBEAT: "idle heartbeat",
    EvidenceKind.ASK: "ask opened",
    EvidenceKind.PROMPT: "its runner refused a request and said so",
    EvidenceKind.EXIT: "the agent exited",
    EvidenceKind.LAUNCH: "its launch left no usable record",
    EvidenceKind.SCREEN: "a changing screen",
    EvidenceKind.HOOK: "an activity hook",
    EvidenceKind.NONE: "no evidence",
}


def asked_line(seat: Seat, people: People) -> Text:
    """Who a request of this seat would reach now, and why (T7-21)."""
    name = paint(inert(seat.seat_ref, rtl_tokens=True), NAME)
    asked = seat.asked
    match asked.mode:
        case AskedMode.PERSON:
            return join(name, " asks ", person(asked.person, people), _why(seat, asked))
        case AskedMode.REFUSES:
            return join(name, " ", ("REFUSES ALL requests", ACCENT), _why(seat, asked))
        case AskedMode.ELSEWHERE:
            return join(name, " asks where it runs: ", ("this daemon takes no requests", DIM))
        case AskedMode.PERMITS:
            cause = inert(cause_in_words(asked.because) or "reason not given")
            return join(
                name,
                " ",
                ("PERMITS ALL requests without asking", DANGER_STRONG),
                (", because ", DANGER),
                paint(cause, DANGER),
            )


def reading_line(seat: Seat, now: datetime, offset: timedelta) -> Text:
    """What the seat reads, since when, on what evidence, and until when (T4-02)."""
    evidence = seat.evidence
    word, role = badge(seat.reading)
    if seat.exited or evidence.kind is EvidenceKind.EXIT:
        return join((f"agent exited, state {word}", VIOLET), _since(seat, now, offset))
    because = f" ({_EVIDENCE[evidence.kind]}"
    detail = join(": ", inert(evidence.detail)) if evidence.detail else Text("")
    words = join((word, role), _since(seat, now, offset), because, detail, ")")
    return join(words, _until(seat, now))


def seat_lines(seat: Seat, now: datetime, offset: timedelta, people: People) -> list[Line]:
    """Everything known about a seat, what matters first."""
    lines = [Line(asked_line(seat, people), 2), Line(reading_line(seat, now, offset), 2)]
    lines += _override(seat, people, now)
    lines += [Line(paint(inert(notice), DANGER), 2) for notice in seat.notices]
    if seat.clock_skew_seconds is not None and abs(seat.clock_skew_seconds) > 5:
        side = "ahead of" if seat.clock_skew_seconds > 0 else "behind"
        words = f"clock skew: its runner's clock is {abs(seat.clock_skew_seconds):.0f}s {side}"
        lines.append(line((f"{words} the daemon's", ACCENT)))
    if seat.last_error:
        lines.append(Line(join(("last error: ", ACCENT), inert(seat.last_error)), 2))
    lines += [BLANK, *badge_lines(seat, now), BLANK, *launch_lines(seat, now)]
    lines += [
        *declaration_lines(seat),
        fact("session", inert(seat.session_name, rtl_tokens=True)),
        fact("occupant", inert(seat.generation or "nobody")),
        fact("posts", Text(_grant(seat, now))),
    ]
    return lines


def _why(seat: Seat, asked: Asked) -> Text:
    words = cause_in_words(asked.because) or "reason not given"
    reason = seat.override.reason
    if asked.because in (AskedBecause.CHOSEN_FOR_SEAT, AskedBecause.DENIED_BY_SEAT) and reason:
        return join(" (", inert(words), ": ", inert(reason), ")")
    return join(" (", inert(words), ")")


def _since(seat: Seat, now: datetime, offset: timedelta) -> Text:
    at = seat.evidence.at
    if at is None:
        return Text("")
    age = age_words(at, now, offset)
    shown = f", {age} ago" if not age.startswith("clock skew") else f", {age}"
    return Text(f" since {clock(at, now)}{shown}")


def _until(seat: Seat, now: datetime) -> Text:
    until = seat.evidence.until
    match seat.reading:
        case Reading.NEEDS_INPUT if seat.evidence.kind is EvidenceKind.HOOK and until is not None:
            return Text(f", counts until {clock(until, now)}")
        case Reading.NEEDS_INPUT:
            return Text(", until its runner posts again or somebody clears it")
        case Reading.IDLE if until is None:
            return join((", no heartbeat: may be out of date", ACCENT))
        case Reading.WORKING | Reading.IDLE if until is not None:
            return Text(f", counts until {clock(until, now)}")
        case _:
            return Text("")


def _override(seat: Seat, people: People, now: datetime) -> list[Line]:
    override = seat.override
    if override.mode is OverrideMode.NONE:
        return []
    what = (
        join("set to refuse")
        if override.mode is OverrideMode.DENY
        else join("set to ask ", person(override.person, people))
    )
    by = join(" by ", inert(override.by)) if override.by else Text("")
    at = f" at {clock(override.at, now)}" if override.at else ""
    reason = join(": ", inert(override.reason or "reason not given"))
    return [Line(paint(join(what, by, at, reason), DIM), 2)]


def _grant(seat: Seat, now: datetime) -> str:
    if seat.grant.mode == "token":
        return "attributed: any holder of the local token can post as this seat"
    if seat.grant.revoked_at is not None:
        return f"its grant was revoked at {clock(seat.grant.revoked_at, now)}"
    return "authenticated by a grant of its own"
