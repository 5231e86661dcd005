"""Answering while nothing vouches for what is on screen."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rig_tui.client.errors import LostError
from rig_tui.domain.commands import AnswerAsk, Page, Query, WholeAsk
from rig_tui.domain.events import LinkDoubted, LinkLost
from rig_tui.domain.model import AskState, Holder, HolderType, Sending
from rig_tui.ui import outbox
from rig_tui.ui.screens.connect import ConnectScreen
from rig_tui.ui.screens.reading import LinkScreen
from tests.builders import NOON, a_fleet, a_seat, ago, an_ask, asking, ended, live_link
from tests.fakes import as_read
from tests.rules import rule
from tests.ui.console import WIDE, Console, console

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask

ASK = an_ask()
FLEET = a_fleet(asking(a_seat()), ASK)
DOUBT = LinkDoubted("it was silent for 20 s", ago(20))
BEN = Holder(HolderType.PERSON, "ben@external", "Ben")


async def answered_while_stale(c: Console, found: Ask) -> str:
    """What the pane says once an answer over a stale link was meant."""
    await c.bring(DOUBT)
    c.backend.page = Page(ask=found)
    await c.press("a")
    return c.words("ask-after")


async def test_an_answer_over_a_stale_link_is_sent_once_its_ask_reads_the_same() -> None:
    async with console(FLEET, WIDE) as c:
        await c.bring(DOUBT)
        assert "stale 11:59" in c.board._list.render_line(1).text
        assert "reads its ask again first" in c.words("stream")
        assert "read again first" in str(c.board.pane.border_subtitle)
        c.backend.page = Page(ask=ASK)
        await c.press("a")
        assert c.backend.queries == [WholeAsk("qitem-1")]
        assert c.commands == [AnswerAsk("qitem-1", "qitem-1", "allow")]
        await c.bring(*as_read(FLEET))
        assert "stale" not in c.board._list.render_line(1).text


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (ended(ASK, decided_by="ben@external"), "ben@external has already answered it"),
        (ended(ASK, AskState.WITHDRAWN), "the agent has withdrawn it"),
        (replace(ASK, row_id="qitem-2", holder=BEN, version=3), "Ben holds it now"),
        (replace(ASK, notices=("content_changed",), version=3), "isn't any more what was on"),
    ],
    ids=["answered", "withdrawn", "moved", "changed"],
)
async def test_over_a_stale_link_nothing_is_sent_about_what_has_changed(
    found: Ask, says: str
) -> None:
    async with console(FLEET, WIDE) as c:
        words = await answered_while_stale(c, found)
        assert "not sent" in words
        assert says in " ".join(words.split())
        assert not c.commands
        assert c.app.fleet.asks["qitem-1"].version == found.version
        assert ("still waits" in words) is found.pending


async def test_over_a_stale_link_nothing_is_sent_about_what_cant_be_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outbox, "REREAD_SECONDS", 0.01)

    async def hang(query: Query) -> Page:
        await asyncio.Event().wait()
        raise AssertionError

    async def fail(query: Query) -> Page:
        raise LostError("the connection broke")

    async with console(FLEET, WIDE) as c:
        await c.bring(DOUBT)
        for fetch, says in ((hang, "couldn't be read within"), (fail, "the connection broke")):
            c.backend.fetch = fetch  # type: ignore[method-assign]
            await c.press("a")
            while c.app.fleet.sent["qitem-1"].state is Sending.SENDING:
                await c.pilot.pause(0.01)
            assert says in " ".join(c.words("ask-after").split())
        assert not c.commands


async def test_content_that_couldnt_be_read_whole_is_asked_for_over_the_next_link() -> None:
    """Or its ask could never be answered here."""
    cut, other = an_ask(elided=True), an_ask("qitem-2", "qa")
    fleet = a_fleet(asking(a_seat()), cut, other)
    async with console(fleet, WIDE) as c:
        assert c.backend.queries == [WholeAsk("qitem-1")]
        await c.bring(LinkLost("connection refused", ago(9), ago(-8)))
        assert len(c.backend.queries) == 1
        c.backend.page = Page(ask=replace(cut, elided=False))
        await c.bring(*as_read(replace(fleet, link=live_link(since=NOON))))
        assert len(c.backend.queries) == 2
        await c.press("a")
        assert c.commands
    async with console(fleet, WIDE) as c:
        await c.press("n", "N")
        assert len(c.backend.queries) == 2


async def test_a_live_link_needs_no_second_read() -> None:
    async with console(FLEET, WIDE) as c:
        await c.press("a")
        assert c.commands
        assert not c.backend.queries


@rule("T7-27")
async def test_with_the_link_lost_nothing_can_be_answered_at_all() -> None:
    async with console(FLEET, WIDE) as c:
        await c.bring(LinkLost("connection refused", ago(9), ago(-8)))
        assert "offline 11:59" in c.board._list.render_line(1).text
        assert "runners that ask now will permit" in c.words("stream")
        await c.press("a")
        assert not c.commands
        assert not c.backend.queries


async def test_what_changed_while_the_daemon_was_away_is_told_until_it_was_listed() -> None:
    async with console(FLEET, WIDE) as c:
        await c.bring(LinkLost("connection refused", ago(90), ago(80)))
        back = a_fleet(asking(a_seat()), ended(ASK), an_ask("qitem-2", opened_at=ago(5)))
        await c.bring(*as_read(back))
        assert c.words("stream").startswith(
            "while the daemon was away: 1 ask came, 1 answered; L lists it"
        )
        assert c.board.has_class("-urgent")
        assert c.shown == "qitem-1"
        await c.press("L")
        assert "answered at" in c.words()
        assert "waiting for you" not in c.words("stream")
        await c.press("escape")
        assert "while the daemon was away" not in c.words("stream")
        assert not c.board.has_class("-urgent")


@pytest.mark.parametrize("place", ["link", "connect"])
async def test_news_that_come_while_a_screen_is_being_made_break_nothing(place: str) -> None:
    async with console(FLEET, WIDE) as c:
        fleet, keymap = c.app.fleet, c.app.setup.keymap
        if place == "link":
            c.app.push_screen(LinkScreen(fleet, NOON, keymap))
        else:
            c.app.push_screen(ConnectScreen(fleet, NOON, keymap))
        c.app.apply((DOUBT,))
        c.app.tick()
        await c.settle()
        assert c.app.fleet.link.cause == DOUBT.cause
