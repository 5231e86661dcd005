"""A program on a real pseudo-terminal, and the screen that a person would see there.

A thread reads whatever the program writes, so that it never waits for us, and draws it
on an emulated screen. Tests wait for words on that screen.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import termios
import threading
import time
from typing import TYPE_CHECKING

import pyte

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

PATIENCE = 40.0
"""Seconds to wait for what must happen, on a machine that may be slow."""
APART = 0.2
"""Seconds between what was last seen or pressed and a key; much closer is a paste."""
READ = 0.6
"""The same for a second key: its consequence must have been on screen for a while before."""

KEYS = {"enter": "\r", "escape": "\x1b", "ctrl+c": "\x03"}

_LEAD_SESSION = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Makes the terminal the new session's own, as a login does, so that a hangup reaches it."""
_BLANK = re.compile(r"[\s\u2500-\u259f]+")
"""What stands between words on screen: spaces, frames, bars."""
_COLOUR = re.compile(rb"\x1b\[[\d;]*m")
"""Not drawn: no test looks at colours, and most of the bytes are theirs."""
_MODE = re.compile(rb"\x1b\[\?([\d;]+)([hl])")


class Terminal:
    """One program on one terminal, `columns` by `rows`."""

    def __init__(
        self,
        command: Sequence[str],
        env: dict[str, str],
        cwd: Path,
        size: tuple[int, int] = (120, 40),
        stderr: int | None = None,
    ) -> None:
        self._master, self._slave = os.openpty()
        columns, rows = size
        termios.tcsetwinsize(self._slave, (rows, columns))
        self._settings = termios.tcgetattr(self._slave)
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._words: str | None = None
        self._changed = threading.Condition(threading.RLock())
        self._moved_at = time.monotonic()
        self._wake, self._wakes = os.pipe()
        self.written = bytearray()
        """Every byte the program wrote."""
        self.process = subprocess.Popen(
            [sys.executable, "-S", "-E", "-c", _LEAD_SESSION, *command],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave if stderr is None else stderr,
            start_new_session=True,
            env=env,
            cwd=cwd,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def wait_for(self, *words: str) -> None:
        """Wait until all these words are on screen together."""
        self._wait(lambda: all(map(self._shows, words)), f"{words} never came")

    def wait_without(self, words: str) -> None:
        """Wait until these words are on screen no more."""
        self._wait(lambda: not self._shows(words), f"{words!r} stayed")

    def wait_until(self, fact: Callable[[], bool], failed: str) -> None:
        """Wait for anything else that can be told from the screen."""
        self._wait(fact, failed)

    def shows(self, words: str) -> bool:
        """Whether these words are on screen, however they are broken into lines."""
        with self._changed:
            return self._shows(words)

    def place_of(self, words: str) -> tuple[int, int]:
        """Column and row, from 0, of words that stand on one line."""
        with self._changed:
            for row, line in enumerate(self._screen.display):
                if words in line:
                    return line.index(words), row
        raise AssertionError(f"{words!r} isn't on screen:\n{self.picture()}")

    def press(self, key: str, after: float = APART) -> None:
        """Press one key, at an operator's pace."""
        self.type(KEYS.get(key, key), after)

    def click(self, words: str) -> None:
        """Move the mouse to words and click with the first button."""
        column, row = self.place_of(words)
        place = f"{column + 1};{row + 1}"
        self.type(f"\x1b[<35;{place}M\x1b[<0;{place}M\x1b[<0;{place}m")

    def type(self, text: str, after: float = APART) -> None:
        """Send all of this at once, as a terminal does for a paste or one key."""
        time.sleep(max(0.0, self._moved_at + after - time.monotonic()))
        os.write(self._master, text.encode())
        self._moved_at = time.monotonic()

    def hang_up(self) -> None:
        """Close the terminal under the program, as closing its window does."""
        os.write(self._wakes, b"!")
        self._reader.join(PATIENCE)
        os.close(self._slave)
        os.close(self._master)
        self._master = self._slave = -1

    def ended(self) -> int:
        """Wait for the program's end; give its exit code."""
        code = self.process.wait(PATIENCE)
        if self._slave >= 0:
            self.settings_kept = termios.tcgetattr(self._slave) == self._settings
            """Whether echo, line editing and signals are as they were before."""
            os.close(self._slave)
            self._slave = -1
        self._reader.join(PATIENCE)
        assert not self._reader.is_alive(), "something still holds the terminal"
        return code

    def modes(self) -> dict[int, bool]:
        """Every private mode the program touched, and whether it is on now."""
        return {
            int(number): switch == b"h"
            for numbers, switch in _MODE.findall(bytes(self.written))
            for number in numbers.split(b";")
        }

    def rows(self) -> list[str]:
        """The screen, row by row."""
        with self._changed:
            return [*self._screen.display]

    def picture(self) -> str:
        """The screen as text, for a failing test."""
        return "\n".join(row.rstrip() for row in self.rows())

    def close(self) -> None:
        """End the program whatever it does, with all its children."""
        if self.process.poll() is None:
            self.process.kill()
        self.ended()
        for fd in (self._master, self._wake, self._wakes):
            if fd >= 0:
                os.close(fd)
        if self.process.stderr is not None:
            self.process.stderr.close()
        assert group_is_gone(self.process.pid)

    def _shows(self, words: str) -> bool:
        if self._words is None:
            self._words = _BLANK.sub("", "".join(self._screen.display))
        return _BLANK.sub("", words) in self._words

    def _wait(self, fact: Callable[[], bool], failed: str) -> None:
        deadline = time.monotonic() + PATIENCE
        with self._changed:
            while not (came := fact()):
                ended = self.process.poll() is not None
                self._changed.wait(0.2)
                if ended or time.monotonic() > deadline:
                    came = fact()
                    break
        self._moved_at = time.monotonic()
        assert came, f"{failed}; the screen:\n{self.picture()}"

    def _read(self) -> None:
        while True:
            ready, _, _ = select.select([self._master, self._wake], [], [])
            try:
                chunk = b"" if self._wake in ready else os.read(self._master, 65536)
            except OSError:  # Linux's way of saying that no program has it open any more
                chunk = b""
            with self._changed:
                self.written += chunk
                self._stream.feed(_COLOUR.sub(b"", chunk))
                self._words = None
                self._changed.notify_all()
            if not chunk:
                return


def group_is_gone(leader: int) -> bool:
    """Whether nothing is left of a process and of the children in its group."""
    try:
        os.killpg(leader, 0)
    except (ProcessLookupError, PermissionError):
        return True
    os.killpg(leader, signal.SIGKILL)
    return False
