"""One seat in full: its badge explained, its timeline, and revoking its grant."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.actions.action import Context, Fill
from rig_tui.actions.grants import revoking
from rig_tui.actions.registry import ACTIONS
from rig_tui.client.errors import ClientError
from rig_tui.domain.commands import (
    Done,
    Page,
    Query,
    Rejected,
    RevokeGrant,
    SeatEvents,
    Unconfirmed,
    Unsent,
)
from rig_tui.domain.events import AskClosed, LinkLost, SeatRead
from rig_tui.domain.history import Filters
from rig_tui.domain.model import Evidence, EvidenceKind, Grant, Link, LinkState, Reading
from rig_tui.domain.timeline import SeatEvent
from rig_tui.domain.window import PAGE
from rig_tui.ui.screens.history import HistoryScreen
from rig_tui.ui.screens.seat import SeatScreen
from rig_tui.ui.widgets.record_list import RecordList
from tests.builders import (
    NOON,
    REJECT,
    a_fleet,
    a_seat,
    ago,
    an_ask,
    asking,
    ended,
    live_link,
)
from tests.rules import rule
from tests.ui.console import MIDDLE, TINY, WIDE, Console, console

if TYPE_CHECKING:
    from rig_tui.domain.commands import Verdict
    from rig_tui.domain.model import Fleet, Seat


def able(*more: str) -> Link:
    return live_link(capabilities=live_link().capabilities | {"timeline", "grants", *more})


def granted(**changes: Any) -> Seat:
    return a_seat(grant=Grant("grant"), **changes)


def a_world(*parts: Any) -> Fleet:
    return a_fleet(*(parts or (granted(), a_seat("qa"))), link=able())


def an_entry(number: int, kind: str = "post", what: str = "PreToolUse/edit") -> SeatEvent:
    return SeatEvent(f"{number:06}", ago(1000 - number), kind, what)


def rows(c: Console) -> list[str]:
    screen = c.app.screen
    assert isinstance(screen, SeatScreen)
    return [event.what for event in screen._listing.window.rows]


async def on_seat(c: Console) -> None:
    await c.press("j", "k", "i")


async def test_a_seat_is_shown_in_full_with_its_timeline() -> None:
    async with console(a_world(), WIDE) as c:
        c.backend.record.seat_events = [an_entry(1), an_entry(2, "error", "RuntimeError/x")]
        await on_seat(c)
        assert isinstance(c.app.screen, SeatScreen)
        assert "its runner posted that it is idle" in c.words("#story-about")
        assert "authenticated by a grant of its own" in c.words("#story-about")
        assert rows(c) == ["RuntimeError/x", "PreToolUse/edit"]
        assert c.backend.queries == [SeatEvents("builder@my-rig", (), None, PAGE)]


async def test_without_a_seat_there_is_nothing_to_open() -> None:
    async with console(a_fleet()) as c:
        await c.press("i")
        assert c.app.screen is c.board
        assert "No seat is selected" in c.notices[-1]


@rule("T4-06")
async def test_errors_can_be_looked_at_alone() -> None:
    async with console(a_world(), WIDE) as c:
        c.backend.record.seat_events = [an_entry(1), an_entry(2, "error", "RuntimeError/x")]
        await on_seat(c)
        await c.press("f", "f", "f")
        assert rows(c) == ["RuntimeError/x"]
        await c.press("tab")
        assert "changes nothing of what the seat reads" in c.words("#story-entry")
        await c.press("f", "f", "f")
        assert len(rows(c)) == 2


@pytest.mark.parametrize("size", [MIDDLE, TINY])
async def test_a_narrow_window_shows_one_half_at_a_time(size: tuple[int, int]) -> None:
    async with console(a_world(), size) as c:
        c.backend.record.seat_events = [an_entry(1), an_entry(2)]
        await on_seat(c)
        timeline = c.app.screen.query_one("#story-timeline")
        about = c.app.screen.query_one("#story-about")
        assert (about.display, timeline.display) == (True, False)
        await c.press("tab")
        assert (about.display, timeline.display) == (False, True)
        await c.press("down", "enter")
        assert not c.app.screen.query_one(RecordList).display
        assert "when          11:43:21" in c.words("#story-entry")
        await c.press("escape", "tab", "escape")
        assert c.app.screen is c.board


async def test_long_timelines_are_read_a_page_at_a_time() -> None:
    async with console(a_world(), WIDE) as c:
        c.backend.record.seat_events = [an_entry(n, what=str(n)) for n in range(PAGE + 50)]
        await on_seat(c)
        assert len(rows(c)) == PAGE
        await c.press("tab", "end")
        assert len(rows(c)) == PAGE + 50


async def test_the_story_follows_its_seat() -> None:
    seat = granted()
    async with console(a_world(seat, an_ask()), WIDE) as c:
        await c.press("i")
        evidence = Evidence(EvidenceKind.POST, ago(1), ago(-14), "edit")
        c.backend.record.seat_events.append(an_entry(5, what="PreToolUse/new"))
        working = replace(seat, reading=Reading.WORKING, evidence=evidence, version=2_000_000)
        await c.bring(SeatRead(working))
        await c.settle()
        assert "its runner posted ‘edit’" in c.words("#story-about")
        assert rows(c) == ["PreToolUse/new"]
        over = ended(an_ask(), version=2_000_001)
        c.backend.record.seat_events.append(an_entry(6, "ended", "answered"))
        await c.bring(AskClosed(over))
        await c.settle()
        assert rows(c) == ["answered", "PreToolUse/new"]


async def test_a_daemon_without_timelines_is_said_and_never_asked() -> None:
    async with console(a_fleet(granted()), WIDE) as c:
        await on_seat(c)
        assert "keeps no timeline" in c.words("#story-head")
        assert c.backend.queries == []


async def test_a_failing_read_and_a_lost_daemon_are_said() -> None:
    async with console(a_world(), WIDE) as c:

        async def broken(query: Query) -> Page:
            raise ClientError("500 from /api/seats")

        c.backend.fetch = broken  # type: ignore[method-assign]
        await on_seat(c)
        assert "It couldn't be read: 500 from" in c.words("#story-head")
        await c.bring(LinkLost("gone", NOON, NOON))
        assert "rows as last read" in c.words("#story-head")


async def test_a_seats_history_is_one_key_away() -> None:
    async with console(a_world()) as c:
        await on_seat(c)
        await c.press("H")
        assert isinstance(c.app.screen, HistoryScreen)
        assert c.app.screen.reader.filters == Filters(seat="builder@my-rig")
        await c.press("escape")
        assert isinstance(c.app.screen, SeatScreen)


async def test_looking_at_a_seat_answers_nothing() -> None:
    async with console(a_world(granted(), an_ask())) as c:
        await c.press("i", *"aArRdxtogY123", apart=0.01)
        assert c.commands == []


REVOKE = RevokeGrant(granted().seat_id, "builder@my-rig")


@rule("T4-08")
async def test_revoking_says_what_is_permitted_and_waits_for_a_second_key() -> None:
    async with console(a_world(asking(granted()), an_ask())) as c:
        await c.press("i", "G")
        words = " ".join(c.words().split())
        assert "‘Edit src/app.ts’ PERMITS with ‘Allow’ (allow once)" in words
        assert "To say no, reject what waits first" in words
        for key in ("enter", "escape"):
            await c.press(key)
            assert c.commands == []
            await c.press("G")
        await c.press("Y")
        assert c.commands == [REVOKE]
        assert "its runner now permits" in c.notices[-1]


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Rejected("no_grant", "The runner holds no grant."), "The runner holds no grant."),
        (Unsent("refused"), "refused. Nothing was changed."),
        (Unconfirmed("no reply"), "no reply. It may have been done"),
        (Done(), "The grant of builder@my-rig is revoked"),
    ],
)
async def test_how_revoking_went_is_said(verdict: Verdict, words: str) -> None:
    async with console(a_world()) as c:
        c.backend.verdict = lambda _: verdict
        await on_seat(c)
        await c.press("G", "Y")
        assert c.commands == [REVOKE]
        assert words in c.notices[-1]


async def test_an_ask_answered_meanwhile_closes_the_warning() -> None:
    async with console(a_world(asking(granted()), an_ask())) as c:
        await c.press("i", "G")
        await c.bring(AskClosed(ended(an_ask(), version=2_000_000)))
        await c.press("Y")
        assert c.commands == []


@rule("T4-08")
@pytest.mark.parametrize(
    ("context", "why"),
    [
        (Context(a_world()), "no seat"),
        (Context(a_world(), seat=granted(), barred="inside a seat"), "inside a seat"),
        (Context(a_fleet(granted()), seat=granted()), "has no grants"),
        (Context(a_fleet(granted(), link=replace(able(), state=LinkState.LOST)), seat=granted()),
         "can't be reached"),
        (Context(a_world(), seat=a_seat()), "posts by the local token"),
        (Context(a_world(), seat=a_seat(grant=Grant("grant", ago(5)))), "revoked already"),
    ],
)  # fmt: skip
def test_why_a_grant_cant_be_revoked(context: Context, why: str) -> None:
    assert why in (ACTIONS["seat.revoke_grant"].why_not(context) or "")


@rule("T4-08")
def test_what_revoking_permits_is_the_mappings_word() -> None:
    action = ACTIONS["seat.revoke_grant"]
    none = a_world(granted())
    assert action.why_not(Context(none, seat=granted())) is None
    assert action.plan(Context(none, seat=granted())) == Fill("revoke-grant")
    assert "every later request" in action.consequence(Context(none, seat=granted()))
    two = a_world(granted(), an_ask("a"), an_ask("b", options=(REJECT,)), an_ask("c", "qa"))
    words = revoking(granted(), two)
    assert words.count("‘Edit src/app.ts’") == 2
    assert "PERMITS with ‘Allow’" in words
    assert "no allow option offered" in words


async def test_a_long_warning_scrolls_in_a_small_window() -> None:
    asks = [an_ask(f"q{number}", opened_at=ago(number)) for number in range(1, 9)]
    async with console(a_world(asking(granted()), *asks), TINY) as c:
        await c.press("i", "G")
        assert "Y shows the rest" in c.words("#words-keys")
        explain = c.app.screen.query_one("#words-explain")
        await c.press("down", "pagedown")
        assert explain.scroll_offset.y == 6
        while "revoke it: PERMITS" not in c.words("#words-keys"):
            assert not c.commands
            await c.press("Y")
        await c.press("Y")
        assert c.commands == [REVOKE]
