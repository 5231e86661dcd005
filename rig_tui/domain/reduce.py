"""The one place where the known world changes.

`reduce` is total and pure: any batch of events on any fleet gives a fleet. A value
that carries a version replaces only an older one, so that lists read while the
stream runs, repeated events and late events all end in the daemon's truth.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar, assert_never

from rig_tui.domain.commands import Done, Rejected
from rig_tui.domain.drafts import with_draft
from rig_tui.domain.events import (
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
from rig_tui.domain.model import (
    Ask,
    Fleet,
    Link,
    LinkState,
    Permit,
    Rig,
    RunnerPermit,
    Seat,
    SeatId,
    Sent,
)
from rig_tui.domain.sending import settled

if TYPE_CHECKING:
    from datetime import datetime

_Record = TypeVar("_Record", Permit, RunnerPermit)

ENDED_ASKS_KEPT = 500
PERMITS_KEPT = 1000
REMARKS_KEPT = 50


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

    def apply(self, event: Event) -> None:
        match event:
            case SeatRead(seat):
                self._seat(seat)
            case AskOpened(ask) | AskChanged(ask) | AskClosed(ask):
                self._ask(ask)
            case AskFetched(ask):
                self._ask(ask, whole=True)
            case FleetRead():
                self._read(event)
            case AskActSent() | AskActSettled():
                self._act(event)
            case LinkTried() | LinkMade() | LinkLost() | LinkRefused() | LinkRemarked():
                self._link(event)
            case PermitRecorded(permit):
                self.fleet = replace(self.fleet, permits=_with(self.fleet.permits, permit))
            case RunnerWillPermit(cause):
                causes = _with(self.fleet.runner_permits, cause)
                self.fleet = replace(self.fleet, runner_permits=causes)
            case RigSeen(rig):
                if rig not in self.fleet.rigs:
                    rigs = (*(r for r in self.fleet.rigs if r.rig_id != rig.rig_id), rig)
                    self.fleet = replace(self.fleet, rigs=_by_name(rigs))
            case PeopleRead(people):
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

    def _seat(self, seat: Seat) -> None:
        if self._seats is None:
            self._seats = dict(self.fleet.seats)
        held = self._seats.get(seat.seat_id)
        if held is None or seat.version > held.version:
            self._seats[seat.seat_id] = seat
            if held is not None and held.reading is not seat.reading:
                self._flip(held, seat)

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
            if held is not None and ask.elided and not held.elided:
                # The stream cuts long content; what was fetched whole stays whole.
                ask = replace(ask, tool_call=held.tool_call, options=held.options, elided=False)
            self._asks[ask.ask_id] = ask
        elif whole and held.elided and not ask.elided:
            self._asks[ask.ask_id] = replace(
                held, tool_call=ask.tool_call, options=ask.options, elided=False
            )

    def _read(self, read: FleetRead) -> None:
        seats = self._seats if self._seats is not None else self.fleet.seats
        asks = self._asks if self._asks is not None else self.fleet.asks
        self._seats = {s.seat_id: s for s in read.seats}
        self._asks = {}
        for seat in seats.values():
            if seat.version > read.version:
                self._seat(seat)
        for ask in read.asks:
            held = asks.get(ask.ask_id)
            if held is not None:
                self._asks[held.ask_id] = held
            self._ask(ask)
        for ask in asks.values():
            if ask.version > read.version or not ask.pending:
                self._ask(ask)
        permits = self.fleet.permits
        for permit in reversed(read.permits):
            permits = _with(permits, permit)
        causes = self.fleet.runner_permits
        for cause in reversed(read.runner_permits):
            causes = _with(causes, cause)
        self.fleet = replace(
            self.fleet,
            rigs=_by_name(read.rigs),
            permits=permits,
            runner_permits=causes,
            people=read.people,
        )

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

    def _link(self, event: LinkTried | LinkMade | LinkLost | LinkRefused | LinkRemarked) -> None:
        if isinstance(event, LinkMade) and self.fleet.link.epoch not in ("", event.epoch):
            # Another database: its versions can't be compared with those held.
            self._seats, self._asks = {}, {}
            self.fleet = replace(self.fleet, permits=(), runner_permits=(), sent={}, flips={})
        self.fleet = replace(self.fleet, link=_linked(self.fleet.link, event))


def _linked(
    link: Link, event: LinkTried | LinkMade | LinkLost | LinkRefused | LinkRemarked
) -> Link:
    match event:
        case LinkTried(address, found_by):
            state = LinkState.CONNECTING if link.attempts == 0 else LinkState.RETRYING
            return replace(
                link,
                state=link.state if link.state is LinkState.REFUSED else state,
                address=address,
                found_by=found_by,
                attempts=link.attempts + 1,
                retry_at=None,
            )
        case LinkMade():
            return replace(
                link,
                state=LinkState.LIVE,
                address=event.address,
                since=event.at,
                cause="",
                retry_at=None,
                attempts=0,
                version=event.version,
                contract=event.contract,
                epoch=event.epoch,
                capabilities=event.capabilities,
                clock_offset=event.clock_offset,
            )
        case LinkLost(cause, at, retry_at):
            return _down(link, LinkState.LOST, cause, at, retry_at)
        case LinkRefused(cause, at, retry_at):
            return _down(link, LinkState.REFUSED, cause, at, retry_at)
        case LinkRemarked(remark):
            return replace(link, remarks=(*link.remarks, remark)[-REMARKS_KEPT:])
        case _:
            assert_never(event)


def _down(link: Link, state: LinkState, cause: str, at: datetime, retry_at: datetime) -> Link:
    since = link.since if link.state in (LinkState.LOST, LinkState.RETRYING) else at
    return replace(link, state=state, cause=cause, since=since, retry_at=retry_at)


def _by_name(rigs: tuple[Rig, ...]) -> tuple[Rig, ...]:
    return tuple(sorted(rigs, key=lambda rig: (rig.name, rig.rig_id)))


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
