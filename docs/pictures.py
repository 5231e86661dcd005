"""Take the README's picture from the running demo: `python -m docs.pictures`."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime
from pathlib import Path

from rig_tui.client.local import local_backend
from rig_tui.demo.run import OPERATOR, running_demo
from rig_tui.domain.model import Fleet
from rig_tui.settings import Overrides, Settings
from rig_tui.ui.app import RigApp
from rig_tui.ui.setup import Setup

PICTURE = Path(__file__).parent / "board.svg"
SIZE = (132, 36)


async def take(home: Path) -> str:
    """Run the console over the demo at `home` until its ask is armed, and draw it."""
    overrides = Overrides(home=home, demo=True)
    acting_as = f"{OPERATOR}@external"
    app = RigApp(
        Setup(
            open_backend=lambda actor: local_backend(
                overrides, Settings(), {}, program="tui", actor=actor
            ),
            now=lambda: datetime.now().astimezone(),  # noqa: TID251 (an edge)
            monotonic=time.monotonic,
            fleet=Fleet(acting_as=acting_as, demo=True),
        )
    )
    async with app.run_test(size=SIZE) as pilot:
        while app.board.ask is None or app.board.arming.unarmed:
            await pilot.pause(0.05)
        app.board.refresh_edges()
        await pilot.pause(0.2)
        return app.export_screenshot(title="rig_tui")


def main() -> None:
    """Write the picture and say where."""
    with running_demo() as home:
        PICTURE.write_text(asyncio.run(take(home)), encoding="utf-8")
    print(PICTURE)


if __name__ == "__main__":
    main()
