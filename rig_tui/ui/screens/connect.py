"""No daemon yet: where it was looked for, and what can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen

from rig_tui.actions.spots import SPOTS
from rig_tui.domain.model import Fleet, LinkState, SeatId
from rig_tui.ui.present.footer import Hint, hint_lines
from rig_tui.ui.present.inert import inert_lines, inert_words
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.roles import DANGER_STRONG, DIM
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.spot_keys import bound
from rig_tui.ui.widgets.lines import Lines, ScrollingLines

if TYPE_CHECKING:
    from datetime import datetime

    from textual.app import ComposeResult

    from rig_tui.actions.keys import Keymap

_LABELS = {"retry": "try again", "start": "start a daemon", "demo": "the demo"}
"""What can be done here, each a key of this place."""


class ConnectScreen(Screen[None], inherit_bindings=False):
    """Shown from a failed first attempt until a daemon answers; it goes by itself."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bound(f"connect.{verb}", f"choose('{verb}')") for verb in _LABELS),
        Binding("q,escape,ctrl+c", "choose('quit')", show=False),
    ]

    class Chosen(Message):
        """What the operator does about it: retry, start, demo or quit."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, fleet: Fleet, now: datetime, keymap: Keymap) -> None:
        super().__init__()
        self._hints = [
            *(
                Hint(keymap.words(SPOTS[f"connect.{verb}"]), label)
                for verb, label in _LABELS.items()
            ),
            Hint("q", "leave"),
        ]
        self._fleet = fleet
        self._now = now
        self._said = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="connect"):
            yield ScrollingLines()
            yield Lines()

    def on_mount(self) -> None:
        self.query_one("#connect", Vertical).border_title = Content("No daemon")
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def say(self, words: str) -> None:
        """Say how a choice goes."""
        self._said = words
        self._draw()

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        self._fleet, self._now = fleet, now
        self._draw()

    def tick(self, now: datetime) -> None:
        self._now = now
        self._draw()

    def action_choose(self, what: str) -> None:
        self.post_message(self.Chosen(what))

    def _draw(self) -> None:
        link = self._fleet.link
        refused = link.state is LinkState.REFUSED
        head = "The daemon refused this console." if refused else "No daemon answers."
        lines: list[Line | Text] = [join((head, DANGER_STRONG)), Text()]
        lines += [Line(text, 2) for text in inert_lines(link.cause)]
        lines += [Text(), join((self._waiting(), DIM))]
        if self._said:
            lines += [Text(), Line(inert_words(self._said))]
        width = max(20, min(74, self.size.width - 6))
        choices = [Text(), *hint_lines(self._hints, width)]
        self.query_one(Lines).show(choices)
        body = self.query_one(ScrollingLines)
        body.show(wrap(lines, width), keep_place=True)
        body.styles.height = max(1, min(len(body.lines), self.size.height - 2 - len(choices)))

    def _waiting(self) -> str:
        link = self._fleet.link
        if link.retry_at is None:
            return "Trying…"
        seconds = max(0, round((link.retry_at - self._now).total_seconds()))
        return f"Trying again in {seconds}s."
