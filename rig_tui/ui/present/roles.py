"""The names that spans carry: what a piece of text is, never how it looks.

A widget maps each name to a style of its theme. The set is closed: a name outside
`ROLES` is a defect.
"""

from __future__ import annotations

from typing import Final

PLAIN: Final = "plain"
NAME: Final = "name"
DIM: Final = "dim"
FAINT: Final = "faint"
ACCENT: Final = "accent"
ACCENT_STRONG: Final = "accent.strong"
DANGER: Final = "danger"
DANGER_STRONG: Final = "danger.strong"
OK: Final = "ok"
VIOLET: Final = "violet"
HEADING: Final = "heading"
KEY: Final = "key"
ADD: Final = "add"
REMOVE: Final = "remove"
CONTEXT: Final = "context"
NUMBER: Final = "number"
JSON_KEY: Final = "json.key"
JSON_STRING: Final = "json.string"
JSON_OTHER: Final = "json.other"
TOKEN: Final = "token"
TITLE: Final = "title"
QUOTE: Final = "quote"
DATA: Final = "data"
"""Somebody else's characters outside ASCII: no colour, and nothing stands in for them."""

ROLES: Final = frozenset(
    {
        PLAIN,
        NAME,
        DIM,
        FAINT,
        ACCENT,
        ACCENT_STRONG,
        DANGER,
        DANGER_STRONG,
        OK,
        VIOLET,
        HEADING,
        KEY,
        ADD,
        REMOVE,
        CONTEXT,
        NUMBER,
        JSON_KEY,
        JSON_STRING,
        JSON_OTHER,
        TOKEN,
        TITLE,
        QUOTE,
        DATA,
    }
)
