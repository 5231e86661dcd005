"""A sign of life on what takes long, for people only."""

from __future__ import annotations

import asyncio
import io
import sys

import pytest

from rig_tui.cli import progress as module
from rig_tui.cli.printing import SPOKEN
from rig_tui.cli.progress import progress


class Terminal(io.StringIO):
    """Takes the place of stderr and says when something was written."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, tty: bool = True) -> None:
        super().__init__()
        self.written = asyncio.Event()
        self._tty = tty
        monkeypatch.setattr(sys, "stderr", self)

    def isatty(self) -> bool:
        return self._tty

    def write(self, text: str) -> int:
        self.written.set()
        return super().write(text)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.0)


async def test_what_takes_long_is_told_on_a_terminal_and_wiped_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal(monkeypatch)
    async with progress("reading"):
        await asyncio.wait_for(terminal.written.wait(), 5)
        assert terminal.getvalue() == "\rreading…"
    assert terminal.getvalue().endswith("\r        \r")


async def test_what_is_quick_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch)
    monkeypatch.setattr(module, "PATIENCE", 60.0)
    async with progress("reading"):
        await asyncio.sleep(0)
    assert terminal.getvalue() == ""


async def test_a_pipe_and_the_line_mode_are_told_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal(monkeypatch)
    spoken = SPOKEN.set(True)
    async with progress("reading"):
        await asyncio.sleep(0.01)
    SPOKEN.reset(spoken)
    pipe = Terminal(monkeypatch, tty=False)
    async with progress("reading"):
        await asyncio.sleep(0.01)
    assert terminal.getvalue() + pipe.getvalue() == ""
