"""The registry, walked: no action without a way to it, its words, and a test."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.actions.action import Action, Context, Show
from rig_tui.actions.keys import key_named, key_words
from rig_tui.actions.registry import ACTIONS, FAMILIES
from rig_tui.domain.model import Fleet, Grant, Holder, HolderType
from rig_tui.ui.palette import _MOVES, Actions
from tests.builders import a_fleet, a_seat, an_ask, asking, ended
from tests.ui.console import MIDDLE, TINY, WIDE, Console, console

if TYPE_CHECKING:
    from rig_tui.ui.present.footer import Hint

TESTS = Path(__file__).resolve().parent.parent
BY_KEY = {
    "answer.choose": "test_escape_leaves_the_chooser_without_an_answer",
    "route.person": "test_a_person_is_picked_and_the_consequence_said_before_anything_is_sent",
    "route.seat": "test_trap_handing_to_an_agent_says_that_done_permits_whatever_it_writes",
    "route.take_back": "test_while_a_seat_holds_it_there_are_no_options_and_it_can_be_taken_back",
    "seat.kept_words": "test_kept_words_that_can_not_be_sent_are_shown_to_be_copied",
    "people.who_is_asked": "test_the_map_lists_who_is_asked_and_why_the_dangerous_first",
    "people.ask_person": "test_asking_a_person_for_one_seat_takes_a_pick_and_a_reason",
    "people.refuse_all": "test_refusing_all_wants_a_reason_and_says_what_it_does_and_leaves_alone",
    "people.back_to_default": "test_going_back_to_a_default_that_is_nobody_needs_the_second_key",
    "people.register": "test_trap_a_second_person_without_a_default_is_held_up_with_the_safe_way_"
    "first",
    "people.remove": "test_trap_removing_the_only_person_lists_what_then_permits",
    "people.default": "test_a_change_that_makes_nobody_permit_needs_no_confirmation_at_the_daemon",
    "view.history": "test_permits_come_first_with_every_field_and_what_the_log_cant_hold",
    "view.seat": "test_a_seat_is_shown_in_full_with_its_timeline",
    "view.down": "test_moving_onto_a_row_shows_what_it_stands_for",
    "view.up": "test_moving_onto_a_row_shows_what_it_stands_for",
    "view.page_down": "test_a_hint_works_from_where_it_is_printed",
    "view.page_up": "test_paging_moves_by_what_is_visible",
    "view.first": "test_the_tool_call_scrolls_by_line_and_page_under_fixed_options",
    "view.last": "test_the_tool_call_scrolls_by_line_and_page_under_fixed_options",
    "view.left": "test_left_and_right_go_between_the_panes",
    "view.right": "test_left_and_right_go_between_the_panes",
    "view.open": "test_a_hint_works_from_where_it_is_printed",
    "view.back": "test_escape_goes_back_from_everywhere_and_answers_nothing",
    "view.next": "test_next_and_previous_go_round_the_waiting_asks",
    "view.previous": "test_next_and_previous_go_round_the_waiting_asks",
    "view.help": "test_help_names_every_action",
    "view.link": "test_the_link_view_says_which_rule_won_and_retries_on_demand",
    "view.quit": "test_q_leaves_and_nothing_is_sent",
    "view.interrupt": "test_ctrl_c_leaves_when_nothing_is_selected",
    "view.suspend": "test_suspending_is_the_terminal_s_own",
    "view.palette": "test_the_palette_answers_only_after_a_second_key",
    "view.filter": "test_typing_narrows_the_list_and_answers_nothing",
    "view.states": "test_states_person_and_lists_are_chosen_by_key",
    "view.mine": "test_states_person_and_lists_are_chosen_by_key",
    "view.flat": "test_states_person_and_lists_are_chosen_by_key",
    "view.needing": "test_jumping_goes_to_seats_that_need_a_person_without_an_ask_too",
    "view.snooze": "test_a_snoozed_ask_is_counted_and_set_apart_and_sends_nothing",
    "view.copy": "test_a_tool_call_is_copied_whole_by_the_terminal_and_says_so",
    "view.mouse": "test_the_mouse_is_given_away_and_taken_back",
}
"""Actions whose tests press their key instead of naming them."""
HOLDS = Holder(HolderType.SEAT, "review@my-rig", "review@my-rig")


@cache
def named_in_tests() -> tuple[frozenset[str], frozenset[str]]:
    """Every text that tests name, and every test, this module's aside."""
    texts: set[str] = set()
    tests: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        code = path.read_text(encoding="utf-8")
        tests |= set(re.findall(r"def (test_\w+)", code))
        if path != Path(__file__).resolve():
            texts |= set(re.findall(r'"([a-z_.]+)"', code))
    return frozenset(texts), frozenset(tests)


def contexts() -> list[Context]:
    """Where actions may be possible: with an ask, with one a seat holds, with a seat."""
    seat = replace(asking(a_seat()), grant=Grant("grant"))
    ask, held = an_ask(), an_ask(holder=HOLDS)
    return [
        Context(a_fleet(seat, each), each, seat, unarmed="") for each in (ask, held, ended(ask))
    ]


@pytest.mark.parametrize("action", ACTIONS.values(), ids=lambda action: action.id)
def test_an_action_explains_itself(action: Action) -> None:
    family, _, verb = action.id.partition(".")
    assert family
    assert verb
    assert action.label
    assert action.help.endswith(".")
    assert any(action in each.actions for each in FAMILIES)


@pytest.mark.parametrize("action", ACTIONS.values(), ids=lambda action: action.id)
def test_what_acts_says_what_comes_of_it(action: Action) -> None:
    if action.family == "view" or isinstance(_plan(action), Show):
        return
    assert any(action.consequence(context) for context in contexts())


def _plan(action: Action) -> object:
    for context in contexts():
        if action.why_not(context) is None:
            return action.plan(context)
    return None


@pytest.mark.parametrize("action", ACTIONS.values(), ids=lambda action: action.id)
def test_an_action_that_is_not_possible_says_why(action: Action) -> None:
    for context in (Context(Fleet()), *contexts()):
        why = action.why_not(context)
        assert why is None or (why and not why.endswith("."))


@pytest.mark.parametrize("action", ACTIONS.values(), ids=lambda action: action.id)
def test_an_action_has_a_test(action: Action) -> None:
    texts, tests = named_in_tests()
    by_key = BY_KEY.get(action.id)
    assert action.id in texts or by_key in tests, f"no test names {action.id} or presses its key"


def test_the_table_names_no_test_that_is_gone() -> None:
    _, tests = named_in_tests()
    assert BY_KEY.keys() <= ACTIONS.keys()
    assert set(BY_KEY.values()) <= tests


async def test_every_action_has_a_key_or_is_in_the_palette() -> None:
    async with console(a_fleet(an_ask())) as c:
        listed = [hit.text or "" async for hit in Actions(c.board).discover()]
    for action in ACTIONS.values():
        name = action.label.rstrip("…").capitalize()
        in_palette = any(text.startswith(name) for text in listed)
        is_move = action.family == "view" and action.id.partition(".")[2] in _MOVES
        assert in_palette or (is_move and action.keys), action.id


LONG = an_ask("long", tool_call={"rawInput": {"command": "\n".join(map(str, range(99)))}})
BUSY = a_fleet(asking(a_seat()), asking(a_seat("qa")), a_seat("docs"), LONG, an_ask("two", "qa"))
AT_SEAT = a_fleet(asking(a_seat()), a_seat("review"), an_ask("held", holder=HOLDS))
SCENES: dict[str, tuple[Fleet, tuple[int, int], tuple[str, ...]]] = {
    "wide, on the list": (BUSY, WIDE, ("escape",)),
    "wide, on the ask": (BUSY, WIDE, ("l",)),
    "wide, on a seat": (BUSY, WIDE, ("escape", "end")),
    "the ask alone": (BUSY, MIDDLE, ()),
    "the seats alone": (BUSY, MIDDLE, ("escape",)),
    "the smallest": (BUSY, TINY, ()),
    "too small to answer": (BUSY, (36, 10), ()),
    "in the filter": (BUSY, WIDE, ("slash", "b")),
    "an ask a seat holds": (AT_SEAT, WIDE, ()),
    "nobody needs anyone": (a_fleet(a_seat()), MIDDLE, ()),
}
ARROWS = {key_words(key): key for key in ("up", "down", "left", "right")}


def printed(c: Console) -> list[Hint]:
    """The hints in the footer that claim to work."""
    footer = c.words("#footer")
    return [h for h in c.board.edges.hints if h.enabled and f"{h.key} {h.label}" in footer]


def standing(c: Console) -> tuple[Any, ...]:
    board = c.board
    return (
        list(c.commands), type(c.app.screen), c.app.focused, c.shown, board.seat,
        board.finding.view, board.classes - {"-armed"}, board.mouse,
        board.pane._body.scroll_offset,
    )  # fmt: skip


@pytest.mark.parametrize("scene", SCENES)
async def test_a_hint_works_from_where_it_is_printed(scene: str) -> None:
    fleet, size, keys = SCENES[scene]
    async with console(fleet, size) as c:
        await c.press(*keys)
        hints = printed(c)
    assert hints
    for hint in hints:
        async with console(fleet, size) as c:
            await c.press(*keys)
            before, notices = standing(c), len(c.notices)
            key = ARROWS.get(hint.key) or key_named(hint.key)
            assert key is not None
            await c.press(key)
            assert standing(c) != before, (scene, hint, c.notices[notices:])


async def test_paging_moves_by_what_is_visible() -> None:
    async with console(BUSY, MIDDLE) as c:
        await c.press("pagedown", "pagedown")
        there = c.board.pane._body.scroll_offset.y
        await c.press("pageup")
        assert 0 < c.board.pane._body.scroll_offset.y < there


async def test_left_and_right_go_between_the_panes() -> None:
    async with console(BUSY) as c:
        for key, there in (("l", "ask"), ("h", "fleet"), ("right", "ask"), ("left", "fleet")):
            await c.press(key)
            assert c.app.focused is not None
            assert c.app.focused.id == there


async def test_suspending_is_the_terminal_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    async with console(BUSY) as c:
        done: list[str] = []
        monkeypatch.setattr(c.app, "action_suspend_process", lambda: done.append("suspended"))
        await c.press("ctrl+z")
        assert done == ["suspended"]
        assert c.commands == []
