"""Every place of the console over data that is hostile in every field."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

import pytest
from textual.events import Paste
from textual.widget import Widget

from rig_tui.actions.action import Send
from rig_tui.actions.registry import ACTIONS
from rig_tui.domain.commands import Page
from rig_tui.domain.events import LinkLost
from rig_tui.domain.model import Destination, HolderType
from rig_tui.domain.timeline import SeatEvent
from tests.builders import NOON, ago, an_ask, ended, live_link
from tests.fake_record import FakeRecord
from tests.rules import rule
from tests.screens.scenes import day
from tests.ui.console import MIDDLE, TINY, WIDE, Console, console
from tests.ui.test_ascii import LEAVES

if TYPE_CHECKING:
    from rig_tui.domain.model import Fleet

POISON = "\x1b[2J\x9b31m\x07\u202e\u200b\u2066\U000e0041\ue000\ufeff\u2800\ufe0f\t\r\n[b]x[/][0] [/"
_FORBIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_HIDDEN = {"\u2800", "\ufe0f"}
MEANT = frozenset({"capabilities", "epoch", "contract"})
"""Fields by which a client tells what a daemon can do."""
KNOWN = MEANT | {"kind", "mode", "outcome", "acting_as", "entity_id", "default", "person", "id"}
"""Fields whose values must be known ones for every action to be possible."""


def poisoned(value: Any, spared: frozenset[str]) -> Any:
    """The same value with poison after every text, but for the fields that are spared."""
    if isinstance(value, str) and not isinstance(value, Enum):
        return value + POISON
    if isinstance(value, tuple | list):
        return type(value)(poisoned(each, spared) for each in value)
    if isinstance(value, Mapping):
        return {poisoned(k, spared): poisoned(v, spared) for k, v in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        own = {each.name: getattr(value, each.name) for each in fields(value)}
        return replace(
            value,
            **{
                name: _call(own[name]) if name == "tool_call" else poisoned(own[name], spared)
                for name in own
                if name not in spared
            },
        )
    return value


def _call(value: Any) -> Any:
    """A tool call whose known fields stay where they are."""
    if isinstance(value, dict):
        return {**{key: _call(each) for key, each in value.items()}, POISON: POISON}
    return [_call(each) for each in value] if isinstance(value, list) else poisoned(value, MEANT)


def a_day() -> Fleet:
    capabilities = live_link().capabilities | {"timeline", "grants", "seats", "send", "route"}
    fleet = replace(day(), link=live_link(capabilities=capabilities, remarks=("a remark",)))
    over = ended(an_ask("over", "docs", notices=("a notice",), asked_reason="a reason"))
    return replace(fleet, asks={**fleet.asks, "over": over})


def record_of(fleet: Fleet, spared: frozenset[str]) -> FakeRecord:
    record = FakeRecord.of(fleet)
    event = SeatEvent("000001", NOON, "post", "PreToolUse", "ana", "late", "q1")
    record.seat_events = [poisoned(event, spared)]
    return record


def drawn(c: Console) -> str:
    """Every character that the compositor would write."""
    strips = c.app.screen._compositor.render_strips()
    return "\n".join(segment.text for strip in strips for segment in strip if not segment.control)


def check(c: Console, where: str) -> str:
    text = drawn(c)
    for char in set(text) - {"\n"}:
        category = char if char in _HIDDEN else unicodedata.category(char)
        assert category not in _FORBIDDEN | _HIDDEN, (where, ascii(char))
    return text


@rule("T7-02")
async def test_no_place_draws_anothers_text_raw() -> None:
    fleet = poisoned(a_day(), KNOWN)
    async with console(fleet, MIDDLE) as c:
        c.backend.record = record_of(fleet, KNOWN)
        c.backend.page = Page(
            destinations=poisoned(
                (Destination(HolderType.SEAT, "review@my-rig", "review", "my-rig", "running"),),
                KNOWN,
            )
        )
        assert r"\u202e" in check(c, "board")
        opened: dict[str, bool] = {}
        for action in ACTIONS.values():
            context = replace(c.board.context, unarmed="")
            sends = action.why_not(context) is None and isinstance(action.plan(context), Send)
            if action.id in LEAVES or sends:
                continue
            c.board.conduct.operate(action.id)
            await c.rest()
            name = type(c.app.screen).__name__
            text = check(c, action.id)
            opened[name] = opened.get(name, False) or r"\u202e" in text
            while c.app.screen is not c.board:
                c.app.pop_screen()
                await c.rest()
        assert sum(opened.values()) >= 9, opened
        await c.press("colon", *"watch", "enter")
        assert r"\u202e" in check(c, "the palette")
        await c.press("enter")
        c.app.notify(POISON, title=POISON)
        await c.rest()
        assert r"\u202e" in check(c, "a notice")


@rule("T7-02")
@pytest.mark.parametrize("size", [WIDE, TINY], ids=str)
async def test_whatever_a_daemon_says_the_board_draws_it_inert(size: tuple[int, int]) -> None:
    async with console(poisoned(a_day(), MEANT), size) as c:
        assert r"\u202e" in check(c, "the start")
        for key in ("n", "n", "escape", *"jjjjjj", "enter"):
            await c.press(key)
            check(c, key)
        await c.bring(LinkLost(f"gone {POISON}", c.hands.now(), ago(-5)))
        assert r"\u202e" in check(c, "no daemon")


@rule("T7-02")
@pytest.mark.parametrize("opens", ["t", "c", "/"])
async def test_what_was_pasted_into_a_field_is_never_drawn_raw(opens: str) -> None:
    async with console(a_day(), MIDDLE) as c:
        await c.press(opens)
        field = next(iter(c.app.screen.query("DraftArea, Input").results(Widget)))
        field.post_message(Paste(f"a{POISON}b"))
        await c.rest()
        assert "[2J31m" in check(c, opens)
