"""What an operator was at survives another size, another look and a new connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain.events import LinkDoubted, LinkLost
from rig_tui.domain.select import AskKey
from rig_tui.ui import themes
from rig_tui.ui.widgets.fleet_list import FleetList
from rig_tui.ui.widgets.lines import ScrollingLines
from tests.builders import NOON, a_fleet, a_seat, ago, an_ask, asking
from tests.fakes import as_read
from tests.ui.console import MIDDLE, WIDE, console

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.ui.console import Console

COMMAND = "\n".join(f"echo {number}" for number in range(200))
FLEET = a_fleet(
    asking(a_seat()),
    asking(a_seat("qa")),
    a_seat("docs"),
    an_ask("one", opened_at=ago(9)),
    an_ask("two", "qa", opened_at=ago(5), tool_call={"title": "Run", "rawInput": COMMAND}),
)


async def upheavals(c: Console) -> AsyncIterator[str]:
    """Everything that redraws the console and that its operator didn't ask for."""
    await c.pilot.resize_terminal(*MIDDLE)
    await c.settle()
    yield "narrow"
    await c.pilot.resize_terminal(*WIDE)
    await c.settle()
    yield "wide"
    c.app.theme = themes.LIGHT.name
    await c.settle()
    yield "theme"
    await c.bring(LinkLost("gone", NOON, NOON))
    yield "lost"
    await c.bring(*as_read(FLEET))
    yield "back"
    await c.bring(LinkDoubted("quiet", NOON))
    await c.bring(*as_read(FLEET))
    yield "doubted"


async def test_the_selection_and_the_place_in_a_call_survive() -> None:
    async with console(FLEET) as c:
        await c.press("n", "space", "space")
        place = c.board.pane.query_one("#ask-body", ScrollingLines).scroll_offset.y
        assert place > 0
        async for what in upheavals(c):
            assert c.shown == "two", what
            assert c.app.query_one(FleetList).key == AskKey("two"), what
            now = c.board.pane.query_one("#ask-body", ScrollingLines).scroll_offset.y
            assert now == place, what
        assert c.commands == []
