"""The fleet as one scrolling list, a line a row.

A change of one seat drops that row's strip and repaints that line alone, and only
if it is visible. Rows move only when one comes, goes or changes its group, and never
while the operator is at something: what is new is counted until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeAlias

from rich.text import Text
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from rig_tui.domain import select
from rig_tui.domain.flapping import flapping
from rig_tui.domain.model import Ask, Fleet, Seat, SeatId
from rig_tui.domain.select import AskKey, Group, Key, SeatKey
from rig_tui.domain.view import View, groups, hidden, newer
from rig_tui.domain.watching import tool_after_no
from rig_tui.ui.paint import Painted
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.link import old_words
from rig_tui.ui.present.seat import group_heading, row_age, seat_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from textual import events

Row: TypeAlias = Key | Group | None


class FleetList(ScrollView, Painted, can_focus=True, inherit_bindings=False):
    """Seats and waiting asks; the selection is a key, never a place."""

    DEFAULT_CSS = """
    FleetList { height: 1fr; width: 1fr; overflow-x: hidden; overflow-y: auto; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"fleet-list--cursor"}

    class Selected(Message):
        """The operator moved onto a row, or clicked it."""

        def __init__(self, key: Key) -> None:
            super().__init__()
            self.key = key

    def __init__(self, *, glyphs: Glyphs = UNICODE, id: str | None = None) -> None:
        super().__init__(id=id)
        self._glyphs = glyphs
        self.view = View()
        """Which rows to list."""
        self.still: Callable[[], bool] = lambda: False
        """Whether the rows must stay where they are."""
        self.due = False
        """Whether the rows are no longer those of the fleet and the view."""
        self.dense = False
        """Whether to list without empty lines between groups."""
        self.hidden = 0
        """How many rows that need a person the view leaves out."""
        self._drifted = False
        self._fleet = Fleet()
        self._now: datetime | None = None
        self._rows: list[Row] = []
        self._places: dict[SeatId, list[int]] = {}
        self._strips: dict[int, Strip] = {}
        self._ages: dict[int, str] = {}
        self.key: Key | None = None
        """The selected row."""
        self._cursor: int | None = None
        """Where the selected row is; searched for only when rows or the selection move."""

    def show(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        """Draw the fleet; `touched` names the seats that changed, None means any."""
        before, self._fleet, self._now = self._fleet, fleet, now
        if touched is None or self._moves(before, touched):
            self.due = True
        if self.due and (not self.still() or not self._all_known()):
            self.lay()
            return
        if touched is None or before.link.state is not fleet.link.state:
            self._cursor = self._place(self.key)
            self._strips.clear()
            self.refresh()
            return
        for place in {p for seat_id in touched for p in self._places.get(seat_id, ())}:
            self._repaint(place)

    def tick(self, now: datetime) -> None:
        """Repaint the visible rows whose age reads differently now."""
        self._now = now
        self.due = self.due or self._drifted
        if self.due and not self.still():
            self.lay()
            return
        first = self.scroll_offset.y
        for place in range(first, min(first + self.size.height, len(self._rows))):
            row = self._rows[place]
            if isinstance(row, AskKey | SeatKey) and self._age(row) != self._ages.get(place):
                self._repaint(place)

    def select(self, key: Key | None) -> None:
        """Move the selection without telling anyone."""
        old, self.key = self._cursor, key
        if self.due and key is not None and key not in self._rows:
            self.lay()
        new = self._cursor = self._place(key)
        for place in {old, new} - {None}:
            if place is not None:
                self._repaint(place)
        if new is not None:
            self._reveal(new)

    def move(self, by: int) -> None:
        """Move the selection over rows, stopping at the ends."""
        places = [p for p, row in enumerate(self._rows) if isinstance(row, AskKey | SeatKey)]
        if not places:
            return
        here = self._cursor
        if here is None:
            target = places[0 if by > 0 else -1]
        else:
            at = sum(1 for p in places if p < here)
            target = places[max(0, min(len(places) - 1, at + by))]
        row = self._rows[target]
        if isinstance(row, AskKey | SeatKey) and row != self.key:
            self.select(row)
            self.post_message(self.Selected(row))

    @property
    def key_listed(self) -> bool:
        """Whether the selected row is in the list."""
        return self.key in self._rows

    @property
    def lacking(self) -> tuple[int, int]:
        """How many rows that need a person wait to be listed: above the selected, below."""
        if not self.due:
            return 0, 0
        return newer(self._rows, self._fleet, self.view, self.key)

    @property
    def page(self) -> int:
        """How many rows a page moves."""
        return max(1, self.size.height - 1)

    def render_line(self, y: int) -> Strip:
        place = y + self.scroll_offset.y
        strip = self._strips.get(place)
        if strip is None:
            strip = self._strips[place] = self._paint(place)
        return strip

    def on_click(self, event: events.Click) -> None:
        place = event.y + self.scroll_offset.y
        row = self._rows[place] if place < len(self._rows) else None
        if isinstance(row, AskKey | SeatKey):
            self.select(row)
            self.post_message(self.Selected(row))

    def on_resize(self) -> None:
        self._strips.clear()
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._rows))

    def notify_style_update(self) -> None:
        self._strips.clear()
        super().notify_style_update()

    def _moves(self, before: Fleet, touched: Iterable[SeatId]) -> bool:
        for seat_id in touched:
            old, new = before.seats.get(seat_id), self._fleet.seats.get(seat_id)
            if old is None or new is None:
                return True
            if select.needs_person(old) is not select.needs_person(new):
                return True
            if self.view.narrowed and old.reading is not new.reading:
                self._drifted = True
        return False

    def _all_known(self) -> bool:
        """Whether everything that is listed still exists."""
        fleet = self._fleet
        return all(
            row.seat_id in fleet.seats if isinstance(row, SeatKey) else row.ask_id in fleet.asks
            for row in self._rows
            if isinstance(row, AskKey | SeatKey)
        )

    def lay(self) -> None:
        """Lay every row anew, keeping the selection by its key."""
        self.due = self._drifted = False
        self.hidden = hidden(self._fleet, self.view)
        rows: list[Row] = []
        for group in groups(self._fleet, self.view):
            if rows and not self.dense:
                rows.append(None)
            rows.append(group)
            rows.extend(group.rows)
        self._rows = rows
        self._places = {}
        for place, row in enumerate(rows):
            if isinstance(row, AskKey | SeatKey):
                seat, _ = self._facts(row)
                if seat is not None:
                    self._places.setdefault(seat.seat_id, []).append(place)
        self._cursor = self._place(self.key)
        self._strips.clear()
        self._ages.clear()
        self.virtual_size = Size(self.scrollable_content_region.width, len(rows))
        self.refresh()

    def _place(self, key: Key | None) -> int | None:
        """Where a row is; an ask that has left the list stands at its seat's row."""
        if key is None:
            return None
        if key in self._rows:
            return self._rows.index(key)
        ask = self._fleet.asks.get(key.ask_id) if isinstance(key, AskKey) else None
        seat = select.seat_of(self._fleet, ask) if ask is not None else None
        seat_id = seat.seat_id if seat is not None else getattr(key, "seat_id", None)
        return next(iter(self._places.get(seat_id, ())), None) if seat_id is not None else None

    def _repaint(self, place: int) -> None:
        self._strips.pop(place, None)
        if 0 <= place - self.scroll_offset.y < self.size.height:
            self.refresh_line(place)

    def _reveal(self, place: int) -> None:
        height = self.size.height
        if height and not 0 <= place - self.scroll_offset.y < height:
            self.scroll_to(y=max(0, place - height // 2), animate=False, immediate=True)

    def _facts(self, key: Key) -> tuple[Seat | None, Ask | None]:
        if isinstance(key, SeatKey):
            return self._fleet.seats[key.seat_id], None
        ask = self._fleet.asks[key.ask_id]
        return select.seat_of(self._fleet, ask), ask

    def _age(self, key: Key) -> str:
        seat, ask = self._facts(key)
        if self._now is None:
            return ""
        return row_age(seat, ask, self._now, self._fleet.link.clock_offset)

    def _paint(self, place: int) -> Strip:
        width = self.scrollable_content_region.width
        row = self._rows[place] if place < len(self._rows) else None
        if row is None or self._now is None:
            return Strip.blank(width, self.rich_style)
        if isinstance(row, Group):
            text = group_heading(
                row.title,
                row.count,
                width,
                needs_person=row.needs_person or row.of_asks,
                glyphs=self._glyphs,
            )
            return self.painter.strip(text, width, self.rich_style)
        chosen = place == self._cursor
        base = self.get_component_rich_style("fleet-list--cursor") if chosen else self.rich_style
        mark = Text(self._glyphs.cursor if chosen else " ", style="accent")
        self._ages[place] = self._age(row)
        return self.painter.strip(mark + self._row(row, width - 1), width, base)

    def _row(self, key: Key, width: int) -> Text:
        seat, ask = self._facts(key)
        fleet = self._fleet
        assert self._now is not None
        return seat_row(
            seat,
            ask,
            now=self._now,
            width=width,
            sent=fleet.sent.get(ask.ask_id) if ask is not None else None,
            operator=fleet.operator,
            offset=fleet.link.clock_offset,
            old=old_words(fleet.link, self._now),
            after_no=tool_after_no(fleet, seat) if seat is not None else "",
            flapping=seat is not None and flapping(fleet, seat.seat_id, self._now),
            glyphs=self._glyphs,
        )
