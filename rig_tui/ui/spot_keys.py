"""Keys of one place, bound where they are."""

from __future__ import annotations

from textual.binding import Binding

from rig_tui.actions.spots import SPOTS


def bound(identifier: str, action: str) -> Binding:
    """Bind a spot's key to what a screen does then; the app's keymap may give it another."""
    return Binding(",".join(SPOTS[identifier].keys), action, id=identifier, show=False)
