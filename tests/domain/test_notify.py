"""When the operator is called, of what, and in which words."""

from __future__ import annotations

from dataclasses import replace
from datetime import time, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from rig_tui.domain import notify
from rig_tui.domain.model import Fleet, Holder, HolderType, LinkState, Reading
from rig_tui.domain.notify import Memory, Notice, Policy, Reason, Sight
from tests.builders import (
    NOON,
    a_fleet,
    a_permit,
    a_seat,
    ago,
    an_ask,
    asking,
    ended,
    live_link,
)

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask

EVERYTHING = Policy(reasons=frozenset(Reason))
TO_BEN = Holder(HolderType.PERSON, "ben@external", "Ben")


class Watch:
    """Looks once a second, as the console does."""

    def __init__(self, fleet: Fleet | None = None, policy: Policy = EVERYTHING) -> None:
        self.memory = Memory()
        self.policy = policy
        self.seconds = 0.0
        self.rung: list[Notice] = []
        if fleet is not None:
            self.look(fleet)

    def look(self, fleet: Fleet, seconds: float = 1.0, **sight: Any) -> tuple[Notice, ...]:
        self.seconds += seconds
        seen = Sight(NOON + timedelta(seconds=self.seconds), **sight)
        self.memory, notices = notify.decide(self.memory, fleet, seen, self.policy)
        self.rung += notices
        return notices

    def over(self, fleet: Fleet, seconds: int, **sight: Any) -> list[Notice]:
        """What was called for in these seconds."""
        before = len(self.rung)
        for _ in range(seconds):
            self.look(fleet, **sight)
        return self.rung[before:]


def fresh(ask_id: str = "one", seat: str = "builder", **changes: Any) -> Ask:
    return an_ask(ask_id, seat, opened_at=NOON, **changes)


CALM = a_fleet(a_seat("builder"), a_seat("qa"))


def test_an_ask_that_comes_calls_once_after_it_has_lasted_a_moment() -> None:
    watch = Watch(CALM)
    fleet = a_fleet(asking(a_seat("builder")), fresh())
    assert watch.look(fleet, 0.5) == ()
    assert watch.look(fleet, 1.0) == (Notice(Reason.ASK, ("builder@my-rig",)),)
    assert watch.over(fleet, 100) == []


def test_what_was_there_at_the_start_calls_nobody() -> None:
    watch = Watch(a_fleet(asking(a_seat()), an_ask(opened_at=ago(3000)), a_permit()))
    assert watch.over(a_fleet(asking(a_seat()), an_ask(opened_at=ago(3000)), a_permit()), 60) == []


def test_nothing_calls_before_there_is_a_picture() -> None:
    watch = Watch()
    assert watch.over(Fleet(), 5) == []
    assert not watch.memory.met


def test_an_ask_that_goes_at_once_calls_nobody() -> None:
    watch = Watch(CALM)
    watch.look(a_fleet(fresh()), 0.5)
    assert watch.over(a_fleet(ended(fresh())), 10) == []


def test_the_same_ask_sent_forty_seven_times_calls_once() -> None:
    watch = Watch(CALM)
    for version in range(47):
        watch.over(a_fleet(fresh(version=version)), 10)
    assert [notice.reason for notice in watch.rung] == [Reason.ASK]


def test_a_hundred_posts_and_one_ask_call_once() -> None:
    watch = Watch(CALM)
    ask = fresh()
    for number in range(100):
        reading = Reading.WORKING if number % 2 else Reading.IDLE
        watch.look(a_fleet(a_seat("docs", reading=reading, version=number), ask))
    assert len(watch.rung) == 1


def test_asks_that_come_together_call_together() -> None:
    watch = Watch(CALM)
    three = a_fleet(fresh("a", "qa"), fresh("b", "qa"), fresh("c", "docs"))
    assert watch.over(three, 3) == [Notice(Reason.ASK, ("qa@my-rig", "docs@my-rig"), 3)]


def test_a_flood_calls_at_most_once_in_five_seconds() -> None:
    watch = Watch(CALM)
    asks: list[Ask] = []
    for number in range(20):
        asks.append(fresh(f"q{number}"))
        watch.look(a_fleet(*asks))
    watch.over(a_fleet(*asks), 10)
    assert len(watch.rung) <= 6
    assert sum(notice.count for notice in watch.rung) == 20


def test_an_ask_that_others_hold_calls_when_it_comes_to_the_operator() -> None:
    watch = Watch(CALM)
    assert watch.over(a_fleet(fresh(holder=TO_BEN)), 5) == []
    assert len(watch.over(a_fleet(fresh()), 5)) == 1


@pytest.mark.parametrize(
    ("focused", "shown", "calls"),
    [(True, "one", 0), (True, "other", 1), (True, None, 1), (False, "one", 1), (None, "one", 1)],
)
def test_only_the_shown_ask_under_reported_focus_calls_nobody(
    focused: bool | None, shown: str | None, calls: int
) -> None:
    watch = Watch(CALM)
    found = watch.over(a_fleet(fresh()), 5, focused=focused, shown=shown)
    assert len(found) == calls


def test_an_ask_seen_once_does_not_call_when_the_operator_looks_away() -> None:
    watch = Watch(CALM)
    watch.over(a_fleet(fresh()), 5, focused=True, shown="one")
    assert watch.over(a_fleet(fresh()), 5, focused=False) == []


def test_a_snoozed_ask_calls_again_when_it_comes_back() -> None:
    watch = Watch(CALM)
    assert len(watch.over(a_fleet(fresh()), 5)) == 1
    assert watch.over(a_fleet(fresh()), 50, snoozed={"one"}) == []
    assert len(watch.over(a_fleet(fresh()), 5)) == 1


def test_a_waiting_ask_is_reminded_of_after_ten_minutes_and_after_an_hour() -> None:
    watch = Watch(CALM)
    fleet = a_fleet(fresh())
    found = []
    for second in range(0, 7200, 10):
        notices = watch.look(fleet, 10)
        found += [(second, n.waited) for n in notices if n.reason is Reason.REMINDER]
    assert [waited for _, waited in found] == [timedelta(minutes=10), timedelta(hours=1)]
    assert 590 <= found[0][0] <= 620
    assert 3590 <= found[1][0] <= 3620


def test_nothing_reminds_of_an_answered_ask() -> None:
    watch = Watch(CALM)
    watch.over(a_fleet(fresh()), 5)
    assert watch.look(a_fleet(ended(fresh())), 4000) == ()
    assert watch.over(a_fleet(ended(fresh())), 5) == []


def test_an_old_ask_at_the_start_is_reminded_of_at_its_next_age_only() -> None:
    old = a_fleet(an_ask(opened_at=ago(1800)))
    watch = Watch(old)
    assert watch.over(old, 60) == []
    watch.look(old, 1800)
    assert [notice.waited for notice in watch.over(old, 3)] == [timedelta(hours=1)]


def test_ages_are_counted_on_the_daemon_s_clock() -> None:
    link = live_link(clock_offset=timedelta(minutes=-30))
    fleet = a_fleet(an_ask(opened_at=ago(1801)), link=link)
    watch = Watch(replace(CALM, link=link))
    found = watch.over(fleet, 5)
    assert [notice.reason for notice in found] == [Reason.ASK]


def test_a_seat_that_needs_a_person_without_an_ask_calls_once_each_time() -> None:
    watch = Watch(CALM)
    launch = a_fleet(a_seat("builder", launch_attention=True), a_seat("qa"))
    assert watch.over(launch, 9) == [Notice(Reason.ATTENTION, ("builder@my-rig",))]
    watch.over(CALM, 9)
    assert len(watch.over(launch, 9)) == 1


def test_a_seat_with_an_ask_calls_for_its_ask_alone() -> None:
    watch = Watch(CALM)
    found = watch.over(a_fleet(asking(a_seat()), fresh()), 9)
    assert [notice.reason for notice in found] == [Reason.ASK]


def test_a_permit_calls_when_it_is_wanted_and_names_its_seat() -> None:
    watch = Watch(a_fleet(a_seat(), a_permit(1)))
    now = a_fleet(a_seat(), a_permit(2), a_permit(1))
    assert watch.over(now, 9) == [Notice(Reason.PERMIT, ("impl@my-rig",))]
    assert Reason.PERMIT not in Policy().reasons


def test_a_lost_daemon_calls_once_and_again_when_it_is_lost_again() -> None:
    lost = replace(CALM, link=live_link(state=LinkState.LOST))
    watch = Watch(CALM)
    assert [notice.reason for notice in watch.over(lost, 60)] == [Reason.LINK]
    watch.over(CALM, 9)
    assert len(watch.over(lost, 9)) == 1


def test_a_stale_link_calls_nobody_it_is_lost_or_live_in_a_moment() -> None:
    stale = replace(CALM, link=live_link(state=LinkState.STALE))
    assert Watch(CALM).over(stale, 60) == []
    assert notify.title(stale) == "rig"


def test_losing_the_daemon_forgets_no_ask_that_called() -> None:
    fleet = a_fleet(fresh())
    watch = Watch(CALM)
    watch.over(fleet, 9)
    watch.over(replace(fleet, link=live_link(state=LinkState.LOST)), 9)
    assert watch.over(fleet, 9) == []


def test_a_reason_that_is_not_wanted_never_calls() -> None:
    watch = Watch(CALM, Policy(reasons=frozenset({Reason.ATTENTION})))
    assert watch.over(a_fleet(asking(a_seat()), fresh()), 4000 // 10) == []


@pytest.mark.parametrize(
    ("start", "end", "quiet"),
    [
        (time(11, 0), time(13, 0), True),
        (time(12, 0), time(12, 30), True),
        (time(9, 0), time(12, 0), False),
        (time(22, 0), time(13, 0), True),
        (time(22, 0), time(7, 0), False),
        (time(12, 1), time(12, 0), False),
    ],
)
def test_quiet_hours_may_lie_around_midnight(start: time, end: time, quiet: bool) -> None:
    assert notify.is_quiet(Policy(quiet=((start, end),)), NOON) is quiet


def test_what_came_in_quiet_hours_and_still_waits_calls_afterwards() -> None:
    quiet = Policy(reasons=frozenset({Reason.ASK}), quiet=((time(11, 0), time(12, 5)),))
    watch = Watch(CALM, quiet)
    gone, waits = fresh("gone", "qa"), fresh("waits", "docs")
    assert watch.over(a_fleet(gone, waits), 200) == []
    assert watch.over(a_fleet(ended(gone), waits), 98) == []
    found = watch.over(a_fleet(ended(gone), waits), 5)
    assert found == [Notice(Reason.ASK, ("docs@my-rig",))]


@pytest.mark.parametrize(
    ("notice", "sentence"),
    [
        (Notice(Reason.ASK, ("qa@ops",)), "qa@ops asks you"),
        (
            Notice(Reason.ASK, ("a", "b", "c", "d", "e"), 6),
            "6 asks wait for you: a, b, c and 2 more",
        ),
        (Notice(Reason.ATTENTION, ("qa@ops",)), "qa@ops needs a person"),
        (Notice(Reason.ATTENTION, ("a", "b"), 2), "2 seats need a person: a, b"),
        (
            Notice(Reason.REMINDER, ("qa@ops",), 1, timedelta(minutes=10)),
            "1 ask has waited 10 minutes and more: qa@ops",
        ),
        (
            Notice(Reason.REMINDER, ("a", "b"), 2, timedelta(hours=1)),
            "2 asks have waited 1 hour and more: a, b",
        ),
        (Notice(Reason.PERMIT, ("a",)), "something was permitted without asking: a"),
        (Notice(Reason.PERMIT, ("a",), 3), "3 requests were permitted without asking: a"),
        (
            Notice(Reason.LINK, ("127.0.0.1:1",)),
            "the daemon can't be reached: runners that ask now will permit",
        ),
    ],
)
def test_a_notice_is_a_sentence_of_seats_and_counts(notice: Notice, sentence: str) -> None:
    assert notify.words(notice) == sentence


@given(st.text(min_size=1), st.text(min_size=1))
@hypothesis_settings(max_examples=50)
def test_no_word_of_an_agent_is_ever_in_a_notice(title: str, name: str) -> None:
    marked = {"title": f"SECRET{title}", "kind": f"SECRET{name}", "rawInput": f"SECRET{title}"}
    watch = Watch(CALM)
    for notice in watch.over(a_fleet(fresh(tool_call=marked)), 700 // 10):
        assert "SECRET" not in notify.words(notice)
    assert "SECRET" not in notify.title(a_fleet(fresh(tool_call=marked)))
    assert watch.rung


def test_the_title_counts_the_operator_s_asks() -> None:
    assert notify.title(CALM) == "rig"
    assert notify.title(a_fleet(fresh())) == "rig: 1 ask"
    three = a_fleet(fresh("a"), fresh("b"), fresh("c"), fresh("d", holder=TO_BEN))
    assert notify.title(three) == "rig: 3 asks"
    assert notify.title(three, {"a", "b"}) == "rig: 1 ask"
    lost = replace(three, link=live_link(state=LinkState.LOST))
    assert notify.title(lost) == "rig: no daemon"
    assert notify.title(Fleet()) == "rig"
