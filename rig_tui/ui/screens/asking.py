"""Small dialogs between a key and its command. Esc is always back, never an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from rig_tui.actions.answering import needs_confirming
from rig_tui.domain import mapping
from rig_tui.domain.model import Option
from rig_tui.domain.sentence import sentence
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, join, paint
from rig_tui.ui.present.roles import DANGER, DIM, FAINT, KEY, NAME
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.widgets.lines import Lines, ScrollingLines

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from rig_tui.ui.arming import Arming

BACK: list[BindingType] = [Binding("escape", "back", show=False)]


class Confirm(ModalScreen[bool], inherit_bindings=False):
    """A strip with a consequence; `Y` goes on, anything else cancels.

    `Y` is an answer's last key: it counts only once the whole consequence has been on
    screen as long as an ask must be.
    """

    def __init__(self, label: str, consequence: str, arming: Arming) -> None:
        super().__init__()
        self._label = label
        self._consequence = consequence
        self._arming = arming.inner(self)

    def compose(self) -> ComposeResult:
        with Vertical(id="confirm"):
            yield ScrollingLines()
            yield Lines()

    def on_mount(self) -> None:
        box = self.query_one("#confirm", Vertical)
        box.border_title = Content("This needs a second key")
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self._arming.pressed(event)
        body = self.query_one(ScrollingLines)
        moves = {"down": 1, "up": -1}
        if body.below and event.character == "Y":
            moves = {event.key: body.size.height}
        if event.key in moves and len(body.lines) > body.size.height:
            y = body.scroll_offset.y + moves[event.key]
            body.scroll_to(y=y, animate=False, immediate=True)
            self._arming.disarm()
            self._draw_keys()
            return
        alone = event.character == "Y" and not self._arming.in_burst
        if alone and (why := self._arming.why_not()):
            self.notify(sentence(why))
            return
        self.dismiss(alone)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.dismiss(False)

    def _draw(self) -> None:
        width = max(20, self.app.size.width - 8)
        lines = wrap(
            [
                join((inert(self._label).plain, NAME)),
                join((inert(self._consequence).plain, DANGER)),
                Text(),
            ],
            width,
        )
        body = self.query_one(ScrollingLines)
        body.show(lines, keep_place=True)
        body.styles.height = max(1, min(len(lines), self.app.size.height - 5))
        self.call_after_refresh(self._draw_keys)

    def _draw_keys(self) -> None:
        """Say what the keys do; `Y` counts only once the whole consequence was shown."""
        self._arming.painted(self)
        below = self.query_one(ScrollingLines).below
        goes = (" shows the rest", DIM) if below else (" go on", DIM)
        keys = join(("Y", KEY), goes, "   ", ("any other key cancels", FAINT))
        self.query_one(Lines).show([keys])


class Chooser(ModalScreen[Option | None], inherit_bindings=False):
    """Options by label; a digit or a click picks one, nothing is preselected."""

    BINDINGS: ClassVar[list[BindingType]] = BACK

    def __init__(self, title: str, options: tuple[Option, ...], arming: Arming) -> None:
        super().__init__()
        self._title = title
        self._options = options
        self._arming = arming.inner(self)
        self._rows: list[int] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="chooser"):
            yield ScrollingLines()
            yield Lines()

    def on_mount(self) -> None:
        box = self.query_one("#chooser", Vertical)
        box.border_title = Content(self._title)
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_key(self, event: events.Key) -> None:
        self._arming.pressed(event)
        digit = event.character or ""
        if digit.isascii() and digit.isdigit() and 1 <= int(digit) <= len(self._options):
            event.stop()
            self._choose(self._options[int(digit) - 1])
        elif event.key in ("down", "up", "pagedown", "pageup"):
            event.stop()
            body = self.query_one(ScrollingLines)
            step = -1 if event.key.endswith("up") else 1
            page = body.size.height if event.key.startswith("page") else 1
            body.scroll_to(y=body.scroll_offset.y + step * page, animate=False, immediate=True)

    def on_click(self, event: events.Click) -> None:
        body = self.query_one(ScrollingLines)
        if event.widget is not body:
            return
        line = event.get_content_offset_capture(body).y + body.scroll_offset.y
        chosen = [index for index, start in enumerate(self._rows) if start <= line]
        if chosen and line < len(body.lines):
            self._arming.clicked()
            self._choose(self._options[chosen[-1]])

    def action_back(self) -> None:
        self.dismiss(None)

    def _choose(self, option: Option) -> None:
        if why := self._arming.why_not():
            self.notify(sentence(why))
        else:
            self.dismiss(option)

    def _draw(self) -> None:
        width = max(20, min(90, self.app.size.width - 8))
        lines: list[Text] = []
        self._rows = []
        for number, option in enumerate(self._options, 1):
            self._rows.append(len(lines))
            words = mapping.meaning(option.kind)
            risky = needs_confirming(option)
            head = join((f"{number}", KEY), "  ", paint(inert(option.name), NAME))
            tail = join("   ", (inert(words).plain, DANGER if risky else DIM))
            lines += wrap([Line(head, 3), Line(tail, 3)], width)
        body = self.query_one(ScrollingLines)
        body.show(lines, keep_place=True)
        body.styles.height = min(len(lines), max(3, self.app.size.height - 6))
        self.query_one(Lines).show(
            [Text(), join(("1-9", KEY), (" choose", DIM), "   ", ("esc", KEY), (" back", DIM))]
        )
        self.call_after_refresh(self._arming.painted, self)
