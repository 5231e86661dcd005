"""Handing an ask on, taking it back, and who is asked: every consequence comes first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rig_tui.domain.commands import (
    ChooseDefault,
    HandToSeat,
    RegisterPerson,
    Rejected,
    RemovePerson,
    RouteAsk,
    SetOverride,
    UpdateRow,
)
from rig_tui.domain.events import AskClosed, LinkLost
from rig_tui.domain.model import (
    Asked,
    AskedMode,
    AskState,
    Cause,
    Fleet,
    Holder,
    HolderType,
    Override,
    OverrideMode,
    People,
    Row,
)
from rig_tui.ui.screens.who_is_asked import WhoIsAskedScreen
from tests.builders import (
    ALLOW,
    ANA,
    BEN,
    CAPABILITIES,
    NOON,
    REJECT,
    a_fleet,
    a_seat,
    an_ask,
    asking,
    ended,
    live_link,
)
from tests.rules import rule
from tests.ui.console import console

ABLE = CAPABILITIES | {"handoff", "update", "permissions-to"}
TO_SEAT = Holder(HolderType.SEAT, "review@my-rig", "review@my-rig")
REFUSED = Rejected("destination_not_found", "No such person.")


def held_by(holder: Holder | None = None, **changes: object) -> Fleet:
    ask = an_ask(options=(ALLOW, REJECT))
    if holder is not None:
        rows = (Row("qitem-1", ask.holder, "handed-off", "ana@external", "handoff", NOON),
                Row("row-2", holder, "pending"))  # fmt: skip
        ask = replace(ask, holder=holder, row_id="row-2", rows=rows)
    people = People((ANA, BEN), "ana")
    link = live_link(capabilities=ABLE)
    fleet = a_fleet(asking(a_seat()), a_seat("review"), ask, link=link, people=people)
    return replace(fleet, **changes)  # type: ignore[arg-type]


@rule("T7-14", "D7-27")
async def test_a_person_is_picked_and_the_consequence_said_before_anything_is_sent() -> None:
    async with console(held_by()) as c:
        await c.press("o")
        assert "ben" in c.app.screen.query_one("#picks")._records[0].value  # type: ignore[attr-defined]
        await c.press("enter")
        assert c.commands == []
        assert "never permits" in c.words()
        await c.press("Y")
        assert c.commands == [RouteAsk("qitem-1", "qitem-1", "ben@external")]


@rule("T7-14")
async def test_typing_in_the_picker_filters_and_never_answers() -> None:
    async with console(held_by()) as c:
        await c.press("o", *"arRdx")
        assert c.commands == []
        assert "No" in c.words() or "Nobody" in c.words()
        await c.press("enter", "escape")
        assert c.commands == []


@rule("T7-15")
async def test_trap_handing_to_an_agent_says_that_done_permits_whatever_it_writes() -> None:
    async with console(held_by()) as c:
        await c.press("g", "enter")
        words = " ".join(c.words().split())
        assert "sees no options" in words
        assert "PERMITS with ‘Allow’" in words
        assert "Only denied is a no" in words
        assert "someone must close it" in words
        await c.press("enter")
        assert c.commands == []
        await c.press("g", "enter", "Y")
        assert c.commands == [HandToSeat("qitem-1", "qitem-1", "review@my-rig")]


@rule("T7-16")
async def test_while_a_seat_holds_it_there_are_no_options_and_it_can_be_taken_back() -> None:
    async with console(held_by(TO_SEAT)) as c:
        words = c.words("#ask-options")
        assert "holds it and sees no options" in words
        assert "allow once" not in words.splitlines()[0]
        assert "handed on: Ana → review@my-rig" in " ".join(c.words("#ask-body").split())
        await c.press("a")
        assert c.commands == []
        await c.press("b", "Y")
        assert c.commands == [RouteAsk("qitem-1", "row-2", "ana@external", "taken back")]


@rule("T7-16")
async def test_trap_a_denied_row_is_a_no_and_a_canceled_one_cancels() -> None:
    for action, state, words in (
        ("route.deny_row", "denied", "Reject (‘Reject’)"),
        ("route.cancel_row", "canceled", "cancels the request: nothing is permitted"),
    ):
        async with console(held_by(TO_SEAT)) as c:
            c.hands.seconds += 1
            c.board.conduct.operate(action)
            await c.settle()
            assert words in " ".join(c.words().split())
            await c.press("Y")
            assert c.commands == [UpdateRow("qitem-1", "row-2", state)]


@rule("T7-16")
async def test_trap_another_host_never_gives_it_back_by_itself() -> None:
    async with console(held_by(Holder(HolderType.HOST, "x@host:far", "far"))) as c:
        assert "won't come back by itself" in c.words("#ask-options")
        await c.press("o", "g", "b", "a")
        assert c.commands == []


@pytest.mark.parametrize("key", ["o", "g"])
async def test_handing_over_says_why_it_cannot_be_done(key: str) -> None:
    async with console(held_by(link=live_link())) as c:
        await c.press(key)
        assert "can't do that" in c.notices[-1]
    async with console(held_by()) as c:
        await c.bring(LinkLost("gone", NOON, NOON))
        await c.press(key)
        assert "can't be reached" in c.notices[-1]
    async with console(held_by()) as c:
        await c.bring(AskClosed(ended(an_ask(options=(ALLOW, REJECT)), AskState.WITHDRAWN)))
        await c.press(key)
        assert "withdrawn" in c.notices[-1].lower()


async def test_a_refused_handover_is_said_on_the_ask() -> None:
    async with console(held_by()) as c:
        c.backend.verdict = lambda _: REFUSED
        await c.press("o", "enter", "Y")
        assert "No such person; nothing was changed" in c.words("#ask-after")


async def test_an_ask_that_ends_under_the_picker_sends_nothing() -> None:
    async with console(held_by()) as c:
        await c.press("o")
        await c.bring(AskClosed(ended(an_ask(options=(ALLOW, REJECT)))))
        await c.press("enter", "Y")
        assert c.commands == []
        assert any("changed while you were deciding" in n for n in c.notices)


@rule("T7-21")
async def test_the_map_lists_who_is_asked_and_why_the_dangerous_first() -> None:
    permits = Asked(AskedMode.PERMITS, because=Cause.CHOSEN_PERSON_NOT_REGISTERED)
    fleet = a_fleet(
        a_seat("a"), a_seat("b", asked=Asked(AskedMode.REFUSES)), a_seat("z", asked=permits),
        link=live_link(capabilities=ABLE),
    )  # fmt: skip
    async with console(fleet) as c:
        await c.press("p")
        screen = c.app.screen
        assert isinstance(screen, WhoIsAskedScreen)
        assert "1 permits without asking" in str(screen.query_one("#asked").border_title)
        assert "PERMITS ALL" in c.words("#asked-detail")
        assert "no longer registered" in c.words("#asked-detail")
        assert [seat.name for seat in screen._list._records] == ["z", "b", "a"]


@rule("T7-26")
async def test_refusing_all_wants_a_reason_and_says_what_it_does_and_leaves_alone() -> None:
    async with console(held_by()) as c:
        await c.press("p", "d")
        words = " ".join(c.words().split())
        assert "needs input until its next prompt" in words
        assert "asks already open stay" in words
        await c.press("enter")
        assert c.commands == []
        await c.press(*"no", "enter")
        seat = a_seat()
        assert c.commands == [
            SetOverride(seat.seat_id, "builder@my-rig", OverrideMode.DENY, None, "no")
        ]


@rule("T7-26")
async def test_asking_a_person_for_one_seat_takes_a_pick_and_a_reason() -> None:
    async with console(held_by()) as c:
        await c.press("p", "a", "down", "enter", *"why", "enter")
        seat = a_seat()
        assert c.commands == [
            SetOverride(seat.seat_id, "builder@my-rig", OverrideMode.TO, "ben", "why")
        ]


@rule("T7-22")
async def test_going_back_to_a_default_that_is_nobody_needs_the_second_key() -> None:
    override = Override(OverrideMode.TO, "ben", "x", "ana@external", NOON)
    asked = Asked(AskedMode.PERSON, "ben", "chosen_for_seat")
    seat = a_seat(override=override, asked=asked)
    fleet = a_fleet(seat, link=live_link(capabilities=ABLE), people=People((ANA, BEN), None))
    async with console(fleet) as c:
        await c.press("p", "b")
        assert "PERMITS ALL" in c.words()
        await c.press("shift+tab", *"why", "enter", "Y")
        assert c.commands == [
            SetOverride(seat.seat_id, seat.seat_ref, OverrideMode.NONE, None, "why")
        ]


@rule("T7-22")
async def test_trap_a_second_person_without_a_default_is_held_up_with_the_safe_way_first() -> None:
    seat = a_seat(asked=Asked(AskedMode.PERSON, "ana", "only_registered_person"))
    fleet = a_fleet(seat, link=live_link(capabilities=ABLE), people=People((ANA,), None))
    async with console(fleet) as c:
        await c.press("p", "plus", *"ben", "enter")
        words = " ".join(c.words().split())
        assert "1 seat would PERMIT without asking anyone" in words
        assert "Safer: go back, choose ana as the default person first" in words
        assert "PERMITS ALL: several people are registered and none is the default" in words
        await c.press("enter")
        assert c.commands == []
        await c.press("plus", *"ben", "enter", "Y")
        assert c.commands == [RegisterPerson("ben", "ben", confirm=True)]


@rule("T7-22")
async def test_trap_removing_the_only_person_lists_what_then_permits() -> None:
    seat = a_seat(asked=Asked(AskedMode.PERSON, "ana", "only_registered_person"))
    fleet = a_fleet(seat, link=live_link(capabilities=ABLE), people=People((ANA,), None))
    async with console(fleet) as c:
        await c.press("p", "minus", "enter")
        assert "would PERMIT without asking anyone" in c.words()
        await c.press("Y")
        assert c.commands == [RemovePerson("ana", confirm=True)]


async def test_a_change_that_makes_nobody_permit_needs_no_confirmation_at_the_daemon() -> None:
    async with console(held_by()) as c:
        await c.press("p", "asterisk", "down", "enter")
        assert "would PERMIT" not in c.words()
        await c.press("Y")
        assert c.commands == [ChooseDefault("ben")]


async def test_without_the_capability_an_override_says_why_it_cannot_be_set() -> None:
    async with console(held_by(link=live_link())) as c:
        await c.press("p", "d")
        assert c.commands == []
        assert "can't do that" in c.notices[-1]


async def test_a_consequence_longer_than_the_window_is_read_to_its_end_before_y_counts() -> None:
    async with console(held_by(), (40, 12)) as c:
        await c.press("g", "enter")
        assert "shows the rest" in c.words()
        await c.press("Y")
        assert c.commands == []
        while "shows the rest" in c.words():
            await c.press("Y")
        assert "someone must close it" in " ".join(c.words().split())
        await c.press("Y")
        assert c.commands == [HandToSeat("qitem-1", "qitem-1", "review@my-rig")]
