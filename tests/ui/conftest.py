"""Consoles that nobody looks at."""

from __future__ import annotations

import pytest

from tests.headless import draw_only_what_is_asked_for, parse_styles_once


@pytest.fixture(autouse=True)
def spared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Don't draw what no test reads."""
    draw_only_what_is_asked_for(monkeypatch)
    parse_styles_once(monkeypatch)
