"""The terminal beyond what Textual offers: leaving it as it was, whatever ends us."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from textual.app import App


@contextmanager
def leave_on_signals(app: App[int]) -> Iterator[None]:
    """While inside, SIGTERM and SIGHUP end the app the ordinary way, terminal restored.

    The exit code is the shell's for that signal: 143 and 129.
    """

    def leave(number: int, _: FrameType | None) -> None:
        app.call_later(app.exit, 128 + number)

    held = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in held.items():
            signal.signal(number, handler)
        _forget_unwritable()


def _forget_unwritable() -> None:
    """Drop what a terminal that is gone can't be told any more.

    The interpreter would try once more at its end, fail, and change the exit code.
    """
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is None:
            continue
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
