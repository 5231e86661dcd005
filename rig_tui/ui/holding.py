"""Holding an answer for a moment, in case its key was part of something else.

A paste without brackets arrives as keys a millisecond apart, and its first key looks
like any other. So the answer of a single key is painted at once and sent a moment
later, unless another key or a paste comes meanwhile (T7-06).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.domain.commands import Command
    from rig_tui.ui.screens.board import Board

HOLD_SECONDS = 0.08
"""How long an answer is held after its key was pressed."""
TURNS_TO_THE_APP = 4
"""Turns of the loop that a key takes from the terminal's thread to the app's queue, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """An answer whose key has come and that isn't sent yet."""

    command: Command
    label: str
    content: object
    """What was on screen when its key came."""


class Over(Message):
    """The wait of a held answer has ended.

    It takes the way keys take, from the focus up to the board: whatever was pressed
    before it was sent arrives before it.
    """

    def __init__(self, held: Held) -> None:
        super().__init__()
        self.held = held


class Holding:
    """The one answer that is held, if any."""

    def __init__(self, board: Board, seconds: float, send: Callable[[Command, str], None]) -> None:
        self._board = board
        self._seconds = seconds
        self._send = send
        self._held: Held | None = None

    @property
    def label(self) -> str:
        """The held answer in words; empty when none is held."""
        return self._held.label if self._held is not None else ""

    def hold(self, command: Command, label: str) -> None:
        """Send this once the wait after its key is over, and paint that it will be."""
        if not self._seconds:
            self._send(command, label)
            return
        board = self._board
        held = self._held = Held(command, label, board.pane.content)
        board.pane.answer(command, label)
        left = max(0.0, self._seconds - board.arming.quiet_for())
        board.set_timer(left, lambda: self.end(held))

    async def end(self, held: Held) -> None:
        """The wait is over: send it, unless a key is on its way."""
        for _ in range(TURNS_TO_THE_APP):
            await asyncio.sleep(0)
        self._board.app.call_later(self._deliver, held)

    def let_go(self) -> bool:
        """Forget the held answer; True when there was one."""
        was, self._held = self._held, None
        if was is not None:
            self._board.pane.answer(None)
        return was is not None

    def over(self, held: Held) -> str:
        """Send what was held until now; gives why not, in words."""
        if held is not self._held:
            return ""
        self.let_go()
        if self._board.pane.content != held.content:
            return self._board.pane.with_changes("The ask changed as you answered")
        self._send(held.command, held.label)
        return ""

    def _deliver(self, held: Held) -> None:
        focused = self._board.focused
        (focused if focused is not None else self._board).post_message(Over(held))
