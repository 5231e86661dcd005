"""Screens one only reads: the help, and the connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen

from rig_tui.actions.keys import key_words
from rig_tui.actions.registry import FAMILIES
from rig_tui.actions.spots import SPOTS
from rig_tui.domain import select
from rig_tui.ui.present.absence import absence_lines
from rig_tui.ui.present.footer import Hint, hint_lines
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.link import link_lines
from rig_tui.ui.present.roles import DIM, FAINT, HEADING, KEY
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.spot_keys import bound
from rig_tui.ui.widgets.lines import Lines, ScrollingLines

if TYPE_CHECKING:
    from datetime import datetime

    from textual.app import ComposeResult

    from rig_tui.actions.keys import Keymap
    from rig_tui.domain.model import Fleet, SeatId


@runtime_checkable
class ShowsFleet(Protocol):
    """A screen that follows the fleet."""

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        """Draw what changed."""

    def tick(self, now: datetime) -> None:
        """Let ages move on."""


WIDEST = 100
"""Cells of the widest page, its margins too."""


class Pages(ModalScreen[None], inherit_bindings=False):
    """Lines to read, from top to bottom."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("home", "scroll(-100000)", show=False),
        Binding("end", "scroll(100000)", show=False),
    ]
    TITLE_WORDS = ""
    hints: tuple[tuple[str, str], ...] = (("↑↓", "scroll"), ("esc", "back"))

    def compose(self) -> ComposeResult:
        with Vertical(id="pages"):
            yield ScrollingLines()
            yield Lines()

    def on_mount(self) -> None:
        self.query_one("#pages", Vertical).border_title = Content(self.TITLE_WORDS)
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def page_lines(self) -> list[Line | Text]:
        """What there is to read."""
        raise NotImplementedError

    def draw(self) -> None:
        """Draw it anew, at the same place."""
        body = self.query_one(ScrollingLines)
        width = body.scrollable_content_region.width
        if width:
            body.show(wrap(self.page_lines(), width - 1), keep_place=True)
        hints = [Hint(key, label) for key, label in self.hints]
        self.query_one(Lines).show(hint_lines(hints, min(WIDEST, self.app.size.width) - 8))

    def action_back(self) -> None:
        self.dismiss(None)

    def action_scroll(self, by: int) -> None:
        body = self.query_one(ScrollingLines)
        body.scroll_to(y=body.scroll_offset.y + by, animate=False, immediate=True)

    def action_page(self, by: int) -> None:
        self.action_scroll(by * max(1, self.query_one(ScrollingLines).size.height - 1))


class HelpScreen(Pages):
    """Every key and what it does, from the registry."""

    TITLE_WORDS = "Help"

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._keymap = keymap

    def page_lines(self) -> list[Line | Text]:
        lines: list[Line | Text] = []
        column = 10 if self.app.size.width >= 60 else 3
        for family in FAMILIES:
            lines.append(join((family.title, HEADING)))
            for action in family.actions:
                keys = " ".join(map(key_words, self._keymap.keys(action))) or "palette"
                row = join((f" {keys:<{column}} ", KEY), (action.help, DIM))
                lines.append(Line(row, column + 2))
            lines.append(Text())
        lines.append(join(("In one place only", HEADING)))
        for spot in SPOTS.values():
            keys = " ".join(map(key_words, self._keymap.keys(spot)))
            row = join((f" {keys:<{column}} ", KEY), (f"{spot.place}: ", FAINT), (spot.help, DIM))
            lines.append(Line(row, column + 2))
        lines.append(Text())
        lines += [Line(join((words, DIM))) for words in _HELP_NOTES]
        return lines


_HELP_NOTES = (
    "Keys follow an option's kind, never its place. An option the agent's harness remembers, "
    "or whose meaning isn't known, needs Y after its consequence is shown.",
    "Silence never permits: an ask left alone waits until the agent's turn ends.",
    "Text typed in a runner's pane, and messages sent to a seat, are never an answer.",
)


class LinkScreen(Pages):
    """The connection: which daemon, since when, what it can do."""

    TITLE_WORDS = "Link"
    BINDINGS: ClassVar[list[BindingType]] = [bound("link.retry", "retry")]

    class RetryWanted(Message):
        """The operator doesn't want to wait for the next attempt."""

    class AbsencesShown(Message):
        """What changed without the daemon is on screen."""

    def __init__(self, fleet: Fleet, now: datetime, keymap: Keymap) -> None:
        super().__init__()
        self._fleet = fleet
        self._now = now
        self.hints = ((keymap.words(SPOTS["link.retry"]), "retry now"), *self.hints)

    def page_lines(self) -> list[Line | Text]:
        fleet = self._fleet
        lines: list[Line | Text] = [*link_lines(fleet.link, self._now), Text()]
        for told in fleet.absences:
            lines += absence_lines(told, self._now, fleet.people)
        return lines

    def on_mount(self) -> None:
        self.post_message(self.AbsencesShown())

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        before, self._fleet, self._now = self._fleet, fleet, now
        if fleet.link is not before.link or fleet.absences is not before.absences:
            self.draw()
        if select.untold(fleet) is not None:
            self.post_message(self.AbsencesShown())

    def tick(self, now: datetime) -> None:
        self._now = now
        self.draw()

    def action_retry(self) -> None:
        self.post_message(self.RetryWanted())
