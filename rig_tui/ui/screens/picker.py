"""A searchable list of whom or what to pick. Typing filters; picking sends nothing yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from rig_tui.ui.present.footer import Hint, hint_lines
from rig_tui.ui.present.inert import inert, inert_words
from rig_tui.ui.present.lines import clip, join, pad
from rig_tui.ui.present.roles import ACCENT, DIM, FAINT, NAME
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.widgets.line_input import LineInput
from rig_tui.ui.widgets.lines import Lines
from rig_tui.ui.widgets.record_list import RecordList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from rig_tui.ui.arming import Arming


@dataclass(frozen=True, slots=True)
class Pick:
    """One thing to pick."""

    value: str
    """What is picked, unique in the list."""
    kind: str
    """`person`, `seat` or what else it is, in a word."""
    name: str
    about: str = ""
    """What picking it comes to, or what is known of it."""


class Picker(ModalScreen[Pick | None], inherit_bindings=False):
    """Pick one; Enter picks the row under the cursor, Esc goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("down", "move(1)", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
    ]

    def __init__(self, title: str, picks: Sequence[Pick], arming: Arming, *, empty: str) -> None:
        super().__init__()
        self._title = title
        self._picks = picks
        self._arming = arming
        self._empty = empty
        self._list = RecordList[Pick](self._row, lambda pick: pick.value, id="picks")
        self._about = Lines(id="pick-about")

    def compose(self) -> ComposeResult:
        with Vertical(id="picker") as box:
            box.border_title = Content(self._title)
            yield LineInput(placeholder="type to filter", id="pick-filter")
            yield self._list
            yield self._about

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self._filter("")

    def on_input_changed(self, message: Input.Changed) -> None:
        message.stop()
        self._filter(message.value)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self._arming.key()
        if self._list.current is not None:
            self.dismiss(self._list.current)

    def on_record_list_moved(self) -> None:
        current = self._list.current
        words = inert_words(current.about) if current is not None else Text(self._empty)
        words.stylize(DIM)
        width = max(20, min(76, self.app.size.width - 6))
        hints = [Hint("↑↓", "move"), Hint("enter", "pick"), Hint("esc", "back")]
        self._about.show([*wrap([words], width)[:3], *hint_lines(hints, width)])

    def action_back(self) -> None:
        self.dismiss(None)

    def action_move(self, by: int) -> None:
        self._list.move(by)

    def action_page(self, by: int) -> None:
        self._list.move(by * self._list.page)

    def _filter(self, typed: str) -> None:
        words = typed.casefold().split()
        shown = [
            pick
            for pick in self._picks
            if all(word in f"{pick.kind} {pick.name} {pick.about}".casefold() for word in words)
        ]
        self._list.styles.height = max(1, min(len(self._picks), self.app.size.height - 9))
        self._list.show(shown)

    def _row(self, pick: Pick, width: int) -> Text:
        role = ACCENT if pick.kind == "person" else FAINT
        row = join((f" {pick.kind:<8}", role), (inert(pick.name).plain, NAME))
        return pad(clip(row, width), width)
