"""A sign of life while a command takes longer than a moment."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from rig_tui.cli.printing import SPOKEN

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PATIENCE = 1.0
"""Seconds before it is shown."""


@asynccontextmanager
async def progress(words: str) -> AsyncIterator[None]:
    """Say on a terminal's stderr what is waited for, once it takes long."""
    if SPOKEN.get() or not sys.stderr.isatty():
        yield
        return

    def show() -> None:
        sys.stderr.write(f"\r{words}…")
        sys.stderr.flush()
        shown.append(True)

    shown: list[bool] = []
    timer = asyncio.get_running_loop().call_later(PATIENCE, show)
    try:
        yield
    finally:
        timer.cancel()
        if shown:
            sys.stderr.write(f"\r{' ' * (len(words) + 1)}\r")
            sys.stderr.flush()
