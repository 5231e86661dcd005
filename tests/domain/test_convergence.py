"""Whatever order, number and age of events: the fleet becomes the daemon's truth."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.events import (
    AskChanged,
    AskClosed,
    AskOpened,
    FleetRead,
    LinkMade,
    PeopleRead,
    RigSeen,
    SeatRead,
)
from rig_tui.domain.model import AskState, Fleet, People, Reading, Rig, Sending, Sent
from rig_tui.domain.reduce import reduce
from tests.builders import ANA, BEN, CAPABILITIES, NOON, a_fleet, a_seat, an_ask, ended

if TYPE_CHECKING:
    from rig_tui.domain.events import Event
    from rig_tui.domain.model import Ask, Seat, SeatId

NAMES = ("builder", "qa", "docs")
RIG = Rig("rig-my-rig", "my-rig")
READINGS = (Reading.WORKING, Reading.IDLE, Reading.UNKNOWN)


def made(*, epoch: str = "e1", renumbered: bool = False) -> LinkMade:
    return LinkMade(
        "127.0.0.1:1", NOON, "0.1.0", "0.7.9", epoch, CAPABILITIES, timedelta(0), renumbered
    )


@dataclass
class Daemon:
    """What a daemon knows, and every event it told of it."""

    seq: int = 0
    seats: dict[SeatId, Seat] = field(default_factory=dict)
    asks: dict[str, Ask] = field(default_factory=dict)
    people: People = field(default_factory=People)
    told: list[tuple[int, Event]] = field(default_factory=list)

    def do(self, step: tuple[str, int]) -> None:
        what, which = step
        self.seq += 1
        match what:
            case "seat":
                seat = a_seat(NAMES[which % 3], reading=READINGS[self.seq % 3], version=self.seq)
                if seat.seat_id not in self.seats:
                    self.tell(RigSeen(RIG, self.seq))
                self.seats[seat.seat_id] = seat
                self.tell(SeatRead(seat))
            case "open":
                ask = an_ask(f"ask-{self.seq}", NAMES[which % 3], version=self.seq)
                self.asks[ask.ask_id] = ask
                self.tell(AskOpened(ask))
            case "close" | "hand on" if waiting := [a for a in self.asks.values() if a.pending]:
                was = waiting[which % len(waiting)]
                now = replace(was, row_id=f"row-{self.seq}", version=self.seq)
                now = ended(was, version=self.seq) if what == "close" else now
                self.asks[now.ask_id] = now
                self.tell(AskChanged(now) if now.pending else AskClosed(now))
            case "people":
                who = ((ANA,), (ANA, BEN), (BEN,))[which % 3]
                self.people = People(who, who[0].entity_id, version=self.seq)
                self.tell(PeopleRead(self.people))
            case _:
                pass

    def tell(self, event: Event) -> None:
        self.told.append((self.seq, event))

    def lists(self, known: int, *, ended_listed: int = 2) -> FleetRead:
        """Its lists as they are now, read by somebody who knew of events up to `known`."""
        over = sorted((a for a in self.asks.values() if not a.pending), key=lambda a: -a.version)
        waiting = [ask for ask in self.asks.values() if ask.pending]
        seats = tuple(self.seats.values())
        people = replace(self.people, version=0)
        rigs = (RIG,) if seats else ()
        return FleetRead(rigs, seats, (*waiting, *over[:ended_listed]), (), (), people, known)


STEPS = st.lists(
    st.tuples(st.sampled_from(("seat", "open", "close", "hand on", "people")), st.integers(0, 5)),
    max_size=12,
)


def pending(asks: object) -> dict[str, Ask]:
    assert isinstance(asks, dict)
    return {key: ask for key, ask in asks.items() if ask.pending}


def is_true(fleet: Fleet, daemon: Daemon) -> None:
    """The fleet shows what the daemon knows; of what ended it may know more or less."""
    assert fleet.seats == daemon.seats
    assert pending(fleet.asks) == pending(daemon.asks)
    for ask_id, ask in fleet.asks.items():
        assert ask == daemon.asks[ask_id]
    assert replace(fleet.people, version=0) == replace(daemon.people, version=0)
    assert fleet.rigs == ((RIG,) if daemon.seats else ())


@settings(max_examples=100, deadline=None)
@given(STEPS, STEPS, STEPS, st.data())
def test_lists_and_events_in_any_order_end_in_the_daemons_truth(
    early: list[tuple[str, int]],
    between: list[tuple[str, int]],
    after: list[tuple[str, int]],
    data: st.DataObject,
) -> None:
    """Events before the lists may come late, all may come twice, and in any order."""
    daemon = Daemon()
    for step in early:
        daemon.do(step)
    subscribed = daemon.seq
    for step in between:
        daemon.do(step)
    lists = daemon.lists(subscribed)
    for step in after:
        daemon.do(step)
    owed = [event for seq, event in daemon.told if seq > subscribed]
    extra = data.draw(st.lists(st.sampled_from([e for _, e in daemon.told] or [made()])))
    stale = data.draw(st.lists(st.sampled_from([e for _, e in daemon.told] or [made()])))
    fleet = reduce(Fleet(), (made(), *stale))
    fleet = reduce(fleet, (lists, *data.draw(st.permutations([*owed, *extra]))))
    is_true(fleet, daemon)


@settings(max_examples=100, deadline=None)
@given(STEPS, STEPS, st.booleans(), st.data())
def test_a_daemon_that_counts_anew_is_believed_whatever_was_held(
    lost: list[tuple[str, int]], kept: list[tuple[str, int]], other: bool, data: st.DataObject
) -> None:
    """A restored backup, or another database behind the same address."""
    before = Daemon(seq=900)
    for step in lost:
        before.do(step)
    fleet = reduce(Fleet(), (made(), before.lists(900), *(event for _, event in before.told)))
    daemon = Daemon()
    for step in kept:
        daemon.do(step)
    again = made(epoch="e2") if other else made(renumbered=True)
    owed = data.draw(st.permutations([event for _, event in daemon.told]))
    fleet = reduce(fleet, (again, daemon.lists(0, ended_listed=99), *owed))
    is_true(fleet, daemon)


def test_lists_win_over_what_is_held_and_no_newer() -> None:
    """A backup whose numbers have caught up again can't be told by its numbers."""
    ask = an_ask(version=5)
    fleet = a_fleet(ended(ask, version=9))
    lists = FleetRead((), (), (replace(ask, version=4),), (), (), People(), 12)
    assert reduce(fleet, (lists,)).asks[ask.ask_id].outcome.state is AskState.PENDING


def test_an_event_older_than_the_lists_brings_nothing_back() -> None:
    daemon = Daemon(seq=7)
    fleet = reduce(Fleet(), (made(), daemon.lists(7)))
    late = (AskOpened(an_ask(version=7)), SeatRead(a_seat(version=6)), RigSeen(RIG, 6))
    assert reduce(fleet, late) == fleet
    fresh = reduce(fleet, (AskOpened(an_ask(version=8)),))
    assert list(fresh.asks) == ["qitem-1"]


def test_content_read_whole_outlives_lists_that_cut_it() -> None:
    cut = an_ask(elided=True, tool_call={"title": "cu"}, version=2)
    whole = replace(cut, elided=False, tool_call={"title": "cut"})
    lists = FleetRead((), (), (cut,), (), (), People(), 9)
    assert reduce(a_fleet(whole), (lists,)).asks[cut.ask_id] == whole


@pytest.mark.parametrize("again", [made(epoch="e2"), made(renumbered=True)])
def test_what_is_on_its_way_stays_so_when_the_daemon_counts_anew(again: LinkMade) -> None:
    """Or its key would be live, and the act could be sent a second time."""
    way, done = Sent("k1", "Allow", NOON), Sent("k2", "Allow", NOON, Sending.DONE)
    fleet = reduce(a_fleet(sent={"qitem-1": way, "qitem-2": done}), (again,))
    assert fleet.sent == {"qitem-1": way}
