"""What is offered for words that are no answer; the cursor starts on Back."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from rig_tui.ui.present.reply import Offer
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text
    from textual import events

    from rig_tui.ui.present.reply import OfferRow


class Offers(Lines, can_focus=True):
    """Reject first, then Back, then sending the words as they are."""

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
