"""Records, newest first, a line each; the cursor is a record, never a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from rich.text import Text
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from rig_tui.ui.paint import Painted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
        """The cursor stands on the last record."""

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
        """Show these records; the cursor stays on its own where it is still there."""
        self._records = records
        if self.current is None:
            self._at = self._key(records[0]) if records else None
        self.virtual_size = Size(self.scrollable_content_region.width, len(records))
        self.refresh()
        self.post_message(self.Moved())

    def move(self, by: int) -> None:
        """Move the cursor, stopping at the ends."""
        if not self._records:
            return
        place = max(0, min(len(self._records) - 1, self._place() + by))
        self._put(place)
        if place == len(self._records) - 1:
            self.post_message(self.EndReached())

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
        mark = Text("▌" if chosen else " ", style="accent")
        return self.painter.strip(mark + self._draw(record, width - 1), width, base)

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
