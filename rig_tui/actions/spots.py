"""Keys that mean something in one place only, such as the box for words or the record.

Rule of this file: Enter, Esc, Y and the chooser's digits aren't here. Nobody can give them
another meaning, or their meaning another key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Spot:
    """A key of one place."""

    id: str
    """`place.verb`; the key map names it by this."""
    keys: tuple[str, ...]
    """Default keys in Textual's names."""
    help: str
    """One sentence: what it does there."""
    acts: bool = False
    """Whether it reaches the daemon or an agent."""

    @property
    def place(self) -> str:
        return self.id.partition(".")[0]


TYPED: Final = frozenset({"words"})
"""Places where letters are typed: a plain character can't be a key there."""
EDITING: Final = frozenset(
    {
        "left", "right", "f6", "f7",
        *(f"ctrl+{key}" for key in (*"acdekuvwxyz", "left", "right", "backspace")),
        *(f"ctrl+shift+{key}" for key in (*"ak", "left", "right")),
        *(f"shift+{key}" for key in ("up", "down", "left", "right", "home", "end")),
        *(f"super+{key}" for key in (*"cxyz", "backspace")),
        "alt+backspace", "alt+delete",
    }
)  # fmt: skip
"""What edits where letters are typed."""
SPOTS: Final[dict[str, Spot]] = {
    spot.id: spot
    for spot in (
        Spot("words.send", ("ctrl+s",), "Send the words, or go on to what they need.", acts=True),
        Spot("words.reject", ("ctrl+r",), "Reject now and keep the words.", acts=True),
        Spot("words.copy", ("ctrl+o",), "Copy words that are kept."),
        Spot("record.next_view", ("tab", "right", "l"), "The next view of the record."),
        Spot("record.previous_view", ("shift+tab", "left", "h"), "The view before."),
        Spot("record.filter", ("slash",), "Narrow the record."),
        Spot("record.only_seat", ("f",), "Only this seat, or every seat again."),
        Spot("record.close", ("H",), "Back."),
        Spot(
            "story.other", ("tab", "shift+tab", "right", "left", "l", "h"),
            "Between a seat and its timeline.",
        ),
        Spot("story.kinds", ("f",), "Which entries of a seat's story are shown."),
        Spot("story.history", ("H",), "The record, narrowed to the seat."),
        Spot("story.revoke", ("G",), "Revoke the seat's grant, after its warning.", acts=True),
        Spot("story.close", ("i",), "Back."),
        Spot("map.ask_person", ("a",), "Ask a person for the seat.", acts=True),
        Spot("map.refuse_all", ("d",), "Refuse every request of the seat.", acts=True),
        Spot("map.back_to_default", ("b",), "Back to the default person.", acts=True),
        Spot("map.register", ("plus",), "Register a person.", acts=True),
        Spot("map.remove", ("minus",), "Remove a person.", acts=True),
        Spot("map.default", ("asterisk",), "Choose the default person.", acts=True),
        Spot("map.close", ("p",), "Back."),
        Spot("snooze.later", ("l",), "Until it is brought back."),
        Spot("snooze.minutes", ("m",), "For some minutes."),
        Spot("snooze.turn", ("t",), "Until its turn changes."),
        Spot("connect.retry", ("r",), "Try to reach a daemon now."),
        Spot("connect.start", ("s",), "Start a daemon.", acts=True),
        Spot("connect.demo", ("d",), "Leave for the demo."),
        Spot("link.retry", ("r",), "Try to reach the daemon now."),
    )
}  # fmt: skip
FIXED: Final = frozenset(
    {
        "escape", "enter", "space", "backspace", "delete", "up", "down", "pageup", "pagedown",
        "home", "end", "q", "j", "k", "ctrl+c", "ctrl+p", "ctrl+q",
    }
)  # fmt: skip
"""Keys that mean the same in every place."""
