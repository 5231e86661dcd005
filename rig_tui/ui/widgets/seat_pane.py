"""The pane that explains one seat: what it reads and why, and who is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.content import Content

from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.roles import DIM
from rig_tui.ui.present.seat_detail import seat_lines
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.widgets.lines import ScrollingLines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from rich.text import Text
    from textual.app import ComposeResult

    from rig_tui.domain.model import Fleet, Seat


class SeatPane(Vertical, can_focus=True, inherit_bindings=False):
    """A seat explained, or why there is nothing to show."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: list[Line | Text] = []
        self._body = ScrollingLines(id="seat-body")

    def compose(self) -> ComposeResult:
        yield self._body

    def show(self, seat: Seat, fleet: Fleet, now: datetime) -> None:
        """Explain this seat."""
        self._fill(
            inert(seat.seat_ref).plain, seat_lines(seat, now, fleet.link.clock_offset, fleet.people)
        )

    def show_nothing(self, words: str) -> None:
        """Say why nothing is shown."""
        self._fill("Ask", [join((words, DIM))])

    def scroll(self, by: int) -> None:
        """Scroll by lines."""
        y = self._body.scroll_offset.y + by
        self._body.scroll_to(y=y, animate=False, immediate=True)

    def on_resize(self) -> None:
        self._draw()

    def _fill(self, title: str, lines: Sequence[Line | Text]) -> None:
        self.border_title = Content(title)
        self._lines = list(lines)
        self._draw()

    def _draw(self) -> None:
        width = self._body.scrollable_content_region.width
        if width:
            self._body.show(wrap(self._lines, width - 2), keep_place=True)
