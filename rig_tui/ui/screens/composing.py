"""A box to write in: words above, what they would do below, and the keys that work."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from rig_tui.actions.spots import SPOTS
from rig_tui.ui.present.lines import join
from rig_tui.ui.present.roles import DIM, KEY
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.spot_keys import bound
from rig_tui.ui.widgets.draft_area import DraftArea
from rig_tui.ui.widgets.lines import Lines, ScrollingLines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from textual import events
    from textual.app import ComposeResult
    from textual.widget import Widget
    from textual.widgets import TextArea

    from rig_tui.actions.action import Context
    from rig_tui.domain.commands import Command
    from rig_tui.domain.drafts import Draft
    from rig_tui.domain.model import Ask, Fleet, SeatId
    from rig_tui.ui.arming import Arming
    from rig_tui.ui.present.lines import Line

WIDEST = 96
ROOMY_WIDTH, ROOMY_HEIGHT = 60, 18
SAFE_WIDTH, SAFE_HEIGHT = 40, 12
BURST = "That looked like pasted text or a repeating key. Nothing was sent."


class Console(Protocol):
    """What a box needs of the console it belongs to."""

    @property
    def fleet(self) -> Fleet: ...

    @property
    def arming(self) -> Arming: ...

    @property
    def content(self) -> object: ...

    def now(self) -> datetime: ...

    def context(self, ask: Ask | None) -> Context: ...

    def keep(self, draft: Draft) -> None: ...

    def mean(self, command: Command, label: str) -> None: ...

    def copy(self, text: str) -> None: ...

    def leave(self) -> None: ...


class Composing(ModalScreen[None], inherit_bindings=False):
    """A box with words in it. Enter is a new line, Esc goes back and keeps them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        bound("words.send", "send"),
        Binding("tab", "app.focus_next", show=False),
        Binding("shift+tab", "app.focus_previous", show=False),
        Binding("ctrl+c", "interrupt", show=False),
        Binding("ctrl+p", "no_palette", show=False),
    ]

    def __init__(self, text: str, desk: Console) -> None:
        super().__init__()
        self.desk = desk
        self._given = text

    def compose(self) -> ComposeResult:
        with Vertical(id="composing"):
            yield DraftArea(self._given, self.desk.arming, id="composing-words")
            yield ScrollingLines(id="composing-says")
            yield from self.below()
            yield Lines(id="composing-keys")

    def below(self) -> Sequence[Widget]:
        """What stands between what is said and the keys."""
        return ()

    def key(self, verb: str) -> str:
        """The key of something done here, as it is printed."""
        return self.desk.context(None).keymap.words(SPOTS[f"words.{verb}"])

    def on_mount(self) -> None:
        self.query_one("#composing", Vertical).border_title = Content(self.title_words().plain)
        self.area.focus()
        self.draw()

    @property
    def area(self) -> DraftArea:
        """Where the words are."""
        return self.query_one(DraftArea)

    @property
    def text(self) -> str:
        """The words as they stand."""
        return self.area.text

    def title_words(self) -> Text:
        """Whom the words are for."""
        raise NotImplementedError

    def draft(self) -> Draft:
        """The words as they are to be kept."""
        raise NotImplementedError

    def draw(self) -> None:
        """Draw what the words would do now."""
        raise NotImplementedError

    def action_send(self) -> None:
        """Send them, if what they do has been shown."""
        raise NotImplementedError

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        """Draw it anew: what the words would do depends on the world."""
        self.draw()

    def tick(self, now: datetime) -> None:
        """Nothing here counts time."""

    def on_resize(self) -> None:
        self.draw()

    def on_text_area_changed(self, message: TextArea.Changed) -> None:
        message.stop()
        self.desk.keep(self.draft())

    def on_key(self, event: events.Key) -> None:
        self.desk.arming.pressed(event)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.say("Pasted text answers nothing and was ignored.")

    def on_click(self, event: events.Click) -> None:
        self.desk.arming.clicked()

    def action_back(self) -> None:
        self.dismiss(None)

    def action_no_palette(self) -> None:
        self.say("The palette is off while words are being written. Esc goes back.")

    def action_interrupt(self) -> None:
        self.desk.leave()

    def say(self, words: str) -> None:
        """Say something that has no place in the box."""
        self.app.notify(words)

    @property
    def too_small(self) -> bool:
        """Whether the window is too small to answer safely."""
        size = self.app.size
        return size.width < SAFE_WIDTH or size.height < SAFE_HEIGHT

    @property
    def roomy(self) -> bool:
        """Whether there is room for whitespace and whole sentences."""
        size = self.app.size
        return size.width >= ROOMY_WIDTH and size.height >= ROOMY_HEIGHT

    @property
    def width(self) -> int:
        """The cells a line of the box has."""
        return max(10, min(WIDEST, self.app.size.width) - (8 if self.roomy else 4))

    def lay_out(
        self,
        must: Sequence[Line],
        may: Sequence[Line],
        *,
        keys: Sequence[tuple[str, str]],
        taken: int = 0,
    ) -> bool:
        """Give every part its rows; whether all of `must` is on screen.

        Args:
            must: What has to be read before the words may go.
            may: What scrolls where there is no room.
            keys: The keys that work now.
            taken: Rows of what stands below.
        """
        self.set_class(self.roomy, "-roomy")
        hints = Text("   ").join(join((key, KEY), " ", (label, DIM)) for key, label in keys)
        key_lines = wrap([hints], self.width)
        self.query_one("#composing-keys", Lines).show([*self.gap, *key_lines])
        # One cell is the scroll bar's, where there is one.
        needed = wrap(must, self.width - 1)
        said = [*needed, *wrap(may, self.width - 1)]
        chrome = 2 + len(key_lines) + taken + (4 if self.roomy else 0)
        room = max(2, self.app.size.height - chrome)
        rows = max(1, min(self.area.wrapped_document.height, 8, room - len(said)))
        self.area.styles.height = rows
        says = self.query_one("#composing-says", ScrollingLines)
        says.styles.height = max(1, min(len(said), room - rows))
        says.show(said, keep_place=True)
        return not self.too_small and room - rows >= len(needed)

    @property
    def gap(self) -> list[Text]:
        """An empty line, where there is room for one."""
        return [Text()] if self.roomy else []
