"""The last step before hesitant words permit: PERMIT, typed, then ctrl+s (T7-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import join
from rig_tui.ui.present.roles import ACCENT_STRONG, DANGER, DIM, KEY, NAME
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.screens.asking import BACK
from rig_tui.ui.screens.composing import ROOMY_HEIGHT, WIDEST
from rig_tui.ui.spot_keys import bound
from rig_tui.ui.widgets.field import Field
from rig_tui.ui.widgets.lines import Lines, ScrollingLines

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from rig_tui.ui.arming import Arming

THE_WORD = "PERMIT"


class PermitWord(ModalScreen[bool], inherit_bindings=False):
    """Asks for the word. Enter is never an answer, and Esc goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *BACK,
        bound("words.send", "go_on"),
    ]

    def __init__(self, consequence: str, arming: Arming, key: str) -> None:
        super().__init__()
        self._consequence = consequence
        self._arming = arming.inner(self)
        self._key = key
        self._trouble = False

    def compose(self) -> ComposeResult:
        with Vertical(id="permit-word"):
            yield ScrollingLines(id="permit-word-says")
            yield Field(self._arming, "", f"type {THE_WORD}", id="permit-word-field")
            yield Lines(id="permit-word-keys")

    def on_mount(self) -> None:
        box = self.query_one("#permit-word", Vertical)
        box.border_title = Content("These words read like a no, or like hesitation")
        self.query_one(Input).focus()
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_key(self, event: events.Key) -> None:
        self._arming.pressed(event)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Enter is never an answer."""
        message.stop()
        self._draw()

    def action_back(self) -> None:
        self.dismiss(False)

    def action_go_on(self) -> None:
        if self.query_one(Input).value.strip() == THE_WORD and not self._arming.in_burst:
            self.dismiss(True)
            return
        self._trouble = True
        self._draw()

    def _draw(self) -> None:
        width = max(20, min(WIDEST, self.app.size.width) - 7)
        words = inert(self._consequence, rtl_tokens=True).plain
        trouble = [join((f"Type {THE_WORD}, in capitals.", ACCENT_STRONG))]
        keys = join((self._key, KEY), (" permit and send", NAME), "  ",
                    ("esc", KEY), (" back", DIM))  # fmt: skip
        below = wrap([*(trouble if self._trouble else []), keys], width)
        self.query_one("#permit-word-keys", Lines).show(below)
        roomy = self.app.size.height >= ROOMY_HEIGHT
        self.set_class(roomy, "-roomy")
        says = self.query_one("#permit-word-says", ScrollingLines)
        says.show(wrap([join((words, DANGER))], width))
        room = self.app.size.height - 3 - len(below) - (2 if roomy else 0)
        says.styles.height = max(1, min(len(says.lines), room))
