"""What the operator looks at, and which asks they have come across.

Rule of this file: what is shown changes by the operator alone. The one exception is
the first picture of a fleet, which shows its most urgent ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain import select
from rig_tui.domain.select import AskKey, SeatKey

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask, Fleet, Seat
    from rig_tui.domain.select import Key


class Shown:
    """The selected row, by its key, and the asks seen so far."""

    def __init__(self) -> None:
        self.key: Key | None = None
        """The row that is selected and shown; the same key until the operator moves."""
        self._seen: set[str] = set()
        self._met = False

    def meet(self, fleet: Fleet) -> AskKey | None:
        """Take note of a fleet; the most urgent ask, the first time there is a picture."""
        waiting = {ask.ask_id for ask in select.pending_asks(fleet)}
        first = None
        if not self._met and fleet.link.live:
            self._met = True
            self._seen = waiting
            first = select.first_ask(fleet)
        self._seen &= waiting
        return AskKey(first.ask_id) if first is not None else None

    def go(self, key: Key | None) -> None:
        """Show another row."""
        self.key = key
        if isinstance(key, AskKey):
            self._seen.add(key.ask_id)

    def ask(self, fleet: Fleet) -> Ask | None:
        """The shown ask, as it stands in this fleet."""
        return fleet.asks.get(self.key.ask_id) if isinstance(self.key, AskKey) else None

    def seat(self, fleet: Fleet) -> Seat | None:
        """The selected seat, or the shown ask's."""
        if isinstance(self.key, SeatKey):
            return fleet.seats.get(self.key.seat_id)
        ask = self.ask(fleet)
        return select.seat_of(fleet, ask) if ask is not None else None

    def new(self, fleet: Fleet) -> int:
        """How many waiting asks the operator hasn't come across."""
        return sum(1 for ask in select.pending_asks(fleet) if ask.ask_id not in self._seen)

    def answered_here(self, before: Fleet, fleet: Fleet) -> bool:
        """Whether the shown ask has just ended by what this console sent."""
        ask, was = self.ask(fleet), self.ask(before)
        return (
            ask is not None
            and was is not None
            and was.pending
            and not ask.pending
            and ask.ask_id in fleet.sent
        )
