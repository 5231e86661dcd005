"""The board: every seat on the left, what needs deciding on the right.

Rule of this file: it says what the operator meant and never decides an outcome. An
answer carries the ask id, row id and option id that were painted when the key came.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen

from rig_tui.actions.action import Context
from rig_tui.actions.keys import Keymap
from rig_tui.domain.model import Ask, Fleet, Seat, SeatId
from rig_tui.domain.view import View
from rig_tui.ui.holding import HOLD_SECONDS, Holding, Over
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.screens.conduct import Conduct
from rig_tui.ui.screens.edging import Edging
from rig_tui.ui.screens.finding import Finding
from rig_tui.ui.screens.moving import Moving
from rig_tui.ui.screens.showing import Showing
from rig_tui.ui.shown import Shown
from rig_tui.ui.widgets.ask_pane import AskPane
from rig_tui.ui.widgets.fleet_list import FleetList
from rig_tui.ui.widgets.seat_pane import SeatPane

if TYPE_CHECKING:
    from datetime import datetime

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.widgets import Input

    from rig_tui.domain.commands import Command
    from rig_tui.domain.receipt import Seen
    from rig_tui.domain.select import Key
    from rig_tui.settings.values import ReadFirst
    from rig_tui.ui.arming import Arming
    from rig_tui.ui.widgets.filter_line import FilterLine

WIDE = 110
TALL = 48
"""Rows from which a narrow window shows both panes, one above the other."""
SAFE_WIDTH, SAFE_HEIGHT = 40, 12
_ON_THE_EDGES = ("link", "permits", "absences")


class Board(Screen[None], inherit_bindings=False):
    """The console's one place; everything else is an interruption of it."""

    BINDINGS: ClassVar[list[BindingType]] = []
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 (as declared)

    class Ready(Message):
        """The first frame is out."""

    class Meant(Message):
        """What the operator wants done, about what was painted."""

        def __init__(self, command: Command, label: str, seen: Seen) -> None:
            super().__init__()
            self.command = command
            self.label = label
            self.seen = seen

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
        view: View = View(),  # noqa: B008 (a value)
        keymap: Keymap = Keymap(),  # noqa: B008 (a value)
        dense: bool = False,
        mouse: bool = True,
        hold: float = HOLD_SECONDS,
        reads_first: ReadFirst = "allow",
    ) -> None:
        super().__init__()
        self.keymap = keymap
        """The keys of every action."""
        self.mouse = mouse
        """Whether the console has the mouse, as far as the footer says."""
        self._goes_on = goes_on
        self.conduct = Conduct(self, arming, reads_first)
        """Carries out what keys, clicks and the palette mean."""
        self.arming = arming
        """When answer keys are live; dialogs tell it of their keys too."""
        self._holding = Holding(self, hold, self.mean)
        self._barred = barred
        self._fleet = Fleet()
        self._now: datetime | None = None
        # Parts are held, not looked up: a batch may still arrive while the screen closes.
        self.pane = AskPane(glyphs=glyphs, keymap=keymap, id="ask")
        """Where the shown ask is painted."""
        self._list = FleetList(glyphs=glyphs, id="fleet")
        self._seats = Vertical(id="seats")
        self.finding = Finding(self, arming, self._list, view)
        """The view, and what changes it."""
        self._seat_pane = SeatPane(id="seat")
        self.moving = Moving(self, self._list, self._seat_pane)
        """Which pane a move is about, and what it does."""
        self.showing = Showing(self, self._seat_pane)
        """Brings the shown ask onto the screen."""
        self.edges = Edging(self, self._seats, self._list, glyphs)
        """What is drawn around the panes."""
        self._shown = Shown()
        self.dense = dense

    def compose(self) -> ComposeResult:
        yield self.edges.header
        with Horizontal(id="panes"):
            with self._seats:
                yield self._list
                yield self.finding.line
                yield self.edges.summary
            yield self.pane
            yield self._seat_pane
        yield self.edges.news
        yield self.edges.footer

    @property
    def dense(self) -> bool:
        """Whether it is drawn with less whitespace."""
        return self._list.dense

    @dense.setter
    def dense(self, dense: bool) -> None:
        self._list.dense = self.pane.dense = dense
        self._list.lay()
        self.draw()

    def on_mount(self) -> None:
        self._list.focus()
        self.call_after_refresh(self.post_message, self.Ready())

    def on_resize(self, event: events.Resize) -> None:
        tiny = event.size.width < SAFE_WIDTH or event.size.height < SAFE_HEIGHT
        self.set_class(tiny, "-tiny")
        self.set_class(event.size.height < 24, "-short")
        self.set_class(event.size.height >= TALL and event.size.width >= SAFE_WIDTH, "-tall")
        self.draw()

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        """Draw what changed; the shown ask changes only by the operator."""
        before, self._fleet, self._now = self._fleet, fleet, now
        first = self._shown.meet(fleet)
        self.finding.meet(fleet, now)
        self._list.show(fleet, now, touched)
        if first is not None:
            self.go(first)
            self.set_class(True, "-detail")
        seat = self.seat
        if touched is None or (seat is not None and seat.seat_id in touched):
            self.draw()
        elif touched or any(
            getattr(fleet, name) is not getattr(before, name) for name in _ON_THE_EDGES
        ):
            self.refresh_edges()
        if self._goes_on and self._shown.answered_here(before, fleet):
            self.moving.step(1)
            self.arming.linger()

    def tick(self, now: datetime) -> None:
        """Let ages move on, where their words change."""
        self._now = now
        self.finding.meet(self._fleet, now)
        self._list.tick(now)
        if self.ask is not None:
            self.pane.tick(now)
        self.refresh_edges()

    @property
    def fleet(self) -> Fleet:
        """The fleet as it was last drawn."""
        return self._fleet

    @property
    def ask(self) -> Ask | None:
        """The shown ask."""
        return self._shown.ask(self._fleet)

    @property
    def seat(self) -> Seat | None:
        """The selected seat, or the shown ask's."""
        return self._shown.seat(self._fleet)

    @property
    def new(self) -> int:
        """How many waiting asks the operator hasn't come across."""
        return self._shown.new(self._fleet)

    @property
    def context(self) -> Context:
        """What an action is judged by, now."""
        typing = "what you type goes into the filter; leave it first"
        unarmed = typing if self.finding.typing else self.arming.why_not()
        return Context(
            self._fleet, self.ask, self.seat, self._barred, unarmed, self.finding.view, self.keymap
        )

    @property
    def too_small(self) -> bool:
        """Whether the window is too small to answer safely."""
        return self.has_class("-tiny")

    @property
    def settled_context(self) -> Context:
        """The same, as if nothing needed arming: what could be done in a moment."""
        return replace(self.context, unarmed="")

    def go(self, key: Key | None) -> None:
        """Select this row; what it stands for is what is shown."""
        self._shown.go(key)
        self._list.select(key)

    def refresh_edges(self) -> None:
        """Draw what is above, below and around the panes."""
        if self._now is not None and self.size.width:
            self.edges.draw(self._fleet, self._now, self.size.width)

    def draw(self) -> None:
        """Draw what is shown, as it stands."""
        if self._now is None:
            return
        self.showing.draw(self._fleet, self._now)
        self.refresh_edges()

    def on_ask_pane_painted(self, message: AskPane.Painted) -> None:
        message.stop()
        self.showing.painted(message.shown)

    def on_ask_pane_scrolled(self, message: AskPane.Scrolled) -> None:
        message.stop()
        self.refresh_edges()

    def come_back(self) -> None:
        """Draw all of it again, to be seen anew, after another program had the terminal."""
        self.showing.anew()
        self.refresh(layout=True)
        self.draw()

    def wait_for_arming(self) -> None:
        """Draw the armed mark as it is now, and again once the wait is over."""
        self.refresh_edges()
        self.set_timer(self.arming.remaining() + 0.01, self.refresh_edges)

    def on_screen_resume(self) -> None:
        """Whatever lay over the ask hid it: it is read again before a key answers it."""
        self.arming.disarm()
        self.wait_for_arming()

    def on_key(self, event: events.Key) -> None:
        self.arming.pressed(event)
        if self._holding.let_go():
            event.stop()
            event.prevent_default()
            self.notify("That looked like pasted text: nothing was sent.")

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._holding.let_go()
        self.notify("Pasted text answers nothing and was ignored.")

    def on_over(self, message: Over) -> None:
        message.stop()
        if why := self._holding.over(message.held):
            self.notify(why)

    def action_operate(self, identifier: str) -> None:
        """Do what a registry action means now, or say why it can't be done."""
        self.conduct.operate(identifier)

    def on_ask_pane_option_clicked(self, message: AskPane.OptionClicked) -> None:
        message.stop()
        self.arming.clicked()
        if self._holding.let_go():
            self.notify("You clicked while an answer was held: nothing was sent.")
            return
        self.conduct.choose(message.ask_id, message.row_id, message.option_id)

    def hold(self, command: Command, label: str) -> None:
        """Say what the operator wants done, unless more keys come at once."""
        self._holding.hold(command, label)
        self.refresh_edges()

    @property
    def answering(self) -> bool:
        """Whether an answer is held."""
        return bool(self._holding.label)

    def mean(self, command: Command, label: str) -> None:
        """Say what the operator wants done."""
        self.post_message(self.Meant(command, label, self.showing.seen()))
        self.wait_for_arming()

    def on_fleet_list_selected(self, message: FleetList.Selected) -> None:
        message.stop()
        self.go(message.key)
        self.draw()

    def show_view(self, what: str) -> None:
        """Move about here, or ask the app for one of its places."""
        moves = {**self.moving.moves, **self.finding.moves}
        if what in moves:
            moves[what]()
        else:
            self.post_message(self.Wanted(what))

    @property
    def interrupted(self) -> bool:
        """Whether something else lies over the board."""
        return self.app.screen is not self

    def on_input_changed(self, message: Input.Changed) -> None:
        message.stop()
        self.finding.typed(message.value)

    def on_filter_line_left(self, message: FilterLine.Left) -> None:
        message.stop()
        self.finding.leave(move=message.move)

    def on_descendant_focus(self) -> None:
        self.refresh_edges()
