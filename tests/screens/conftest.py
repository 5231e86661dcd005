"""How a picture of the console is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.fakes import FakeBackend
from tests.headless import parse_styles_once
from tests.ui.console import MIDDLE, Console, Hands, console_app

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from rig_tui.domain.model import Fleet
    from tests.fake_record import FakeRecord
    from tests.screens.looks import Compare


@pytest.fixture(autouse=True)
def spared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Don't do again what is the same in every picture."""
    parse_styles_once(monkeypatch)


class Watched(Console):
    """A console whose every frame is drawn, in its own time."""

    async def settle(self) -> None:
        for _ in range(3):
            await self.pilot.pause()

    async def press(self, *keys: str, apart: float = 1.0) -> None:
        for key in keys:
            self.hands.seconds += apart
            self.type(key)
            await self.pilot.pause()
            await self.settle()


@pytest.fixture
def looks(snap_compare: Compare) -> Compare:
    """Compare the console over a fleet, after events, keys and more events, with its picture."""

    def compare(
        world: Fleet | None,
        size: tuple[int, int] = MIDDLE,
        keys: tuple[str, ...] = (),
        events: tuple[object, ...] = (),
        after: tuple[object, ...] = (),
        record: FakeRecord | None = None,
        **setup: Any,
    ) -> bool:
        backend, hands = FakeBackend(world), Hands()
        if record is not None:
            backend.record = record
        app = console_app(backend, hands, **setup)

        async def act(pilot: Pilot[int]) -> None:
            console = Watched(app, backend, pilot, hands)
            await console.rest()
            if events:
                await console.bring(*events)
            await console.press(*keys)
            if after:
                await console.bring(*after)
            await console.rest()
            app.tick()
            await console.settle()

        return snap_compare(app, terminal_size=size, run_before=act)

    return compare
