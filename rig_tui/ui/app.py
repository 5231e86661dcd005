"""The console as a Textual app.

It holds the fleet, applies batches of events to it, and runs two kinds of worker:
one that follows the backend and one per command (`outbox`). Screens say what the operator
meant; this module has it sent.
"""

from __future__ import annotations

import asyncio
import traceback
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import App
from textual.command import CommandPalette

from rig_tui.actions.spots import SPOTS
from rig_tui.domain import select
from rig_tui.domain.commands import Command, RegisterPerson, WholeAsk
from rig_tui.domain.events import AbsencesRead, AskFetched, EventBatch
from rig_tui.domain.history import Filters
from rig_tui.domain.inert import inert, inert_block
from rig_tui.domain.model import LinkState, SeatId
from rig_tui.domain.reduce import reduce
from rig_tui.resources import stylesheets
from rig_tui.ui import themes
from rig_tui.ui.archive import Archive
from rig_tui.ui.arming import Arming
from rig_tui.ui.ascii_only import AsciiOnly
from rig_tui.ui.desk import Desk
from rig_tui.ui.outbox import Outbox
from rig_tui.ui.outside import Outside
from rig_tui.ui.palette import Actions, Seats
from rig_tui.ui.present.crash import crash_words
from rig_tui.ui.present.glyphs import ASCII
from rig_tui.ui.screens.asked_forms import name_dialog
from rig_tui.ui.screens.connect import ConnectScreen
from rig_tui.ui.screens.keyed import keyed_board
from rig_tui.ui.screens.reading import HelpScreen, LinkScreen, ShowsFleet
from rig_tui.ui.screens.who_is_asked import WhoIsAskedScreen
from rig_tui.ui.setup import DEMO_EXIT, Setup

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.binding import BindingType
    from textual.filter import LineFilter
    from textual.notifications import SeverityLevel

    from rig_tui.client.backend import Backend
    from rig_tui.ui.listing import PageWanted
    from rig_tui.ui.screens.board import Board
    from rig_tui.ui.screens.seat import SeatScreen


class RigApp(App[int], inherit_bindings=False):
    """The console."""

    TITLE = "rig_tui"
    CSS_PATH = stylesheets(
        "base", "board", "dialogs", "finding", "composing", "history", "asked", "layouts"
    )
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self.setup = setup
        self.fleet = setup.fleet
        self.backend: Backend | None = None
        """The daemon; None until it is known how to reach one."""
        self._offered_register = False
        self.board = keyed_board(setup.keymap)(
            Arming(setup.monotonic, setup.arm),
            barred=setup.barred,
            glyphs=setup.glyphs,
            goes_on=setup.next_ask == "auto",
            hold=setup.hold,
            reads_first=setup.reads_first,
            view=setup.view,
            keymap=setup.keymap,
            dense=setup.dense,
            mouse=setup.mouse,
        )
        """The one place; everything else interrupts it."""
        self.outbox = Outbox(self)
        self.archive = Archive(self)
        self.desk = Desk(self)
        self.outside = Outside(self, self, setup)
        """What is done outside the frames."""
        chosen = setup.keymap.chosen
        self.set_keymap({name: ",".join(chosen[name]) for name in SPOTS.keys() & chosen.keys()})
        for theme in themes.THEMES:
            self.register_theme(theme)
        self.theme = setup.theme
        self.set_class(setup.glyphs is ASCII, "-ascii")
        self._filters_of_glyphs = (AsciiOnly(),) if setup.glyphs is ASCII else ()
        if setup.still:
            self.animation_level = "none"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(themes.INK_DEFAULTS)

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), *self._filters_of_glyphs]

    def get_default_screen(self) -> Board:
        return self.board

    def on_board_ready(self) -> None:
        self.show(None)
        self.outside.terminal.when_continued(self._come_back)
        if self.setup.ticks:
            self.set_interval(1.0, self.tick)
        self._follow()

    def _come_back(self) -> None:
        self.board.arming.away()
        self.call_later(self.board.come_back)

    def apply(self, batch: EventBatch) -> None:
        """Apply a batch to the fleet and tell every screen on the stack."""
        self.fleet = reduce(self.fleet, batch)
        self.show(select.touched(batch))
        self.outbox.meet(self.fleet)

    def show(self, touched: set[SeatId] | None) -> None:
        """Have every screen draw the fleet as it stands."""
        now = self.setup.now()
        for screen in self.screen_stack:
            if not isinstance(screen, ShowsFleet):
                continue
            if screen.is_mounted:
                screen.fleet_changed(self.fleet, now, touched)
            else:  # it was opened this moment, and has nothing to draw on yet
                screen.call_later(screen.fleet_changed, self.fleet, now, None)
        self._meet_link()

    def tick(self) -> None:
        """Let ages move on."""
        now = self.setup.now()
        for screen in self.screen_stack:
            if isinstance(screen, ShowsFleet) and screen.is_mounted:
                screen.tick(now)
        self.outside.look()

    @work(group="stream", exclusive=True, exit_on_error=False)
    async def _follow(self) -> None:
        self.backend = await asyncio.to_thread(self.setup.open_backend, lambda: self.fleet.operator)
        async for batch in self.backend.connect():
            self.apply(batch)
            # Batches that are there already must not keep a key waiting.
            await asyncio.sleep(0)

    def _meet_link(self) -> None:
        """Offer the connect screen while no daemon has answered, and registration after."""
        link = self.fleet.link
        down = link.state in (LinkState.LOST, LinkState.REFUSED) and not link.epoch
        waiting = isinstance(self.screen, ConnectScreen)
        if down and self.screen is self.board:
            self.push_screen(ConnectScreen(self.fleet, self.setup.now(), self.setup.keymap))
        elif link.live and waiting:
            self.pop_screen()
        undisturbed = self.screen is self.board and not self._offered_register
        if link.live and undisturbed and not self.fleet.people.registered:
            self._offer_register()

    def _offer_register(self) -> None:
        people = self.fleet.people
        if "people" not in self.fleet.link.capabilities or not people.readable or self.setup.barred:
            return
        self._offered_register = True
        asked = name_dialog(self.setup.login, self.board.arming, first_run=True)

        def filled(text: str | None) -> None:
            if text:
                self.do(RegisterPerson(text, text, make_default=True), f"register {text}")

        self.push_screen(asked, filled)

    def on_board_meant(self, message: Board.Meant) -> None:
        self.outbox.do(message.command, message.label, message.seen)

    def do(self, command: Command, label: str) -> None:
        """Send a command, once."""
        self.outbox.do(command, label, self.board.showing.seen())

    def on_board_whole_wanted(self, message: Board.WholeWanted) -> None:
        self.fetch_whole(message.ask_id)

    @work(group="reads", exit_on_error=False)
    async def fetch_whole(self, ask_id: str) -> None:
        """Read an ask whole, as the daemon has it now."""
        if self.backend is None:
            return
        page = await self.backend.fetch(WholeAsk(ask_id))
        if page.ask is not None:
            self.apply((AskFetched(page.ask),))

    def on_page_wanted(self, message: PageWanted) -> None:
        self.archive.read(self.backend, message)

    def on_seat_screen_history_wanted(self, message: SeatScreen.HistoryWanted) -> None:
        self.archive.history(Filters(seat=message.seat))

    def on_who_is_asked_screen_operated(self, message: WhoIsAskedScreen.Operated) -> None:
        self.board.conduct.operate_on(message.action, message.seat)

    def on_seat_screen_revoke_wanted(self) -> None:
        self.board.conduct.operate("seat.revoke_grant")

    def on_worker_state_changed(self, event: object) -> None:
        """Turn a worker's failure into words on screen: nothing fails silently."""
        from textual.worker import Worker, WorkerState

        if not isinstance(event, Worker.StateChanged) or event.state is not WorkerState.ERROR:
            return
        words = f"{event.worker.group}: {event.worker.error}"
        self.notify(words, severity="error", timeout=20)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Say something in passing; whoever wrote the words, they are inert and no markup."""
        super().notify(
            inert_block(message),
            title=inert(title),
            severity=severity,
            timeout=timeout,
            markup=False,
        )

    def _fatal_error(self) -> None:
        """Leave words instead of a picture of the program's memory, which holds secrets."""
        self.panic(crash_words(traceback.format_exc()))

    def on_app_focus(self) -> None:
        self.outside.focused = True

    def on_app_blur(self) -> None:
        self.outside.focused = False

    def on_board_wanted(self, message: Board.Wanted) -> None:
        fleet, now, keymap = self.fleet, self.setup.now(), self.setup.keymap
        places: dict[str, Callable[[], object]] = {
            "history": self.archive.history,
            "seat": self.archive.seat,
            "link": lambda: self.push_screen(LinkScreen(fleet, now, keymap)),
            "who-is-asked": lambda: self.push_screen(
                WhoIsAskedScreen(fleet, now, keymap, self.board.seat)
            ),
            "help": lambda: self.push_screen(HelpScreen(keymap)),
            "palette": lambda: self.push_screen(CommandPalette(providers=[Actions, Seats])),
            "reply": self.desk.reply,
            "message": self.desk.message,
            "kept_words": self.desk.kept_words,
            "quit": self.desk.leave,
            "interrupt": self._interrupt,
            "suspend": self.action_suspend_process,
            **self.outside.places,
        }
        places[message.what]()

    def _interrupt(self) -> None:
        selection = self.screen.get_selected_text()
        if selection:
            self.copy_to_clipboard(selection)
        else:
            self.desk.leave()

    def on_link_screen_absences_shown(self) -> None:
        if select.untold(self.fleet) is not None:
            self.apply((AbsencesRead(),))

    def on_link_screen_retry_wanted(self) -> None:
        if self.backend is not None:
            self.backend.retry_now()

    def on_connect_screen_chosen(self, message: ConnectScreen.Chosen) -> None:
        match message.what:
            case "retry":
                self.on_link_screen_retry_wanted()
            case "start":
                self._start_daemon()
            case "demo":
                self.exit(DEMO_EXIT)
            case _:
                self.exit(5)

    @work(group="start", exclusive=True, exit_on_error=False)
    async def _start_daemon(self) -> None:
        screen = self.screen
        if self.setup.start_daemon is None or not isinstance(screen, ConnectScreen):
            return
        screen.say("Starting a daemon…")
        screen.say(await asyncio.to_thread(self.setup.start_daemon))
        self.on_link_screen_retry_wanted()
