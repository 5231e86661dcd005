"""The dialog that needs a reason or a name, or that tells before a last key."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input

from rig_tui.domain.sentence import sentence
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.roles import ACCENT_STRONG, DANGER_STRONG, DIM, KEY, NAME
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.screens.asking import BACK
from rig_tui.ui.widgets.field import Field
from rig_tui.ui.widgets.lines import Lines, ScrollingLines

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult

    from rig_tui.ui.arming import Arming

FRAME = 4
"""The rows of the dialog that its border, its field and the gap below that take."""


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
        self._arming = arming.inner(self)
        self._trouble = ""
        self._whole = False
        """Whether all that is explained has been on screen."""

    def compose(self) -> ComposeResult:
        with Vertical(id="words"):
            yield ScrollingLines(id="words-explain")
            if not self._wordless:
                yield Field(self._arming, self._prefilled, self._placeholder, id="words-field")
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
        self._arming.pressed(event)
        if self._final is None or isinstance(self.focused, Input):
            return
        if event.character == "Y" and not self._arming.in_burst:
            event.stop()
            if why := self._arming.why_not():
                self.notify(sentence(why))
            elif not self._whole:
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
            self._arming.disarm()
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
        self.call_after_refresh(self._arming.painted, self)


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
