"""Records, newest first, a line each; the cursor is a record, never a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from rig_tui.ui.paint import Painted
from rig_tui.ui.present.lines import join
from rig_tui.ui.present.roles import ACCENT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.text import Text
    from textual import events

Record = TypeVar("Record")


class RecordList(ScrollView, Painted, Generic[Record], can_focus=True, inherit_bindings=False):
    """A list of any length that paints only what is visible."""

    DEFAULT_CSS = """
    RecordList { height: 1fr; width: 1fr; overflow-x: hidden; overflow-y: auto; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"record-list--cursor"}

    class Moved(Message):
        """The cursor stands on another record."""

    class EndReached(Message):
        """The last record is in sight, or the cursor stands on it."""

    class StartReached(Message):
        """The first record is in sight again, or the cursor was to move above it."""

    def __init__(
        self,
        draw: Callable[[Record, int], Text],
        key: Callable[[Record], str],
        *,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._draw = draw
        self._key = key
        self._records: Sequence[Record] = ()
        self._at: str | None = None

    @property
    def current(self) -> Record | None:
        """The record under the cursor."""
        return next((r for r in self._records if self._key(r) == self._at), None)

    def show(self, records: Sequence[Record]) -> None:
        """Show these records; the cursor's stays where it was on screen, if it is still there."""
        anchor = self._anchor()
        self._records = records
        if self.current is None:
            self._at = self._key(records[0]) if records else None
        self.virtual_size = Size(self.scrollable_content_region.width, len(records))
        if anchor is not None:
            key, row = anchor
            keys = [self._key(record) for record in records]
            if key in keys:
                top = max(0, keys.index(key) - row)
                self.scroll_to(y=top, animate=False, immediate=True)
        self.refresh()
        self.post_message(self.Moved())

    def _anchor(self) -> tuple[str, int] | None:
        """A record in sight that is to stay in its row: the cursor's, else the topmost."""
        top, height = self.scroll_offset.y, max(1, self.size.height)
        shown = [self._key(record) for record in self._records[top : top + height]]
        if not shown:
            return None
        key = self._at if self._at is not None and self._at in shown else shown[0]
        return key, shown.index(key)

    def move(self, by: int) -> None:
        """Move the cursor, stopping at the ends."""
        if not self._records:
            return
        wanted = self._place() + by
        place = max(0, min(len(self._records) - 1, wanted))
        self._put(place)
        if place == len(self._records) - 1:
            self.post_message(self.EndReached())
        if wanted < 0:
            self.post_message(self.StartReached())

    def go(self, record: Record) -> None:
        """Put the cursor on this record, if it is in the list."""
        keys = [self._key(each) for each in self._records]
        if self._key(record) in keys:
            self._put(keys.index(self._key(record)))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if new_value > old_value and new_value >= self.max_scroll_y > 0:
            self.post_message(self.EndReached())
        elif new_value < old_value and new_value <= 0:
            self.post_message(self.StartReached())

    @property
    def page(self) -> int:
        """How many records a page moves."""
        return max(1, self.size.height - 1)

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        place = y + self.scroll_offset.y
        if place >= len(self._records):
            return Strip.blank(width, self.rich_style)
        record = self._records[place]
        chosen = self._key(record) == self._at
        base = self.get_component_rich_style("record-list--cursor") if chosen else self.rich_style
        line = join(("▌" if chosen else " ", ACCENT), self._draw(record, width - 1))
        return self.painter.strip(line, width, base)

    def on_click(self, event: events.Click) -> None:
        place = event.y + self.scroll_offset.y
        if place < len(self._records):
            self._put(place)

    def _place(self) -> int:
        keys = [self._key(record) for record in self._records]
        return keys.index(self._at) if self._at in keys else 0

    def _put(self, place: int) -> None:
        self._at = self._key(self._records[place])
        height = self.size.height
        if height and not 0 <= place - self.scroll_offset.y < height:
            top = place if place < self.scroll_offset.y else place - height + 1
            self.scroll_to(y=top, animate=False, immediate=True)
        self.refresh()
        self.post_message(self.Moved())
