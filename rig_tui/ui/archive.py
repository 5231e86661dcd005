"""What has been: who opens the history and a seat's story, and who reads for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.client.errors import ClientError
from rig_tui.domain.history import ANY, Filters
from rig_tui.ui.screens.history import HistoryScreen
from rig_tui.ui.screens.seat import SeatScreen

if TYPE_CHECKING:
    from rig_tui.client.backend import Backend
    from rig_tui.domain.commands import Page
    from rig_tui.ui.app import RigApp
    from rig_tui.ui.listing import PageWanted


class Archive:
    """Opens what shows the past, and reads it from the daemon."""

    def __init__(self, app: RigApp) -> None:
        self._app = app

    def history(self, filters: Filters = ANY) -> None:
        """Show the record, narrowed where that is asked for."""
        app = self._app
        app.push_screen(
            HistoryScreen(
                app.fleet,
                app.setup.now(),
                app.board.arming,
                filters=filters,
                glyphs=app.setup.glyphs,
                keymap=app.setup.keymap,
            )
        )

    def seat(self) -> None:
        """Show the selected seat in full."""
        app = self._app
        seat = app.board.seat
        if seat is not None:
            setup = app.setup
            screen = SeatScreen(
                seat, app.fleet, setup.now(), glyphs=setup.glyphs, keymap=setup.keymap
            )
            app.push_screen(screen)

    def read(self, backend: Backend | None, wanted: PageWanted) -> None:
        """Read a page and hand it back, or why it couldn't be read."""
        self._app.run_worker(_deliver(backend, wanted), group="reads", exit_on_error=False)


async def _deliver(backend: Backend | None, wanted: PageWanted) -> None:
    if backend is None:
        wanted.deliver("there is no connection yet")
        return
    read: Page | str
    try:
        read = await backend.fetch(wanted.query)
    except ClientError as error:
        read = str(error)
    wanted.deliver(read)
