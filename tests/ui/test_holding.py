"""An answer is meant: held for a moment, and about a call that was seen whole."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from textual.events import Paste

from rig_tui.domain.commands import AnswerAsk, DenyAsk
from rig_tui.domain.events import AskChanged
from rig_tui.ui.holding import Over
from rig_tui.ui.widgets.ask_pane import AskPane
from tests.builders import ALLOW, ALWAYS, NEVER, REJECT, a_fleet, a_seat, an_ask, asking
from tests.rules import rule
from tests.ui.console import MIDDLE, WIDE, Console, console

if TYPE_CHECKING:
    from rig_tui.domain.model import Fleet, JsonValue

ALLOWED = AnswerAsk("qitem-1", "qitem-1", "allow")
REJECTED = AnswerAsk("qitem-1", "qitem-1", "reject")
LONG_WAIT = 1000.0
"""So long that only what a test does ends it."""


def one_ask(**changes: Any) -> Fleet:
    return a_fleet(asking(a_seat()), an_ask(**changes))


def long_call() -> Fleet:
    return one_ask(tool_call=steps("step"))


def steps(word: str) -> JsonValue:
    command = "\n".join(f"{word} {number}" for number in range(60))
    return {"title": "Run it", "kind": "execute", "rawInput": {"command": command}}


async def burst(c: Console, *keys: str) -> None:
    """Have keys come a millisecond apart, as pasted text does."""
    for key in keys:
        c.hands.seconds += 0.001
        c.type(key)
    await c.settle()


@rule("T7-06")
async def test_an_answer_is_painted_at_once_and_sent_a_moment_later() -> None:
    async with console(one_ask(), hold=0.05) as c:
        await c.press("a")
        assert "answering… Allow" in c.words("#ask-after")
        assert "answering…" in c.words("#ask-options")
        while not c.commands:  # noqa: ASYNC110 (the wait itself is what is tested)
            await asyncio.sleep(0.005)
        await c.settle()
        assert c.commands == [ALLOWED]
        assert "answering…" not in c.words()


@rule("T7-06")
@pytest.mark.parametrize("keys", ["a b", "a a", "a down", "a n", "r space", "d y"])
async def test_another_key_meanwhile_cancels_it_and_does_nothing_itself(keys: str) -> None:
    fleet = replace(one_ask())
    async with console(fleet, hold=LONG_WAIT) as c:
        shown = c.shown
        await c.press(keys.split()[0])
        held = c.board._holding._held
        assert held is not None
        await burst(c, keys.split()[1])
        c.board.post_message(Over(held))
        await c.settle()
        assert c.commands == []
        assert c.notices[-1] == "That looked like pasted text: nothing was sent."
        assert "answering…" not in c.words()
        assert c.shown == shown


@rule("T7-06")
async def test_a_paste_meanwhile_cancels_it() -> None:
    async with console(one_ask(), hold=LONG_WAIT) as c:
        await c.press("a")
        held = c.board._holding._held
        assert held is not None
        c.board.post_message(Paste("yes"))
        c.board.post_message(Over(held))
        await c.settle()
        assert c.commands == []


@rule("T7-02")
async def test_an_ask_that_changes_meanwhile_is_not_answered() -> None:
    async with console(one_ask(), hold=LONG_WAIT) as c:
        await c.press("a")
        held = c.board._holding._held
        assert held is not None
        other = an_ask(tool_call={"title": "Remove src", "kind": "delete"}, version=9)
        await c.bring(AskChanged(other))
        c.board.post_message(Over(held))
        await c.settle()
        assert c.commands == []
        why = "the agent of builder@my-rig asks for something else now"
        assert f"The ask changed as you answered: {why}. Nothing was sent." in c.notices


@rule("T7-06")
async def test_a_key_pressed_during_the_wait_counts_however_late_it_is_handled() -> None:
    async with console(one_ask(), hold=LONG_WAIT) as c:
        await c.press("a")
        held = c.board._holding._held
        assert held is not None
        c.type("x")
        await c.board._holding.end(held)
        await c.settle()
        assert c.commands == []


@rule("T7-06")
@pytest.mark.parametrize(
    "text", [("x", "a"), ("x", "down", "a"), ("x", "up", "down", "left", "r"), ("a", "a", "a")]
)
async def test_text_that_arrives_as_keys_answers_nothing(text: tuple[str, ...]) -> None:
    async with console(one_ask(), hold=LONG_WAIT) as c:
        await burst(c, *text)
        await c.press("escape")
        assert c.commands == []
        assert c.board._holding.label == ""


async def test_a_deny_is_held_too() -> None:
    async with console(one_ask(), hold=0.01) as c:
        await c.press("d")
        while not c.commands:  # noqa: ASYNC110 (the wait itself is what is tested)
            await asyncio.sleep(0.005)
        assert c.commands == [DenyAsk("qitem-1", "qitem-1")]


@rule("T7-05")
async def test_what_allows_waits_until_the_call_was_seen_to_its_end() -> None:
    async with console(long_call(), MIDDLE) as c:
        pages = 0
        while not c.board.pane.read_to_end:
            await c.press("a")
            assert c.commands == []
            assert "Not sent: " in c.notices[-1]
            pages += 1
        assert pages > 2
        await c.press("a")
        assert c.commands == [ALLOWED]


@rule("T7-05")
async def test_a_tail_under_more_options_than_the_last_ask_had_is_not_taken_for_read() -> None:
    kinds = (ALLOW, ALWAYS, REJECT, NEVER)
    few = an_ask("few", options=(ALLOW,))
    command = "\n".join(f"step {number}" for number in range(13))
    call: JsonValue = {"title": "Run it", "kind": "execute", "rawInput": {"command": command}}
    many = an_ask("many", "qa", options=kinds, tool_call=call)
    async with console(a_fleet(asking(a_seat()), asking(a_seat("qa")), few, many), MIDDLE) as c:
        await c.press(*["n"] * (c.shown == "few"))
        assert c.board.pane.lines_below
        assert not c.board.showing.seen().tail_viewed
        await c.press("a")
        assert c.commands == []


async def test_a_key_pressed_as_the_ask_changed_answers_nothing_when_handled_late() -> None:
    async with console(one_ask()) as c:
        await c.rest()
        other = an_ask(tool_call={"title": "Remove src", "kind": "delete"}, version=9)
        await c.bring(AskChanged(other))
        c.type("a")
        c.hands.seconds += 0.5
        await c.settle()
        assert c.commands == []


async def test_a_click_meanwhile_cancels_it_too() -> None:
    async with console(one_ask(), hold=LONG_WAIT, arm=0.1) as c:
        await c.press("a")
        held = c.board._holding._held
        assert held is not None
        await c.rest()
        c.board.pane.post_message(AskPane.OptionClicked("qitem-1", "qitem-1", "reject"))
        await c.settle()
        c.board.post_message(Over(held))
        await c.settle()
        assert c.commands == []


async def test_a_call_once_read_needs_no_reading_again_above() -> None:
    async with console(long_call(), MIDDLE) as c:
        await c.press(*["space"] * 12, "home", "pageup", "a")
        assert c.commands == [ALLOWED]


async def test_a_changed_call_must_be_read_anew() -> None:
    async with console(long_call(), MIDDLE) as c:
        await c.press(*["space"] * 12)
        ask = next(iter(long_call().asks.values()))
        await c.bring(AskChanged(replace(ask, tool_call=steps("other"), version=9)))
        await c.press("pageup", "a")
        assert c.commands == []


@pytest.mark.parametrize(
    ("setting", "key", "sent"),
    [("allow", "r", [REJECTED]), ("all", "r", []), ("none", "a", [ALLOWED])],
)
async def test_which_answers_wait_is_a_setting(setting: str, key: str, sent: list[object]) -> None:
    async with console(long_call(), MIDDLE, reads_first=setting) as c:
        await c.press(key)
        assert c.commands == sent


async def test_a_call_that_is_whole_on_screen_is_answered_at_once() -> None:
    async with console(one_ask(), WIDE, reads_first="all") as c:
        await c.press("r")
        assert c.commands == [REJECTED]
