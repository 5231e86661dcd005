"""The console's colours, by role.

`present/` names roles and never colours. Each role is a theme variable
`role-<name>`, so that a theme changes every place at once; weight and reversal
belong to the role, not to the theme, and survive without colours.
"""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

_DARK: Final = {
    "plain": "#c3c8d0",
    "dim": "#89919d",
    "faint": "#626a76",
    "accent": "#f2b234",
    "danger": "#ec7670",
    "ok": "#7fcc8c",
    "violet": "#b7a1e6",
    "bright": "#f1f3f6",
    "json": "#86bfe6",
    "edge": "#2c323b",
    "well": "#151920",
    "cursor": "#262d37",
}
_LIGHT: Final = {
    "plain": "#33383f",
    "dim": "#5c636d",
    "faint": "#7d8590",
    "accent": "#8a5a00",
    "danger": "#b3261e",
    "ok": "#1d6b34",
    "violet": "#6246a6",
    "bright": "#0d1014",
    "json": "#1b5b8c",
    "edge": "#c9cfd7",
    "well": "#f1f3f6",
    "cursor": "#dde3ec",
}
_MONO: Final = {
    "plain": "#c8c8c8",
    "dim": "#9a9a9a",
    "faint": "#747474",
    "accent": "#ffffff",
    "danger": "#ffffff",
    "ok": "#d8d8d8",
    "violet": "#d8d8d8",
    "bright": "#ffffff",
    "json": "#c8c8c8",
    "edge": "#444444",
    "well": "#161616",
    "cursor": "#333333",
}
_CONTRAST: Final = {
    "plain": "#ffffff",
    "dim": "#e0e0e0",
    "faint": "#c0c0c0",
    "accent": "#ffd000",
    "danger": "#ff9a94",
    "ok": "#7dff9b",
    "violet": "#d9c8ff",
    "bright": "#ffffff",
    "json": "#9fdcff",
    "edge": "#b0b0b0",
    "well": "#000000",
    "cursor": "#00408a",
}

ROLE_INKS: Final[dict[str, tuple[str, str]]] = {
    "plain": ("plain", ""),
    "name": ("bright", "bold"),
    "dim": ("dim", ""),
    "faint": ("faint", ""),
    "accent": ("accent", ""),
    "accent.strong": ("accent", "bold"),
    "danger": ("danger", ""),
    "danger.strong": ("danger", "bold"),
    "ok": ("ok", ""),
    "violet": ("violet", ""),
    "heading": ("dim", "bold"),
    "key": ("accent", "bold"),
    "add": ("ok", ""),
    "remove": ("danger", ""),
    "context": ("plain", ""),
    "number": ("faint", ""),
    "json.key": ("dim", ""),
    "json.string": ("json", ""),
    "json.other": ("violet", ""),
    "token": ("danger", "reverse"),
    "title": ("bright", "bold"),
    "quote": ("dim", "italic"),
}
"""Each role of `present/`: its ink, a theme variable, and its weight."""


def _theme(name: str, inks: dict[str, str], background: str, *, dark: bool) -> Theme:
    return Theme(
        name=name,
        primary=inks["accent"],
        accent=inks["accent"],
        warning=inks["accent"],
        error=inks["danger"],
        success=inks["ok"],
        foreground=inks["plain"],
        background=background,
        surface=background,
        panel=inks["well"],
        dark=dark,
        variables={f"ink-{ink}": colour for ink, colour in inks.items()},
    )


DARK: Final = _theme("rig-dark", _DARK, "#0f1216", dark=True)
LIGHT: Final = _theme("rig-light", _LIGHT, "#fbfbfc", dark=False)
MONO: Final = _theme("rig-mono", _MONO, "#0f0f0f", dark=True)
CONTRAST: Final = _theme("rig-contrast", _CONTRAST, "#000000", dark=True)
THEMES: Final = (DARK, LIGHT, CONTRAST, MONO)
INK_DEFAULTS: Final = dict(DARK.variables)
"""What a theme that isn't ours gets, so that every stylesheet still parses."""
