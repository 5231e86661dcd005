"""From role-styled text to strips in the theme's colours."""

from __future__ import annotations

from functools import lru_cache
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.theme import Theme as RichTheme
from textual.strip import Strip
from textual.widget import Widget

from rig_tui.ui.ascii_only import IS_DATA
from rig_tui.ui.present.roles import DATA
from rig_tui.ui.themes import INK_DEFAULTS, ROLE_INKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.text import Text


class Painter:
    """Paints `Text` whose spans name roles; made anew when the theme changes."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        styles = {
            role: Style.parse(f"{weight} {variables[f'ink-{ink}']}".strip())
            for role, (ink, weight) in ROLE_INKS.items()
        }
        styles[DATA] = IS_DATA
        self._console = Console(
            file=StringIO(), theme=RichTheme(styles, inherit=False), force_terminal=False
        )
        self._plain = styles["plain"]

    def strip(self, text: Text, width: int, base: Style) -> Strip:
        """Paint one line on `base`, cut or filled to exactly `width` cells."""
        segments = [
            Segment(segment.text, base + self._plain + (segment.style or Style.null()))
            for segment in text.render(self._console)
            if segment.text
        ]
        return Strip(segments).adjust_cell_length(width, base)


@lru_cache(maxsize=8)
def _painter(inks: tuple[tuple[str, str], ...]) -> Painter:
    return Painter(dict(inks))


class Painted(Widget, inherit_bindings=False):
    """A widget that draws role-styled text in the current theme."""

    _held_painter: Painter | None = None

    @property
    def painter(self) -> Painter:
        """The current theme's painter, shared by every widget that uses that theme."""
        if self._held_painter is None:
            variables = self.app.theme_variables
            inks = tuple((name, variables.get(name, ink)) for name, ink in INK_DEFAULTS.items())
            self._held_painter = _painter(inks)
        return self._held_painter

    def notify_style_update(self) -> None:
        self._held_painter = None
        self.refresh()
        super().notify_style_update()
