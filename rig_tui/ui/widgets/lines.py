"""Widgets that draw lines of role-styled text, whole or scrolling."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView

from rig_tui.ui.paint import Painted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.binding import BindingType
    from textual.strip import Strip


class Lines(Painted):
    """A block of lines, as tall as they are many. It draws what it is given."""

    DEFAULT_CSS = """
    Lines { height: auto; width: 1fr; }
    """

    class Clicked(Message):
        """A line was clicked."""

        def __init__(self, lines: Lines, line: int) -> None:
            super().__init__()
            self.lines = lines
            self.line = line

        @property
        def control(self) -> Lines:
            return self.lines

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: tuple[Text, ...] = ()

    @property
    def lines(self) -> tuple[Text, ...]:
        """What is drawn, a line each."""
        return self._lines

    def show(self, lines: Sequence[Text]) -> None:
        """Draw these lines; the layout moves only when their number changes."""
        fresh = tuple(lines)
        if fresh == self._lines and [t.spans for t in fresh] == [t.spans for t in self._lines]:
            return
        taller = len(fresh) != len(self._lines)
        self._lines = fresh
        self.refresh(layout=taller)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return max((line.cell_len for line in self._lines), default=0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines)

    def render_line(self, y: int) -> Strip:
        line = self._lines[y] if y < len(self._lines) else Text()
        return self.painter.strip(line, self.size.width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Clicked(self, event.y))


class ScrollingLines(ScrollView, Painted, can_focus=False, inherit_bindings=False):
    """Lines that scroll; only the visible ones are painted."""

    DEFAULT_CSS = """
    ScrollingLines { height: 1fr; width: 1fr; overflow-x: hidden; overflow-y: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = []

    class Scrolled(Message):
        """How much lies below the last visible line has changed."""

        def __init__(self, lines: ScrollingLines) -> None:
            super().__init__()
            self.lines = lines

        @property
        def control(self) -> ScrollingLines:
            return self.lines

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: tuple[Text, ...] = ()
        self._below = 0

    @property
    def lines(self) -> tuple[Text, ...]:
        """All the lines, visible or not."""
        return self._lines

    @property
    def below(self) -> int:
        """How many lines lie below the last visible one."""
        seen = self.scroll_offset.y + self.scrollable_content_region.height
        return max(0, len(self._lines) - seen)

    def show(self, lines: Sequence[Text], *, keep_place: bool = False) -> None:
        """Draw these lines, from the top unless the place is to be kept."""
        self._lines = tuple(lines)
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._lines))
        if not keep_place:
            self.scroll_to(y=0, animate=False, immediate=True)
        self.refresh()
        self._tell()

    def render_line(self, y: int) -> Strip:
        index = self.scroll_offset.y + y
        line = self._lines[index] if index < len(self._lines) else Text()
        return self.painter.strip(line, self.scrollable_content_region.width, self.rich_style)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._tell()

    def on_resize(self) -> None:
        self._tell()

    def _tell(self) -> None:
        below = self.below
        if below != self._below:
            self._below = below
            self.post_message(self.Scrolled(self))
