"""Every operator action, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.answering import ANSWERING
from rig_tui.actions.people import PEOPLE
from rig_tui.actions.seats import SEATS
from rig_tui.actions.view import LOOKING, MOVING

if TYPE_CHECKING:
    from rig_tui.actions.action import Action, Family

FAMILIES: tuple[Family, ...] = (ANSWERING, SEATS, PEOPLE, MOVING, LOOKING)
ACTIONS: dict[str, Action] = {action.id: action for family in FAMILIES for action in family.actions}

_KEY_WORDS = {
    "question_mark": "?",
    "colon": ":",
    "escape": "esc",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
}


def key_words(key: str) -> str:
    """A key as it is printed: `?` for `question_mark`, `esc` for `escape`."""
    return _KEY_WORDS.get(key, key)
