"""What pictures are taken of, and how large."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.ui.console import MIDDLE, TINY, WIDE

SIZES = [pytest.param(size, id=f"{size[0]}x{size[1]}") for size in (WIDE, MIDDLE, TINY)]
Compare = Callable[..., bool]
