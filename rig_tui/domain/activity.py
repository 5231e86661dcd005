"""A seat's reading from its runner's posts: what counts, for how long, in what order.

Rule of this file: an unknown seat never reads idle, and a post that doesn't count
changes nothing. The daemon keeps an `Activity` per seat and hands it every post;
lifetimes run from a post's arrival, order follows the runner's own clock (A-02).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from rig_tui.domain.activity_state import Activity, Intake, Post, Turn, Why
from rig_tui.domain.model import Evidence, EvidenceKind, Reading

if TYPE_CHECKING:
    from datetime import datetime

__all__ = [
    "Activity",
    "Intake",
    "Post",
    "Turn",
    "Why",
    "ask_opened",
    "clear_attention",
    "clear_launch_attention",
    "intake",
    "next_expiry",
    "reading",
    "relaunched",
    "restarted",
    "set_launch_attention",
]

WORKING_LASTS = timedelta(seconds=15)
BEAT_SECONDS = 30
"""How long a beat counts that says nothing valid about it."""
BEAT_SECONDS_LEAST = 5
BEAT_SECONDS_MOST = 60
SKEW_SHOWN = timedelta(seconds=5)
"""A runner's clock that differs by more is worth telling the operator."""


class _Order(StrEnum):
    NEWER = "newer"
    TIE = "tie"
    """The same instant, and no two sequence numbers to tell them apart."""
    OLDER = "older"
    DUPLICATE = "duplicate"


def intake(
    activity: Activity, post: Post, live_generation: str | None, has_pending_ask: bool
) -> Intake:
    """Judge one post; when it counts, apply its row of the reading table (D4-05).

    Args:
        activity: What is known so far.
        post: The post; its sender is already authenticated and its seat found.
        live_generation: The seat's live occupant; None when nobody occupies it.
        has_pending_ask: Whether a person is waited for. A post that only ties with the
            last counted one then doesn't clear attention (A-01).
    """
    if live_generation is None or post.generation not in {None, live_generation}:
        return Intake(activity, counted=False, why=Why.STALE_GENERATION)
    if not post.is_activity:
        return Intake(activity, counted=False, why=Why.NOT_ACTIVITY)
    order = _order(activity, post)
    if order is _Order.OLDER:
        return Intake(activity, counted=False, why=Why.OLDER)
    if order is _Order.DUPLICATE:
        return Intake(activity, counted=False, why=Why.DUPLICATE)
    if post.is_beat:
        unfit = _unfit_beat(activity, post)
        if unfit:
            return Intake(activity, counted=False, why=unfit)
    after = _apply(_mark(activity, post), post)
    ends_all = post.is_exit and post.carries_generation
    if has_pending_ask and not ends_all and _ties_with_attention(activity, post, order):
        after = replace(after, attention=activity.attention)
    ends_turn = (
        post.hook_event == "Stop"
        and post.carries_generation
        and not post.is_exit
        and post.subtype != "idle_heartbeat"
    )
    return Intake(
        after,
        counted=True,
        ends_turn=post.turn_id if ends_turn else None,
        is_exit=ends_all,
    )


def ask_opened(
    activity: Activity, at: datetime, occurred_at: datetime | None = None, detail: str = ""
) -> Activity:
    """Set attention for an ask; it orders no earlier than the last counted post (D4-28).

    Args:
        activity: What is known so far.
        at: When the request arrived.
        occurred_at: The runner's own date of it; without one it is dated at arrival.
        detail: What is asked for, such as the tool's kind.
    """
    ordered_at = occurred_at or at
    if activity.ordered_at is None or ordered_at > activity.ordered_at:
        activity = replace(activity, ordered_at=ordered_at, ordered_sequence=None)
    return _needs_input(activity, Evidence(EvidenceKind.ASK, at, detail=detail))


def clear_attention(activity: Activity) -> Activity:
    """Clear every attention, as an operator does; asks stay as they are (D4-29)."""
    return replace(activity, attention=None, launch_attention=None)


def set_launch_attention(activity: Activity, at: datetime) -> Activity:
    """Note a launch that left no usable record; the reading is independent of it (A-14)."""
    return replace(activity, launch_attention=activity.launch_attention or at)


def clear_launch_attention(activity: Activity) -> Activity:
    """Note that a usable launch record is there after all."""
    return replace(activity, launch_attention=None)


def relaunched(activity: Activity) -> Activity:
    """Begin a new generation: nothing of the old one's activity counts (D4-14)."""
    return Activity()


def restarted(activity: Activity) -> Activity:
    """Forget what only lives in memory: beats wait for the next accepted prompt (D4-24)."""
    return replace(activity, turn=None, highest_sequence=None)


def reading(
    activity: Activity, now: datetime, screen_changing: bool = False
) -> tuple[Reading, Evidence]:
    """Read the seat, with what that rests on.

    A changing screen decides only where no report does, and never after an exit.
    """
    if activity.attention:
        return Reading.NEEDS_INPUT, activity.attention
    if activity.exited:
        return Reading.UNKNOWN, activity.exited
    for working in (activity.work, activity.beat):
        if working and _holds(working, now):
            return Reading.WORKING, working
    if activity.idle and _holds(activity.idle, now):
        return Reading.IDLE, activity.idle
    if screen_changing:
        return Reading.WORKING, Evidence(EvidenceKind.SCREEN, now)
    if activity.launch_attention:
        return Reading.UNKNOWN, Evidence(EvidenceKind.LAUNCH, activity.launch_attention)
    expired = [e.at for e in (activity.work, activity.beat, activity.idle) if e and e.at]
    return Reading.UNKNOWN, Evidence(at=max(expired, default=None))


def next_expiry(activity: Activity, now: datetime) -> datetime | None:
    """Find when the reading or its evidence next changes by time alone, if ever."""
    _, evidence = reading(activity, now)
    return evidence.until


def _holds(evidence: Evidence, now: datetime) -> bool:
    return evidence.until is None or now < evidence.until


def _order(activity: Activity, post: Post) -> _Order:
    at = post.dated
    if activity.ordered_at is None or at > activity.ordered_at:
        return _Order.NEWER
    if at < activity.ordered_at:
        return _Order.OLDER
    if post.sequence is None or activity.ordered_sequence is None:
        return _Order.TIE
    if post.sequence == activity.ordered_sequence:
        return _Order.DUPLICATE
    return _Order.NEWER if post.sequence > activity.ordered_sequence else _Order.OLDER


def _ties_with_attention(activity: Activity, post: Post, order: _Order) -> bool:
    """A submit has no sequence, so a post of the same instant may have been sent before it."""
    if activity.attention is None or post.dated != activity.ordered_at:
        return False
    return order is _Order.TIE or activity.attention.kind is EvidenceKind.ASK


def _unfit_beat(activity: Activity, post: Post) -> Why | None:
    turn = activity.turn
    if not post.carries_generation or (turn and not turn.carried_generation):
        return Why.BEAT_WITHOUT_GENERATION
    if turn is None or turn.ended or post.turn_id is None or post.turn_id != turn.turn_id:
        return Why.BEAT_OUTSIDE_TURN
    highest = activity.highest_sequence
    if post.sequence is None or (highest is not None and post.sequence <= highest):
        return Why.BEAT_WITHOUT_RISING_SEQUENCE
    if activity.attention or activity.launch_attention:
        return Why.BEAT_DURING_ATTENTION
    return None


def _mark(activity: Activity, post: Post) -> Activity:
    sequences = [s for s in (activity.highest_sequence, post.sequence) if s is not None]
    ordered_sequence = post.sequence
    if post.dated == activity.ordered_at and ordered_sequence is None:
        # What sorts before an earlier post of this instant still must not count.
        ordered_sequence = activity.ordered_sequence
    return replace(
        activity,
        ordered_at=post.dated,
        ordered_sequence=ordered_sequence,
        highest_sequence=max(sequences, default=None),
        clock_skew_seconds=_skew(activity, post),
    )


def _skew(activity: Activity, post: Post) -> float | None:
    if post.occurred_at is None:
        return activity.clock_skew_seconds
    skew = post.occurred_at - post.arrived_at
    return skew.total_seconds() if abs(skew) > SKEW_SHOWN else None


def _apply(activity: Activity, post: Post) -> Activity:
    if post.is_beat:
        return _beaten(activity, post)
    if post.is_exit:
        exited = Evidence(EvidenceKind.EXIT, post.arrived_at, detail=post.subtype)
        return replace(_bounded(activity), exited=exited, attention=None, turn=_ended(activity))
    if post.hook_event == "Stop":
        return _stopped(activity, post)
    if post.hook_event == "Notification":
        prompt = Evidence(EvidenceKind.PROMPT, post.arrived_at, detail=post.subtype)
        return _needs_input(activity, prompt)
    if post.hook_event == "UserPromptSubmit" and post.subtype == "accepted":
        turn = Turn(post.turn_id, carried_generation=post.carries_generation)
        activity = replace(activity, turn=turn)
    until = post.arrived_at + WORKING_LASTS
    return replace(
        activity,
        work=_latest(
            activity.work, Evidence(EvidenceKind.POST, post.arrived_at, until, post.subtype)
        ),
        idle=None,
        exited=None,
        attention=None,
        liveness_seconds=None,
    )


def _beaten(activity: Activity, post: Post) -> Activity:
    seconds = post.liveness_seconds or BEAT_SECONDS
    seconds = min(max(seconds, BEAT_SECONDS_LEAST), BEAT_SECONDS_MOST)
    until = post.arrived_at + timedelta(seconds=seconds)
    beat = Evidence(EvidenceKind.BEAT, post.arrived_at, until)
    return replace(activity, beat=_latest(activity.beat, beat), idle=None, liveness_seconds=seconds)


def _stopped(activity: Activity, post: Post) -> Activity:
    seconds = post.liveness_seconds
    until = None if seconds is None else post.arrived_at + timedelta(seconds=2 * seconds)
    is_heartbeat = post.subtype == "idle_heartbeat"
    kind = EvidenceKind.HEARTBEAT if is_heartbeat else EvidenceKind.STOP
    turn = activity.turn
    if turn and post.turn_id in {None, turn.turn_id}:
        turn = _ended(activity)
    return replace(
        _bounded(activity),
        idle=Evidence(kind, post.arrived_at, until, post.subtype),
        attention=None,
        turn=turn,
        liveness_seconds=seconds,
    )


def _needs_input(activity: Activity, cause: Evidence) -> Activity:
    return replace(_bounded(activity), attention=activity.attention or cause)


def _bounded(activity: Activity) -> Activity:
    return replace(activity, work=None, beat=None, idle=None, exited=None, liveness_seconds=None)


def _ended(activity: Activity) -> Turn | None:
    return replace(activity.turn, ended=True) if activity.turn else None


def _latest(before: Evidence | None, now: Evidence) -> Evidence:
    if before and before.until and now.until and before.until > now.until:
        return replace(now, until=before.until)
    return now
