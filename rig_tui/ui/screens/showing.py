"""The shown ask on its way to the screen: painted, fetched whole, armed.

Rule of this file: what may be answered is what has been painted; when it is about to
change, a dialog that was about it goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.registry import ACTIONS
from rig_tui.domain.receipt import Seen

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import Ask, Fleet
    from rig_tui.ui.screens.board import Board
    from rig_tui.ui.widgets.seat_pane import SeatPane


class Showing:
    """Draws the board's detail and tells the arming what is painted."""

    def __init__(self, board: Board, seat_pane: SeatPane) -> None:
        self._board = board
        self._seat_pane = seat_pane
        self._painted: object = None
        self._painted_at: datetime | None = None
        self._now: datetime | None = None
        self._asked_whole: object = None
        """The ask last asked for whole: over a new link, or come back to, it is again."""

    def draw(self, fleet: Fleet, now: datetime) -> None:
        """Draw the shown ask, or the seat where none is shown."""
        board = self._board
        self._now = now
        ask, seat = board.ask, board.seat
        board.set_class(ask is not None, "-asked")
        if ask is not None:
            self._draw_ask(ask, fleet, now)
            return
        board.arming.show(None)
        if seat is not None:
            self._seat_pane.show(seat, fleet, now)
        else:
            self._seat_pane.show_nothing(self._nothing())

    def painted(self, shown: object) -> None:
        """This has reached the screen: the wait for its keys starts."""
        if shown == self._painted:
            return
        self._painted = shown
        self._painted_at = self._now
        self._board.arming.painted(shown)
        self._board.wait_for_arming()

    def anew(self) -> None:
        """Forget what was painted: something else was on the screen since."""
        self._painted = None

    def seen(self) -> Seen:
        """What is on screen now, for the receipt of an act, and which hand meant that."""
        pane, size, hand = self._board.pane, self._board.size, self._board.arming.hand
        return Seen(hand, pane.text, self._painted_at, size.width, size.height, pane.read_to_end)

    def _draw_ask(self, ask: Ask, fleet: Fleet, now: datetime) -> None:
        board = self._board
        board.pane.show(ask, fleet, now)
        if board.arming.show(board.pane.content):
            self._painted = None
            board.conduct.changed_under(board.app.screen)
        wanted = (ask.ask_id, ask.version, fleet.link.since)
        if wanted == self._asked_whole or not fleet.link.open:
            return
        self._asked_whole = wanted
        if ask.elided:
            board.post_message(board.WholeWanted(ask.ask_id))

    def _nothing(self) -> str:
        board = self._board
        if board.new:
            key = board.keymap.words(ACTIONS["view.next"]) or "“next ask” in the palette"
            return f"{board.new} waiting. {key} shows the first."
        return "Nobody needs you. Asks are listed here as they arrive; none opens by itself."
