"""When to call the operator, of what, and in which words.

Rule of this file: a notice names seats and counts, never what an agent wrote. One cause
calls once; causes of one reason that come together call together.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from rig_tui.domain import select

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from datetime import datetime, time

    from rig_tui.domain.model import Ask, Fleet

DWELL = timedelta(seconds=1)
"""How long a cause must last before it calls: what comes and goes calls nobody."""
GAP = timedelta(seconds=5)
"""The least time between two calls of one reason."""
NAMED: Final = 3
"""How many seats a notice names."""


class Reason(StrEnum):
    """Why the operator may be called."""

    ASK = "ask"
    """An ask waits for them."""
    ATTENTION = "attention"
    """A seat needs a person without an ask."""
    REMINDER = "reminder"
    """An ask still waits."""
    PERMIT = "permit"
    """Something was permitted without anybody choosing it."""
    LINK = "link"
    """The daemon can't be reached."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What the operator wants to be called for."""

    reasons: frozenset[Reason] = frozenset(Reason) - {Reason.PERMIT}
    quiet: tuple[tuple[time, time], ...] = ()
    """Parts of the day, on the local clock, when nothing calls."""
    remind_after: tuple[timedelta, ...] = (timedelta(minutes=10), timedelta(hours=1))
    """How long an ask waits before each reminder."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What the operator has before them."""

    now: datetime
    """On the local clock."""
    shown: str | None = None
    """The shown ask."""
    focused: bool | None = None
    """Whether the terminal has the focus; None where it never said."""
    snoozed: Container[str] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """One call."""

    reason: Reason
    seats: tuple[str, ...]
    """By name, each once, in order."""
    count: int = 1
    waited: timedelta = timedelta()
    """With a reminder: how long the longest has waited, at least."""


Cause: TypeAlias = tuple[Reason, str]


@dataclass(frozen=True, slots=True)
class Memory:
    """What was called for already."""

    met: bool = False
    """Whether there was a picture yet: what it held then calls nobody."""
    told: frozenset[Cause] = frozenset()
    since: Mapping[Cause, datetime] = field(default_factory=dict)
    """When each cause that hasn't called was first seen."""
    rang: Mapping[Reason, datetime] = field(default_factory=dict)
    permits: str = ""
    """The sort key of the newest permit known."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A cause as it stands now."""

    seat: str
    ask_id: str | None = None
    waited: timedelta = timedelta()


def decide(
    memory: Memory, fleet: Fleet, sight: Sight, policy: Policy
) -> tuple[Memory, tuple[Notice, ...]]:
    """What to call for now, and what is remembered of it."""
    if not fleet.link.epoch:
        return memory, ()
    open_ = _causes(memory, fleet, sight, policy)
    newest = fleet.permits[0].sort_key if fleet.permits else memory.permits
    if not memory.met:
        return Memory(met=True, told=frozenset(open_), permits=newest), ()
    told = {cause for cause in memory.told if _kept(cause, open_, fleet, sight)}
    told |= {c for c, found in open_.items() if c[0] not in policy.reasons or _seen(found, sight)}
    since = {c: memory.since.get(c, sight.now) for c in open_ if c not in told}
    kept = replace(memory, told=frozenset(told), since=since, permits=newest)
    if is_quiet(policy, sight.now):
        return kept, ()
    notices: list[Notice] = []
    rang = dict(memory.rang)
    for reason in Reason:
        ripe = [c for c, at in since.items() if c[0] is reason and sight.now - at >= DWELL]
        last = rang.get(reason)
        if ripe and (last is None or sight.now - last >= GAP):
            rang[reason] = sight.now
            told.update(ripe)
            notices.append(_notice(reason, [open_[cause] for cause in ripe]))
    left = {cause: at for cause, at in since.items() if cause not in told}
    return replace(kept, told=frozenset(told), since=left, rang=rang), tuple(notices)


def _causes(memory: Memory, fleet: Fleet, sight: Sight, policy: Policy) -> dict[Cause, _Open]:
    if not fleet.link.open:
        held = {cause: _Open("") for cause in (*memory.told, *memory.since)}
        return {**held, (Reason.LINK, ""): _Open(fleet.link.address)}
    found: dict[Cause, _Open] = {}
    for ask in select.pending_asks(fleet):
        if not select.held_by_operator(fleet, ask) or ask.ask_id in sight.snoozed:
            continue
        found[Reason.ASK, ask.ask_id] = _Open(ask.seat_ref, ask.ask_id)
        passed = [after for after in policy.remind_after if _age(fleet, ask, sight) >= after]
        if passed:
            cause = (Reason.REMINDER, f"{len(passed)} {ask.ask_id}")
            found[cause] = _Open(ask.seat_ref, ask.ask_id, passed[-1])
    asking = select.asks_by_session(fleet)
    for seat in fleet.seats.values():
        if select.needs_person(seat) and seat.session_name not in asking:
            at = seat.evidence.at.isoformat() if seat.evidence.at else ""
            cause = (Reason.ATTENTION, f"{seat.seat_ref} {seat.generation} {at}")
            found[cause] = _Open(seat.seat_ref)
    for permit in fleet.permits:
        cause = (Reason.PERMIT, permit.sort_key)
        if permit.sort_key > memory.permits or cause in memory.since:
            found[cause] = _Open(permit.session_name)
    return found


def _age(fleet: Fleet, ask: Ask, sight: Sight) -> timedelta:
    return sight.now + fleet.link.clock_offset - ask.opened_at


def _kept(cause: Cause, open_: Mapping[Cause, _Open], fleet: Fleet, sight: Sight) -> bool:
    """Whether a cause that called must be remembered: an ask calls once in its life."""
    reason, key = cause
    if reason in (Reason.ASK, Reason.REMINDER):
        ask_id = key.rpartition(" ")[2]
        return ask_id in fleet.asks and ask_id not in sight.snoozed
    return cause in open_


def _seen(found: _Open, sight: Sight) -> bool:
    return sight.focused is True and found.ask_id is not None and found.ask_id == sight.shown


def _notice(reason: Reason, found: list[_Open]) -> Notice:
    seats = tuple(dict.fromkeys(each.seat for each in found))
    return Notice(reason, seats, len(found), max(each.waited for each in found))


def is_quiet(policy: Policy, now: datetime) -> bool:
    """Whether this is one of the quiet hours; a span may lie around midnight."""
    at = now.time()
    return any(
        start <= at < end if start < end else at >= start or at < end for start, end in policy.quiet
    )


def words(notice: Notice) -> str:
    """The notice as a sentence."""
    count, names = notice.count, ", ".join(notice.seats[:NAMED])
    if len(notice.seats) > NAMED:
        names += f" and {len(notice.seats) - NAMED} more"
    one = count == 1
    match notice.reason:
        case Reason.ASK:
            return f"{names} asks you" if one else f"{count} asks wait for you: {names}"
        case Reason.ATTENTION:
            return f"{names} needs a person" if one else f"{count} seats need a person: {names}"
        case Reason.REMINDER:
            minutes = int(notice.waited.total_seconds() // 60)
            what = "1 ask has" if one else f"{count} asks have"
            return f"{what} waited {_span(minutes)} and more: {names}"
        case Reason.PERMIT:
            what = "something was" if one else f"{count} requests were"
            return f"{what} permitted without asking: {names}"
        case Reason.LINK:
            return "the daemon can't be reached: runners that ask now will permit"


def _span(minutes: int) -> str:
    if minutes >= 60 and minutes % 60 == 0:
        hours = minutes // 60
        return f"{hours} hour{'' if hours == 1 else 's'}"
    return f"{minutes} minute{'' if minutes == 1 else 's'}"


def title(fleet: Fleet, snoozed: Container[str] = ()) -> str:
    """The terminal's title: how many asks wait for the operator."""
    if fleet.link.epoch and not fleet.link.open:
        return "rig: no daemon"
    mine, _ = select.need_counts(fleet, snoozed)
    if not mine:
        return "rig"
    return f"rig: {mine} ask{'' if mine == 1 else 's'}"
