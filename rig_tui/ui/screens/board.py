"""The board: every seat on the left, what needs deciding on the right.

Rule of this file: it says what the operator meant and never decides an outcome. An
answer carries the ask id, row id and option id that were painted when the key came.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen

from rig_tui.actions.action import Action, Choose, Confirm, Context, Fill, Plan, Send, Show
from rig_tui.actions.answering import plan_option
from rig_tui.actions.registry import ACTIONS, key_words
from rig_tui.domain import select
from rig_tui.domain.commands import AnswerAsk, Command
from rig_tui.domain.model import Ask, Fleet, Option, Seat, SeatId
from rig_tui.domain.select import AskKey, Key, SeatKey
from rig_tui.ui.present.footer import Hint, footer_line
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.header import HeaderFacts, header_line
from rig_tui.ui.present.link import link_banner
from rig_tui.ui.present.permit import permit_row
from rig_tui.ui.present.seat_detail import asked_line, reading_line
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.screens import asking, dialogs
from rig_tui.ui.widgets.ask_pane import AskPane
from rig_tui.ui.widgets.fleet_list import FleetList
from rig_tui.ui.widgets.lines import Lines
from rig_tui.ui.widgets.seat_pane import SeatPane

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from textual import events
    from textual.app import ComposeResult

    from rig_tui.ui.arming import Arming

WIDE = 110
SAFE_WIDTH, SAFE_HEIGHT = 40, 12


Result = TypeVar("Result")


class Board(Screen[None], inherit_bindings=False):
    """The console's one place; everything else is an interruption of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(action.keys), f"operate('{action.id}')", action.label, id=action.id)
        for action in ACTIONS.values()
        if action.keys
    ]
    HORIZONTAL_BREAKPOINTS = [
        (0, "-narrow"),
        (WIDE, "-wide"),
    ]

    class Ready(Message):
        """The first frame is out."""

    class Meant(Message):
        """What the operator wants done, about what was painted."""

        def __init__(self, command: Command, label: str) -> None:
            super().__init__()
            self.command = command
            self.label = label

    class Wanted(Message):
        """Something the app shows: help, permits, the palette, the way out."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    class WholeWanted(Message):
        """The shown ask came cut; its whole is needed before it can be answered."""

        def __init__(self, ask_id: str) -> None:
            super().__init__()
            self.ask_id = ask_id

    def __init__(
        self,
        arming: Arming,
        *,
        barred: str = "",
        glyphs: Glyphs = UNICODE,
        goes_on: bool = False,
    ) -> None:
        super().__init__()
        self._goes_on = goes_on
        self.arming = arming
        """When answer keys are live; dialogs tell it of their keys too."""
        self._barred = barred
        self._glyphs = glyphs
        self._fleet = Fleet()
        self._now: datetime | None = None
        self._shown: Key | None = None
        self._seen: set[str] = set()
        self._met = False
        self._painted: object = None
        self._asked_whole: set[tuple[str, int]] = set()

    def compose(self) -> ComposeResult:
        yield Lines(id="header")
        with Horizontal(id="panes"):
            with Vertical(id="seats"):
                yield FleetList(glyphs=self._glyphs, id="fleet")
                yield Lines(id="seat-line")
            yield AskPane(glyphs=self._glyphs, id="ask")
            yield SeatPane(id="seat")
        yield Lines(id="stream")
        yield Lines(id="footer")

    def on_mount(self) -> None:
        self.query_one("#seats", Vertical).border_title = Content("Seats")
        self.query_one(FleetList).focus()
        self.call_after_refresh(self.post_message, self.Ready())

    def on_resize(self, event: events.Resize) -> None:
        tiny = event.size.width < SAFE_WIDTH or event.size.height < SAFE_HEIGHT
        self.set_class(tiny, "-tiny")
        self.set_class(event.size.height < 24, "-short")
        self._draw()

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        """Draw what changed; the shown ask changes only by the operator."""
        before, self._fleet, self._now = self._fleet, fleet, now
        self._meet()
        self.query_one(FleetList).show(fleet, now, touched)
        self._draw()
        if self._goes_on:
            self._go_on(before)

    def tick(self, now: datetime) -> None:
        """Let ages move on, where their words change."""
        self._now = now
        self.query_one(FleetList).tick(now)
        if self.ask is not None:
            self.query_one(AskPane).tick(now)
        self._draw_edges()

    @property
    def ask(self) -> Ask | None:
        """The shown ask."""
        if isinstance(self._shown, AskKey):
            return self._fleet.asks.get(self._shown.ask_id)
        return None

    @property
    def seat(self) -> Seat | None:
        """The selected seat, or the shown ask's."""
        if isinstance(self._shown, SeatKey):
            return self._fleet.seats.get(self._shown.seat_id)
        return select.seat_of(self._fleet, self.ask) if self.ask is not None else None

    @property
    def context(self) -> Context:
        """What an action is judged by, now."""
        return Context(self._fleet, self.ask, self.seat, self._barred, self.arming.why_not())

    @property
    def settled_context(self) -> Context:
        """The same, as if nothing needed arming: what could be done in a moment."""
        return replace(self.context, unarmed="")

    def _meet(self) -> None:
        """At the first picture of the fleet, and only then, show the most urgent ask."""
        waiting = {ask.ask_id for ask in select.pending_asks(self._fleet)}
        if not self._met and self._fleet.link.live:
            self._met = True
            self._seen = waiting
            first = select.first_ask(self._fleet)
            if first is not None:
                self._go(AskKey(first.ask_id))
                self.set_class(True, "-detail")
        self._seen &= waiting

    def _go_on(self, before: Fleet) -> None:
        """Once an answer given here is done, show the next ask, armed later than usual."""
        ask = self.ask
        if ask is None or ask.pending or ask.ask_id not in self._fleet.sent:
            return
        was = before.asks.get(ask.ask_id)
        if was is not None and was.pending:
            self._step(1)
            self.arming.linger()

    def _go(self, key: Key | None) -> None:
        self._shown = key
        if isinstance(key, AskKey):
            self._seen.add(key.ask_id)
        self.query_one(FleetList).select(key)

    def _draw(self) -> None:
        if self._now is None:
            return
        pane, seat_pane = self.query_one(AskPane), self.query_one(SeatPane)
        ask, seat = self.ask, self.seat
        pane.display = ask is not None
        seat_pane.display = ask is None
        if ask is not None:
            pane.show(ask, self._fleet, self._now)
            if self.arming.show(pane.content):
                self._changed_under()
            if ask.elided and (ask.ask_id, ask.version) not in self._asked_whole:
                self._asked_whole.add((ask.ask_id, ask.version))
                self.post_message(self.WholeWanted(ask.ask_id))
        else:
            self.arming.show(None)
            if seat is not None:
                seat_pane.show(seat, self._fleet, self._now)
            else:
                seat_pane.show_nothing(self._nothing())
        self._draw_edges()

    def _nothing(self) -> str:
        new = len(self._new())
        if new:
            return f"{new} waiting. n shows the first."
        return "Nobody needs you. Asks are listed here as they arrive; none opens by itself."

    def _new(self) -> list[Ask]:
        return [a for a in select.pending_asks(self._fleet) if a.ask_id not in self._seen]

    def _draw_edges(self) -> None:
        if self._now is None or not self.size.width:
            return
        fleet, now, width = self._fleet, self._now, self.size.width
        mine, others = select.need_counts(fleet)
        facts = HeaderFacts(
            link=fleet.link,
            operator=fleet.operator,
            mine=mine,
            others=others,
            seats=len(fleet.seats),
            rigs=len(fleet.rigs),
            permitting=len(select.permitting_seats(fleet)),
            demo=fleet.demo,
        )
        self.query_one("#header", Lines).show([header_line(facts, width, self._glyphs)])
        self._draw_stream(now, width)
        self._draw_seat_line(now)
        self._draw_armed()
        self.query_one("#footer", Lines).show([footer_line(self._hints(), width)])

    def _draw_stream(self, now: datetime, width: int) -> None:
        banner = link_banner(self._fleet.link, now)
        stream = self.query_one("#stream", Lines)
        self.set_class(banner is not None, "-cut-off")
        if banner is not None:
            stream.show(wrap([banner], width - 2)[:2])
        elif self._fleet.permits:
            stream.show([permit_row(self._fleet.permits[0], now, width - 2, self._glyphs)])
        else:
            stream.show([])

    def _draw_seat_line(self, now: datetime) -> None:
        seat, line = self.seat, self.query_one("#seat-line", Lines)
        if seat is None:
            line.show([])
            return
        lines = [
            asked_line(seat, self._fleet.people),
            reading_line(seat, now, self._fleet.link.clock_offset),
        ]
        width = max(10, self.query_one(FleetList).size.width - 2)
        line.show([part for text in lines for part in wrap([text], width)[:2]])

    def _draw_armed(self) -> None:
        pane, ask = self.query_one(AskPane), self.ask
        new = len(self._new())
        if ask is None:
            return
        words = []
        if new:
            words.append(f"{new} new: n")
        if ask.pending:
            why = self.arming.why_not() and "not armed yet"
            words.append(why or f"armed · {self._answer_keys(ask)} answer this ask")
        pane.border_subtitle = Content(" · ".join(words)) if words else None
        pane.set_class(ask.pending and not self.arming.why_not(), "-armed")

    def _answer_keys(self, ask: Ask) -> str:
        offered = {option.kind for option in ask.options}
        kinds = ("allow_once", "allow_always", "reject_once", "reject_always")
        return " ".join(
            key_words(ACTIONS[f"answer.{kind}"].keys[0]) for kind in kinds if kind in offered
        )

    def _hints(self) -> list[Hint]:
        context = self.settled_context
        hints = []
        for action in ACTIONS.values():
            if action.footer and action.keys:
                enabled = action.why_not(context) is None
                if enabled or action.family != "answer":
                    hints.append(Hint(key_words(action.keys[0]), action.label, enabled))
        return hints

    def on_ask_pane_painted(self, message: AskPane.Painted) -> None:
        message.stop()
        if message.shown == self._painted:
            return
        self._painted = message.shown
        self.arming.painted(message.shown)
        self.set_timer(self.arming.remaining() + 0.01, self._draw_edges)

    def _changed_under(self) -> None:
        """The painted content is about to change: close a dialog that was about it."""
        self._painted = None
        top = self.app.screen
        if isinstance(top, asking.Confirm | asking.Chooser | asking.Words) and top.is_attached:
            top.dismiss(None)
            self.notify("The ask changed while you were deciding. Nothing was sent.")

    def on_key(self, event: events.Key) -> None:
        self.arming.key()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.notify("Pasted text answers nothing and was ignored.")

    def action_operate(self, identifier: str) -> None:
        """Do what a registry action means now, or say why it can't be done."""
        action = ACTIONS[identifier]
        if action.family in ("answer", "seat") and self.has_class("-tiny"):
            self.notify("Too small to answer safely: make the window at least 40×12.")
            return
        if action.family == "answer" and not self._ask_in_sight():
            self._open_detail()
            return
        why = action.why_not(self.context)
        if why is not None:
            self.notify(why[:1].upper() + why[1:] + ".")
            return
        self._carry_out(action.plan(self.context), action)

    def operate_by_name(self, identifier: str) -> None:
        """As `action_operate`, from the palette: an answer always needs its second key.

        Enter picks in a palette, and Enter must never be an answer.
        """
        action = ACTIONS[identifier]
        plan = action.plan(self.context) if action.why_not(self.context) is None else None
        if isinstance(plan, Send) and self._ask_in_sight():
            words = action.consequence(self.context)
            self._carry_out(Confirm(plan.command, plan.label, words), action)
        else:
            self.action_operate(identifier)

    def _ask_in_sight(self) -> bool:
        """Whether the ask's pane is on screen; in a narrow window it may not be."""
        return self.ask is None or self.has_class("-wide") or self.has_class("-detail")

    def _open_detail(self) -> None:
        self.set_class(True, "-detail")
        self.arming.disarm()
        self.query_one(AskPane if self.ask is not None else SeatPane).focus()
        self._draw()

    def _carry_out(self, plan: Plan, action: Action) -> None:
        ask = self.ask
        match plan:
            case Show(what):
                self._show(what)
            case Send(command, label):
                self._mean(command, label)
            case Confirm(command, label, consequence):
                if not self._fits(command):
                    return
                asked = asking.Confirm(label, consequence, self.arming)
                self._then(asked, lambda yes: self._mean(command, label) if yes else None)
            case Choose(title, options) if ask is not None:
                chooser = asking.Chooser(title, ask, options, self.arming)
                self._then(chooser, lambda option: self._chose(ask, option, action))
            case Fill(dialog):
                self._fill(dialog)
            case _:
                pass

    def _fill(self, dialog: str) -> None:
        form = dialogs.form(dialog, self.context, self.arming)
        self._then(form.screen, lambda text: self._mean(form.command(text or ""), form.label))

    def _then(self, screen: Screen[Result], then: Callable[[Result], None]) -> None:
        """Open a dialog about what is painted; it counts only if that hasn't changed."""
        painted = self.query_one(AskPane).content

        def closed(result: Result | None) -> None:
            if result is None:
                return
            if self.query_one(AskPane).content != painted:
                self.notify("The ask changed while you were deciding. Nothing was sent.")
                return
            then(result)

        self.app.push_screen(screen, closed)

    def _chose(self, ask: Ask, option: Option | None, action: Action) -> None:
        if option is None:
            return
        match plan_option(ask, option):
            case Send(command, label):
                self._mean(command, label, seen_whole=True)
            case plan:
                self._carry_out(plan, action)

    def _mean(self, command: Command, label: str, *, seen_whole: bool = False) -> None:
        if seen_whole or self._fits(command):
            self.arming.disarm()
            self.post_message(self.Meant(command, label))

    def _fits(self, command: Command) -> bool:
        """Whether the chosen option's whole name is on screen; if not, show it."""
        pane = self.query_one(AskPane)
        if not isinstance(command, AnswerAsk) or pane.shows_whole(command.option_id):
            return True
        pane.show_whole(command.option_id)
        self.notify("Its whole name is shown now. Press the key again to choose it.")
        return False

    def on_ask_pane_option_clicked(self, message: AskPane.OptionClicked) -> None:
        message.stop()
        ask = self.ask
        if ask is None or (ask.ask_id, ask.row_id) != (message.ask_id, message.row_id):
            return
        option = ask.option(message.option_id)
        choose = ACTIONS["answer.choose"]
        why = choose.why_not(self.context)
        if option is None or why is not None:
            self.notify((why or "That option isn't offered") + ".")
            return
        self._carry_out(plan_option(ask, option), choose)

    def on_fleet_list_selected(self, message: FleetList.Selected) -> None:
        message.stop()
        self._go(message.key)
        self._draw()

    def _show(self, what: str) -> None:
        moves: dict[str, Callable[[], None]] = {
            "down": lambda: self._move(1),
            "up": lambda: self._move(-1),
            "page_down": lambda: self._page(1),
            "page_up": lambda: self._page(-1),
            "first": lambda: self._move(-1_000_000),
            "last": lambda: self._move(1_000_000),
            "left": self._back,
            "right": self._open_detail,
            "open": self._open,
            "back": self._back,
            "next": lambda: self._step(1),
            "previous": lambda: self._step(-1),
        }
        if what in moves:
            moves[what]()
        else:
            self.post_message(self.Wanted(what))

    def _move(self, by: int) -> None:
        if isinstance(self.focused, AskPane | SeatPane):
            self.focused.scroll(by)
        else:
            self.query_one(FleetList).move(by)

    def _page(self, by: int) -> None:
        fleet_list = self.query_one(FleetList)
        if isinstance(self.focused, FleetList) and not self.has_class("-wide"):
            fleet_list.move(by * fleet_list.page)
        elif self.ask is not None:
            self.query_one(AskPane).scroll_page(by)
        else:
            fleet_list.move(by * fleet_list.page)

    def _open(self) -> None:
        if isinstance(self.focused, AskPane):
            self.action_operate("answer.choose")
        else:
            self._open_detail()

    def _back(self) -> None:
        self.set_class(False, "-detail")
        self.query_one(FleetList).focus()
        self._draw()

    def _step(self, by: int) -> None:
        current = self.ask.ask_id if self.ask is not None else None
        ask = select.step_ask(self._fleet, current, by)
        if ask is not None:
            self._go(AskKey(ask.ask_id))
            self._open_detail()
