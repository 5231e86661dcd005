"""Plain glyphs: the console draws nothing outside ASCII, and changes nobody's words."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest

from rig_tui.actions.action import Send
from rig_tui.actions.registry import ACTIONS
from rig_tui.domain.model import Fleet, Holder, HolderType
from rig_tui.ui.present.glyphs import ASCII
from rig_tui.ui.widgets.draft_area import DraftArea
from tests.builders import a_fleet, a_seat, an_ask, asking, live_link
from tests.screens.scenes import day
from tests.ui.console import MIDDLE, TINY, WIDE, Console, console

LEAVES = {"view.quit", "view.interrupt", "view.suspend"}


def drawn(c: Console) -> str:
    """Everything on screen, as a terminal gets it."""
    svg = c.app.export_screenshot(title="")
    return "".join(html.unescape(text) for text in re.findall(r">([^<>]+)</text>", svg))


def outside_ascii(text: str) -> set[str]:
    return {character for character in text if not character.isascii()} - {"\xa0"}


def a_day() -> Fleet:
    capabilities = live_link().capabilities | {"timeline", "grants", "seats", "send"}
    fleet = replace(day(), link=live_link(capabilities=capabilities))
    assert not outside_ascii(repr(fleet))
    return fleet


@pytest.mark.parametrize("size", [WIDE, TINY], ids=str)
async def test_the_board_and_its_first_dialog_are_drawn_in_ascii(size: tuple[int, int]) -> None:
    async with console(a_day(), size, glyphs=ASCII, theme="rig-mono") as c:
        assert outside_ascii(drawn(c)) == set()
        await c.press("A")
        assert outside_ascii(drawn(c)) == set()


async def test_whatever_an_action_opens_is_drawn_in_ascii() -> None:
    async with console(a_day(), MIDDLE, glyphs=ASCII, theme="rig-mono") as c:
        c.backend.record.permits = list(a_day().permits)
        opened = set()
        for action in ACTIONS.values():
            context = replace(c.board.context, unarmed="")
            sends = action.why_not(context) is None and isinstance(action.plan(context), Send)
            if action.id in LEAVES or sends:
                continue
            c.board.conduct.operate(action.id)
            await c.rest()
            opened.add(type(c.app.screen).__name__)
            assert outside_ascii(drawn(c)) == set(), action.id
            while c.app.screen is not c.board:
                c.app.pop_screen()
                await c.rest()
        assert len(opened) >= 10
        await c.press("t", *"wait", "ctrl+s")
        assert outside_ascii(drawn(c)) == set()


async def test_what_others_wrote_is_drawn_as_they_wrote_it() -> None:
    call = {"title": "rm \u2013rf caf\u00e9", "rawInput": {"command": "echo \u201chi\u201d"}}
    ask, name = an_ask(tool_call=call), "re\u00e9@my-rig"
    held = an_ask("held", "qa", holder=Holder(HolderType.SEAT, name, name))
    fleet = a_fleet(asking(a_seat()), asking(a_seat("qa")), ask, held)
    async with console(fleet, WIDE, glyphs=ASCII) as c:
        text = drawn(c).replace("\xa0", " ")
        assert "rm \u2013rf caf\u00e9" in text
        assert "\u201chi\u201d" in text
        assert outside_ascii(text) <= set("\u2013\u00e9\u201c\u201d")
        await c.press("t")
        c.app.screen.query_one(DraftArea).text = "no\u2013"
        await c.rest()
        assert "no\u2013" in drawn(c)
