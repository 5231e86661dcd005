"""Keys in, commands out: an answer is what was painted, or nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from textual import events

from rig_tui.domain.commands import (
    AnswerAsk,
    CloseAsk,
    DenyAsk,
    Done,
    Rejected,
    Unconfirmed,
    Unsent,
    WholeAsk,
)
from rig_tui.domain.events import AskChanged, AskClosed, AskOpened, LinkLost
from rig_tui.domain.model import AskState, Fleet, Option
from rig_tui.ui.widgets.lines import ScrollingLines
from tests.builders import (
    ALLOW,
    ALWAYS,
    NEVER,
    NOON,
    REJECT,
    a_fleet,
    a_seat,
    ago,
    an_ask,
    asking,
    ended,
)
from tests.rules import rule
from tests.ui.console import MIDDLE, TINY, WIDE, console


def one_ask(*options: Option, **changes: Any) -> Fleet:
    ask = an_ask(options=options or (ALLOW, ALWAYS, REJECT), **changes)
    return a_fleet(asking(a_seat()), ask)


@rule("T7-07", "D7-22")
@pytest.mark.parametrize(("key", "option"), [("a", "allow"), ("r", "reject")])
@pytest.mark.parametrize("size", [WIDE, MIDDLE, TINY])
async def test_one_key_answers_the_shown_ask_with_its_option(
    key: str, option: str, size: tuple[int, int]
) -> None:
    async with console(one_ask(), size) as c:
        await c.press(key)
        assert c.commands == [AnswerAsk("qitem-1", "qitem-1", option)]


@rule("T7-05")
@pytest.mark.parametrize(("key", "option"), [("A", "always"), ("R", "never")])
async def test_a_remembered_kind_goes_out_only_after_its_second_key(key: str, option: str) -> None:
    async with console(one_ask(ALLOW, ALWAYS, REJECT, NEVER)) as c:
        await c.press(key)
        assert c.commands == []
        assert "remembered by the agent's harness" in c.words()
        await c.press("Y")
        assert c.commands == [AnswerAsk("qitem-1", "qitem-1", option)]


@pytest.mark.parametrize("other", ["enter", "escape", "A", "y", "a", "r", "space"])
async def test_any_other_second_key_cancels(other: str) -> None:
    async with console(one_ask()) as c:
        await c.press("A", other)
        assert c.commands == []
        await c.press("Y")
        assert c.commands == []


@rule("T7-04")
@pytest.mark.parametrize("key", ["enter", "escape", "space", "1", "2", "y", "Y", "tab", "z"])
async def test_keys_that_are_no_answer_answer_nothing(key: str) -> None:
    async with console(one_ask()) as c:
        await c.press(key)
        assert c.commands == []


@rule("T7-06")
async def test_a_key_before_the_ask_was_on_screen_long_enough_is_dropped() -> None:
    async with console(one_ask()) as c:
        c.hands.seconds -= 1.0
        await c.press("a", apart=0.3)
        assert c.commands == []
        assert "only just appeared" in c.notices[-1]
        await c.press("a")
        assert len(c.commands) == 1


@rule("T7-06")
@pytest.mark.parametrize("over", ["H", "L", "question_mark"])
async def test_an_ask_that_something_lay_over_is_armed_anew(over: str) -> None:
    async with console(one_ask()) as c:
        await c.press(over, "escape")
        await c.press("a", apart=0.3)
        assert c.commands == []
        await c.press("a")
        assert len(c.commands) == 1


@rule("T7-06")
async def test_keys_that_arrive_as_a_paste_does_answer_nothing() -> None:
    async with console(one_ask()) as c:
        await c.press("l")
        await c.press("a", "r", "A", "Y", apart=0.001)
        assert c.commands == []


@rule("T7-06")
async def test_a_second_key_counts_only_once_its_strip_was_on_screen_long_enough() -> None:
    async with console(one_ask()) as c:
        await c.press("A")
        await c.press("Y", apart=0.3)
        assert "only just appeared" in c.notices[-1]
        assert c.commands == []
        await c.press("Y", apart=0.15)
        assert c.commands == [AnswerAsk("qitem-1", "qitem-1", "always")]


@rule("T7-06")
async def test_the_rest_of_a_strip_must_be_on_screen_as_long() -> None:
    async with console(one_ask(), TINY) as c:
        await c.press("x")
        while not c.app.screen._whole:  # type: ignore[attr-defined]
            await c.press("Y")
        assert c.commands == []
        await c.press("Y", apart=0.3)
        assert c.commands == []
        await c.press("Y")
        assert len(c.commands) == 1


@rule("T7-06")
async def test_a_chooser_s_digits_and_rows_wait_too() -> None:
    twins = (ALLOW, replace(ALLOW, option_id="allow-2", name="Allow here"), REJECT)
    async with console(one_ask(*twins)) as c:
        await c.press("a")
        await c.press("2", apart=0.3)
        await c.pilot.click(ScrollingLines, offset=(2, 1))
        assert c.commands == []
        await c.rest()
        await c.pilot.click(ScrollingLines, offset=(2, 1))
        assert len(c.commands) == 1


@rule("T7-06")
async def test_words_pasted_as_keys_do_not_close_the_ask() -> None:
    async with console(one_ask()) as c:
        await c.press("x", "tab")
        await c.press(*"done", "tab", "Y", apart=0.001)
        assert c.commands == []
        await c.press("Y")
        assert len(c.commands) == 1


@rule("T7-06")
async def test_bracketed_paste_on_the_board_is_ignored_aloud() -> None:
    async with console(one_ask()) as c:
        c.app.post_message(events.Paste("a\nA\nY\n"))
        await c.settle()
        assert c.commands == []
        assert "ignored" in c.notices[-1]


@rule("T7-06", "T7-07")
async def test_a_new_ask_never_opens_itself_nor_moves_the_selection() -> None:
    async with console(one_ask()) as c:
        urgent = an_ask("older", "qa", opened_at=ago(9999), version=7)
        await c.bring(AskOpened(urgent))
        assert c.shown == "qitem-1"
        await c.press("a")
        assert c.commands == [AnswerAsk("qitem-1", "qitem-1", "allow")]


async def test_an_ask_that_comes_to_an_empty_pane_is_announced_and_not_opened() -> None:
    async with console(a_fleet(a_seat())) as c:
        assert c.shown is None
        await c.bring(AskOpened(an_ask(version=7)))
        assert c.shown is None
        assert "1 waiting. n shows the first" in c.words("#seat-body")
        await c.press("a")
        assert c.commands == []
        await c.press("n")
        assert c.shown == "qitem-1"


@rule("T7-06")
async def test_the_wait_starts_anew_when_another_ask_is_shown() -> None:
    fleet = a_fleet(an_ask("one", opened_at=ago(9)), an_ask("two", "qa", opened_at=ago(5)))
    async with console(fleet) as c:
        await c.press("n")
        assert c.shown == "two"
        await c.press("a", apart=0.2)
        assert c.commands == []
        await c.press("a", apart=0.5)
        assert c.commands == [AnswerAsk("two", "two", "allow")]


async def test_after_an_answer_the_pane_keeps_the_ask_with_its_receipt() -> None:
    fleet = a_fleet(an_ask("one", opened_at=ago(9)), an_ask("two", "qa", opened_at=ago(5)))
    async with console(fleet) as c:
        over = ended(fleet.asks["one"])
        c.backend.verdict = lambda _: Done(over.outcome, over.version, over)
        await c.press("a")
        assert c.shown == "one"
        assert "sent Allow (allow once): recorded by the daemon" in c.words("#ask-after")
        await c.press("r")
        assert len(c.commands) == 1


async def test_with_auto_the_next_ask_is_shown_and_armed_later() -> None:
    fleet = a_fleet(an_ask("one", opened_at=ago(9)), an_ask("two", "qa", opened_at=ago(5)))
    async with console(fleet, next_ask="auto") as c:
        over = ended(fleet.asks["one"])
        c.backend.verdict = lambda _: Done(over.outcome, over.version, over)
        await c.press("a")
        assert c.shown == "two"
        await c.press("a", apart=0.7)
        assert len(c.commands) == 1
        await c.press("a", apart=0.2)
        assert c.commands[1] == AnswerAsk("two", "two", "allow")


async def test_ten_presses_are_one_request() -> None:
    async with console(one_ask()) as c:
        c.backend.hold = asyncio.Event()
        await c.press(*"aaaaaaaaaa")
        assert len(c.commands) == 1
        assert "sending" in c.words("#ask-after")
        c.backend.hold.set()
        await c.settle()
        assert len(c.commands) == 1


@rule("T7-17")
async def test_an_answer_that_comes_late_says_so_and_sends_nothing() -> None:
    async with console(one_ask()) as c:
        await c.bring(AskClosed(ended(an_ask(), decided_by="ben@external")))
        await c.press("a")
        assert c.commands == []
        assert "already answered" in c.notices[-1].lower()


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Rejected("not_applicable", "ben answered first", ended(an_ask())), "ben answered first"),
        (Unsent("connection refused"), "connection refused"),
        (Unconfirmed("no reply in 10 s"), "no reply in 10 s"),
    ],
)
async def test_each_way_an_answer_can_fail_is_said_on_the_ask(
    verdict: Rejected | Unsent | Unconfirmed, words: str
) -> None:
    async with console(one_ask()) as c:
        c.backend.verdict = lambda _: verdict
        await c.press("a")
        assert words in c.words("#ask-after")
        assert len(c.commands) == 1


async def test_an_unconfirmed_answer_is_read_again_and_never_sent_again() -> None:
    async with console(one_ask()) as c:
        c.backend.verdict = lambda _: Unconfirmed("no reply")
        await c.press("a")
        assert set(c.backend.queries) == {WholeAsk("qitem-1")}
        assert len(c.commands) == 1


@rule("T7-27")
async def test_without_the_daemon_nothing_can_be_answered() -> None:
    async with console(one_ask()) as c:
        await c.bring(LinkLost("connection refused", NOON, NOON))
        assert "runners that ask now will permit" in c.words("#stream")
        await c.press("a")
        assert c.commands == []
        assert "can't be reached" in c.notices[-1]


@rule("T7-08", "D7-25")
async def test_closing_says_what_it_permits_and_starts_on_back() -> None:
    async with console(one_ask()) as c:
        await c.press("x")
        assert "PERMITS with ‘Allow’" in c.words()
        await c.press("enter")
        assert c.commands == []
        await c.press("x", "Y")
        assert c.commands == [CloseAsk("qitem-1", "qitem-1", "drop", "closed without choosing")]


async def test_closing_without_an_allow_closes_as_refused() -> None:
    async with console(one_ask(REJECT, NEVER)) as c:
        await c.press("x")
        assert "closes as refused" in c.words()


async def test_y_typed_into_the_reason_is_text() -> None:
    async with console(one_ask()) as c:
        await c.press("x", "shift+tab", "Y", "Y")
        assert c.commands == []
        await c.press("escape")
        assert c.commands == []


async def test_a_blank_reason_closes_nothing() -> None:
    async with console(one_ask()) as c:
        await c.press("x", "shift+tab")
        await c.press(*["backspace"] * 30)
        await c.press("enter", "Y")
        assert c.commands == []
        assert "can't be blank" in c.words()


@rule("T7-08", "D7-24")
async def test_denying_says_no_with_what_it_resolves_to() -> None:
    async with console(one_ask()) as c:
        await c.press("d")
        assert c.commands == [DenyAsk("qitem-1", "qitem-1")]
        assert "Reject (‘Reject’)" in c.words("#ask-after")


async def test_denying_asks_twice_when_the_no_is_remembered() -> None:
    async with console(one_ask(ALLOW, NEVER)) as c:
        await c.press("d")
        assert c.commands == []
        await c.press("Y")
        assert c.commands == [DenyAsk("qitem-1", "qitem-1")]


async def test_denying_without_a_reject_option_cancels() -> None:
    async with console(one_ask(ALLOW, ALWAYS)) as c:
        await c.press("d")
        assert c.commands == [DenyAsk("qitem-1", "qitem-1")]


async def test_two_options_of_a_kind_are_chosen_by_label_with_a_digit() -> None:
    there = Option("there", "Allow elsewhere", "allow_once")
    async with console(one_ask(ALLOW, there, REJECT)) as c:
        await c.press("a")
        assert c.commands == []
        assert "Allow elsewhere" in c.words()
        await c.press("2")
        assert c.commands == [AnswerAsk("qitem-1", "qitem-1", "there")]


async def test_an_unknown_kind_is_reached_by_label_and_asks_twice() -> None:
    odd = Option("odd", "Allow for good", "allow_persistent")
    async with console(one_ask(ALLOW, odd, REJECT)) as c:
        await c.press("l", "enter")
        assert "meaning unknown" in c.words()
        await c.press("2")
        assert c.commands == []
        await c.press("Y")
        assert c.commands == [AnswerAsk("qitem-1", "qitem-1", "odd")]


async def test_escape_leaves_the_chooser_without_an_answer() -> None:
    async with console(one_ask(ALLOW, replace(ALLOW, option_id="b"), REJECT)) as c:
        await c.press("a", "escape")
        assert c.commands == []
        await c.press("1")
        assert c.commands == []


@rule("T7-04")
async def test_a_click_on_an_option_s_row_chooses_that_option() -> None:
    async with console(one_ask()) as c:
        c.hands.seconds += 1
        rows = c.words("#ask-options").splitlines()
        row = next(place for place, text in enumerate(rows) if "reject once" in text)
        await c.pilot.click("#ask-options", offset=(4, row))
        await c.settle()
        assert c.commands == [AnswerAsk("qitem-1", "qitem-1", "reject")]


async def test_a_click_long_after_a_burst_of_keys_is_no_part_of_it() -> None:
    async with console(one_ask()) as c:
        await c.press("j", "j", "j", apart=0.01)
        c.hands.seconds += 1
        await c.pilot.click("#ask-options", offset=(4, 0))
        await c.settle()
        assert c.commands == [AnswerAsk("qitem-1", "qitem-1", "allow")]


async def test_a_click_anywhere_else_answers_nothing() -> None:
    async with console(one_ask()) as c:
        c.hands.seconds += 1
        for target in ("#ask-body", "#ask-facts", "#ask-head", "#footer", "#header", "#stream"):
            await c.pilot.click(target, offset=(2, 0))
        await c.settle()
        assert c.commands == []


async def test_an_ask_that_changes_under_an_open_dialog_closes_it() -> None:
    async with console(one_ask()) as c:
        await c.press("A")
        await c.bring(AskClosed(ended(an_ask(), AskState.WITHDRAWN)))
        assert c.app.screen is c.board
        await c.press("Y")
        assert c.commands == []
        assert any("changed while you were deciding" in n for n in c.notices)


async def test_changed_options_disarm() -> None:
    async with console(one_ask()) as c:
        await c.bring(AskChanged(an_ask(options=(REJECT, ALLOW), version=9)))
        await c.press("a", apart=0.2)
        assert c.commands == []
        await c.press("a", apart=0.5)
        assert len(c.commands) == 1


async def test_a_cut_ask_is_fetched_whole_before_it_can_be_answered() -> None:
    async with console(one_ask(elided=True)) as c:
        assert c.backend.queries == [WholeAsk("qitem-1")]
        await c.press("a")
        assert c.commands == []
        assert "hasn't been read" in c.notices[-1]


async def test_a_name_that_does_not_fit_is_shown_whole_before_it_is_chosen() -> None:
    long = Option("allow", "Allow " + "very " * 20 + "much", "allow_once")
    async with console(one_ask(long, REJECT), MIDDLE) as c:
        await c.press("a")
        assert c.commands == []
        assert "much" in c.words("#ask-options")
        await c.press("a")
        assert c.commands == [AnswerAsk("qitem-1", "qitem-1", "allow")]


async def test_option_ids_go_out_byte_for_byte() -> None:
    odd = Option(" aLLow_\u202e 0 é\n", "Allow", "allow_once")
    async with console(one_ask(odd, REJECT)) as c:
        await c.press("a")
        assert c.commands == [AnswerAsk("qitem-1", "qitem-1", odd.option_id)]


async def test_a_window_too_small_answers_nothing_and_does_not_end() -> None:
    async with console(one_ask(), (39, 11)) as c:
        await c.press("a")
        assert c.commands == []
        assert "Too small" in c.notices[-1]


async def test_from_the_list_of_a_narrow_window_a_key_opens_the_ask_first() -> None:
    async with console(one_ask(), MIDDLE) as c:
        await c.press("escape", "a")
        assert c.commands == []
        await c.press("a")
        assert len(c.commands) == 1


async def test_inside_a_seat_nothing_can_be_answered() -> None:
    async with console(one_ask(), barred="this terminal is inside a seat") as c:
        await c.press("a", "x", "d", "A")
        assert c.commands == []
        assert "inside a seat" in c.notices[-1]


async def test_an_act_that_fails_while_it_is_sent_is_not_on_its_way_for_ever() -> None:
    async with console(one_ask()) as c:

        def fail(_: object) -> Unsent:
            raise RuntimeError("a fault of ours")

        c.backend.verdict = fail
        await c.press("a")
        assert "a fault of ours" in c.words("#ask-after")
        assert set(c.backend.queries) == {WholeAsk("qitem-1")}
        c.backend.verdict = lambda _: Done()
        await c.press("r")
        assert len(c.commands) == 2


async def test_what_an_ended_ask_came_to_is_in_sight_even_in_the_smallest_window() -> None:
    async with console(one_ask(), TINY) as c:
        over = ended(an_ask(options=(ALLOW, ALWAYS, REJECT)))
        c.backend.verdict = lambda _: Done(over.outcome, over.version, over)
        await c.press("a")
        assert "sent Allow (allow once)" in " ".join(c.words("#ask-body").split())
