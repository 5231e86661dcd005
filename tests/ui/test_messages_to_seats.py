"""Messages to a seat: prompts of their own, kept, offered, and never sent by themselves."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.domain.commands import (
    DenyAsk,
    Done,
    Rejected,
    SendMessage,
    Unconfirmed,
    Unsent,
)
from rig_tui.domain.drafts import ForAsk, ForOccupant, for_seat
from rig_tui.domain.events import AskClosed, AskOpened, DraftKept, SeatRead
from rig_tui.domain.model import Fleet, Reading, Seat
from rig_tui.ui.screens.message import MessageScreen
from rig_tui.ui.widgets.draft_area import DraftArea
from tests.builders import ALLOW, REJECT, a_fleet, a_seat, an_ask, asking, ended, live_link
from tests.rules import rule
from tests.ui.console import MIDDLE, TINY, WIDE, Console, console

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

CAN_SEND = live_link(capabilities=live_link().capabilities | {"send"})
ASK = an_ask(options=(ALLOW, REJECT))


def at_desk(
    fleet: Fleet, size: tuple[int, int] = MIDDLE, **setup: Any
) -> AbstractAsyncContextManager[Console]:
    return console(fleet, size, **setup)


def taker(**changes: Any) -> Seat:
    return a_seat(takes_messages=True, **changes)


def idle(**changes: Any) -> Fleet:
    return a_fleet(taker(**changes), link=CAN_SEND)


def asked() -> Fleet:
    return a_fleet(asking(taker()), ASK, link=CAN_SEND)


async def write(c: Console, text: str) -> None:
    """Open a message for the selected seat and put words into it."""
    await c.press("j", "w")
    assert isinstance(c.app.screen, MessageScreen)
    c.app.screen.query_one(DraftArea).insert(text)
    await c.rest()


def says(c: Console) -> str:
    return " ".join(c.words("#composing-says").split())


@rule("T5-01")
@pytest.mark.parametrize(
    ("reading", "queued", "before", "after"),
    [
        (Reading.IDLE, False, "takes this as its next prompt", "Sent to the pane of builder"),
        (Reading.IDLE, True, "takes this as its next prompt", "Queued for the runner of builder"),
        (Reading.WORKING, True, "queued for the next turn", "Queued for the next turn of builder"),
        (Reading.WORKING, False, "queued for the next turn", "Queued for the next turn of builder"),
    ],
)
async def test_a_message_is_said_to_be_sent_or_queued_and_never_to_steer(
    reading: Reading, queued: bool, before: str, after: str
) -> None:
    async with at_desk(idle(reading=reading)) as c:
        c.backend.verdict = lambda _: Done(queued=queued)
        await write(c, "run the tests")
        assert before in says(c)
        await c.press("ctrl+s")
        assert c.commands == [SendMessage("builder@my-rig", "run the tests")]
        assert after in c.notices[-1]
        assert "steer" not in c.notices[-1] + says(c)
        assert c.app.screen is c.board
        assert not c.app.fleet.drafts


@rule("T5-02")
async def test_abort_as_a_message_is_said_to_cancel_nothing() -> None:
    async with at_desk(idle(reading=Reading.WORKING)) as c:
        await write(c, "/abort")
        assert "cancels nothing" in says(c)
        assert "type /abort in the runner's pane" in says(c)


@rule("T7-19")
async def test_a_seat_with_a_request_waiting_is_not_written_to() -> None:
    async with at_desk(asked()) as c:
        await c.press("w")
        assert c.app.screen is c.board
        assert "a message is never an answer" in c.notices[-1]


@rule("T7-19")
@pytest.mark.parametrize("size", [WIDE, MIDDLE, TINY])
async def test_a_request_that_comes_while_writing_turns_sending_off(size: tuple[int, int]) -> None:
    async with at_desk(idle(), size) as c:
        await write(c, "yes")
        await c.bring(SeatRead(asking(taker(version=5))), AskOpened(an_ask(version=6)))
        assert "A message is never an answer, nor is text typed in its pane" in says(c)
        assert "ctrl+s" not in c.words("#composing-keys")
        await c.press("ctrl+s")
        assert c.commands == []
        assert c.app.screen.query_one(DraftArea).text == "yes"


@rule("T7-13")
@pytest.mark.parametrize("size", [WIDE, MIDDLE, TINY])
async def test_the_words_of_a_reject_are_offered_after_the_turn_and_sent_only_by_hand(
    size: tuple[int, int],
) -> None:
    async with at_desk(asked(), size) as c:
        over = ended(ASK, decided_how="deny")
        c.backend.verdict = lambda command: (
            Done(over.outcome, over.version, over) if isinstance(command, DenyAsk) else Done()
        )
        await c.press("t")
        c.app.screen.query_one(DraftArea).insert("use staging")
        await c.rest()
        await c.press("ctrl+r")
        await c.bring(SeatRead(taker(reading=Reading.WORKING, version=7)))
        words = "t shows your words, kept until its turn ends"
        assert words[:20] in " ".join(c.words("#ask-after").split())
        await c.press("W")
        assert c.app.screen is c.board
        await c.bring(SeatRead(taker(reading=Reading.IDLE, version=8)))
        offer = "W shows your words kept for builder@my-rig"
        assert offer[:30] in c.words("#stream")
        await c.rest(60)
        assert c.commands == [DenyAsk("qitem-1", "qitem-1")]
        await c.press("W")
        assert c.app.screen.query_one(DraftArea).text == "use staging"
        assert "Nothing has been sent of them" in says(c)
        await c.press("ctrl+s")
        assert c.commands[1:] == [SendMessage("builder@my-rig", "use staging")]
        assert not c.app.fleet.drafts
        assert "kept for" not in c.words("#stream")


@rule("T7-13")
async def test_words_for_an_agent_that_is_gone_can_only_be_copied() -> None:
    async with at_desk(asked()) as c:
        await c.press("t")
        c.app.screen.query_one(DraftArea).insert("use staging")
        await c.rest()
        await c.press("ctrl+r")
        await c.bring(AskClosed(ended(ASK)), SeatRead(taker(generation="gen-2", version=9)))
        assert "t shows your words, a draft to copy" in " ".join(c.words("#ask-after").split())
        await c.press("W")
        assert c.app.screen is c.board
        await c.press("t")
        assert "relaunched or stopped; they were for the agent before" in says(c)
        await c.press("ctrl+s")
        assert c.commands == [DenyAsk("qitem-1", "qitem-1")]
        await c.press("escape", "w")
        assert c.app.screen.query_one(DraftArea).text == ""


async def test_kept_words_that_can_not_be_sent_are_shown_to_be_copied(tmp_path: Path) -> None:
    fleet = a_fleet(asking(a_seat()), ASK)
    async with at_desk(fleet, copy="file", state_folder=lambda: tmp_path) as c:
        await c.press("t")
        c.app.screen.query_one(DraftArea).insert("use staging")
        await c.rest()
        await c.press("ctrl+r")
        await c.bring(AskClosed(ended(ASK)), SeatRead(a_seat(version=9)))
        after = " ".join(c.words("#ask-after").split())
        assert "t shows your words, a draft to copy; they weren't sent" in after
        await c.press("t")
        assert isinstance(c.app.screen, MessageScreen)
        assert "Can't be sent now: this daemon sends no messages" in says(c)
        await c.press("ctrl+s")
        assert c.commands == [DenyAsk("qitem-1", "qitem-1")]
        await c.press("ctrl+o")
        [copied] = (tmp_path / "copied").iterdir()
        assert copied.read_text() == "use staging"
        assert "draft (11 bytes)" in c.notices[-1]
        assert c.app.fleet.drafts[ForAsk("qitem-1")].text == "use staging"


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Rejected("queue_full", "100 messages wait already"), "100 messages wait already"),
        (Unsent("connection refused"), "connection refused"),
        (Unconfirmed("no reply"), "It may have arrived"),
    ],
)
async def test_each_way_a_message_can_fail_is_said_and_keeps_its_words(
    verdict: Rejected | Unsent | Unconfirmed, words: str
) -> None:
    async with at_desk(idle()) as c:
        c.backend.verdict = lambda _: verdict
        await write(c, "hello")
        await c.press("ctrl+s")
        assert isinstance(c.app.screen, MessageScreen)
        assert words in says(c)
        assert len(c.commands) == 1
        await c.press("escape")
        held = c.app.fleet.drafts[ForOccupant("builder@my-rig", "gen-1")]
        assert held.text == "hello"


async def test_a_message_being_sent_is_not_sent_twice_nor_changed() -> None:
    async with at_desk(idle()) as c:
        await write(c, "hello")
        c.backend.hold = asyncio.Event()
        await c.press("ctrl+s", "x", "ctrl+s")
        assert c.commands == [SendMessage("builder@my-rig", "hello")]
        assert c.app.screen.query_one(DraftArea).text == "hello"
        assert "Sending" in says(c)
        c.backend.hold.set()
        await c.settle()
        assert c.app.screen is c.board


async def test_a_draft_for_a_seat_opens_again_and_dies_when_emptied() -> None:
    seat = taker()
    async with at_desk(idle()) as c:
        await c.bring(DraftKept(for_seat(seat, "hello")))
        await c.press("j", "w")
        area = c.app.screen.query_one(DraftArea)
        assert area.text == "hello"
        area.clear()
        await c.rest()
        await c.press("ctrl+s", "escape")
        assert c.commands == []
        assert not c.app.fleet.drafts


async def test_inside_a_seat_no_message_is_sent() -> None:
    async with at_desk(idle(), barred="this terminal is inside a seat") as c:
        await c.press("j", "w")
        assert c.app.screen is c.board
        assert "inside a seat" in c.notices[-1]
