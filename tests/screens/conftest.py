"""How a picture of the console is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.fakes import FakeBackend
from tests.headless import draw_only_what_is_asked_for, parse_styles_once
from tests.screens.looks import COLOURINGS, together
from tests.ui.console import MIDDLE, Console, Hands, console_app
from tests.ui.quiet import quiet

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from rig_tui.domain.model import Fleet
    from tests.fake_record import FakeRecord
    from tests.screens.looks import Compare


@pytest.fixture(autouse=True)
def spared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Don't do again what is the same in every picture, nor draw what none shows."""
    parse_styles_once(monkeypatch)
    draw_only_what_is_asked_for(monkeypatch)


@pytest.fixture
def looks(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> Compare:
    """Compare the console over a fleet, after events, keys and more events, with its picture.

    The picture has it in every colouring, unless a theme is given.
    """

    def compare(
        world: Fleet | None,
        size: tuple[int, int] = MIDDLE,
        keys: tuple[str, ...] = (),
        events: tuple[object, ...] = (),
        after: tuple[object, ...] = (),
        record: FakeRecord | None = None,
        theme: str | None = None,
        **setup: Any,
    ) -> bool:
        backend, hands = FakeBackend(world), Hands()
        if record is not None:
            backend.record = record
        app = console_app(backend, hands, theme=theme or COLOURINGS[0], **setup)

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
            if theme is None:
                picture = together([await coloured(each) for each in COLOURINGS])
                monkeypatch.setattr(app, "export_screenshot", lambda **_: picture)

        async def coloured(name: str) -> str:
            app.theme = name
            await quiet(app)
            app.stylesheet.update(app.screen)  # the palette isn't restyled by itself
            await quiet(app)
            return app.export_screenshot(simplify=True)

        return snap_compare(app, terminal_size=size, run_before=act)

    return compare
