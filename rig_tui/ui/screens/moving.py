"""Moving about on the board: which pane a move is about, and what comes into sight.

Rule of this file: it moves the operator, on the operator's key alone, and sends nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain import view as views
from rig_tui.domain.select import AskKey
from rig_tui.ui.widgets.ask_pane import AskPane
from rig_tui.ui.widgets.seat_pane import SeatPane

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.domain.select import Key
    from rig_tui.ui.screens.board import Board
    from rig_tui.ui.widgets.fleet_list import FleetList

ALL_THE_WAY = 1_000_000


class Moving:
    """Does what the board's moves mean in the window as it is."""

    def __init__(self, board: Board, fleet_list: FleetList, seat_pane: SeatPane) -> None:
        self._board = board
        self._list = fleet_list
        self._seat_pane = seat_pane

    @property
    def moves(self) -> dict[str, Callable[[], None]]:
        """What each move does, by its name."""
        return {
            "down": lambda: self._move(1),
            "up": lambda: self._move(-1),
            "page_down": lambda: self._page(1),
            "page_up": lambda: self._page(-1),
            "first": lambda: self._move(-ALL_THE_WAY),
            "last": lambda: self._move(ALL_THE_WAY),
            "left": self._back,
            "right": self.open_detail,
            "open": self._open,
            "back": self._back,
            "next": lambda: self.step(1),
            "previous": lambda: self.step(-1),
        }

    @property
    def alone(self) -> str:
        """Which pane has the screen to itself: `seats`, `detail`, or neither."""
        board = self._board
        if board.too_small:
            return "seats"
        if board.has_class("-wide") or board.has_class("-tall"):
            return ""
        return "detail" if board.has_class("-detail") else "seats"

    @property
    def ask_in_sight(self) -> bool:
        """Whether the ask's pane is on screen; in a narrow window it may not be."""
        return self._board.ask is None or self.alone != "seats"

    def open_detail(self) -> None:
        """Put the detail in sight and the focus on it; its keys must be armed anew."""
        board = self._board
        board.set_class(True, "-detail")
        board.arming.disarm()
        (self._seat_pane if board.ask is None else board.pane).focus()
        board.draw()
        board.wait_for_arming()

    def visit(self, key: Key) -> None:
        """Show this row's ask or seat, with the focus on it."""
        self._board.go(key)
        self.open_detail()

    def to_list(self) -> None:
        """Put the list in sight and the focus on it."""
        self._board.set_class(False, "-detail")
        self._list.focus()
        self._board.draw()

    def step(self, by: int) -> None:
        """Show the ask that many further on in the list."""
        board = self._board
        current = board.ask.ask_id if board.ask is not None else None
        ask = views.step_ask(board.fleet, board.finding.view, current, by)
        if ask is not None:
            self.visit(AskKey(ask.ask_id))

    @property
    def _in_detail(self) -> bool:
        """Whether moves are about the detail: it has the focus, or the screen to itself."""
        if not self.alone:
            return isinstance(self._board.focused, AskPane | SeatPane)
        return self.alone == "detail"

    def _move(self, by: int) -> None:
        if not self._in_detail:
            self._list.move(by)
        elif self._board.ask is not None:
            self._board.pane.scroll(by)
        else:
            self._seat_pane.scroll(by)

    def _page(self, by: int) -> None:
        if self._board.ask is not None and (self._in_detail or not self.alone):
            self._board.pane.scroll_page(by)
        else:
            self._list.move(by * self._list.page)

    def _open(self) -> None:
        if self._in_detail and self._board.ask is not None:
            self._board.conduct.operate("answer.choose")
        else:
            self.open_detail()

    def _back(self) -> None:
        board = self._board
        on_list = board.focused is self._list and not self._in_detail
        if not (on_list and board.finding.clear()):
            self.to_list()
