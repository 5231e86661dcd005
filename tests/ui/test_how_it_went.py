"""How an act with no ask to show it on went: said each time, and sent once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from rig_tui.domain.commands import AnswerAsk, Done, Rejected, RemovePerson, Unconfirmed, Unsent
from rig_tui.domain.model import Asked, AskedMode, Override, OverrideMode, People
from rig_tui.domain.receipt import Seen
from tests.builders import ANA, BEN, CAPABILITIES, NOON, a_fleet, a_seat, an_ask, asking, live_link
from tests.rules import rule
from tests.ui.console import Console, console

if TYPE_CHECKING:
    from rig_tui.domain.commands import Verdict
    from rig_tui.domain.model import Fleet

SEAT = asking(a_seat(override=Override(OverrideMode.TO, "ana", "on call", "ana@external", NOON)))
ABLE = live_link(capabilities=CAPABILITIES | {"permissions-to", "seats", "handoff"})
KEY = Seen("key")
UNCHANGED = "Nothing was changed."
LOOK = "It may have been done: look before you do it again."
FAILURES: list[tuple[Verdict, str, str]] = [
    (Rejected("not_applicable", "Somebody changed that meanwhile."), "changed that", UNCHANGED),
    (Rejected("forbidden", "This token may not."), "may not", UNCHANGED),
    (Unsent("nothing answers at 127.0.0.1:7433: refused"), "nothing answers", UNCHANGED),
    (Unconfirmed("the daemon answered 500: Internal Server Error"), "answered 500", LOOK),
    (Unconfirmed("127.0.0.1:7433 didn't answer in time"), "in time", LOOK),
    (Unconfirmed("the connection to 127.0.0.1:7433 broke: reset"), "broke: reset", LOOK),
]
"""What a daemon or the way to it can come to, what is said of it, and what to do now."""
ACTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "people.register": ("Register x", ("x", "enter", "Y")),
    "people.remove": ("Remove ana", ("enter", "Y")),
    "people.default": ("Make ben the default", ("down", "enter", "Y")),
    "people.ask_person": ("Ask ben for builder@my-rig", ("down", "enter", "w", "enter")),
    "people.refuse_all": ("Refuse all requests of builder@my-rig", ("w", "enter")),
    "people.back_to_default": (
        "Back to the default person for builder@my-rig",
        ("w", "enter"),
    ),
    "seat.clear_attention": ("clear attention of builder@my-rig", ("w", "enter")),
    "seat.stop": ("stop builder@my-rig", ("Y",)),
}
"""Each act's own words, and the keys of its dialogs."""


def world() -> Fleet:
    return a_fleet(SEAT, an_ask(), link=ABLE, people=People((ANA, BEN), "ana"))


async def act(c: Console, action: str) -> None:
    c.hands.seconds += 1
    c.board.conduct.operate(action)
    await c.rest()
    await c.press(*ACTS[action][1])


@rule("T7-22", "T7-26", "T9-02")
@pytest.mark.parametrize("action", ACTS)
async def test_each_way_an_act_can_fail_is_said_and_nothing_is_sent_again(action: str) -> None:
    async with console(world()) as c:
        for sent, (verdict, cause, now) in enumerate(FAILURES, start=1):
            c.backend.verdict = lambda _, verdict=verdict: verdict  # type: ignore[misc]
            await act(c, action)
            said = c.notices[-1]
            assert ACTS[action][0] in said
            assert cause in said
            assert said.endswith(now)
            assert len(c.commands) == sent
            assert c.app.screen is c.board
            assert c.app.fleet.people == People((ANA, BEN), "ana")
            assert c.app.fleet.seats[SEAT.seat_id] == SEAT


@rule("T7-22")
async def test_a_change_that_would_now_permit_names_the_seats_it_would() -> None:
    ben, nobody = Asked(AskedMode.PERSON, "ben"), Asked(AskedMode.PERMITS)
    refused = Rejected("would_permit", "It needs to be confirmed.", None, (("qa@r", ben, nobody),))
    async with console(world()) as c:
        c.backend.verdict = lambda _: refused
        await act(c, "people.remove")
        assert "qa@r would PERMIT without asking" in c.notices[-1]
        assert len(c.commands) == 1


async def test_while_an_act_on_an_ask_is_on_its_way_a_second_one_is_not_sent() -> None:
    async with console(world()) as c:
        c.backend.hold = asyncio.Event()
        first, second = (AnswerAsk("qitem-1", "qitem-1", each) for each in ("allow", "reject"))
        c.app.outbox.do(first, "Allow", KEY)
        c.app.outbox.do(second, "Reject", KEY)
        c.app.outbox.do(first, "Allow", KEY)
        await c.settle()
        assert c.commands == [first]
        c.app.outbox.do(RemovePerson("ben"), "remove ben", KEY)
        await c.settle()
        assert c.commands == [first, RemovePerson("ben")]
        c.backend.hold.set()
        c.backend.verdict = lambda _: Done()
        await c.settle()
        assert c.commands == [first, RemovePerson("ben")]
