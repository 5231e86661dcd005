"""What pictures are taken of, how large, and in which colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from rig_tui.ui import themes
from tests.ui.console import MIDDLE, TINY, WIDE

SIZES = [pytest.param(size, id=f"{size[0]}x{size[1]}") for size in (WIDE, MIDDLE, TINY)]
Compare = Callable[..., bool]
COLOURINGS = (themes.DARK.name, themes.LIGHT.name, themes.MONO.name)


def together(pictures: Sequence[str]) -> str:
    """One picture of several equally large ones, one below the other."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', pictures[0])
    assert found is not None
    width, height = map(float, found.groups())
    placed = [
        _apart(picture, number).replace(
            "<svg ", f'<svg y="{number * height}" width="{width}" height="{height}" ', 1
        )
        for number, picture in enumerate(pictures)
    ]
    whole = f'viewBox="0 0 {width} {height * len(pictures)}"'
    return "\n".join([f'<svg {whole} xmlns="http://www.w3.org/2000/svg">', *placed, "</svg>\n"])


def _apart(picture: str, number: int) -> str:
    """Give the picture's styles names that no other one has: they count in the whole file."""
    return re.sub(r"\bterminal-\d+-", f"part-{number}-", picture)
