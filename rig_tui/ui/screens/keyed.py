"""The board with the operator's own keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from rig_tui.actions.registry import ACTIONS
from rig_tui.ui.screens.board import Board

if TYPE_CHECKING:
    from rig_tui.actions.keys import Keymap


def keyed_board(keymap: Keymap) -> type[Board]:
    """The board whose keys are these.

    Textual's own keymap isn't used: it would bind a letter over a field that is typed in.
    """
    bindings: list[BindingType] = [
        Binding(",".join(keys), f"operate('{action.id}')", action.label, id=action.id)
        for action in ACTIONS.values()
        if (keys := keymap.keys(action))
    ]

    class KeyedBoard(Board, inherit_bindings=False):
        BINDINGS: ClassVar[list[BindingType]] = bindings

    return KeyedBoard
