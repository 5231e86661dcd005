"""Every action by name, and why one can't be done now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from rig_tui.actions.registry import ACTIONS
from rig_tui.domain.inert import inert
from rig_tui.domain.select import SeatKey
from rig_tui.ui.screens.board import Board

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rig_tui.actions.action import Action


class Actions(Provider):
    """The registry as palette entries. Why one can't be done may name what others named."""

    async def discover(self) -> Hits:
        for action, title, text in self._entries():
            yield DiscoveryHit(Content(title), self._doing(action), text=title, help=_plain(text))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for action, title, text in self._entries():
            score = matcher.match(title)
            if score > 0:
                yield Hit(score, matcher.highlight(title), self._doing(action), help=_plain(text))

    def _entries(self) -> Iterator[tuple[Action, str, str]]:
        board = self._board
        for action in ACTIONS.values():
            if action.family == "view" and action.id.partition(".")[2] in _MOVES:
                continue
            key = board.keymap.words(action) if board is not None else ""
            keys = f"  ({key})" if key else ""
            why = action.why_not(board.settled_context) if board is not None else "no board"
            text = f"Not now: {why}." if why else action.help
            yield action, f"{action.label.rstrip('…').capitalize()}{keys}", text

    def _doing(self, action: Action) -> Callable[[], None]:
        board = self._board

        def do() -> None:
            if board is not None:
                board.conduct.operate_by_name(action.id)

        return do

    @property
    def _board(self) -> Board | None:
        return self.screen if isinstance(self.screen, Board) else None


class Seats(Provider):
    """Every seat by name. A name is drawn as data: it may hold anything."""

    async def search(self, query: str) -> Hits:
        board = self.screen if isinstance(self.screen, Board) else None
        if board is None:
            return
        matcher = self.matcher(query)
        for seat in board.fleet.seats.values():
            title = f"Go to {inert(seat.seat_ref)}"
            score = matcher.match(title)
            if score > 0:
                go = partial(board.moving.visit, SeatKey(seat.seat_id))
                yield Hit(score, matcher.highlight(title), go, text=title, help="Show this seat.")


def _plain(words: str) -> str:
    """Words as they are: the palette takes a string for markup, and its own text as it is."""
    return cast("str", Content(inert(words)))


_MOVES = frozenset(
    {"down", "up", "page_down", "page_up", "first", "last", "left", "right", "open", "back",
     "palette", "interrupt"}
)  # fmt: skip
