"""Which keys the operator gave to which actions, and which no action may have.

Rule of this file: no setting can make Enter, Esc, a digit or a key that terminals send
in their place do anything that reaches an agent (T7-04).
"""

from __future__ import annotations

from difflib import get_close_matches
from itertools import groupby
from typing import TYPE_CHECKING, Final

from rig_tui.actions.keys import Keymap, key_named, key_words
from rig_tui.actions.registry import ACTIONS
from rig_tui.actions.spots import EDITING, FIXED, SPOTS, TYPED, Spot
from rig_tui.settings import misplaced

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from rig_tui.actions.action import Action
    from rig_tui.settings import Settings

LOCAL_FAMILIES: Final = frozenset({"view"})
"""Families whose actions reach neither the daemon nor an agent."""
_NEVER_ACTS: Final = frozenset({"enter", "escape", "space", "tab", "backspace", "Y", *"0123456789"})
_SENT_INSTEAD: Final = frozenset(
    {"ctrl+m", "ctrl+j", "ctrl+i", "ctrl+h", "ctrl+left_square_bracket"}
)
"""What old terminals send for Enter, Tab, Backspace and Esc, or the other way round."""
_KEPT: Final = {"view.back": "escape", "view.interrupt": "ctrl+c"}
"""Keys that must go on doing what they do everywhere."""
_KEYED: Final = frozenset({"view.palette"})
"""Actions that must have a key: every other one is reached by them."""


class KeymapError(Exception):
    """A key can't be given to an action."""

    def __init__(self, action_id: str, words: str) -> None:
        super().__init__(f"{action_id}: {words}")
        self.action_id = action_id
        self.words = words


def keymap(chosen: Mapping[str, Sequence[str]]) -> Keymap:
    """The keymap of what the operator wrote, keys by action id.

    Raises:
        KeymapError: An id or a key isn't one, may not be given, or is given twice.
    """
    named = {
        identifier: _of_spot(SPOTS[identifier], keys)
        if identifier in SPOTS
        else _named(identifier, keys)
        for identifier, keys in chosen.items()
    }
    made = Keymap(named)
    _told_apart(made, ACTIONS.values())
    for _, spots in groupby(SPOTS.values(), lambda spot: spot.place):
        _told_apart(made, tuple(spots))
    return made


def keymap_of(settings: Settings) -> Keymap:
    """The keymap of the settings.

    Raises:
        SettingsError: A key can't be given to its action; the message says where it stands.
    """
    try:
        return keymap(settings.keys)
    except KeymapError as error:
        raise misplaced(settings, f"keys.{error.action_id}", error.words) from error


def _told_apart(made: Keymap, among: Collection[Action | Spot]) -> None:
    """See that no key is given twice; who was given it last is told so."""
    owners: dict[str, str] = {}
    for each in sorted(among, key=lambda each: each.id in made.chosen):
        for key in made.keys(each):
            if key in owners:
                raise KeymapError(each.id, f"{key_words(key)} is the key of {owners[key]} already")
            owners[key] = each.id


def _of_spot(spot: Spot, written: Sequence[str]) -> tuple[str, ...]:
    keys = []
    for each in written:
        key = key_named(each)
        if key is None:
            raise KeymapError(spot.id, f"{each!r} is no key")
        if key in FIXED or key in _SENT_INSTEAD or (spot.acts and _never_acts(key)):
            raise KeymapError(spot.id, f"{each!r} means something else there; choose another key")
        if spot.place in TYPED and (key in EDITING or len(key_words(key)) == 1):
            raise KeymapError(spot.id, f"{each!r} types or edits there; take another, like F4")
        keys.append(key)
    if not keys:
        raise KeymapError(spot.id, "it must have a key: the palette has no entry for it")
    return tuple(dict.fromkeys(keys))


def _named(identifier: str, written: Sequence[str]) -> tuple[str, ...]:
    action = ACTIONS.get(identifier)
    if action is None:
        near = get_close_matches(identifier, [*ACTIONS, *SPOTS], 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise KeymapError(identifier, f"there is no such action{hint}")
    keys = []
    for each in written:
        key = key_named(each)
        if key is None:
            raise KeymapError(identifier, f"{each!r} is no key")
        if action.family not in LOCAL_FAMILIES and _never_acts(key):
            raise KeymapError(
                identifier, f"{each!r} may never act on an ask or a seat; choose another key"
            )
        keys.append(key)
    kept = _KEPT.get(identifier)
    if kept is not None and kept not in keys:
        raise KeymapError(identifier, f"{key_words(kept)} must be one of its keys")
    if not keys and identifier in _KEYED:
        raise KeymapError(identifier, "it must have a key: without one nothing else is reached")
    return tuple(dict.fromkeys(keys))


def _never_acts(key: str) -> bool:
    return key in _SENT_INSTEAD or key.rpartition("+")[2] in _NEVER_ACTS
