"""The terminal beyond what Textual offers: what is written beside frames, and leaving.

Rule of this file: it alone touches Textual's private driver.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

from textual.drivers.linux_driver import LinuxDriver

from rig_tui.ui import sequences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from textual.app import App

    from rig_tui.settings.values import Channel


class Outliving:
    """A terminal's file that takes whatever is written, also once the terminal is gone.

    Textual writes from a thread, which would end with the first failure; drawing would
    then wait for ever for room in its queue, and no signal would end the process.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()


class OutlivingDriver(LinuxDriver):
    """Textual's driver, which its terminal may leave at any moment."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        assert self._file is not None
        self._file = cast("Any", Outliving(self._file))


class Terminal:
    """The terminal that a running app draws on."""

    def __init__(self, app: App[int], tmux_depth: int = 0) -> None:
        self._app = app
        self._tmux_depth = tmux_depth

    def ring(self) -> None:
        """Ring the bell."""
        self._write(sequences.BELL)

    def notify(self, channel: Channel, heading: str, text: str) -> None:
        """Show a desktop notification, if the terminal takes one."""
        sequence = sequences.notification(channel, heading, text)
        if sequence:
            self._write(sequences.through_tmux(sequence, self._tmux_depth))

    def entitle(self, text: str) -> None:
        """Set the title."""
        self._write(sequences.title(text))

    def copy(self, data: bytes) -> None:
        """Hand these bytes to the terminal's clipboard."""
        self._write(sequences.clipboard(data))

    def take_mouse(self, take: bool) -> None:
        """Take the mouse, or leave it to the terminal, also over a suspension."""
        driver = self._app._driver
        if driver is not None:
            driver._mouse = take
        self._write(sequences.MOUSE_ON if take else sequences.MOUSE_OFF)

    def when_continued(self, back: Callable[[], None]) -> None:
        """Have `back` called when a process that was stopped goes on, before any key is read."""
        resume = signal.getsignal(signal.SIGCONT)
        if not callable(resume):  # no terminal was taken, so none is taken again
            return

        def go_on(number: int, frame: FrameType | None) -> None:
            back()
            resume(number, frame)

        signal.signal(signal.SIGCONT, go_on)

    def _write(self, sequence: str) -> None:
        driver = self._app._driver
        if driver is not None:
            driver.write(sequence)
            driver.flush()


@contextmanager
def keep_title(wanted: bool) -> Iterator[None]:
    """Give the terminal its own title back afterwards, where one is set meanwhile."""
    if not wanted:
        yield
        return
    _tell(sequences.KEEP_TITLE)
    try:
        yield
    finally:
        _tell(sequences.GIVE_TITLE_BACK)


def _tell(sequence: str) -> None:
    stream = sys.__stderr__
    if stream is None or not stream.isatty():
        return
    try:
        stream.write(sequence)
        stream.flush()
    except OSError:
        return  # the terminal is gone, and its title with it


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
