"""The reply box: words for one ask, and what they would do, said before they can go.

Rule of this file: what is sent is the preview that was painted, for the row that was
painted. Words that are no answer take a second, different step, and reject comes first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input

from rig_tui.actions import messaging, replying
from rig_tui.actions.replying import Preview, Step
from rig_tui.domain import drafts, select
from rig_tui.domain.model import Sending
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, join
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
from rig_tui.ui.present.roles import ACCENT_STRONG, DANGER, DIM, KEY, NAME
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.screens.asking import BACK, Confirm
from rig_tui.ui.screens.composing import BURST, ROOMY_HEIGHT, WIDEST, Composing
from rig_tui.ui.widgets.lines import Lines, ScrollingLines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from rich.text import Text
    from textual import events
    from textual.app import ComposeResult
    from textual.widget import Widget

    from rig_tui.domain.drafts import Draft
    from rig_tui.domain.model import Ask, Fleet, SeatId, Sent
    from rig_tui.ui.arming import Arming
    from rig_tui.ui.present.reply import OfferRow
    from rig_tui.ui.screens.composing import Console

CHANGED = "the ask has changed since this box was opened. Esc goes back to it"
NOT_YET = "The words have only just changed. Read what they do, then press it again."
TOO_SMALL = "What the words do isn't wholly visible. Make the window larger; nothing was sent."
THE_WORD = "PERMIT"


class ReplyScreen(Composing):
    """Words for the ask that was shown when it was opened, and for no other."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+r", "reject", show=False)]

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
            self.say("That is for words that are no answer. ctrl+s sends a plain one.")
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
            PermitWord(shown.consequence, self.desk.arming)
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
            self.say(f"{why[:1].upper()}{why[1:]}. Nothing was sent; your words are kept.")
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
        return sent_lines(sent, None, self.desk.now(), self.desk.fleet.link.clock_offset)

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
        )

    def _keys(self, shown: Preview, why: str | None) -> list[tuple[str, str]]:
        back = ("esc", "back, the draft is kept" if self.roomy and self.text.strip() else "back")
        match shown.step:
            case _ if why is not None:
                return [back]
            case Step.NOTHING:
                return [back]
            case Step.SEND:
                return [("ctrl+s", "send"), back]
            case Step.CONFIRM:
                return [("ctrl+s", "send…"), back]
            case Step.CHOOSE if self.offers.has_focus:
                return [("↑↓", "move"), ("enter", "open"), ("tab", "the words")]
            case Step.CHOOSE:
                return [("enter", "new line"), ("tab", "to the choices")]


class Offers(Lines, can_focus=True):
    """What is offered for words that are no answer; the cursor starts on Back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("enter", "choose", show=False),
    ]

    class Moved(Message):
        """The cursor, or the focus, has moved."""

    class Chosen(Message):
        """The operator chose one."""

        def __init__(self, offer: Offer, *, clicked: bool) -> None:
            super().__init__()
            self.offer = offer
            self.clicked = clicked

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.at = Offer.BACK
        self._offers: list[Offer] = []
        self._gap = 0

    def show_rows(self, rows: Sequence[OfferRow], width: int, gap: list[Text]) -> int:
        """Draw these offers and say how many rows they take."""
        lines: list[Text] = list(gap) if rows else []
        self._gap = len(lines)
        self._offers = []
        for row in rows:
            drawn = wrap([row.line], width)
            lines += drawn
            self._offers += [row.offer] * len(drawn)
        self.display = bool(rows)
        self.show(lines)
        return len(lines)

    def on_focus(self) -> None:
        self.at = Offer.BACK
        self.post_message(self.Moved())

    def on_blur(self) -> None:
        self.post_message(self.Moved())

    def on_click(self, event: events.Click) -> None:
        line = event.y - self._gap
        if 0 <= line < len(self._offers):
            self.post_message(self.Chosen(self._offers[line], clicked=True))

    def action_move(self, by: int) -> None:
        order = list(Offer)
        self.at = order[max(0, min(len(order) - 1, order.index(self.at) + by))]
        self.post_message(self.Moved())

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self.at, clicked=False))


class PermitWord(ModalScreen[bool], inherit_bindings=False):
    """The last step before hesitant words permit: PERMIT, typed, then ctrl+s."""

    BINDINGS: ClassVar[list[BindingType]] = [*BACK, Binding("ctrl+s", "go_on", show=False)]

    def __init__(self, consequence: str, arming: Arming) -> None:
        super().__init__()
        self._consequence = consequence
        self._arming = arming
        self._trouble = False

    def compose(self) -> ComposeResult:
        with Vertical(id="permit-word"):
            yield ScrollingLines(id="permit-word-says")
            yield Input(id="permit-word-field", placeholder=f"type {THE_WORD}")
            yield Lines(id="permit-word-keys")

    def on_mount(self) -> None:
        box = self.query_one("#permit-word", Vertical)
        box.border_title = Content("These words read like a no, or like hesitation")
        self.query_one(Input).focus()
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_key(self, event: events.Key) -> None:
        self._arming.key()

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
        keys = join(("ctrl+s", KEY), (" permit and send", NAME), "  ",
                    ("esc", KEY), (" back", DIM))  # fmt: skip
        below = wrap([*(trouble if self._trouble else []), keys], width)
        self.query_one("#permit-word-keys", Lines).show(below)
        roomy = self.app.size.height >= ROOMY_HEIGHT
        self.set_class(roomy, "-roomy")
        says = self.query_one("#permit-word-says", ScrollingLines)
        says.show(wrap([join((words, DANGER))], width))
        room = self.app.size.height - 3 - len(below) - (2 if roomy else 0)
        says.styles.height = max(1, min(len(says.lines), room))
