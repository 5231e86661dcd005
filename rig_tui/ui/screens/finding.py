"""Finding one's way on the board: the view, its filter line, and what may wait.

Rule of this file: it changes what is listed and what is selected, on the operator's key
alone, and never what an ask is or gets.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from rig_tui.domain import view as views
from rig_tui.domain.view import Shows, Until, View
from rig_tui.ui.screens.snooze import SnoozeScreen
from rig_tui.ui.widgets.filter_line import FilterLine

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from textual.app import App

    from rig_tui.actions.keys import Keymap
    from rig_tui.domain.model import Ask, Fleet
    from rig_tui.ui.arming import Arming
    from rig_tui.ui.screens.moving import Moving
    from rig_tui.ui.widgets.fleet_list import FleetList

ACTING_SECONDS = 3.0
"""How long after a key or a click the rows stand still."""


class Place(Protocol):
    """What finding needs of the screen it serves."""

    @property
    def app(self) -> App[object]: ...

    @property
    def ask(self) -> Ask | None: ...

    @property
    def keymap(self) -> Keymap: ...

    @property
    def interrupted(self) -> bool: ...

    @property
    def moving(self) -> Moving: ...

    def draw(self) -> None: ...


class Finding:
    """Holds the view and does what its actions mean."""

    def __init__(self, place: Place, arming: Arming, fleet_list: FleetList, view: View) -> None:
        self._place = place
        self._arming = arming
        self._list = fleet_list
        self._fleet: Fleet | None = None
        self._now: datetime | None = None
        self.view = view
        """What the operator wants to see."""
        self.line = FilterLine(view.text, id="filter")
        """Where the words to look for are typed."""
        fleet_list.view = view
        fleet_list.still = self.acting

    @property
    def typing(self) -> bool:
        """Whether keys go into the filter line."""
        return self.line.has_focus

    def acting(self) -> bool:
        """Whether the operator is at something: rows stand still meanwhile."""
        return self._place.interrupted or self._arming.quiet_for() < ACTING_SECONDS

    def meet(self, fleet: Fleet, now: datetime) -> None:
        """Take note of the fleet and the time; snoozes that are over end."""
        self._fleet, self._now = fleet, now
        self._change(views.awake(self.view, fleet, now))

    @property
    def moves(self) -> dict[str, Callable[[], None]]:
        """What each of the view's actions does, by what it shows."""
        return {
            "filter": self._open,
            "states": lambda: self._narrow(replace(self.view, shows=self._next_state())),
            "mine": lambda: self._narrow(replace(self.view, mine=not self.view.mine)),
            "flat": lambda: self._narrow(replace(self.view, flat=not self.view.flat)),
            "needing": self._to_needing,
            "snooze": self._snooze,
        }

    def typed(self, text: str) -> None:
        """Look for these words."""
        if text != self.view.text:
            self._narrow(replace(self.view, text=text))

    def leave(self, *, move: bool) -> None:
        """Go back to the list, onto its first row if a move was meant."""
        self.line.display = bool(self.view.text)
        self._place.moving.to_list()
        if move:
            self._list.move(1)

    def clear(self) -> bool:
        """Show every row again; False when every row is shown already."""
        if not self.view.narrowed:
            return False
        self.line.value = ""
        self.line.display = False
        self._narrow(replace(self.view, text="", shows=Shows.ALL, mine=False))
        return True

    def _open(self) -> None:
        self._place.moving.to_list()
        self.line.display = True
        self.line.focus()

    def _next_state(self) -> Shows:
        return views.next_shows(self.view.shows)

    def _to_needing(self) -> None:
        if self._fleet is not None:
            key = views.next_needing(self._fleet, self.view, self._list.key)
            if key is not None:
                self._place.moving.visit(key)

    def _snooze(self) -> None:
        ask = self._place.ask
        if ask is None:
            return
        if ask.ask_id in self.view.snoozed:
            self._narrow(views.wake(self.view, ask.ask_id))
            return

        def chosen(until: Until | None) -> None:
            if until is not None and self._fleet is not None and self._now is not None:
                self._narrow(views.snooze(self.view, self._fleet, ask, until, self._now))

        self._place.app.push_screen(SnoozeScreen(self._arming, self._place.keymap), chosen)

    def _narrow(self, view: View) -> None:
        """Change the view on the operator's word: the list follows at once."""
        self._change(view)
        self._list.lay()
        self._place.draw()

    def _change(self, view: View) -> None:
        if view is not self.view:
            self.view = self._list.view = view
            self._list.due = True
