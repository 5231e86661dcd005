"""The reply box: words for one ask, and what they would do, said before they can go.

Rule of this file: what is sent is the preview that was painted, for the row that was
painted. Words that are no answer take a second, different step, and reject comes first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rig_tui.actions import messaging, replying
from rig_tui.actions.replying import Preview, Step
from rig_tui.domain import drafts, select
from rig_tui.domain.model import Sending
from rig_tui.domain.sentence import sentence
from rig_tui.ui.present.outcome import sent_lines
from rig_tui.ui.present.reply import (
    Offer,
    abort_lines,
    effect_lines,
    fate_lines,
    offer_rows,
    reply_title,
    trouble_line,
)
from rig_tui.ui.screens.asking import Confirm
from rig_tui.ui.screens.composing import BURST, Composing
from rig_tui.ui.screens.permit_word import PermitWord
from rig_tui.ui.spot_keys import bound
from rig_tui.ui.widgets.offers import Offers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from rich.text import Text
    from textual.binding import BindingType
    from textual.screen import ModalScreen
    from textual.widget import Widget

    from rig_tui.domain.drafts import Draft
    from rig_tui.domain.model import Ask, Fleet, SeatId, Sent
    from rig_tui.ui.present.lines import Line
    from rig_tui.ui.present.reply import OfferRow
    from rig_tui.ui.screens.composing import Console

CHANGED = "the ask has changed since this box was opened. Esc goes back to it"
NOT_YET = "The words have only just changed. Read what they do, then press it again."
TOO_SMALL = "What the words do isn't wholly visible. Make the window larger; nothing was sent."


class ReplyScreen(Composing):
    """Words for the ask that was shown when it was opened, and for no other."""

    BINDINGS: ClassVar[list[BindingType]] = [bound("words.reject", "reject")]

    def __init__(self, ask: Ask, text: str, desk: Console) -> None:
        super().__init__(text, desk)
        self._ask = ask
        self._bound = desk.content
        self._painted: Preview | None = None
        self._wholly = False
        self._sent_key = ""

    def below(self) -> Sequence[Widget]:
        return (Offers(id="composing-offers"),)

    @property
    def offers(self) -> Offers:
        """What can be done with words that are no answer."""
        return self.query_one(Offers)

    def title_words(self) -> Text:
        return reply_title(self._ask)

    def draft(self) -> Draft:
        return drafts.for_ask(self._ask, self.text)

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        """Draw what the words would do now; close once they were recorded."""
        self._ask = fleet.asks.get(self._ask.ask_id, self._ask)
        sent = self._sent
        if sent is not None and sent.state is Sending.DONE:
            self.dismiss(None)
        else:
            self.draw()

    def draw(self) -> None:
        shown = replying.preview(self._ask, self.text)
        why = self._why_not()
        self.area.read_only = self._sending
        rows = [] if why else self._offer_rows(shown)
        must = [*self._verdict_lines(), *([trouble_line(why)] if why else [])]
        may: list[Line] = []
        if self._ask.pending:
            must += effect_lines(shown)
            may = fate_lines(shown, self.desk.fleet.link.contract)
        if messaging.is_abort(self.text):
            may = [*abort_lines(), *may]
        offered = self.offers.show_rows(rows, self.width, self.gap)
        self._wholly = self.lay_out(must, may, keys=self._keys(shown, why), taken=offered)
        if shown != self._painted:
            self._painted = None
            self.call_after_refresh(self._seen, shown)

    def on_offers_moved(self, message: Offers.Moved) -> None:
        message.stop()
        self.draw()

    def on_offers_chosen(self, message: Offers.Chosen) -> None:
        message.stop()
        match message.offer:
            case Offer.BACK:
                self.action_back()
            case Offer.GO_ON:
                self._go_on()
            case Offer.REJECT:
                self._reject(confirmed=message.clicked)

    def action_send(self) -> None:
        """Send a plain answer; words that are none only move to the offers."""
        shown = self._ready()
        if shown is None:
            return
        match shown.step:
            case Step.NOTHING:
                self.say("There is nothing to send: an empty reply does nothing.")
            case Step.SEND:
                self._send(shown)
            case Step.CONFIRM:
                strip = Confirm(replying.quoted(shown), shown.consequence, self.desk.arming)
                self._then(strip, shown, self._send)
            case Step.CHOOSE:
                self.offers.focus()

    def action_reject(self) -> None:
        """Reject now, and keep the words for after the turn."""
        self._reject(confirmed=True)

    def _reject(self, *, confirmed: bool) -> None:
        shown = self._ready()
        if shown is None:
            return
        if shown.step is not Step.CHOOSE:
            words = "That is for words that are no answer."
            self.say(f"{words} {self.key('send')} sends a plain one.")
            return
        command, label = replying.reject_and_explain(self._ask)

        def reject(_: Preview) -> None:
            self.desk.keep(drafts.for_ask(self._ask, self.text, after_turn=True))
            self.desk.mean(command, label)
            self.dismiss(None)

        if confirmed and not replying.reject_is_remembered(self._ask):
            reject(shown)
        else:
            self._then(Confirm("Reject now, and keep the words", label, self.desk.arming),
                       shown, reject)  # fmt: skip

    def _go_on(self) -> None:
        """Send words as they are, after the last step that takes."""
        shown = self._ready()
        if shown is None or shown.step is not Step.CHOOSE:
            return
        strip: ModalScreen[bool] = (
            PermitWord(shown.consequence, self.desk.arming, self.key("send"))
            if shown.needs_the_word
            else Confirm(replying.quoted(shown), shown.consequence, self.desk.arming)
        )
        self._then(strip, shown, self._send)

    def _then(
        self, strip: ModalScreen[bool], shown: Preview, then: Callable[[Preview], None]
    ) -> None:
        def closed(yes: bool | None) -> None:
            if yes and self._ready() == shown:
                then(shown)

        self.app.push_screen(strip, closed)

    def _send(self, shown: Preview) -> None:
        self.desk.mean(replying.command_of(shown), replying.label_of(shown))
        sent = self.desk.fleet.sent.get(shown.ask_id)
        self._sent_key = sent.command_key if sent is not None else ""
        self.draw()

    def _ready(self) -> Preview | None:
        """What is painted, if that is what a key may act on now."""
        why = self._why_not()
        if why is not None:
            self.say(f"{sentence(why)} Nothing was sent; your words are kept.")
        elif self.desk.arming.in_burst:
            self.say(BURST)
        elif self._painted is None or self._painted != replying.preview(self._ask, self.text):
            self.say(NOT_YET)
        elif not self._wholly:
            self.say(TOO_SMALL)
        else:
            return self._painted
        return None

    def _why_not(self) -> str | None:
        why = replying.why_not_reply(self.desk.context(self._ask))
        if why is not None:
            return why
        return CHANGED if self.desk.content != self._bound else None

    def _seen(self, shown: Preview) -> None:
        """Take note that this has reached the screen."""
        if self.is_current and shown == replying.preview(self._ask, self.text):
            self._painted = shown

    @property
    def _sending(self) -> bool:
        return select.sending(self.desk.fleet, self._ask.ask_id)

    @property
    def _sent(self) -> Sent | None:
        """What this box sent last."""
        sent = self.desk.fleet.sent.get(self._ask.ask_id)
        return sent if sent is not None and sent.command_key == self._sent_key else None

    def _verdict_lines(self) -> list[Line]:
        sent = self._sent
        if sent is None:
            return []
        return sent_lines(sent, None, self.desk.now())

    def _offer_rows(self, shown: Preview) -> list[OfferRow]:
        if shown.step is not Step.CHOOSE:
            return []
        seat = select.seat_of(self.desk.fleet, self._ask)
        return offer_rows(
            shown,
            self._ask,
            deliverable=drafts.deliverable(self.desk.fleet, seat),
            at=self.offers.at if self.offers.has_focus else None,
            brief=not self.roomy,
            reject_key=self.key("reject"),
        )

    def _keys(self, shown: Preview, why: str | None) -> list[tuple[str, str]]:
        back = ("esc", "back, the draft is kept" if self.roomy and self.text.strip() else "back")
        match shown.step:
            case _ if why is not None:
                return [back]
            case Step.NOTHING:
                return [back]
            case Step.SEND:
                return [(self.key("send"), "send"), back]
            case Step.CONFIRM:
                return [(self.key("send"), "send…"), back]
            case Step.CHOOSE if self.offers.has_focus:
                return [("↑↓", "move"), ("enter", "open"), ("tab", "the words")]
            case Step.CHOOSE:
                return [("enter", "new line"), ("tab", "to the choices")]
