"""The one place where the known world changes.

`reduce` is total and pure: any batch of events on any fleet gives a fleet. A value
that carries a version replaces only an older one, and an event can't bring back what
newer lists no longer have, so that lists read while the stream runs, repeated, late and
misordered events all end in the daemon's truth.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar, assert_never

from rig_tui.domain.absence import ABSENCES_KEPT, absence
from rig_tui.domain.again import refused
from rig_tui.domain.commands import Done, Rejected
from rig_tui.domain.drafts import with_draft
from rig_tui.domain.events import (
    AbsencesRead,
    AskActSent,
    AskActSettled,
    AskChanged,
    AskClosed,
    AskFetched,
    AskOpened,
    AttentionCleared,
    DraftDropped,
    DraftKept,
    Event,
    EventBatch,
    FleetRead,
    LinkDoubted,
    LinkLost,
    LinkMade,
    LinkRefused,
    LinkRemarked,
    LinkTried,
    MessageSent,
    MessageSettled,
    PeopleRead,
    PermitRecorded,
    RigSeen,
    RunnerWillPermit,
    SeatRead,
)
from rig_tui.domain.flapping import flipped
from rig_tui.domain.linking import LinkEvent, linked
from rig_tui.domain.model import (
    Ask,
    Fleet,
    Permit,
    Rig,
    RunnerPermit,
    Seat,
    SeatId,
    Sending,
    Sent,
)
from rig_tui.domain.sending import settled
from rig_tui.domain.watching import used_anyway

if TYPE_CHECKING:
    from collections.abc import Mapping

_Record = TypeVar("_Record", Permit, RunnerPermit)

ENDED_ASKS_KEPT = 500
PERMITS_KEPT = 1000


def reduce(fleet: Fleet, batch: EventBatch) -> Fleet:
    """Apply a batch; values that didn't change are shared with the old fleet."""
    draft = _Draft(fleet)
    for event in batch:
        draft.apply(event)
    return draft.finish()


@dataclass(slots=True)
class _Draft:
    """A fleet being changed: maps are copied at most once per batch."""

    fleet: Fleet
    _seats: dict[SeatId, Seat] | None = None
    _asks: dict[str, Ask] | None = None
    _before: tuple[Fleet, LinkMade] | None = None
    """What was held when the link was made anew, for the lists that follow."""

    def apply(self, event: Event) -> None:
        match event:
            case SeatRead(seat):
                if seat.seat_id in self.seats or not self._gone(seat.version):
                    self._seat(seat)
            case AskOpened(ask) | AskChanged(ask) | AskClosed(ask):
                if ask.ask_id in self.asks or not self._gone(ask.version):
                    self._ask(ask)
            case AskFetched(ask):
                self._ask(ask, whole=True)
            case FleetRead():
                self._read(event)
            case AbsencesRead():
                told = tuple(replace(each, read=True) for each in self.fleet.absences)
                self.fleet = replace(self.fleet, absences=told)
            case AskActSent() | AskActSettled():
                self._act(event)
            case (
                LinkTried() | LinkMade() | LinkDoubted() | LinkLost()
                | LinkRefused() | LinkRemarked()
            ):  # fmt: skip
                self._link(event)
            case PermitRecorded(permit):
                self.fleet = replace(self.fleet, permits=_with(self.fleet.permits, permit))
            case RunnerWillPermit(cause):
                causes = _with(self.fleet.runner_permits, cause)
                self.fleet = replace(self.fleet, runner_permits=causes)
            case RigSeen(rig, version):
                if rig not in self.fleet.rigs and not self._gone(version):
                    rigs = (*(r for r in self.fleet.rigs if r.rig_id != rig.rig_id), rig)
                    self.fleet = replace(self.fleet, rigs=_by_name(rigs))
            case PeopleRead(people):
                if people.version >= self.fleet.people.version:
                    self.fleet = replace(self.fleet, people=people)
            case DraftKept() | DraftDropped() | MessageSent() | MessageSettled():
                drafts = with_draft(self.fleet.drafts, event)
                self.fleet = replace(self.fleet, drafts=drafts)
            case AttentionCleared():
                pass  # the seat's own reading says so; this one is for the record
            case _:
                assert_never(event)

    def finish(self) -> Fleet:
        if self._seats is not None:
            self.fleet = replace(self.fleet, seats=self._seats)
        if self._asks is not None:
            self.fleet = replace(self.fleet, asks=_bounded(self._asks))
        return self.fleet

    @property
    def seats(self) -> Mapping[SeatId, Seat]:
        return self.fleet.seats if self._seats is None else self._seats

    @property
    def asks(self) -> Mapping[str, Ask]:
        return self.fleet.asks if self._asks is None else self._asks

    def _gone(self, version: int) -> bool:
        """Whether lists that know of this, and no longer hold it, were read since."""
        return self.fleet.read_to is not None and version <= self.fleet.read_to

    def _seat(self, seat: Seat) -> None:
        if self._seats is None:
            self._seats = dict(self.fleet.seats)
        held = self._seats.get(seat.seat_id)
        if held is None or seat.version > held.version:
            self._seats[seat.seat_id] = seat
            if held is not None and held.reading is not seat.reading:
                self._flip(held, seat)
            self._watch(seat)

    def _watch(self, seat: Seat) -> None:
        used = used_anyway(self.fleet.refusals.get(seat.session_name), seat)
        if used is not None and used != self.fleet.used_anyway.get(seat.seat_id):
            told = {**self.fleet.used_anyway, seat.seat_id: used}
            self.fleet = replace(self.fleet, used_anyway=told)

    def _refused(self, ask: Ask) -> None:
        """Keep the last no of each session, to notice when it isn't obeyed."""
        held = self.fleet.refusals.get(ask.session_name)
        if refused(ask) and (held is None or ask.version > held.version):
            refusals = {**self.fleet.refusals, ask.session_name: ask}
            self.fleet = replace(self.fleet, refusals=refusals)

    def _flip(self, before: Seat, after: Seat) -> None:
        held = self.fleet.flips.get(after.seat_id, ())
        flips = flipped(held, before, after)
        if flips is not held:
            self.fleet = replace(self.fleet, flips={**self.fleet.flips, after.seat_id: flips})

    def _ask(self, ask: Ask, *, whole: bool = False) -> None:
        if self._asks is None:
            self._asks = dict(self.fleet.asks)
        held = self._asks.get(ask.ask_id)
        if held is None or ask.version > held.version:
            self._asks[ask.ask_id] = _uncut(ask, held)
        elif whole and held.elided and not ask.elided:
            self._asks[ask.ask_id] = _uncut(held, ask)
        self._refused(self._asks[ask.ask_id])

    def _read(self, read: FleetRead) -> None:
        seats, asks = self.seats, self.asks
        self._seats = {s.seat_id: s for s in read.seats}
        self._asks = {ask.ask_id: _uncut(ask, asks.get(ask.ask_id)) for ask in read.asks}
        for seat in seats.values():
            if seat.version > read.version:
                self._seat(seat)
        for ask in asks.values():
            if ask.version > read.version:
                self._ask(ask)
            elif not ask.pending:
                # The lists name only the newest of those that have ended.
                self._asks.setdefault(ask.ask_id, ask)
        for ask in self._asks.values():
            self._refused(ask)
        permits = self.fleet.permits
        for permit in reversed(read.permits):
            permits = _with(permits, permit)
        causes = self.fleet.runner_permits
        for cause in reversed(read.runner_permits):
            causes = _with(causes, cause)
        people = replace(read.people, version=read.version)
        self.fleet = replace(
            self.fleet,
            rigs=_by_name(read.rigs),
            permits=permits,
            runner_permits=causes,
            people=max(people, self.fleet.people, key=lambda each: each.version),
            read_to=read.version,
        )
        self._tell_absence()

    def _tell_absence(self) -> None:
        if self._before is None:
            return
        before, made = self._before
        self._before = None
        told = absence(before, self._whole, made)
        if told.changed:
            kept = self.fleet.absences[: ABSENCES_KEPT - 1]
            self.fleet = replace(self.fleet, absences=(told, *kept))

    @property
    def _whole(self) -> Fleet:
        """The fleet as it would be if the batch ended here."""
        return replace(self.fleet, seats=self.seats, asks=self.asks)

    def _act(self, event: AskActSent | AskActSettled) -> None:
        if isinstance(event, AskActSent):
            self._remember(event.ask_id, event.sent)
            return
        sent = self.fleet.sent.get(event.ask_id)
        if sent is not None and sent.command_key == event.command_key:
            self._remember(event.ask_id, settled(sent, event.verdict))
        match event.verdict:
            case Done(ask=Ask() as ask) | Rejected(ask=Ask() as ask):
                self._ask(ask)
            case _:
                pass

    def _remember(self, ask_id: str, sent: Sent) -> None:
        self.fleet = replace(self.fleet, sent={**self.fleet.sent, ask_id: sent})

    def _link(self, event: LinkEvent) -> None:
        if isinstance(event, LinkMade) and self.fleet.link.epoch:
            self._before = (self._whole, event)
        if isinstance(event, LinkMade) and (
            event.renumbered or self.fleet.link.epoch not in ("", event.epoch)
        ):
            self._forget()
        self.fleet = replace(self.fleet, link=linked(self.fleet.link, event))

    def _forget(self) -> None:
        """Let go of everything whose version says nothing about the daemon's any more."""
        self._seats, self._asks = {}, {}
        under_way = {
            ask_id: sent
            for ask_id, sent in self.fleet.sent.items()
            if sent.state is Sending.SENDING
        }
        self.fleet = replace(
            self.fleet,
            people=replace(self.fleet.people, version=0),
            permits=(),
            runner_permits=(),
            read_to=None,
            sent=under_way,
            flips={},
            refusals={},
            used_anyway={},
        )


def _by_name(rigs: tuple[Rig, ...]) -> tuple[Rig, ...]:
    return tuple(sorted(rigs, key=lambda rig: (rig.name, rig.rig_id)))


def _uncut(ask: Ask, other: Ask | None) -> Ask:
    """The ask with its content whole, where it is cut and the other's isn't."""
    if other is None or not ask.elided or other.elided:
        return ask
    return replace(ask, tool_call=other.tool_call, options=other.options, elided=False)


def _with(held: tuple[_Record, ...], item: _Record) -> tuple[_Record, ...]:
    """Insert a record newest first; one that is held already changes nothing."""
    newer: tuple[_Record, ...] = tuple(r for r in held if r.sort_key > item.sort_key)
    rest: tuple[_Record, ...] = held[len(newer) :]
    if rest and rest[0].sort_key == item.sort_key:
        return held
    return (newer + (item,) + rest)[:PERMITS_KEPT]  # noqa: RUF005 (mypy loses the type)


def _bounded(asks: dict[str, Ask]) -> dict[str, Ask]:
    """Drop the oldest ended asks past the bound; a pending one is never dropped."""
    excess = len(asks) - ENDED_ASKS_KEPT
    if excess <= 0:
        return asks
    ended = sorted((a for a in asks.values() if not a.pending), key=lambda a: a.version)
    for ask in ended[: max(0, len(ended) - ENDED_ASKS_KEPT)]:
        del asks[ask.ask_id]
    return asks
