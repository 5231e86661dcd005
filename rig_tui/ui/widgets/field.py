"""A field for one line of words, in a dialog whose keys answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.ui.widgets.line_input import LineInput

if TYPE_CHECKING:
    from textual import events

    from rig_tui.ui.arming import Arming


class Field(LineInput):
    """A field that tells of its keys: what is typed here goes no further.

    Words that are pasted as keys may hold a tab and the dialog's last key.
    """

    def __init__(self, arming: Arming, value: str, placeholder: str, *, id: str) -> None:
        super().__init__(value, placeholder=placeholder, id=id)
        self._arming = arming

    def on_key(self, event: events.Key) -> None:
        if event.is_printable:
            self._arming.pressed(event)
