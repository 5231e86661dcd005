"""Small dialogs between a key and its command. Esc is always back, never an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input

from rig_tui.actions.answering import needs_confirming
from rig_tui.domain import mapping
from rig_tui.domain.model import Option
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, join, paint
from rig_tui.ui.present.roles import ACCENT_STRONG, DANGER, DANGER_STRONG, DIM, FAINT, KEY, NAME
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.widgets.lines import Lines, ScrollingLines

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult

    from rig_tui.ui.arming import Arming

FRAME = 4
"""The rows of a dialog that its border, its field and the gap below that take."""
BACK: list[BindingType] = [Binding("escape", "back", show=False)]


class Confirm(ModalScreen[bool], inherit_bindings=False):
    """A strip with a consequence; `Y` goes on, anything else cancels."""

    def __init__(self, label: str, consequence: str, arming: Arming) -> None:
        super().__init__()
        self._label = label
        self._consequence = consequence
        self._arming = arming

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
        self._arming.key()
        body = self.query_one(ScrollingLines)
        moves = {"down": 1, "up": -1}
        if body.below and event.character == "Y":
            moves = {event.key: body.size.height}
        if event.key in moves and len(body.lines) > body.size.height:
            y = body.scroll_offset.y + moves[event.key]
            body.scroll_to(y=y, animate=False, immediate=True)
            self._draw_keys()
            return
        self.dismiss(event.character == "Y" and not self._arming.in_burst)

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
        self._arming = arming
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
        self._arming.key()
        digit = event.character or ""
        if digit.isascii() and digit.isdigit() and 1 <= int(digit) <= len(self._options):
            event.stop()
            if not self._arming.in_burst:
                self.dismiss(self._options[int(digit) - 1])
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
            self.dismiss(self._options[chosen[-1]])

    def action_back(self) -> None:
        self.dismiss(None)

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


class Words(ModalScreen[str | None], inherit_bindings=False):
    """A dialog that needs a reason, or a name, before there is a command.

    `explain` is drawn above the field. With `final` a key (`Y`) outside the field
    goes on, once all of `explain` was shown, and the dialog opens with *Back* focused;
    without it Enter in the field does. A `wordless` dialog has no field at all, only its
    `final` key; without one it only tells.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *BACK,
        Binding("tab", "app.focus_next", show=False),
        Binding("shift+tab", "app.focus_previous", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(5)", show=False),
        Binding("pageup", "scroll(-5)", show=False),
    ]

    def __init__(
        self,
        title: str,
        explain: list[Line | Text],
        *,
        prefilled: str = "",
        placeholder: str = "",
        final: str | None = None,
        wordless: bool = False,
        accept: Callable[[str], str | None] = lambda text: (
            None if text.strip() else "can't be blank"
        ),
        arming: Arming,
    ) -> None:
        super().__init__()
        self._title = title
        self._explain = explain
        self._prefilled = prefilled
        self._placeholder = placeholder
        self._final = final
        self._accept = accept
        self._wordless = wordless
        self._arming = arming
        self._trouble = ""
        self._whole = False
        """Whether all that is explained has been on screen."""

    def compose(self) -> ComposeResult:
        with Vertical(id="words"):
            yield ScrollingLines(id="words-explain")
            if not self._wordless:
                yield Input(self._prefilled, placeholder=self._placeholder, id="words-field")
            yield Lines(id="words-keys")
            if self._has_back:
                yield Back("  Back: nothing is sent  ", id="words-back")

    def on_mount(self) -> None:
        box = self.query_one("#words", Vertical)
        box.border_title = Content(self._title)
        (self.query_one(Back) if self._has_back else self.query_one(Input)).focus()
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_key(self, event: events.Key) -> None:
        self._arming.key()
        if self._final is None or isinstance(self.focused, Input):
            return
        if event.character == "Y" and not self._arming.in_burst:
            event.stop()
            if not self._whole:
                self.action_scroll(self.query_one("#words-explain", ScrollingLines).size.height)
            elif self._wordless:
                self.dismiss("")
            else:
                self._finish(self.query_one(Input).value)

    @property
    def _has_back(self) -> bool:
        return self._wordless or self._final is not None

    def on_scrolling_lines_scrolled(self, message: ScrollingLines.Scrolled) -> None:
        message.stop()
        if not message.lines.below and not self._whole:
            self._whole = True
            self._draw()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        if self._final is None:
            self._finish(message.value)
        else:
            self.query_one(Back).focus()

    def on_back_pressed(self) -> None:
        self.dismiss(None)

    def action_back(self) -> None:
        self.dismiss(None)

    def action_scroll(self, by: int) -> None:
        """Scroll what is explained, where it doesn't all fit."""
        explain = self.query_one("#words-explain", ScrollingLines)
        explain.scroll_to(y=explain.scroll_offset.y + by, animate=False, immediate=True)

    def _finish(self, text: str) -> None:
        trouble = self._accept(text)
        if trouble is None:
            self.dismiss(text.strip())
            return
        self._trouble = trouble
        self._draw()

    def _draw(self) -> None:
        width = max(20, min(76, self.app.size.width - 8))
        back = (("esc", KEY), (" back", DIM))
        if self._final is None and self._wordless:
            keys = join(*back)
        elif self._final is None:
            keys = join(("enter", KEY), (" go on", DIM), "   ", *back)
        else:
            tab = () if self._wordless else (("tab", KEY), (" to the reason and back   ", DIM))
            final = (f" {self._final}", DANGER_STRONG) if self._whole else (" shows the rest", DIM)
            keys = join(("Y", KEY), final, "   ", *tab, *back)
        trouble = [join((self._trouble, ACCENT_STRONG))] if self._trouble else []
        below = wrap([*trouble, keys], width)
        self.query_one("#words-keys", Lines).show(below)
        explain = self.query_one("#words-explain", ScrollingLines)
        explain.show([*wrap(self._explain, width), Text()], keep_place=True)
        taken = FRAME + len(below) + (1 if self._has_back else 0)
        explain.styles.height = max(1, min(len(explain.lines), self.app.size.height - taken))


class Back(Lines, can_focus=True):
    """The way out of a dialog, focused first."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "press", show=False)]

    class Pressed(Message):
        """The operator goes back."""

    def __init__(self, words: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._words = words

    def on_mount(self) -> None:
        self.show([join((self._words, NAME))])

    def action_press(self) -> None:
        self.post_message(self.Pressed())

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Pressed())
