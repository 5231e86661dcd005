"""What a theme owes whoever reads it."""

from __future__ import annotations

from typing import get_args

import pytest
from textual.color import Color

from rig_tui.settings.values import Theme
from rig_tui.ui import themes
from rig_tui.ui.run import THEMES


def contrast(one: str, other: str) -> float:
    """The ratio of relative luminance, as accessibility guidelines count it."""

    def luminance(colour: str) -> float:
        parts = [part / 255 for part in Color.parse(colour).rgb]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_every_theme_setting_names_a_theme() -> None:
    assert set(THEMES) == set(get_args(Theme))
    assert set(THEMES.values()) == {theme.name for theme in themes.THEMES}


@pytest.mark.parametrize("theme", themes.THEMES, ids=lambda theme: theme.name)
def test_every_theme_has_every_ink(theme: object) -> None:
    assert set(theme.variables) == set(themes.INK_DEFAULTS)  # type: ignore[attr-defined]


@pytest.mark.parametrize("ground", ["well", "cursor"])
def test_high_contrast_text_stands_out_on_every_ground(ground: str) -> None:
    inks = themes.CONTRAST.variables
    words = {ink for ink, _ in themes.ROLE_INKS.values()}
    for ink in words:
        least = 7.0 if ground == "well" else 4.5
        assert contrast(inks[f"ink-{ink}"], inks[f"ink-{ground}"]) >= least, ink
