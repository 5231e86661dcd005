"""Where words are written: which box opens, for whom, and what its words become.

Rule of this file: a box is opened for what the board shows at that moment and stays
bound to it; leaving one never drops its words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.domain import drafts
from rig_tui.domain.events import DraftKept
from rig_tui.ui.screens.asking import Confirm
from rig_tui.ui.screens.message import MessageScreen
from rig_tui.ui.screens.reply import ReplyScreen

if TYPE_CHECKING:
    from datetime import datetime

    from textual.screen import ModalScreen

    from rig_tui.actions.action import Context
    from rig_tui.domain.commands import Command
    from rig_tui.domain.drafts import Draft
    from rig_tui.domain.model import Ask, Fleet
    from rig_tui.ui.app import RigApp
    from rig_tui.ui.arming import Arming


class Desk:
    """What a box for words needs of the console, and who opens it."""

    def __init__(self, app: RigApp) -> None:
        self._app = app

    @property
    def fleet(self) -> Fleet:
        return self._app.fleet

    @property
    def arming(self) -> Arming:
        return self._app.board.arming

    @property
    def content(self) -> object:
        """What the board shows of its ask: a reply is about this and nothing else."""
        return self._app.board.pane.content

    def now(self) -> datetime:
        """The time, aware."""
        return self._app.setup.now()

    def context(self, ask: Ask | None) -> Context:
        """What an action on this ask is judged by; a box needs no arming of its own."""
        return replace(self._app.board.context, ask=ask, unarmed="")

    def keep(self, draft: Draft) -> None:
        """Keep words as they stand; blank ones are dropped."""
        self._app.apply((DraftKept(draft),))

    def mean(self, command: Command, label: str) -> None:
        """Say what the operator wants done."""
        self.arming.disarm()
        self._app.outbox.do(command, label, self._app.board.showing.seen())

    def copy(self, text: str) -> None:
        """Copy words, and say where they are."""
        self._app.outside.copy_words(text)

    def reply(self) -> None:
        """Open the reply box for the shown ask, or the words kept for one that has ended."""
        ask = self._app.board.ask
        if ask is None:
            return
        held = drafts.kept_for(self.fleet, ask)
        if ask.pending:
            self._open(ReplyScreen(ask, held.text if held else "", self))
        elif held is not None:
            self._open(MessageScreen(held, self))

    def message(self) -> None:
        """Write to the selected seat, or go on with what is kept for it."""
        seat = self._app.board.seat
        if seat is not None:
            self._open(MessageScreen(drafts.message_to(self.fleet, seat), self))

    def kept_words(self) -> None:
        """Show the words whose turn has ended first."""
        waiting = drafts.offered(self.fleet)
        if waiting:
            self._open(MessageScreen(waiting[0], self))

    def leave(self) -> None:
        """Leave the console; words that would be lost are asked about first."""
        count = drafts.unsent(self.fleet)
        if not count:
            self._app.exit(0)
            return
        words = "Its words are" if count == 1 else "Their words are"
        strip = Confirm(
            f"Leave with {count} draft{'' if count == 1 else 's'} unsent",
            f"{words} lost. Asks go on waiting; the daemon stays.",
            self.arming,
        )
        self._app.push_screen(strip, lambda yes: self._app.exit(0) if yes else None)

    def _open(self, screen: ModalScreen[None]) -> None:
        self._app.push_screen(screen, self._closed)
        self._app.board.refresh_edges()

    def _closed(self, _: None) -> None:
        """Back on the board: a key meant for the box must not answer."""
        self.arming.disarm()
        self._app.show(None)
        board = self._app.board
        board.set_timer(self.arming.remaining() + 0.01, board.refresh_edges)
