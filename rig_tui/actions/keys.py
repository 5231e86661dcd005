"""Keys by name: how people write them, how Textual names them, how they are printed."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rig_tui.actions.action import Action
    from rig_tui.actions.spots import Spot

_MODIFIERS: Final = ("ctrl", "alt", "shift", "super", "meta", "hyper")
_NAMED: Final = frozenset(
    {
        "enter", "escape", "tab", "space", "backspace", "delete", "insert", "home", "end",
        "pageup", "pagedown", "up", "down", "left", "right",
        *(f"f{number}" for number in range(1, 25)),
    }
)  # fmt: skip
_SHORT: Final = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Where Textual's name of a character isn't the character's own."""
_WRITTEN: Final = {"esc": "escape", "return": "enter", "del": "delete", "pgup": "pageup",
                   "pgdn": "pagedown"}  # fmt: skip
_PRINTED: Final = {
    "escape": "esc",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
}


def _name_of(character: str) -> str:
    if character.isalnum():
        return character
    name = unicodedata.name(character, "").lower().replace("-", "_").replace(" ", "_")
    return _SHORT.get(name, name)


_CHARACTERS: Final = {
    _name_of(character): character
    for character in map(chr, range(0x21, 0x7F))
    if not character.isalnum()
}


def key_named(written: str) -> str | None:
    """Textual's name for a key as a person writes it; None when it is no key.

    `?`, `question_mark`, `ctrl+f`, `F5`, `esc` and `A` are keys. A letter's case is part
    of it, a name's isn't.
    """
    if len(written) == 1:
        if written == " ":
            return "space"
        return _name_of(written) if written.isprintable() else None
    modifiers, _, last = written[:-1].rpartition("+")
    last += written[-1:]
    before = modifiers.lower().split("+") if modifiers else []
    if any(part not in _MODIFIERS for part in before) or len(set(before)) != len(before):
        return None
    if len(last) == 1:
        name = _name_of(last.lower() if before else last)
    else:
        name = _WRITTEN.get(last.lower(), last.lower())
        if name not in _NAMED and name not in _CHARACTERS:
            return None
    return "+".join([*sorted(before, key=_MODIFIERS.index), name])


def key_words(key: str) -> str:
    """A key as it is printed: `?` for `question_mark`, `esc` for `escape`."""
    return _PRINTED.get(key) or _CHARACTERS.get(key, key)


@dataclass(frozen=True, slots=True)
class Keymap:
    """The keys of every action, and of every place that has keys of its own."""

    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keys by action id, where they aren't the default ones."""

    def keys(self, action: Action | Spot) -> tuple[str, ...]:
        """An action's keys, in Textual's names."""
        return self.chosen.get(action.id, action.keys)

    def words(self, action: Action | Spot) -> str:
        """An action's first key as it is printed; empty when only the palette has it."""
        keys = self.keys(action)
        return key_words(keys[0]) if keys else ""
