"""Every action by name, and why one can't be done now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.command import DiscoveryHit, Hit, Hits, Provider

from rig_tui.actions.registry import ACTIONS, key_words
from rig_tui.ui.screens.board import Board

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rig_tui.actions.action import Action


class Actions(Provider):
    """The registry as palette entries. Names and help are ours: never agent text."""

    async def discover(self) -> Hits:
        for action, title, text in self._entries():
            yield DiscoveryHit(title, self._doing(action), text=title, help=text)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for action, title, text in self._entries():
            score = matcher.match(title)
            if score > 0:
                yield Hit(score, matcher.highlight(title), self._doing(action), help=text)

    def _entries(self) -> Iterator[tuple[Action, str, str]]:
        board = self._board
        for action in ACTIONS.values():
            if action.family == "view" and action.id.partition(".")[2] in _MOVES:
                continue
            keys = f"  ({key_words(action.keys[0])})" if action.keys else ""
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


_MOVES = frozenset(
    {"down", "up", "page_down", "page_up", "first", "last", "left", "right", "open", "back",
     "palette", "interrupt"}
)  # fmt: skip
