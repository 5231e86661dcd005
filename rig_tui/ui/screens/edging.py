"""The board's edges as widgets: the line above, news, the seat's line, the footer, titles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.ui.present import edges, view_words
from rig_tui.ui.present.footer import footer_line
from rig_tui.ui.screens.composing import Composing
from rig_tui.ui.titles import entitle, note_down
from rig_tui.ui.widgets.lines import Lines

if TYPE_CHECKING:
    from datetime import datetime

    from textual.containers import Vertical

    from rig_tui.domain.model import Fleet
    from rig_tui.ui.present.footer import Hint
    from rig_tui.ui.present.glyphs import Glyphs
    from rig_tui.ui.screens.board import Board
    from rig_tui.ui.widgets.fleet_list import FleetList


class Edging:
    """Draws what is above, below and around the board's panes."""

    def __init__(
        self, board: Board, seats: Vertical, fleet_list: FleetList, glyphs: Glyphs
    ) -> None:
        self._board = board
        self._seats = seats
        self._list = fleet_list
        self._glyphs = glyphs
        self.header = Lines(id="header")
        self.summary = Lines(id="seat-line")
        self.news = Lines(id="stream")
        self.footer = Lines(id="footer")

    def draw(self, fleet: Fleet, now: datetime, width: int) -> None:
        """Draw every edge, as the board stands."""
        board, glyphs, view = self._board, self._glyphs, self._board.finding.view
        tiny = board.too_small
        self.header.show([edges.above(fleet, width, glyphs, snoozed=view.snoozed)])
        board.set_class(edges.urgent(fleet) or tiny, "-urgent")
        news = edges.news(fleet, now, width - 2, glyphs, too_small=tiny, keymap=board.keymap)
        self.news.show(news)
        room = max(10, self._list.size.width - 2)
        self.summary.show(edges.seat_summary(board.seat, fleet, now, room))
        self._draw_armed()
        self.footer.show([footer_line(self.hints, width)])
        notes = view_words.list_notes(self._list.hidden, self._list.lacking)
        entitle(self._seats, view_words.list_title(view), notes)

    @property
    def hints(self) -> list[Hint]:
        """The keys that would do something where the focus is."""
        board = self._board
        more = board.ask is not None and board.pane.has_more
        alone = "tiny" if board.too_small else board.moving.alone
        focus = "filter" if board.finding.typing else alone
        return edges.hints(board.settled_context, focus=focus, more=more, mouse=board.mouse)

    def _draw_armed(self) -> None:
        board = self._board
        if board.ask is None:
            return
        context = replace(board.context, unarmed=board.arming.unarmed)
        words = edges.armed_words(context, board.new)
        writing = any(isinstance(screen, Composing) for screen in board.app.screen_stack)
        if writing or board.finding.typing:
            words = "answer keys are off while you write"
        if board.answering:
            words = "any other key cancels"
        note_down(board.pane, words)
        board.pane.set_class("armed ·" in words, "-armed")
