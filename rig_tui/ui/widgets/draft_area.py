"""Where words are typed: Enter is a new line, Tab leaves, and nothing is sent from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import TextArea

from rig_tui.domain.inert import seen
from rig_tui.ui.ascii_only import AsciiOnly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.filter import LineFilter

    from rig_tui.ui.arming import Arming

MOST = 20_000
"""How many characters words can have."""


def clean(text: str) -> tuple[str, int]:
    """Text as it can be shown, and how many characters had to be left out of it.

    Control characters would reach the terminal, and bidi ones would show words in another
    order than they are sent in.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = seen(text, multiline=True)
    return kept, len(text) - len(kept)


class DraftArea(TextArea):
    """A text area for words to an agent."""

    def __init__(self, text: str, arming: Arming, *, id: str | None = None) -> None:
        super().__init__(
            clean(text)[0], id=id, tab_behavior="focus", highlight_cursor_line=False, compact=True
        )
        self.cursor_blink = False
        self._arming = arming

    def get_line_filters(self) -> Sequence[LineFilter]:
        # What is typed is what is sent: it is shown as it is.
        return [each for each in super().get_line_filters() if not isinstance(each, AsciiOnly)]

    def on_mount(self) -> None:
        self.move_cursor(self.document.end)

    def on_key(self, event: events.Key) -> None:
        # What is typed here goes no further, and would not be known as part of a burst.
        if event.is_printable or event.key == "enter":
            self._arming.pressed(event)

    def on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self._take(event.text)

    def action_paste(self) -> None:
        self._take(self.app.clipboard)

    def _take(self, pasted: str) -> None:
        text, left_out = clean(pasted)
        if self.read_only or not text:
            return
        if len(self.text) + len(text) > MOST:
            words = f"That makes more than {MOST:,} characters. Nothing was pasted."
            self.notify(words, severity="warning")
            return
        if left_out:
            words = f"{left_out} character{'' if left_out == 1 else 's'} nobody can see left out."
            self.notify(words)
        result = self._replace_via_keyboard(text, *self.selection)
        if result is not None:
            self.move_cursor(result.end_location)
