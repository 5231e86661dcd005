"""The history: views over a record that is never held whole."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from textual.widgets import Input

from rig_tui.client.errors import ClientError
from rig_tui.domain.commands import EndedAsks, Page, PermitsBefore, Query, RunnerPermitsBefore
from rig_tui.domain.events import (
    AskClosed,
    AskOpened,
    LinkLost,
    PermitRecorded,
    RunnerWillPermit,
)
from rig_tui.domain.history import Filters
from rig_tui.domain.model import Permit, RunnerPermit
from rig_tui.domain.window import PAGE, PAGES_HELD
from rig_tui.ui.screens.history import HistoryScreen
from rig_tui.ui.screens.words import Words
from rig_tui.ui.widgets.record_list import RecordList
from tests.builders import (
    ALWAYS,
    NOON,
    REJECT,
    a_fleet,
    a_permit,
    a_seat,
    ago,
    an_ask,
    ended,
    live_link,
)
from tests.domain.test_ledger import answered, unchosen
from tests.fake_record import as_ended
from tests.fakes import as_read
from tests.rules import rule
from tests.ui.console import MIDDLE, TINY, Console, console

if TYPE_CHECKING:
    from rig_tui.domain.model import Fleet

VIEWS = ("Permitted by default", "Remembered though", "Asks that have ended", "What runners")


def history(c: Console) -> HistoryScreen:
    screen = c.app.screen
    assert isinstance(screen, HistoryScreen)
    return screen


def title(c: Console) -> str:
    return str(c.app.screen.query_one("#history").border_title)


def current(c: Console) -> object:
    return c.app.screen.query_one(RecordList).current


def many(number: int) -> list[Permit]:
    return [
        a_permit(n, sort_key=f"{n:09}", at=NOON - timedelta(seconds=number - n), permit_id=str(n))
        for n in range(1, number + 1)
    ]


async def narrow(c: Console, typed: str) -> None:
    await c.press("slash")
    c.app.screen.query_one(Input).value = typed
    await c.press("enter")


def a_day() -> Fleet:
    cause = RunnerPermit("9", ago(1), "qa@my-rig", "duplicate_request", "id 5 again")
    fleet = a_fleet(a_seat(), a_permit(1), unchosen(2, session_name="qa@my-rig"), ended(an_ask()))
    return replace(fleet, runner_permits=(cause,))


@rule("T7-20")
async def test_permits_come_first_with_every_field_and_what_the_log_cant_hold() -> None:
    async with console(a_day()) as c:
        await c.press("H")
        assert title(c).startswith(VIEWS[0])
        assert "remembered by the harness though nobody chose it" in c.words("#history-detail")
        await c.press("down")
        words = c.words("#history-detail")
        for field in ("because", "conversation  7f3a9c21", "turn          2", "request       3"):
            assert field in words
        assert "appear only in its pane" in words


@rule("T7-20", "T7-28")
async def test_keys_go_round_the_views_and_back() -> None:
    async with console(a_day()) as c:
        await c.press("H", "tab")
        assert title(c).startswith(VIEWS[1])
        assert "qa@my-rig 1" in c.words("#history-head")
        assert "to stop it    register a person" in c.words("#history-detail")
        await c.press("right")
        assert title(c).startswith(VIEWS[2])
        assert "answered at 11:59:59 by Ana with Allow" in c.words("#history-detail")
        await c.press("l")
        assert title(c).startswith(VIEWS[3])
        assert "will have permitted this" in c.words("#history-detail")
        await c.press("tab")
        assert "1 thing is probably remembered" in c.words("#history-head")
        assert "Nothing here can take it back" in c.words("#history-detail")
        await c.press("tab")
        assert title(c).startswith(VIEWS[0])
        await c.press("shift+tab", "h")
        assert title(c).startswith(VIEWS[3])
        assert c.commands == []


async def test_no_widget_of_the_history_says_revoke() -> None:
    async with console(a_day()) as c:
        await c.press("H")
        for _ in range(5):
            await c.press("tab")
            assert "revoke" not in c.words().lower()


async def test_a_long_record_is_paged_through_and_never_held() -> None:
    record = many(10_000)
    async with console(a_fleet(a_seat())) as c:
        c.backend.record.permits = record
        await c.press("H")
        await c.settle()
        assert len(history(c).reader.rows) == PAGE
        for _ in range(PAGES_HELD + 3):
            await c.press("end")
            await c.settle()
        held = [row.sort_key for row in history(c).reader.rows]
        assert len(held) == PAGE * PAGES_HELD
        assert held[-1] == f"{10_000 - PAGE * (PAGES_HELD + 4) + 1:09}"
        assert "lie above" in c.words("#history-head")
        reads = [q for q in c.backend.queries if isinstance(q, PermitsBefore)]
        assert len(reads) == PAGES_HELD + 4
        await c.press("home")
        await c.settle()
        assert history(c).reader.rows[0].sort_key == f"{10_000:09}"
        assert "lie above" not in c.words("#history-head")


async def test_going_up_reads_back_what_had_left() -> None:
    async with console(a_fleet(a_seat())) as c:
        c.backend.record.permits = many(PAGE * (PAGES_HELD + 2))
        await c.press("H", *["end"] * (PAGES_HELD + 1))
        await c.settle()
        top = history(c).reader.rows[0].sort_key
        while history(c).reader.rows[0].sort_key == top:
            await c.press("pageup", *["up"] * 2, apart=0.01)
            c.app.screen.query_one(RecordList).move(-10_000)
            c.app.screen.query_one(RecordList).move(-1)
            await c.settle()
        assert history(c).reader.rows[0].sort_key > top


async def test_what_arrives_is_put_on_top_and_the_cursor_stays_on_its_row() -> None:
    async with console(a_fleet(a_seat(), a_permit(1), a_permit(2))) as c:
        await c.press("H", "down")
        before = current(c)
        c.backend.record.permits.append(a_permit(3))
        await c.bring(PermitRecorded(a_permit(3)))
        await c.settle()
        assert [row.sort_key for row in history(c).reader.rows] == ["000003", "000002", "000001"]
        assert current(c) == before


async def test_each_view_takes_what_arrives_for_it() -> None:
    async with console(a_fleet(a_seat(), an_ask())) as c:
        await c.press("H", "tab", "tab")
        assert history(c).reader.rows == ()
        over = ended(an_ask())
        c.backend.record.ended.append(as_ended(over))
        await c.bring(AskClosed(over))
        await c.settle()
        assert len(history(c).reader.rows) == 1
        await c.press("tab")
        cause = RunnerPermit("9", ago(1), None, "invalid_request")
        c.backend.record.runner_permits.append(cause)
        await c.bring(RunnerWillPermit(cause))
        await c.settle()
        assert history(c).reader.rows == (cause,)


async def test_far_down_the_list_what_arrives_is_only_announced() -> None:
    async with console(a_fleet(a_seat())) as c:
        c.backend.record.permits = many(PAGE * (PAGES_HELD + 2))
        await c.press("H", *["end"] * (PAGES_HELD + 1))
        await c.settle()
        rows = history(c).reader.rows
        await c.bring(PermitRecorded(a_permit(999, sort_key="999999999")))
        assert history(c).reader.rows == rows
        assert "Newer rows have come" in c.words("#history-head")


@rule("T7-20")
async def test_only_this_rows_seat_and_every_seat_again() -> None:
    async with console(a_day()) as c:
        await c.press("H", "f")
        assert [row.session_name for row in history(c).reader.rows] == ["qa@my-rig"]  # type: ignore[union-attr]
        assert "only seat:qa@my-rig" in c.words("#history-head")
        await c.press("f")
        assert len(history(c).reader.rows) == 2


async def test_a_filter_is_typed_and_asked_of_the_daemon() -> None:
    async with console(a_day()) as c:
        await c.press("H")
        await narrow(c, "kind:allow_once since:1h tests")
        query = c.backend.queries[-1]
        assert isinstance(query, PermitsBefore)
        since = NOON + timedelta(seconds=c.hands.seconds)
        assert query.filters.since is not None
        assert abs((query.filters.since - since).total_seconds() + 3600) < 10
        assert replace(query.filters, since=None) == Filters(kind="allow_once", text="tests")
        assert len(history(c).reader.rows) == 1
        await narrow(c, "")
        assert c.backend.queries[-1] == PermitsBefore(None, limit=PAGE)


async def test_a_filter_that_cant_be_understood_is_said_and_changes_nothing() -> None:
    async with console(a_day()) as c:
        await c.press("H")
        await narrow(c, "since:noon")
        assert "since:noon isn't a time" in c.words()
        await c.press("escape")
        assert len(history(c).reader.rows) == 2


async def test_a_filter_a_view_cant_take_shows_no_rows_and_says_why() -> None:
    async with console(a_day()) as c:
        await c.press("H")
        await narrow(c, "person:ana")
        await c.press("tab", "tab")
        assert c.backend.queries[-1] == EndedAsks(None, Filters(person="ana"), PAGE)
        assert len(history(c).reader.rows) == 1
        reads = len(c.backend.queries)
        await c.press("tab")
        assert history(c).reader.rows == ()
        assert "No row here has a person" in c.words("#history-head")
        assert not any(isinstance(q, RunnerPermitsBefore) for q in c.backend.queries[reads:])


async def test_keys_in_the_filter_are_text() -> None:
    async with console(a_day()) as c:
        await c.press("H", "slash", *"aArRdxfHq", apart=0.01)
        assert isinstance(c.app.screen, Words)
        assert c.commands == []


async def test_a_row_can_have_the_whole_screen_and_give_it_back() -> None:
    async with console(a_day(), TINY) as c:
        await c.press("H")
        detail = c.app.screen.query_one("#history-detail")
        assert not detail.display
        await c.press("enter")
        assert detail.display
        assert not c.app.screen.query_one(RecordList).display
        await c.press("down")
        assert detail.scroll_offset.y == 1
        await c.press("escape")
        assert not detail.display
        await c.press("escape")
        assert c.app.screen is c.board


async def test_the_history_answers_no_ask() -> None:
    async with console(a_fleet(a_seat(), an_ask()), MIDDLE) as c:
        await c.press("H", *"aArRdxtogY123", apart=0.01)
        assert c.commands == []


async def test_a_failing_read_is_said_and_the_next_one_helps() -> None:
    async with console(a_day()) as c:
        working = c.backend.fetch

        async def broken(query: Query) -> Page:
            raise ClientError("500 from /api/stream/list")

        c.backend.fetch = broken  # type: ignore[method-assign]
        await c.press("H")
        assert "It couldn't be read: 500 from" in c.words("#history-head")
        c.backend.fetch = working  # type: ignore[method-assign]
        await c.press("tab", "shift+tab")
        await c.settle()
        assert len(history(c).reader.rows) == 2
        assert "couldn't" not in c.words("#history-head")


async def test_without_the_daemon_rows_stay_as_they_were_read() -> None:
    async with console(a_day()) as c:
        await c.press("H")
        await c.bring(LinkLost("gone", NOON, NOON))
        assert "rows as last read" in c.words("#history-head")
        assert len(history(c).reader.rows) == 2


async def test_the_ledger_lists_what_people_and_nobody_chose() -> None:
    async with console(a_fleet(a_seat(preset="dsh"))) as c:
        ask = an_ask(options=(ALWAYS, REJECT))
        c.backend.record.permits = [unchosen(1), unchosen(2)]
        c.backend.record.ended = [answered(ask, "always", "allow_always")]
        await c.press("H", "shift+tab")
        await c.settle()
        assert "2 things are probably remembered, of everything" in c.words("#history-head")
        assert "1× chosen by Ana" in c.words("#history-detail")
        assert "harness dsh" in c.words("#history-detail")
        await c.press("down")
        assert "2× though nobody chose it" in c.words("#history-detail")


async def test_a_ledger_too_long_to_read_says_what_it_rests_on() -> None:
    async with console(a_fleet(a_seat())) as c:
        c.backend.record.permits = [
            replace(permit, option_kind="allow_always", remembered=True) for permit in many(3000)
        ]
        await c.press("H", "shift+tab")
        for _ in range(20):
            await c.settle()
        assert "of the newest 2000 that may be" in c.words("#history-head")


async def test_what_opens_while_the_history_is_shown_changes_nothing_there() -> None:
    async with console(a_day()) as c:
        await c.press("H")
        rows = history(c).reader.rows
        await c.bring(AskOpened(an_ask("two", version=9)))
        assert history(c).reader.rows == rows


async def test_another_database_s_rows_are_never_mixed_in() -> None:
    async with console(a_day()) as c:
        await c.press("H")
        await c.bring(LinkLost("gone", NOON, NOON))
        c.backend.record.permits = [a_permit(1, permit_id="other")]
        other = a_fleet(a_seat(), a_permit(1, permit_id="other"), link=live_link(epoch="e2"))
        await c.bring(*as_read(other))
        await c.settle()
        assert [row.permit_id for row in history(c).reader.rows] == ["other"]  # type: ignore[union-attr]


async def test_the_end_of_the_ledger_reads_nothing_more() -> None:
    async with console(a_day()) as c:
        await c.press("H", "shift+tab")
        await c.settle()
        reads = len(c.backend.queries)
        await c.press("end", "home", "up")
        assert len(c.backend.queries) == reads
