"""Who is asked for each seat: a map of all of them, the dangerous ones first (T7-21)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen

from rig_tui.actions.spots import SPOTS
from rig_tui.domain import select
from rig_tui.domain.model import Fleet, Seat, SeatId
from rig_tui.ui.present.asked_map import asked_row, by_risk, override_lines, people_lines
from rig_tui.ui.present.footer import Hint, hint_lines
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.roles import HEADING
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.spot_keys import bound
from rig_tui.ui.widgets.lines import Lines, ScrollingLines
from rig_tui.ui.widgets.record_list import RecordList

if TYPE_CHECKING:
    from datetime import datetime

    from textual.app import ComposeResult

    from rig_tui.actions.keys import Keymap

_LABELS = {
    "ask_person": "ask a person",
    "refuse_all": "refuse all",
    "back_to_default": "back to default",
    "register": "register",
    "remove": "remove",
    "default": "default person",
}
"""What can be done here, each both an action about people and a key of this place."""


class WhoIsAskedScreen(Screen[None], inherit_bindings=False):
    """Every seat with who is asked for it, and the people there are."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
        bound("map.close", "back"),
        Binding("down,j", "move(1)", show=False),
        Binding("up,k", "move(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("home", "move(-1000000)", show=False),
        Binding("end", "move(1000000)", show=False),
        *(bound(f"map.{verb}", f"do('people.{verb}')") for verb in _LABELS),
    ]

    class Operated(Message):
        """The operator wants an action done for the seat under the cursor."""

        def __init__(self, action: str, seat: Seat | None) -> None:
            super().__init__()
            self.action = action
            self.seat = seat

    def __init__(
        self, fleet: Fleet, now: datetime, keymap: Keymap, seat: Seat | None = None
    ) -> None:
        super().__init__()
        self._from = seat
        """The seat the operator comes from: the cursor stands on it first."""
        self._hints = [
            *(Hint(keymap.words(SPOTS[f"map.{verb}"]), label) for verb, label in _LABELS.items()),
            Hint("esc", "back"),
        ]
        self._fleet = fleet
        self._now = now
        self._list = RecordList[Seat](self._row, lambda seat: repr(seat.seat_id), id="asked-list")
        self._detail = ScrollingLines(id="asked-detail")
        self._keys = Lines(id="asked-keys")

    def compose(self) -> ComposeResult:
        with Vertical(id="asked"):
            yield self._list
            yield self._detail
        yield self._keys

    def on_mount(self) -> None:
        self._list.focus()
        self._draw()
        if self._from is not None:
            self.call_after_refresh(self._list.go, self._from)

    def on_resize(self) -> None:
        self._draw()

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        changed = fleet.seats is not self._fleet.seats or fleet.people is not self._fleet.people
        self._fleet, self._now = fleet, now
        if changed:
            self._draw()

    def tick(self, now: datetime) -> None:
        self._now = now

    def on_record_list_moved(self) -> None:
        self._draw_detail()

    def action_back(self) -> None:
        self.dismiss(None)

    def action_move(self, by: int) -> None:
        self._list.move(by)

    def action_page(self, by: int) -> None:
        self._list.move(by * self._list.page)

    def action_do(self, action: str) -> None:
        self.post_message(self.Operated(action, self._list.current))

    def _row(self, seat: Seat, width: int) -> Text:
        return asked_row(seat, self._fleet.people, width)

    def _draw(self) -> None:
        permitting = len(select.permitting_seats(self._fleet))
        permits = "1 permits" if permitting == 1 else f"{permitting} permit"
        words = f"{permits} without asking" if permitting else "none permits unasked"
        box = self.query_one("#asked", Vertical)
        box.border_title = Content(f"Who is asked · {words} · {len(self._fleet.seats)} seats")
        box.set_class(permitting > 0, "-permits")
        self._list.show(by_risk(self._fleet))
        self._keys.show(hint_lines(self._hints, max(20, self.size.width - 2)))
        self._draw_detail()

    def _draw_detail(self) -> None:
        width = max(20, self._detail.scrollable_content_region.width - 2)
        seat = self._list.current
        offset = self._fleet.link.clock_offset
        lines: list[Line | Text] = []
        if seat is not None:
            lines += override_lines(seat, self._fleet.people, self._now, offset)
        lines += [Text(), join(("People", HEADING)), *people_lines(self._fleet.people)]
        self._detail.show(wrap(lines, width))
