"""What a view lists, what it leaves out, and what a snooze does and doesn't."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from rig_tui.domain import select, view
from rig_tui.domain.model import (
    Asked,
    AskedBecause,
    AskedMode,
    Evidence,
    EvidenceKind,
    Fleet,
    Holder,
    HolderType,
    Reading,
)
from rig_tui.domain.select import AskKey, SeatKey
from rig_tui.domain.view import Shows, Until, View
from tests.builders import NOON, a_fleet, a_seat, ago, an_ask, asking, ended
from tests.rules import rule

TO_BEN = Holder(HolderType.PERSON, "ben@external", "Ben")
BUILDER = asking(a_seat("builder"))
DOCS = a_seat(
    "docs", reading=Reading.WORKING, evidence=Evidence(EvidenceKind.POST, ago(1), None, "search")
)
OPS = a_seat("watch", "ops", reading=Reading.UNKNOWN, exited=True)
IDLE = a_seat("idle")
LAUNCH = a_seat("deploy", "ops", launch_attention=True)
DAY = a_fleet(BUILDER, DOCS, OPS, IDLE, LAUNCH, an_ask("one", "builder"))


def listed(fleet: Fleet, **narrowed: Any) -> list[str]:
    rows = [key for group in view.groups(fleet, View(**narrowed)) for key in group.rows]
    return [key.ask_id if isinstance(key, AskKey) else key.seat_id.logical_id for key in rows]


def test_a_view_of_everything_is_the_board() -> None:
    assert view.groups(DAY, View()) == select.board(DAY)
    assert not View(text="  ").narrowed


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("docs", ["docs"]),
        ("DOCS", ["docs"]),
        ("ops", ["deploy", "watch"]),
        ("watch@ops", ["watch"]),
        ("search", ["docs"]),
        ("edit", ["one"]),
        ("needs input", ["one"]),
        ("exited", ["watch"]),
        ("launch", ["deploy"]),
        ("ops exited", ["watch"]),
        ("exited ops", ["watch"]),
        ("ana", ["one"]),
        ("nothing like it", []),
    ],
)
def test_words_find_rows_by_seat_rig_tool_kind_and_state(text: str, found: list[str]) -> None:
    assert listed(DAY, text=text) == found


def test_what_the_agent_wrote_beside_its_tool_kind_finds_nothing() -> None:
    assert listed(DAY, text="src/app.ts") == []


@pytest.mark.parametrize(
    ("shows", "found"),
    [
        (Shows.NEEDS, ["deploy", "one"]),
        (Shows.WORKING, ["docs"]),
        (Shows.IDLE, ["deploy", "idle"]),
        (Shows.UNKNOWN, ["watch"]),
    ],
)
def test_one_state_can_be_listed_alone(shows: Shows, found: list[str]) -> None:
    assert sorted(listed(DAY, shows=shows)) == found


def test_states_are_gone_through_and_come_back_to_all() -> None:
    shows, seen = Shows.ALL, []
    for _ in Shows:
        shows = view.next_shows(shows)
        seen.append(shows)
    assert seen == [Shows.NEEDS, Shows.WORKING, Shows.IDLE, Shows.UNKNOWN, Shows.ALL]


def test_only_mine_is_what_the_operator_is_asked_for() -> None:
    ben_s = Asked(AskedMode.PERSON, "ben", AskedBecause.CHOSEN_FOR_SEAT)
    permits = Asked(AskedMode.PERMITS)
    fleet = a_fleet(
        a_seat("a"), a_seat("b", asked=ben_s), a_seat("c", asked=permits),
        an_ask("mine", "x"), an_ask("ben-s", "y", holder=TO_BEN),
    )  # fmt: skip
    assert listed(fleet, mine=True) == ["mine", "a"]
    everyone = replace(fleet, acting_as="human@host")
    assert listed(everyone, mine=True) == ["ben-s", "mine", "a", "b"]


def test_one_list_holds_every_calm_seat_by_name() -> None:
    fleet = a_fleet(a_seat("b", "x"), a_seat("a", "y"), a_seat("a", "x"), BUILDER, an_ask("one"))
    groups = view.groups(fleet, View(flat=True))
    assert [group.title for group in groups] == ["NEEDS A PERSON", view.FLAT_TITLE]
    names = [key.seat_id for key in groups[1].rows if isinstance(key, SeatKey)]
    assert [(each.logical_id, each.rig_id) for each in names] == [
        ("a", "rig-x"), ("a", "rig-y"), ("b", "rig-x"),
    ]  # fmt: skip
    assert groups[1].count == 4


def test_a_narrowed_view_counts_what_needs_a_person_and_is_hidden() -> None:
    assert view.hidden(DAY, View()) == 0
    assert view.hidden(DAY, View(text="docs")) == 2
    assert view.hidden(DAY, View(text="builder")) == 1


def test_stepping_goes_round_the_waiting_asks_and_skips_the_ended() -> None:
    asks = [an_ask(str(n), opened_at=ago(100 - n)) for n in range(3)]
    fleet = a_fleet(*asks, ended(an_ask("over", opened_at=ago(99.5))))
    order = []
    current: str | None = None
    for _ in range(4):
        step = view.step_ask(fleet, View(), current, 1)
        assert step is not None
        current = step.ask_id
        order.append(current)
    assert order == ["0", "1", "2", "0"]
    back = view.step_ask(fleet, View(), "0", -1)
    assert back is not None
    assert back.ask_id == "2"
    after_ended = view.step_ask(fleet, View(), "over", 1)
    assert after_ended is not None
    assert after_ended.ask_id == "1"


def test_there_is_no_step_from_the_only_ask_to_itself() -> None:
    assert view.step_ask(a_fleet(an_ask()), View(), "qitem-1", 1) is None


def test_stepping_keeps_to_what_the_view_shows() -> None:
    fleet = a_fleet(an_ask("a", "x"), an_ask("b", "y"), an_ask("c", "xx"))
    step = view.step_ask(fleet, View(text="x"), "a", 1)
    assert step is not None
    assert step.ask_id == "c"
    snoozed = view.snooze(View(), fleet, fleet.asks["b"], Until.LATER, NOON)
    step = view.step_ask(fleet, snoozed, "a", 1)
    assert step is not None
    assert step.ask_id == "c"


def test_jumping_goes_round_everything_that_needs_a_person() -> None:
    launch = SeatKey(LAUNCH.seat_id)
    assert view.next_needing(DAY, View(), None) == AskKey("one")
    assert view.next_needing(DAY, View(), AskKey("one")) == launch
    assert view.next_needing(DAY, View(), launch) == AskKey("one")
    assert view.next_needing(a_fleet(IDLE), View(), None) is None


def snoozed(until: Until, fleet: Fleet = DAY) -> View:
    return view.snooze(View(), fleet, fleet.asks["one"], until, NOON)


@pytest.mark.parametrize("until", list(Until))
def test_a_snoozed_ask_is_listed_apart_and_not_as_urgent(until: Until) -> None:
    groups = view.groups(DAY, snoozed(until))
    assert groups[0].rows == (SeatKey(LAUNCH.seat_id),)
    assert groups[0].count == 1
    assert groups[-1].title == view.SNOOZED_TITLE
    assert groups[-1].rows == (AskKey("one"),)
    assert select.need_counts(DAY, snoozed(until).snoozed) == (0, 0)


@rule("T4-04")
def test_the_last_snoozed_ask_leaves_no_group_of_needs() -> None:
    fleet = a_fleet(BUILDER, an_ask("one"))
    assert not view.groups(fleet, snoozed(Until.LATER, fleet))[0].needs_person


def test_ten_minutes_are_ten_minutes() -> None:
    held = snoozed(Until.MINUTES)
    assert view.awake(held, DAY, NOON + timedelta(minutes=9, seconds=59)) is held
    assert view.awake(held, DAY, NOON + timedelta(minutes=10)).snoozed == {}


def test_later_lasts_until_it_is_woken() -> None:
    held = snoozed(Until.LATER)
    assert view.awake(held, DAY, NOON + timedelta(days=3)) is held
    assert view.wake(held, "one").snoozed == {}


@pytest.mark.parametrize(
    "changes",
    [{"turn_id": "8"}, {"generation": "gen-2"}, {"reading": Reading.WORKING}],
    ids=["turn", "generation", "reading"],
)
def test_a_snooze_for_the_turn_ends_with_what_the_seat_does(changes: dict[str, Any]) -> None:
    held = snoozed(Until.TURN)
    assert view.awake(held, DAY, NOON + timedelta(days=3)) is held
    moved = replace(DAY, seats={**DAY.seats, BUILDER.seat_id: replace(BUILDER, **changes)})
    assert view.awake(held, moved, NOON).snoozed == {}
    assert view.awake(snoozed(Until.LATER), moved, NOON).snoozed != {}


@pytest.mark.parametrize("until", list(Until))
def test_every_snooze_ends_when_the_ask_ends_or_changes_hands(until: Until) -> None:
    held = snoozed(until)
    ask = DAY.asks["one"]
    for other in (ended(ask), replace(ask, row_id="next-row")):
        assert view.awake(held, replace(DAY, asks={"one": other}), NOON).snoozed == {}
    assert view.awake(held, replace(DAY, asks={}), NOON).snoozed == {}


def test_a_snooze_changes_nothing_about_the_ask() -> None:
    before = DAY.asks["one"]
    snoozed(Until.LATER)
    assert DAY.asks["one"] is before
    assert before.pending


def test_a_still_list_lacks_what_came_since_above_and_below_the_current_row() -> None:
    old = a_fleet(an_ask("two", "b", opened_at=ago(20)))
    rows = [key for group in view.groups(old, View()) for key in group.rows]
    fresh = a_fleet(
        an_ask("one", "a", opened_at=ago(90)),
        an_ask("two", "b", opened_at=ago(20)),
        an_ask("three", "c", opened_at=ago(9)),
        an_ask("four", "d", opened_at=ago(5)),
    )
    assert view.newer(rows, fresh, View(), AskKey("two")) == (1, 2)
    assert view.newer(rows, fresh, View(), None) == (3, 0)
    assert view.newer(rows, old, View(), AskKey("two")) == (0, 0)
