"""Where keys lead that answer nothing, and what the console says by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rig_tui.client.errors import ClientError
from rig_tui.domain.commands import ClearAttention, Page, RegisterPerson
from rig_tui.domain.events import (
    AskOpened,
    LinkLost,
    LinkRefused,
    PeopleRead,
    PermitRecorded,
    SeatRead,
)
from rig_tui.domain.model import (
    Asked,
    AskedMode,
    Cause,
    People,
    Reading,
)
from rig_tui.domain.select import AskKey, SeatKey
from rig_tui.ui.screens.connect import ConnectScreen
from rig_tui.ui.screens.reading import HelpScreen, LinkScreen
from rig_tui.ui.screens.words import Words
from rig_tui.ui.setup import DEMO_EXIT
from rig_tui.ui.widgets.fleet_list import FleetList
from tests.builders import ANA, NOON, a_fleet, a_permit, a_seat, ago, an_ask, asking
from tests.rules import rule
from tests.ui.console import MIDDLE, WIDE, console

THREE = a_fleet(
    asking(a_seat("builder")),
    asking(a_seat("qa")),
    a_seat("docs"),
    an_ask("one", "builder", opened_at=ago(9)),
    an_ask("two", "qa", opened_at=ago(5)),
)


async def test_the_most_urgent_ask_is_shown_at_the_start() -> None:
    async with console(THREE) as c:
        assert c.shown == "one"
        assert c.app.query_one(FleetList).key == AskKey("one")


async def test_moving_onto_a_row_shows_what_it_stands_for() -> None:
    async with console(THREE) as c:
        await c.press("j")
        assert c.shown == "two"
        await c.press("down")
        assert c.shown is None
        assert c.board.seat is not None
        assert c.board.seat.name == "docs"
        await c.press("k", "up")
        assert c.shown == "one"


async def test_next_and_previous_go_round_the_waiting_asks() -> None:
    async with console(THREE) as c:
        await c.press("n")
        assert c.shown == "two"
        await c.press("n")
        assert c.shown == "one"
        await c.press("N")
        assert c.shown == "two"


async def test_the_selection_follows_its_seat_and_not_its_place() -> None:
    async with console(THREE) as c:
        await c.press("j", "j")
        before = c.app.query_one(FleetList).key
        await c.bring(AskOpened(an_ask("three", "ghost", opened_at=ago(99), version=9)))
        assert c.app.query_one(FleetList).key == before
        assert isinstance(before, SeatKey)


async def test_escape_goes_back_from_everywhere_and_answers_nothing() -> None:
    async with console(THREE) as c:
        for key in ("H", "L", "question_mark", "colon", "c", "x"):
            await c.press(key)
            assert c.app.screen is not c.board, key
            await c.press("escape")
            assert c.app.screen is c.board, key
        assert c.commands == []


async def test_the_tool_call_scrolls_by_line_and_page_under_fixed_options() -> None:
    command = "\n".join(f"echo {n}" for n in range(60))
    ask = an_ask(tool_call={"title": "Run", "kind": "execute", "rawInput": {"command": command}})
    async with console(a_fleet(ask), MIDDLE) as c:
        before = c.words("#ask-options")
        assert "more lines" in c.words("#ask-more")
        await c.press("end")
        assert "more line" not in c.words("#ask-more")
        assert c.words("#ask-options") == before
        await c.press("home")
        assert "more lines" in c.words("#ask-more")


async def test_a_permit_that_arrives_is_news_on_the_board() -> None:
    async with console(a_fleet(a_seat())) as c:
        await c.bring(PermitRecorded(a_permit(1)))
        assert "permitted by default" in c.words("#stream")


@rule("T4-05")
async def test_clearing_attention_wants_a_reason_and_says_what_it_does_not_do() -> None:
    async with console(THREE) as c:
        await c.press("c")
        assert "answers nothing and cancels nothing" in c.words()
        assert "goes on waiting" in c.words()
        await c.press("enter")
        assert c.commands == []
        assert "can't be blank" in c.words()
        await c.press(*"fine", "enter")
        seat = c.board.seat
        assert seat is not None
        assert c.commands == [ClearAttention(seat.seat_id, "builder@my-rig", "fine")]


async def test_a_reason_may_hold_every_answer_key() -> None:
    async with console(THREE) as c:
        await c.press("c")
        await c.press(*"aArRdxnY", apart=0.01)
        assert c.commands == []
        assert isinstance(c.app.screen, Words)


@rule("T7-23")
async def test_a_first_run_offers_to_register_and_says_what_happens_until_then() -> None:
    permits = Asked(AskedMode.PERMITS, because=Cause.NO_REGISTERED_PERSON)
    fleet = a_fleet(a_seat(asked=permits), people=People())
    async with console(fleet) as c:
        assert "every seat PERMITS without asking" in c.words()
        await c.press("enter")
        assert c.commands == [RegisterPerson("ana", "ana", make_default=True)]


@rule("T7-21", "T7-23")
async def test_going_on_unregistered_keeps_the_warning_in_sight() -> None:
    permits = Asked(AskedMode.PERMITS, because=Cause.NO_REGISTERED_PERSON)
    async with console(a_fleet(a_seat(asked=permits), people=People())) as c:
        await c.press("escape")
        assert c.commands == []
        assert "1 seat permits without asking" in c.words("#header")
        await c.press("down")
        assert "PERMITS ALL" in c.words("#seat-line")
        await c.bring(PeopleRead(People((ANA,), "ana")))
        assert c.app.screen is c.board


async def test_a_name_that_cannot_be_an_entity_is_refused_with_the_rule() -> None:
    async with console(a_fleet(a_seat(), people=People()), login="Ana Maria") as c:
        await c.press(*"A!", "enter")
        assert c.commands == []
        assert "lower-case" in c.words()


async def test_without_a_daemon_the_console_says_where_it_looked_and_offers_ways_on() -> None:
    async with console(None) as c:
        await c.bring(LinkLost("nothing answers at 127.0.0.1:7433", NOON, NOON))
        assert isinstance(c.app.screen, ConnectScreen)
        assert "127.0.0.1:7433" in c.words()
        await c.press("r")
        assert c.backend.retries == 1


async def test_a_refused_token_is_said_as_a_refusal() -> None:
    async with console(None) as c:
        await c.bring(LinkRefused("wrong token from operator-endpoint.json", NOON, NOON))
        assert "refused this console" in c.words()


async def test_the_connect_screen_goes_by_itself_when_a_daemon_answers() -> None:
    async with console(None) as c:
        await c.bring(LinkLost("refused", NOON, NOON))
        from tests.fakes import as_read

        await c.bring(*as_read(THREE))
        assert c.app.screen is c.board
        assert c.shown == "one"


@pytest.mark.parametrize(("key", "code"), [("d", DEMO_EXIT), ("q", 5)])
async def test_the_connect_screen_s_other_ways_out(key: str, code: int) -> None:
    async with console(None) as c:
        await c.bring(LinkLost("refused", NOON, NOON))
        await c.press(key)
        assert c.app.return_value == code


async def test_a_daemon_can_be_started_from_the_connect_screen() -> None:
    async with console(None, start_daemon=lambda: "A daemon is started.") as c:
        await c.bring(LinkLost("refused", NOON, NOON))
        await c.press("s")
        while "A daemon is started." not in c.words():
            await c.settle()
        assert c.backend.retries == 1


async def test_losing_the_daemon_later_keeps_the_board_and_says_so() -> None:
    async with console(THREE) as c:
        await c.bring(LinkLost("the daemon is gone", NOON, NOON))
        assert c.app.screen is c.board
        assert "the daemon is gone" in c.words("#stream")


async def test_the_link_view_says_which_rule_won_and_retries_on_demand() -> None:
    async with console(THREE) as c:
        await c.press("L")
        assert isinstance(c.app.screen, LinkScreen)
        assert "127.0.0.1:41733" in c.words()
        await c.press("r")
        assert c.backend.retries == 1


async def test_help_names_every_action() -> None:
    from rig_tui.actions.registry import ACTIONS

    async with console(THREE, (160, 200)) as c:
        await c.press("question_mark")
        assert isinstance(c.app.screen, HelpScreen)
        words = " ".join(c.words().split())
        for action in ACTIONS.values():
            assert " ".join(action.help.split()) in words


async def test_the_palette_answers_only_after_a_second_key() -> None:
    async with console(THREE) as c:
        await c.press("colon")
        await c.press(*"allow", "enter", "enter")
        assert c.commands == []
        await c.press("Y")
        assert len(c.commands) <= 1


async def test_q_leaves_and_nothing_is_sent() -> None:
    async with console(THREE) as c:
        await c.press("q")
        assert c.app.return_value == 0
        assert c.commands == []


async def test_ctrl_c_leaves_when_nothing_is_selected() -> None:
    async with console(THREE) as c:
        await c.press("ctrl+c")
        assert c.app.return_value == 0


async def test_a_failing_read_is_said_on_screen_and_ends_nothing() -> None:
    async with console(a_fleet(an_ask(elided=True))) as c:

        async def broken(query: object) -> Page:
            raise ClientError("500 from /api/queue/qitem-1")

        c.backend.fetch = broken  # type: ignore[method-assign]
        await c.bring(AskOpened(an_ask("two", elided=True, version=5)))
        await c.press("n")
        assert any("500 from" in notice for notice in c.notices)
        assert c.app.is_running


async def test_only_changed_rows_are_painted_anew() -> None:
    async with console(THREE, WIDE) as c:
        fleet_list = c.app.query_one(FleetList)
        c.draw()
        strips = dict(fleet_list._strips)
        docs = next(s for s in THREE.seats.values() if s.name == "docs")
        working = replace(docs, reading=Reading.WORKING, version=50)
        await c.bring(SeatRead(working))
        c.draw()
        changed = [p for p, strip in fleet_list._strips.items() if strips.get(p) is not strip]
        assert len(changed) == 1
