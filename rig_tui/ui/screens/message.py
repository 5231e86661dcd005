"""A message to a seat: a prompt of its own, never an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from rig_tui.actions import messaging
from rig_tui.domain import drafts
from rig_tui.domain.commands import SendMessage
from rig_tui.domain.sentence import sentence
from rig_tui.ui.present.message import message_lines, message_title
from rig_tui.ui.present.reply import abort_lines
from rig_tui.ui.screens.composing import BURST, Composing
from rig_tui.ui.spot_keys import bound

if TYPE_CHECKING:
    from datetime import datetime

    from rich.text import Text
    from textual.binding import BindingType

    from rig_tui.domain.drafts import Draft
    from rig_tui.domain.model import Fleet, SeatId
    from rig_tui.ui.screens.composing import Console


class MessageScreen(Composing):
    """Words for the seat's occupant that they were written to, and for no later one."""

    BINDINGS: ClassVar[list[BindingType]] = [bound("words.copy", "copy")]

    def __init__(self, draft: Draft, desk: Console) -> None:
        super().__init__(draft.text, desk)
        self._draft = draft
        self._on_its_way = False

    def title_words(self) -> Text:
        return message_title(self._draft)

    def draft(self) -> Draft:
        return replace(self._draft, text=self.text, sent=None)

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        """Draw where the words would go now; close once they were taken."""
        held = fleet.drafts.get(self._draft.key)
        if held is None and self._on_its_way:
            self.dismiss(None)
            return
        self._draft = held or replace(self._draft, sent=None)
        self._on_its_way = self._draft.sending
        self.draw()

    def draw(self) -> None:
        self.area.read_only = self._draft.sending
        why = self._why_not()
        lines = message_lines(self.desk.fleet, self._draft, why)
        if messaging.is_abort(self.text):
            lines = [*abort_lines(), *lines]
        keys = [(self.key("send"), "send")] if why is None and self.text.strip() else []
        keys += [(self.key("copy"), "copy")] if self.text.strip() else []
        self.lay_out(lines, (), keys=[*keys, ("esc", "back")])

    def action_send(self) -> None:
        """Send the words, once, as an ordinary message."""
        why = self._why_not()
        seat = drafts.occupied_seat(self.desk.fleet, self._draft.seat_ref)
        if why is not None:
            self.say(f"{sentence(why)} Nothing was sent; your words are kept.")
        elif not self.text.strip() or seat is None:
            self.say("There is nothing to send.")
        elif self.desk.arming.in_burst:
            self.say(BURST)
        else:
            self.desk.keep(self.draft())
            self._on_its_way = True
            self.desk.mean(SendMessage(seat.session_name, self.text), f"message to {seat.seat_ref}")

    def action_copy(self) -> None:
        """Copy the words, which stay here."""
        if self.text.strip():
            self.desk.copy(self.text)

    def _why_not(self) -> str | None:
        return messaging.why_not_send(self.desk.context(None), self._draft)
