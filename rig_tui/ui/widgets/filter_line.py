"""The line below the list where the operator types what to look for.

It says what is typed and when they are done; nothing typed here is ever an answer.
"""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from rig_tui.ui.widgets.line_input import LineInput


class FilterLine(LineInput):
    """The words that rows must hold."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("down,up", "to_list", show=False),
    ]

    class Left(Message):
        """The operator goes back to the list."""

        def __init__(self, *, move: bool) -> None:
            super().__init__()
            self.move = move
            """Whether onto a row, or only away from here."""

    def __init__(self, text: str = "", *, id: str | None = None) -> None:
        super().__init__(placeholder="name, rig, tool kind, state", id=id)
        self.cursor_blink = False
        self.display = bool(text)
        self._first = text

    def on_mount(self) -> None:
        self.value = self._first

    def action_leave(self) -> None:
        """Clear what is typed, else go."""
        if self.value:
            self.value = ""
        else:
            self.post_message(self.Left(move=False))

    def action_to_list(self) -> None:
        self.post_message(self.Left(move=True))

    async def action_submit(self) -> None:
        self.post_message(self.Left(move=False))
