"""The seat's own terminal: raw, with bracketed paste, and everybody's text inert."""

from __future__ import annotations

import os
import termios
import tty
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from rig_tui.domain.inert import inert, inert_block

if TYPE_CHECKING:
    from collections.abc import Iterator

_PASTE_ON, _PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"
_CLEAR_LINE = "\r\x1b[K"
_DRAFT_SHOWN = 60
_OUTPUT_FLAGS = 1


class Pane:
    """Writes whole lines above what is being typed."""

    def __init__(self, fd: int, *, draws: bool) -> None:
        """Take a terminal, or with `draws` false a plain stream of lines."""
        self._fd = fd
        self._draws = draws
        self._draft = ""
        self._said = ""

    def say(self, line: str) -> None:
        """Write lines of anybody's text."""
        self._end_message()
        self._write(inert_block(line))

    def stream(self, text: str) -> None:
        """Write a piece of what the agent says, as soon as its line is whole."""
        *lines, self._said = (self._said + text).split("\n")
        for line in lines:
            self._write(f"agent ▸ {inert(line)}")

    def draft(self, text: str) -> None:
        """Show what is typed and not submitted yet: the end of its last line."""
        lines = text.split("\n")
        counted = f"[{len(lines)} lines] " if len(lines) > 1 else ""
        self._draft = f"{counted}{inert(lines[-1])[-_DRAFT_SHOWN:]}"
        self._put(self._drawn_draft())

    def _end_message(self) -> None:
        if self._said:
            said, self._said = self._said, ""
            self._write(f"agent ▸ {inert(said)}")

    def _write(self, lines: str) -> None:
        if self._draws:
            self._put(f"{_CLEAR_LINE}{lines}\n{self._drawn_draft()}")
        else:
            self._put(f"{lines}\n")

    def _drawn_draft(self) -> str:
        return f"{_CLEAR_LINE}> {self._draft}" if self._draws else ""

    def _put(self, text: str) -> None:
        # A terminal that has hung up takes nothing, and the agent must be ended all the same.
        data = text.encode(errors="replace")
        with suppress(OSError):
            while data:
                data = data[os.write(self._fd, data) :]


@contextmanager
def raw(fd: int) -> Iterator[None]:
    """Hold a terminal in raw mode with bracketed paste; lines still end as lines."""
    before = termios.tcgetattr(fd)
    # Not flushing: what was typed while this program started is a message too.
    tty.setraw(fd, termios.TCSANOW)
    mode = termios.tcgetattr(fd)
    mode[_OUTPUT_FLAGS] |= termios.OPOST | termios.ONLCR
    termios.tcsetattr(fd, termios.TCSANOW, mode)
    os.write(fd, _PASTE_ON)
    try:
        yield
    finally:
        with suppress(OSError, termios.error):
            os.write(fd, _PASTE_OFF + b"\r\n")
            termios.tcsetattr(fd, termios.TCSADRAIN, before)
