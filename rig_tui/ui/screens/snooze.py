"""For how long an ask may wait. Nothing is preselected; Enter picks nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from rig_tui.actions.spots import SPOTS
from rig_tui.domain.view import SNOOZE_MINUTES, Until
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.roles import DIM, KEY, NAME
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.spot_keys import bound
from rig_tui.ui.widgets.lines import Lines

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from rig_tui.actions.keys import Keymap
    from rig_tui.ui.arming import Arming

CHOICES: Final = (
    (Until.LATER, "later", "until you bring it back with the same key"),
    (Until.MINUTES, f"in {SNOOZE_MINUTES} minutes", ""),
    (Until.TURN, "when its turn changes", "or its seat reads something else"),
)


class SnoozeScreen(ModalScreen[Until | None], inherit_bindings=False):
    """Says what a snooze doesn't do, and takes one letter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        *(bound(f"snooze.{until}", f"choose('{until}')") for until, *_ in CHOICES),
    ]

    def __init__(self, arming: Arming, keymap: Keymap) -> None:
        super().__init__()
        self._arming = arming
        self._keymap = keymap
        self._rows: list[int] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="snooze"):
            yield Lines()

    def on_mount(self) -> None:
        self.query_one("#snooze", Vertical).border_title = Content("Snooze this ask")
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_key(self, event: events.Key) -> None:
        self._arming.pressed(event)

    def on_lines_clicked(self, message: Lines.Clicked) -> None:
        message.stop()
        chosen = [index for index, start in enumerate(self._rows) if start <= message.line]
        if chosen and message.line < self._rows[-1] + 1:
            self.dismiss(CHOICES[chosen[-1]][0])

    def action_choose(self, until: str) -> None:
        if not self._arming.in_burst:
            self.dismiss(Until(until))

    def action_back(self) -> None:
        self.dismiss(None)

    def _draw(self) -> None:
        width = max(20, min(64, self.app.size.width - 8))
        words = "It waits on, and its agent with it. Nothing is sent and nothing is permitted."
        lines = [*wrap([Line(join((words, DIM)))], width), Text()]
        self._rows = []
        for until, name, more in CHOICES:
            key = self._keymap.words(SPOTS[f"snooze.{until}"])
            self._rows.append(len(lines))
            lines += wrap([Line(join((key, KEY), "  ", (name, NAME), "  ", (more, DIM)), 3)], width)
        room = self.app.size.height - 2 - len(lines)
        lines += [*([Text()] if room > 1 else []), join(("esc", KEY), (" back", DIM))]
        self.query_one(Lines).show(lines)
