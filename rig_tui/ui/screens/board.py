"""The board: every seat on the left, what needs deciding on the right.

Rule of this file: it says what the operator meant and never decides an outcome. An
answer carries the ask id, row id and option id that were painted when the key came.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen

from rig_tui.actions.action import Context
from rig_tui.actions.keys import Keymap
from rig_tui.actions.registry import ACTIONS
from rig_tui.domain import view as views
from rig_tui.domain.model import Ask, Fleet, Seat, SeatId
from rig_tui.domain.select import AskKey, Key
from rig_tui.domain.view import View
from rig_tui.ui.present import edges, view_words
from rig_tui.ui.present.footer import footer_line
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.screens.composing import Composing
from rig_tui.ui.screens.conduct import Conduct
from rig_tui.ui.screens.finding import Finding
from rig_tui.ui.shown import Shown
from rig_tui.ui.titles import entitle, note_down
from rig_tui.ui.widgets.ask_pane import AskPane
from rig_tui.ui.widgets.fleet_list import FleetList
from rig_tui.ui.widgets.lines import Lines
from rig_tui.ui.widgets.seat_pane import SeatPane

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from textual import events
    from textual.app import ComposeResult
    from textual.widgets import Input

    from rig_tui.domain.commands import Command
    from rig_tui.ui.arming import Arming
    from rig_tui.ui.present.footer import Hint
    from rig_tui.ui.widgets.filter_line import FilterLine

WIDE = 110
TALL = 48
"""Rows from which a narrow window shows both panes, one above the other."""
SAFE_WIDTH, SAFE_HEIGHT = 40, 12


def _bindings(keymap: Keymap) -> list[BindingType]:
    return [
        Binding(",".join(keys), f"operate('{action.id}')", action.label, id=action.id)
        for action in ACTIONS.values()
        if (keys := keymap.keys(action))
    ]


class Board(Screen[None], inherit_bindings=False):
    """The console's one place; everything else is an interruption of it."""

    BINDINGS: ClassVar[list[BindingType]] = _bindings(Keymap())
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 (as declared)

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
        view: View = View(),  # noqa: B008 (a value)
        keymap: Keymap = Keymap(),  # noqa: B008 (a value)
        dense: bool = False,
        mouse: bool = True,
    ) -> None:
        super().__init__()
        self.keymap = keymap
        """The keys of every action."""
        self.mouse = mouse
        """Whether the console has the mouse, as far as the footer says."""
        self._goes_on = goes_on
        self.conduct = Conduct(self, arming)
        """Carries out what keys, clicks and the palette mean."""
        self.arming = arming
        """When answer keys are live; dialogs tell it of their keys too."""
        self._barred = barred
        self._glyphs = glyphs
        self._fleet = Fleet()
        self._now: datetime | None = None
        # Parts are held, not looked up: a batch may still arrive while the screen closes.
        self.pane = AskPane(glyphs=glyphs, keymap=keymap, id="ask")
        """Where the shown ask is painted."""
        self._list = FleetList(glyphs=glyphs, id="fleet")
        self._seats = Vertical(id="seats")
        self.finding = Finding(self, arming, self._list, view)
        """The view, and what changes it."""
        self.dense = dense
        self._seat_pane = SeatPane(id="seat")
        self._header = Lines(id="header")
        self._summary = Lines(id="seat-line")
        self._news = Lines(id="stream")
        self._footer = Lines(id="footer")
        self._shown = Shown()
        self._painted: object = None
        self._asked_whole: set[tuple[str, int]] = set()

    def compose(self) -> ComposeResult:
        yield self._header
        with Horizontal(id="panes"):
            with self._seats:
                yield self._list
                yield self.finding.line
                yield self._summary
            yield self.pane
            yield self._seat_pane
        yield self._news
        yield self._footer

    @property
    def dense(self) -> bool:
        """Whether it is drawn with less whitespace."""
        return self._list.dense

    @dense.setter
    def dense(self, dense: bool) -> None:
        self._list.dense = self.pane.dense = dense
        self._list.lay()
        self._draw()

    def on_mount(self) -> None:
        self._list.focus()
        self.call_after_refresh(self.post_message, self.Ready())

    def on_resize(self, event: events.Resize) -> None:
        tiny = event.size.width < SAFE_WIDTH or event.size.height < SAFE_HEIGHT
        self.set_class(tiny, "-tiny")
        self.set_class(event.size.height < 24, "-short")
        self.set_class(event.size.height >= TALL and event.size.width >= SAFE_WIDTH, "-tall")
        self._draw()

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        """Draw what changed; the shown ask changes only by the operator."""
        before, self._fleet, self._now = self._fleet, fleet, now
        first = self._shown.meet(fleet)
        self.finding.meet(fleet, now)
        self._list.show(fleet, now, touched)
        if first is not None:
            self._go(first)
            self.set_class(True, "-detail")
        seat = self.seat
        if touched is None or (seat is not None and seat.seat_id in touched):
            self._draw()
        elif touched or fleet.link is not before.link or fleet.permits is not before.permits:
            self.refresh_edges()
        if self._goes_on and self._shown.answered_here(before, fleet):
            self._step(1)
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
    def ask_in_sight(self) -> bool:
        """Whether the ask's pane is on screen; in a narrow window it may not be."""
        return self.ask is None or self._alone != "seats"

    @property
    def settled_context(self) -> Context:
        """The same, as if nothing needed arming: what could be done in a moment."""
        return replace(self.context, unarmed="")

    def _go(self, key: Key | None) -> None:
        self._shown.go(key)
        self._list.select(key)

    def _draw(self) -> None:
        if self._now is None:
            return
        pane, seat_pane = self.pane, self._seat_pane
        ask, seat = self.ask, self.seat
        self.set_class(ask is not None, "-asked")
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
        self.refresh_edges()

    def _nothing(self) -> str:
        new = self._shown.new(self._fleet)
        if new:
            key = self.keymap.words(ACTIONS["view.next"]) or "“next ask” in the palette"
            return f"{new} waiting. {key} shows the first."
        return "Nobody needs you. Asks are listed here as they arrive; none opens by itself."

    def refresh_edges(self) -> None:
        """Draw what is above, below and around the panes."""
        if self._now is None or not self.size.width:
            return
        fleet, now, width = self._fleet, self._now, self.size.width
        snoozed = self.finding.view.snoozed
        self._header.show([edges.above(fleet, width, self._glyphs, snoozed=snoozed)])
        self.set_class(edges.urgent(fleet) or self.too_small, "-urgent")
        news = edges.news(
            fleet, now, width - 2, self._glyphs, too_small=self.too_small, keymap=self.keymap
        )
        self._news.show(news)
        room = max(10, self._list.size.width - 2)
        summary = edges.seat_summary(self.seat, fleet, now, room)
        self._summary.show(summary)
        self._draw_armed()
        self._footer.show([footer_line(self.hints, width)])
        notes = view_words.list_notes(self._list.hidden, self._list.lacking)
        entitle(self._seats, view_words.list_title(self.finding.view), notes)

    @property
    def hints(self) -> list[Hint]:
        """The keys that would do something where the focus is."""
        more = self.ask is not None and self.pane.has_more
        focus = "filter" if self.finding.typing else self._alone
        return edges.hints(self.settled_context, focus=focus, more=more, mouse=self.mouse)

    def _draw_armed(self) -> None:
        if self.ask is None:
            return
        context = replace(self.context, unarmed=self.arming.unarmed)
        words = edges.armed_words(context, self._shown.new(self._fleet))
        writing = any(isinstance(screen, Composing) for screen in self.app.screen_stack)
        if writing or self.finding.typing:
            words = "answer keys are off while you write"
        note_down(self.pane, words)
        self.pane.set_class("armed ·" in words, "-armed")

    def on_ask_pane_painted(self, message: AskPane.Painted) -> None:
        message.stop()
        if message.shown == self._painted:
            return
        self._painted = message.shown
        self.arming.painted(message.shown)
        self._wait_for_arming()

    def on_ask_pane_scrolled(self, message: AskPane.Scrolled) -> None:
        message.stop()
        self.refresh_edges()

    def _wait_for_arming(self) -> None:
        """Draw the armed mark once the wait is over."""
        self.set_timer(self.arming.remaining() + 0.01, self.refresh_edges)

    def _changed_under(self) -> None:
        """The painted content is about to change: close a dialog that was about it."""
        self._painted = None
        self.conduct.changed_under(self.app.screen)

    def on_key(self, event: events.Key) -> None:
        self.arming.key()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.notify("Pasted text answers nothing and was ignored.")

    def action_operate(self, identifier: str) -> None:
        """Do what a registry action means now, or say why it can't be done."""
        self.conduct.operate(identifier)

    def on_ask_pane_option_clicked(self, message: AskPane.OptionClicked) -> None:
        message.stop()
        self.arming.key()
        self.conduct.choose(message.ask_id, message.row_id, message.option_id)

    def mean(self, command: Command, label: str) -> None:
        """Say what the operator wants done."""
        self.post_message(self.Meant(command, label))
        self._wait_for_arming()

    def on_fleet_list_selected(self, message: FleetList.Selected) -> None:
        message.stop()
        self._go(message.key)
        self._draw()

    def show_view(self, what: str) -> None:
        """Move about here, or ask the app for one of its places."""
        moves: dict[str, Callable[[], None]] = {
            "down": lambda: self._move(1),
            "up": lambda: self._move(-1),
            "page_down": lambda: self._page(1),
            "page_up": lambda: self._page(-1),
            "first": lambda: self._move(-1_000_000),
            "last": lambda: self._move(1_000_000),
            "left": self._back,
            "right": self.open_detail,
            "open": self._open,
            "back": self._back,
            "next": lambda: self._step(1),
            "previous": lambda: self._step(-1),
            **self.finding.moves,
        }
        if what in moves:
            moves[what]()
        else:
            self.post_message(self.Wanted(what))

    def open_detail(self) -> None:
        """Put the detail in sight and the focus on it; its keys must be armed anew."""
        self.set_class(True, "-detail")
        self.arming.disarm()
        (self._seat_pane if self.ask is None else self.pane).focus()
        self._draw()
        self._wait_for_arming()

    @property
    def _alone(self) -> str:
        """Which pane has the screen to itself: `seats`, `detail`, or neither."""
        if self.too_small:
            return "seats"
        if self.has_class("-wide") or self.has_class("-tall"):
            return ""
        return "detail" if self.has_class("-detail") else "seats"

    @property
    def _in_detail(self) -> bool:
        """Whether moves are about the detail: it has the focus, or the screen to itself."""
        if not self._alone:
            return isinstance(self.focused, AskPane | SeatPane)
        return self._alone == "detail"

    def _move(self, by: int) -> None:
        if not self._in_detail:
            self._list.move(by)
        elif self.ask is not None:
            self.pane.scroll(by)
        else:
            self._seat_pane.scroll(by)

    def _page(self, by: int) -> None:
        fleet_list = self._list
        if self.ask is not None and (self._in_detail or not self._alone):
            self.pane.scroll_page(by)
        else:
            fleet_list.move(by * fleet_list.page)

    def _open(self) -> None:
        if self._in_detail and self.ask is not None:
            self.conduct.operate("answer.choose")
        else:
            self.open_detail()

    def _back(self) -> None:
        if self.focused is self._list and not self._in_detail and self.finding.clear():
            return
        self.to_list()

    def to_list(self) -> None:
        """Put the list in sight and the focus on it."""
        self.set_class(False, "-detail")
        self._list.focus()
        self._draw()

    def visit(self, key: Key) -> None:
        """Show this row's ask or seat, with the focus on it."""
        self._go(key)
        self.open_detail()

    def _step(self, by: int) -> None:
        current = self.ask.ask_id if self.ask is not None else None
        ask = views.step_ask(self._fleet, self.finding.view, current, by)
        if ask is not None:
            self.visit(AskKey(ask.ask_id))

    @property
    def interrupted(self) -> bool:
        """Whether something else lies over the board."""
        return self.app.screen is not self

    def view_changed(self) -> None:
        """Draw what the view changes beside the list."""
        self._draw()

    def on_input_changed(self, message: Input.Changed) -> None:
        message.stop()
        self.finding.typed(message.value)

    def on_filter_line_left(self, message: FilterLine.Left) -> None:
        message.stop()
        self.finding.leave(move=message.move)

    def on_descendant_focus(self) -> None:
        self.refresh_edges()


def keyed_board(keymap: Keymap) -> type[Board]:
    """The board whose keys are these.

    Textual's own keymap isn't used: it would bind a letter over a field that is typed in.
    """

    class KeyedBoard(Board, inherit_bindings=False):
        BINDINGS: ClassVar[list[BindingType]] = _bindings(keymap)

    return KeyedBoard
