"""Finding one's way in a busy fleet: none of it answers, and nothing is lost from sight."""

from __future__ import annotations

import base64
import json
import re
import stat
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from textual import events
from textual.widgets import Input

from rig_tui.actions.keymap import keymap
from rig_tui.domain.commands import AnswerAsk
from rig_tui.domain.events import AskClosed, AskOpened, FleetRead, SeatRead
from rig_tui.domain.model import Fleet, Holder, HolderType, Reading
from rig_tui.domain.notify import Policy, Reason
from rig_tui.domain.select import AskKey, Group, SeatKey
from rig_tui.domain.view import Shows, View
from rig_tui.ui import sequences, themes
from rig_tui.ui.notifier import Means
from rig_tui.ui.screens.snooze import SnoozeScreen
from rig_tui.ui.widgets.fleet_list import FleetList
from tests.builders import a_fleet, a_seat, ago, an_ask, asking, ended
from tests.rules import rule
from tests.ui.console import MIDDLE, TINY, WIDE, Console, console

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

TO_BEN = Holder(HolderType.PERSON, "ben@external", "Ben")
DAY = a_fleet(
    asking(a_seat("builder")),
    asking(a_seat("qa")),
    a_seat("docs", reading=Reading.WORKING),
    a_seat("watch", "ops", reading=Reading.UNKNOWN),
    a_seat("deploy", "ops", launch_attention=True),
    an_ask("one", "builder", opened_at=ago(90)),
    an_ask("two", "qa", opened_at=ago(50)),
)


def listed(c: Console) -> list[str]:
    names = []
    for row in c.app.query_one(FleetList)._rows:
        if isinstance(row, AskKey):
            names.append(row.ask_id)
        elif isinstance(row, SeatKey):
            names.append(row.seat_id.logical_id)
    return names


def headings(c: Console) -> list[str]:
    return [row.title for row in c.app.query_one(FleetList)._rows if isinstance(row, Group)]


def title(c: Console) -> str:
    return f"{c.board.query_one('#seats').border_title}"


def notes(c: Console) -> str:
    return f"{c.board.query_one('#seats').border_subtitle or ''}"


class Written(list[str]):
    """What went to the terminal beside frames."""

    @property
    def sequences(self) -> list[str]:
        return re.findall(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x07", "".join(self))


@asynccontextmanager
async def written(fleet: Fleet, **setup: Any) -> AsyncIterator[tuple[Console, Written]]:
    async with console(fleet, **setup) as c:
        out = Written()
        driver = c.app._driver
        assert driver is not None
        driver.write = out.append  # type: ignore[assignment,method-assign]
        yield c, out


@pytest.mark.parametrize("size", [WIDE, MIDDLE, TINY])
async def test_typing_narrows_the_list_and_answers_nothing(size: tuple[int, int]) -> None:
    async with console(DAY, size) as c:
        await c.press("slash", *"ops")
        assert listed(c) == ["deploy", "watch"]
        assert "“ops”" in title(c)
        await c.press("enter")
        assert listed(c) == ["deploy", "watch"]
        assert c.commands == []


@rule("T7-06")
async def test_answer_keys_typed_into_the_filter_are_text() -> None:
    async with console(DAY) as c:
        await c.press("slash", *"deny aArRdx1Y")
        assert c.board.query_one(Input).value == "deny aArRdx1Y"
        assert c.commands == []
        assert c.shown == "one"


@rule("T7-06")
async def test_a_key_that_is_no_text_answers_nothing_while_the_filter_has_the_focus() -> None:
    async with console(DAY, keymap=keymap({"answer.allow_once": ["f6"]})) as c:
        await c.press("slash", "f6")
        assert c.commands == []
        assert "goes into the filter" in c.notices[-1]
        await c.press("escape", "f6")
        assert c.commands == [AnswerAsk("one", "one", "allow")]


async def test_a_character_given_to_an_action_is_text_in_the_filter() -> None:
    async with console(DAY, keymap=keymap({"view.copy_id": ["#"]})) as c:
        await c.press("slash", *"a#b")
        assert c.board.query_one(Input).value == "a#b"
        assert c.notices == []
        await c.press("escape", "escape", "#")
        assert "ask id" in c.notices[-1]


async def test_pasting_into_the_filter_answers_nothing() -> None:
    async with console(DAY) as c:
        await c.press("slash")
        c.app.post_message(events.Paste("a\nA\nY\n"))
        await c.settle()
        assert c.commands == []
        assert c.app.screen is c.board


async def test_escape_clears_the_words_then_leaves() -> None:
    async with console(DAY) as c:
        await c.press("slash", *"ops", "escape")
        assert isinstance(c.app.focused, Input)
        assert len(listed(c)) == 5
        await c.press("escape")
        assert not c.board.query_one(Input).display
        assert isinstance(c.board.focused, FleetList)


async def test_escape_on_the_list_shows_every_row_again() -> None:
    async with console(DAY) as c:
        await c.press("slash", *"docs", "enter", "s", "m")
        assert listed(c) == []
        await c.press("escape")
        assert len(listed(c)) == 5
        assert title(c) == "Seats"


async def test_the_arrow_goes_from_the_words_onto_a_row() -> None:
    async with console(DAY) as c:
        await c.press("slash", *"ops", "down")
        assert c.app.focused is c.app.query_one(FleetList)
        assert c.board.seat is not None
        assert c.board.seat.name == "deploy"


async def test_filtering_out_the_shown_ask_keeps_it_shown_and_selects_no_other() -> None:
    async with console(DAY) as c:
        await c.press("slash", *"docs", "enter")
        assert c.shown == "one"
        assert c.app.query_one(FleetList).key == AskKey("one")
        assert not c.app.query_one(FleetList).key_listed


async def test_what_a_filter_hides_and_needs_a_person_is_counted() -> None:
    async with console(DAY) as c:
        await c.press("slash", *"docs", "enter")
        assert "3 that need a person hidden" in notes(c)


async def test_next_keeps_to_the_filter_and_says_when_it_ends() -> None:
    async with console(DAY) as c:
        await c.press("slash", *"builder", "enter", "n")
        assert c.shown == "one"
        assert "in this filter" in c.notices[-1]


async def test_states_person_and_lists_are_chosen_by_key() -> None:
    fleet = replace(DAY, asks={**DAY.asks, "ben-s": an_ask("ben-s", "docs", holder=TO_BEN)})
    async with console(fleet) as c:
        await c.press("s")
        assert listed(c) == ["one", "two", "deploy", "ben-s"]
        assert "needs a person" in title(c)
        await c.press("s", "s", "s")
        assert listed(c) == ["watch"]
        await c.press("s", "m")
        assert "ben-s" not in listed(c)
        assert "only mine" in title(c)
        await c.press("m", "v")
        assert headings(c) == ["NEEDS A PERSON", "SEATS"]
        await c.press("v")
        assert headings(c) == ["NEEDS A PERSON", "my-rig", "ops"]
        assert c.commands == []


async def test_a_reading_that_leaves_the_filter_leaves_the_list_a_moment_later() -> None:
    async with console(DAY) as c:
        await c.press("s", "s")
        assert listed(c) == ["docs"]
        idle = a_seat("docs", reading=Reading.IDLE, version=9)
        await c.bring(SeatRead(idle))
        c.hands.seconds += 5
        c.app.tick()
        assert listed(c) == []


async def test_jumping_goes_to_seats_that_need_a_person_without_an_ask_too() -> None:
    async with console(DAY) as c:
        await c.press("J")
        assert c.shown == "two"
        await c.press("J")
        assert c.shown is None
        assert c.board.seat is not None
        assert c.board.seat.name == "deploy"
        await c.press("J")
        assert c.shown == "one"


async def test_a_seat_is_found_by_name_in_the_palette() -> None:
    async with console(DAY) as c:
        await c.press("colon", *"watch", "enter", "enter")
        await c.settle()
        assert c.app.screen is c.board
        assert c.board.seat is not None
        assert c.board.seat.name == "watch"
        assert c.commands == []


async def test_rows_stand_still_while_the_operator_is_at_something() -> None:
    async with console(DAY) as c:
        await c.press("j")
        before = listed(c)
        older = an_ask("older", "docs", opened_at=ago(900), version=9)
        newer = an_ask("newer", "watch", "ops", opened_at=ago(1), version=9)
        await c.bring(AskOpened(older), AskOpened(newer))
        assert listed(c) == before
        assert notes(c) == "1 newer above · 1 below"
        assert c.shown == "two"
        c.hands.seconds += 4
        c.app.tick()
        await c.settle()
        assert listed(c) == ["older", "one", "two", "newer", "deploy"]
        assert notes(c) == ""
        assert c.app.query_one(FleetList).key == AskKey("two")


async def test_rows_stand_still_under_a_dialog() -> None:
    async with console(DAY) as c:
        await c.press("x")
        before = listed(c)
        c.hands.seconds += 60
        await c.bring(AskOpened(an_ask("older", "docs", opened_at=ago(900), version=9)))
        c.app.tick()
        assert listed(c) == before


async def test_going_to_a_newer_ask_lists_it() -> None:
    async with console(DAY) as c:
        await c.press("j")
        await c.bring(AskOpened(an_ask("newer", "docs", opened_at=ago(1), version=9)))
        assert "newer" not in listed(c)
        await c.press("n")
        assert c.shown == "newer"
        assert "newer" in listed(c)


async def test_a_seat_that_is_gone_leaves_the_list_at_once() -> None:
    async with console(DAY) as c:
        await c.press("j")
        seats = tuple(s for s in DAY.seats.values() if s.name != "watch")
        await c.bring(
            FleetRead(DAY.rigs, seats, tuple(DAY.asks.values()), (), (), DAY.people, 2_000_000)
        )
        assert "watch" not in listed(c)


@pytest.mark.parametrize("size", [WIDE, MIDDLE, TINY])
async def test_a_snoozed_ask_is_counted_and_set_apart_and_sends_nothing(
    size: tuple[int, int],
) -> None:
    async with console(DAY, size) as c:
        await c.press("z")
        assert isinstance(c.app.screen, SnoozeScreen)
        assert "Nothing is sent and nothing is permitted" in " ".join(c.words().split())
        await c.press("m")
        assert "snoozed 1" in c.words("#header") or size == TINY
        assert headings(c)[-1] == "SNOOZED"
        assert c.shown == "one"
        assert c.commands == []


async def test_a_snooze_of_ten_minutes_ends_by_the_clock() -> None:
    async with console(DAY) as c:
        await c.press("z", "m")
        c.hands.seconds += 590
        c.app.tick()
        assert "snoozed 1" in c.words("#header")
        c.hands.seconds += 20
        c.app.tick()
        await c.settle()
        assert "snoozed" not in c.words("#header")
        assert listed(c)[0] == "one"


async def test_the_same_key_wakes_a_snoozed_ask() -> None:
    async with console(DAY) as c:
        await c.press("z", "l")
        assert "snoozed" in f"{c.board.pane.border_subtitle}"
        await c.press("z")
        assert c.app.screen is c.board
        assert "snoozed" not in c.words("#header")
        assert c.commands == []


async def test_a_snooze_until_the_turn_changes_ends_with_it() -> None:
    async with console(DAY) as c:
        await c.press("z", "t")
        assert "until its turn changes" in f"{c.board.pane.border_subtitle}"
        await c.bring(SeatRead(replace(asking(a_seat("builder")), turn_id="8", version=9)))
        assert "snoozed" not in c.words("#header")


@pytest.mark.parametrize("key", ["enter", "escape", "space", "a", "1", "Y"])
async def test_no_other_key_snoozes(key: str) -> None:
    async with console(DAY) as c:
        await c.press("z", key)
        assert "snoozed" not in c.words("#header")
        assert c.commands == []


async def test_a_click_on_its_row_snoozes() -> None:
    async with console(DAY) as c:
        await c.press("z")
        await c.pilot.click("#snooze Lines", offset=(4, 4))
        await c.settle()
        assert c.app.screen is c.board
        assert "snoozed 1" in c.words("#header")


async def test_a_snoozed_ask_can_still_be_answered() -> None:
    async with console(DAY) as c:
        await c.press("z", "l", "a")
        assert c.commands == [AnswerAsk("one", "one", "allow")]


async def test_an_answered_ask_cannot_be_snoozed() -> None:
    async with console(DAY) as c:
        await c.bring(AskClosed(ended(DAY.asks["one"])))
        await c.press("z")
        assert "only a waiting ask" in c.notices[-1].lower()


async def test_a_tool_call_is_copied_whole_by_the_terminal_and_says_so() -> None:
    async with written(DAY) as (c, out):
        await c.press("y")
        (sequence,) = [s for s in out.sequences if s.startswith("\x1b]52;c;")]
        copied = json.loads(base64.b64decode(sequence[7:-1]))
        assert copied == DAY.asks["one"].tool_call
        assert "clipboard" in c.notices[-1]


async def test_the_id_is_copied_alone() -> None:
    async with written(DAY) as (c, out):
        await c.press("ctrl+y")
        assert sequences.clipboard(b"one") in out.sequences
        assert "ask id" in c.notices[-1]


@pytest.mark.parametrize("to", ["terminal", "file"])
async def test_what_is_too_large_or_meant_for_one_goes_to_a_private_file(
    tmp_path: Path, to: str
) -> None:
    command = "x" * (sequences.CLIPBOARD_MOST if to == "terminal" else 5)
    ask = an_ask("one", tool_call={"rawInput": {"command": command}})
    async with written(a_fleet(ask), copy=to, state_folder=lambda: tmp_path / "s") as (c, out):
        await c.press("y")
        assert not [s for s in out.sequences if s.startswith("\x1b]52")]
        (path,) = (tmp_path / "s" / "copied").iterdir()
        assert str(path) in c.notices[-1]
        assert json.loads(path.read_text(encoding="utf-8")) == ask.tool_call
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_a_copy_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    async with written(DAY, copy="file", state_folder=lambda: blocked) as (c, _):
        await c.press("y")
        assert "Nothing was copied" in c.notices[-1]


async def test_an_ask_that_came_cut_is_not_copied_cut() -> None:
    async with console(a_fleet(an_ask(elided=True))) as c:
        await c.press("y")
        assert "hasn't been read yet" in c.notices[-1]


async def test_the_mouse_is_given_away_and_taken_back() -> None:
    async with written(DAY) as (c, out):
        await c.press("M")
        assert sequences.MOUSE_OFF in "".join(out)
        assert "select: mouse back" in c.words("#footer")
        out.clear()
        await c.press("M")
        assert sequences.MOUSE_ON in "".join(out)
        assert "select" not in c.words("#footer")


async def test_density_and_theme_change_on_the_spot() -> None:
    async with console(DAY) as c:
        rows = len(c.app.query_one(FleetList)._rows)
        c.board.conduct.operate_by_name("view.density")
        await c.settle()
        assert len(c.app.query_one(FleetList)._rows) < rows
        assert not c.board.pane.roomy
        seen = []
        for _ in themes.THEMES:
            c.board.conduct.operate_by_name("view.theme")
            await c.settle()
            seen.append(c.app.theme)
        assert set(seen) == {theme.name for theme in themes.THEMES}


async def test_settings_decide_what_the_list_shows_at_the_start() -> None:
    async with console(DAY, view=View(text="ops", shows=Shows.UNKNOWN, flat=True)) as c:
        assert listed(c) == ["watch"]
        assert c.board.query_one(Input).value == "ops"


@rule("T7-04")
async def test_keys_of_the_settings_act_and_are_printed_everywhere() -> None:
    chosen = keymap({"answer.allow_once": ["f"], "answer.deny": [], "view.filter": ["ctrl+f"]})
    async with console(DAY, (160, 250), keymap=chosen) as c:
        await c.press("a", "d", "slash")
        assert c.commands == []
        assert c.app.screen is c.board
        footer = c.words("#footer")
        assert "f allow" in footer
        assert "ctrl+f filter" in footer
        assert "deny" not in footer
        assert "f  Allow" in c.words("#ask-options")
        c.app.tick()
        assert "armed · f A r answer this ask" in f"{c.board.pane.border_subtitle}"
        await c.press("ctrl+f")
        assert isinstance(c.app.focused, Input)
        assert "answer keys are off" in f"{c.board.pane.border_subtitle}"
        await c.press("escape", "question_mark")
        assert re.search(r"f +Give the agent its “allow once”", c.words())
        await c.press("escape", "f")
        assert c.commands == [AnswerAsk("one", "one", "allow")]


async def test_a_frame_is_not_painted_again_when_its_title_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with console(DAY) as c:
        painted: list[str] = []
        seats = c.board.query_one("#seats")
        monkeypatch.setattr(seats, "refresh", lambda *_, **__: painted.append("seats"))
        c.board.refresh_edges()
        assert painted == []
        await c.press("slash", "o")
        assert painted


async def test_two_actions_that_change_keys_both_act() -> None:
    swapped = keymap({"answer.allow_once": ["r"], "answer.reject_once": ["a"]})
    async with console(DAY, keymap=swapped) as c:
        await c.press("a")
        assert c.commands == [AnswerAsk("one", "one", "reject")]


LOUD = {"means": Means(bell=True, channel="osc9"), "policy": Policy(frozenset(Reason))}


async def watch(c: Console, seconds: int) -> None:
    for _ in range(seconds):
        c.hands.seconds += 1
        c.app.tick()
    await c.settle()


async def test_a_new_ask_rings_notifies_and_counts_in_the_title_once() -> None:
    async with written(DAY, **LOUD) as (c, out):
        await watch(c, 3)
        assert out.sequences == [sequences.title("rig: 2 asks")]
        out.clear()
        evil = {"title": "\x07\x1b]52;c;ZXZpbA==\x07", "kind": "execute"}
        await c.bring(AskOpened(an_ask("new", "docs", tool_call=evil, version=9)))
        await watch(c, 20)
        assert out.sequences == [
            sequences.title("rig: 3 asks"),
            sequences.BELL,
            "\x1b]9;rig: docs@my-rig asks you\x07",
        ]


async def test_the_shown_ask_under_focus_is_silent_and_loud_without() -> None:
    for focused in (True, False):
        async with written(a_fleet(a_seat("docs")), **LOUD) as (c, out):
            c.app.post_message(events.AppFocus() if focused else events.AppBlur())
            await watch(c, 2)
            await c.bring(AskOpened(an_ask("new", "docs", version=9)))
            await c.press("n")
            out.clear()
            await watch(c, 9)
            assert (sequences.BELL in out.sequences) is not focused


async def test_nobody_is_called_without_the_means() -> None:
    async with written(DAY) as (c, out):
        await c.bring(AskOpened(an_ask("new", "docs", version=9)))
        await watch(c, 9)
        assert out.sequences == []


async def test_a_hook_that_fails_is_said_once() -> None:
    means = Means(bell=False, title=False, command=("/nowhere/at/all",))
    async with written(DAY, means=means, policy=Policy()) as (c, _):
        for number in range(2):
            await c.bring(AskOpened(an_ask(f"new{number}", "docs", version=9)))
            await watch(c, 9)
            while any(worker.group == "hook" for worker in c.app.workers):
                await c.settle()
        assert [n for n in c.notices if "couldn't be run" in n] == [c.notices[-1]]
