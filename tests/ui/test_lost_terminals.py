"""A terminal that goes away while it is drawn on doesn't keep the console."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from textual.app import App
from textual.drivers._writer_thread import WriterThread

from rig_tui.ui.terminal import OutlivingDriver

if TYPE_CHECKING:
    import pytest


async def test_more_can_be_drawn_than_a_terminal_that_is_gone_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("signal.signal", lambda number, handler: None)
    master, terminal = os.openpty()
    os.close(master)
    # What is left of the writing fails once more when the file is closed.
    with suppress(OSError), os.fdopen(terminal, "w") as stream:
        monkeypatch.setattr("sys.__stderr__", stream)
        file = OutlivingDriver(App[None]())._file
        assert file is not None
        writer = WriterThread(file)
        writer.start()
        for _ in range(200):
            writer.write("drawn\n")
        writer.stop()
        assert writer.fileno() == terminal
