"""The console on a fake backend, with clocks that tests move."""

from __future__ import annotations

import unicodedata
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from textual.events import Key
from textual.keys import REPLACED_KEYS, _character_to_key, _get_unicode_name_from_key

from rig_tui.domain.model import Fleet
from rig_tui.ui.app import RigApp
from rig_tui.ui.setup import Setup
from rig_tui.ui.widgets.lines import Lines, ScrollingLines
from tests.builders import NOON
from tests.fakes import FakeBackend
from tests.ui.quiet import connecting, quiet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from textual.pilot import Pilot

    from rig_tui.ui.screens.board import Board

WIDE, MIDDLE, TINY = (160, 45), (80, 24), (40, 12)


@dataclass
class Hands:
    """A clock for both hands: what an operator does takes time."""

    seconds: float = 0.0

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds


@dataclass
class Console:
    """A running console, what it talks to, and its operator's hands."""

    app: RigApp
    backend: FakeBackend
    pilot: Pilot[int]
    hands: Hands = field(default_factory=Hands)

    async def settle(self) -> None:
        """Let everything that is due happen."""
        for _ in range(3):
            await quiet(self.app)

    async def rest(self, seconds: float = 1.0) -> None:
        """Let the operator look for a while."""
        await self.settle()
        self.hands.seconds += seconds

    async def press(self, *keys: str, apart: float = 1.0) -> None:
        """Press keys, each a while after the one before."""
        for key in keys:
            self.hands.seconds += apart
            self.type(key)
            await self.settle()

    def type(self, key: str) -> None:
        """Have the terminal send a key."""
        name = key if key.isalnum() or len(key) > 1 else _character_to_key(key)
        char: str | None
        try:
            char = unicodedata.lookup(_get_unicode_name_from_key(REPLACED_KEYS.get(name, name)))
        except KeyError:
            char = key if len(key) == 1 else None
        event = Key(name, char)
        event.set_sender(self.app)
        event.time = self.hands.monotonic()
        assert self.app._driver is not None
        self.app._driver.send_message(event)

    async def bring(self, *events: object) -> None:
        """Have the daemon's stream bring events."""
        self.backend.push(*events)
        await self.settle()

    def draw(self) -> None:
        """Draw the whole screen, as tests otherwise don't."""
        self.app.screen._compositor.render_update(full=True)

    @property
    def board(self) -> Board:
        return self.app.board

    @property
    def commands(self) -> list[object]:
        return [command for command, _ in self.backend.sent]

    @property
    def shown(self) -> str | None:
        return self.board.ask.ask_id if self.board.ask is not None else None

    def words(self, *selectors: str) -> str:
        """The text of the widgets that draw lines, in order."""
        found: list[str] = []
        for widget in self.app.screen.query("Lines, ScrollingLines"):
            wanted = not selectors or any(widget.id == s.lstrip("#") for s in selectors)
            if wanted and isinstance(widget, Lines | ScrollingLines):
                found += [line.plain for line in widget.lines]
        return "\n".join(found)

    @property
    def notices(self) -> list[str]:
        return [notification.message for notification in self.app._notifications]


def console_app(backend: FakeBackend, hands: Hands | None = None, **setup: object) -> RigApp:
    """The app by itself, for snapshots and for `console`."""
    hands = hands or Hands()
    given: dict[str, object] = {
        "open_backend": lambda _: backend,
        "now": hands.now,
        "monotonic": hands.monotonic,
        "ticks": False,
        "hold": 0.0,
        "login": "ana",
        "fleet": Fleet(acting_as="ana@external"),
    }
    return RigApp(Setup(**{**given, **setup}))  # type: ignore[arg-type]


@asynccontextmanager
async def console(
    fleet: Fleet | None, size: tuple[int, int] = WIDE, **setup: object
) -> AsyncIterator[Console]:
    """Run the console over this fleet; None brings no daemon at all."""
    backend, hands = FakeBackend(fleet), Hands()
    app = console_app(backend, hands, **setup)
    async with app.run_test(size=size) as pilot:
        running = Console(app, backend, pilot, hands)
        await running.settle()
        await connecting(app)
        await running.rest()
        yield running
