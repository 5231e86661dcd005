"""How a picture of the console is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.fakes import FakeBackend
from tests.ui.console import MIDDLE, Console, Hands, console_app

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from rig_tui.domain.model import Fleet
    from tests.fake_record import FakeRecord
    from tests.screens.looks import Compare


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
            console = Console(app, backend, pilot, hands)
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
