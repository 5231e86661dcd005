"""What the board lists, counts and offers next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rig_tui.domain import select
from rig_tui.domain.events import AskOpened, LinkLost, SeatRead
from rig_tui.domain.model import (
    Asked,
    AskedMode,
    AskState,
    Cause,
    Evidence,
    EvidenceKind,
    Fleet,
    Holder,
    HolderType,
    Reading,
    Sending,
    Sent,
)
from rig_tui.domain.select import AskKey, SeatKey
from tests.builders import NOON, a_fleet, a_seat, ago, an_ask, asking, ended
from tests.rules import rule

TO_BEN = Holder(HolderType.PERSON, "ben@external", "Ben")
TO_SEAT = Holder(HolderType.SEAT, "review@my-rig", "review@my-rig")


@rule("T4-04", "A-03")
def test_needing_a_person_is_the_union_of_readings_asks_and_launches() -> None:
    reads = a_seat("reads", reading=Reading.NEEDS_INPUT)
    waits = a_seat("waits", reading=Reading.WORKING)
    launch = a_seat("launch", launch_attention=True)
    calm = a_seat("calm")
    ask = an_ask(seat="waits")
    groups = select.board(a_fleet(reads, waits, launch, calm, ask))
    assert groups[0].needs_person
    assert set(groups[0].rows) == {
        SeatKey(reads.seat_id),
        AskKey(ask.ask_id),
        SeatKey(launch.seat_id),
    }
    assert groups[1].rows == (SeatKey(calm.seat_id),)
    assert groups[1].count == 4


def test_no_group_of_needs_when_nobody_is_needed() -> None:
    groups = select.board(a_fleet(a_seat()))
    assert [group.title for group in groups] == ["my-rig"]


def test_those_who_wait_longest_come_first() -> None:
    old, new = an_ask("old", "a", opened_at=ago(100)), an_ask("new", "b", opened_at=ago(1))
    groups = select.board(a_fleet(asking(a_seat("b")), asking(a_seat("a")), new, old))
    assert groups[0].rows == (AskKey("old"), AskKey("new"))


def test_two_asks_of_one_seat_are_two_rows() -> None:
    one, two = an_ask("one", opened_at=ago(5)), an_ask("two", opened_at=ago(4))
    groups = select.board(a_fleet(asking(a_seat()), one, two))
    assert groups[0].rows == (AskKey("one"), AskKey("two"))


def test_an_ask_of_an_unknown_seat_is_listed_all_the_same() -> None:
    groups = select.board(a_fleet(an_ask(seat="ghost")))
    assert groups[0].rows == (AskKey("qitem-1"),)


def test_seats_of_one_name_in_two_rigs_are_two_rows() -> None:
    groups = select.board(a_fleet(a_seat("qa", "alpha"), a_seat("qa", "beta")))
    assert [group.title for group in groups] == ["alpha", "beta"]
    assert groups[0].rows != groups[1].rows


@rule("A-15")
def test_an_answered_ask_stays_listed_until_its_runner_posts() -> None:
    seat, over = asking(a_seat()), ended(an_ask())
    fleet = a_fleet(seat, over)
    assert select.board(fleet)[0].rows == (AskKey(over.ask_id),)
    assert not select.picked_up(fleet, over)
    resumed = replace(seat, reading=Reading.WORKING, evidence=Evidence(EvidenceKind.POST, NOON))
    fleet = a_fleet(resumed, over)
    assert select.board(fleet)[0].rows == (SeatKey(seat.seat_id),)
    assert select.picked_up(fleet, over)


@pytest.mark.parametrize("state", [AskState.WITHDRAWN, AskState.STALE])
def test_an_ask_that_nobody_closed_waits_for_no_pick_up(state: AskState) -> None:
    seat, over = asking(a_seat()), ended(an_ask(), state)
    assert select.board(a_fleet(seat, over))[0].rows == (SeatKey(seat.seat_id),)


def test_the_primary_user_counts_every_person_held_ask() -> None:
    fleet = a_fleet(
        an_ask("1"), an_ask("2", holder=TO_BEN), an_ask("3", holder=TO_SEAT), ended(an_ask("4"))
    )
    assert select.need_counts(fleet) == (1, 2)
    assert select.need_counts(replace(fleet, acting_as="human@host")) == (2, 1)


def test_the_first_shown_ask_is_the_operators_own_longest_waiting() -> None:
    others = an_ask("others", holder=TO_BEN, opened_at=ago(900))
    mine, newer = an_ask("mine", opened_at=ago(50)), an_ask("newer", opened_at=ago(5))
    found = select.first_ask(a_fleet(others, newer, mine))
    assert found is not None
    assert found.ask_id == "mine"
    assert select.first_ask(a_fleet(others)) == others
    assert select.first_ask(Fleet()) is None


def test_urgency_comes_before_age() -> None:
    others = an_ask("others", "a", holder=TO_BEN, opened_at=ago(900))
    over = ended(an_ask("over", "b", opened_at=ago(800)))
    launch = a_seat("c", launch_attention=True)
    mine = an_ask("mine", "d", opened_at=ago(5))
    fleet = a_fleet(asking(a_seat("b")), launch, others, over, mine)
    rows = select.board(fleet)[0].rows
    assert rows == (AskKey("mine"), SeatKey(launch.seat_id), AskKey("others"), AskKey("over"))
    assert [ask.ask_id for ask in select.pending_asks(fleet)] == ["mine", "others"]


def test_a_snoozed_ask_is_not_counted_as_needing_anyone() -> None:
    fleet = a_fleet(an_ask("1"), an_ask("2"), an_ask("3", holder=TO_BEN))
    assert select.need_counts(fleet, {"1", "3"}) == (1, 0)


def test_the_place_among_the_waiting_counts_from_one() -> None:
    fleet = a_fleet(an_ask("a", opened_at=ago(9)), an_ask("b", opened_at=ago(3)))
    assert select.position(fleet, fleet.asks["b"]) == (2, 2)
    assert select.position(fleet, ended(an_ask("c"))) == (0, 2)


@rule("T7-21")
def test_seats_that_permit_without_asking_are_counted() -> None:
    permits = a_seat("a", asked=Asked(AskedMode.PERMITS, because=Cause.NO_REGISTERED_PERSON))
    refuses = a_seat("b", asked=Asked(AskedMode.REFUSES))
    assert select.permitting_seats(a_fleet(permits, refuses, a_seat("c"))) == [permits]


def test_an_act_is_on_its_way_only_until_it_settles() -> None:
    sent = Sent("k", "x", NOON)
    assert select.sending(a_fleet(sent={"q": sent}), "q")
    assert not select.sending(a_fleet(sent={"q": replace(sent, state=Sending.DONE)}), "q")
    assert not select.sending(a_fleet(), "q")


def test_a_batch_of_readings_touches_its_seats_only() -> None:
    seat = a_seat()
    assert select.touched((SeatRead(seat),)) == {seat.seat_id}
    assert select.touched((LinkLost("x", NOON, NOON),)) == set()
    assert select.touched((SeatRead(seat), AskOpened(an_ask()))) is None
