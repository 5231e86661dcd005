"""A program on a pseudo-terminal, with the moment everything it painted could be read."""

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
from pathlib import Path

import pyte

COLUMNS, ROWS = 160, 50
_COLOUR = re.compile(rb"\x1b\[[\d;]*m")
_TAIL = 64
"""Bytes kept from one reading to the next, so that nothing torn is missed."""


class Slow:
    """A link that gives so many bytes a second, each after a delay."""

    def __init__(self, bytes_per_second: int, delay: float) -> None:
        self.bytes_per_second = bytes_per_second
        self.delay = delay


class Terminal:
    """One program on a terminal of its own."""

    def __init__(self, command: list[str], env: dict[str, str], slow: Slow | None = None) -> None:
        self._master, child = os.openpty()
        termios.tcsetwinsize(child, (ROWS, COLUMNS))
        self.seen: dict[bytes, int] = {}
        """Each marker's match, and the nanosecond it could first be read."""
        self.read = 0
        """How many bytes were painted."""
        self._slow = slow
        self._marks: list[re.Pattern[bytes]] = []
        self._kept: bytearray | None = None
        self._changed = threading.Condition()
        self.began = time.monotonic_ns()
        self.process = subprocess.Popen(
            command,
            stdin=child,
            stdout=child,
            stderr=child,
            start_new_session=True,
            env=os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"} | env,
        )
        os.close(child)
        self._reader = threading.Thread(target=self._follow)
        self._reader.start()

    def note(self, mark: re.Pattern[bytes]) -> None:
        """Note from now on when each of this pattern's matches is first painted."""
        self._marks.append(mark)

    def wait_for(self, match: bytes, within: float) -> int | None:
        """Wait for a noted match; gives its nanosecond, or None when it doesn't come."""
        with self._changed:
            self._changed.wait_for(lambda: match in self.seen, within)
            return self.seen.get(match)

    def forget(self, match: bytes) -> None:
        """Let a match be noted anew."""
        with self._changed:
            self.seen.pop(match, None)

    def press(self, key: str) -> int:
        """Press a key; gives the nanosecond before it was written."""
        at = time.monotonic_ns()
        os.write(self._master, key.encode())
        return at

    def screen(self) -> list[str]:
        """Have it all painted anew, and give what a person would see."""
        self._resize(ROWS - 1)
        with self._changed:
            self._kept = bytearray()
        self._resize(ROWS)
        with self._changed:
            painted, self._kept = bytes(self._kept), None
        screen = pyte.Screen(COLUMNS, ROWS)
        pyte.ByteStream(screen).feed(_COLOUR.sub(b"", painted))
        return list(screen.display)

    def _resize(self, rows: int) -> None:
        """Resize, and wait until nothing was painted for a while; ages may tick on."""
        termios.tcsetwinsize(self._master, (rows, COLUMNS))
        self.process.send_signal(signal.SIGWINCH)
        for _ in range(6):
            before = self.read
            time.sleep(0.25)
            if self.read == before:
                return

    def cpu(self) -> float:
        """Seconds of CPU its threads have used."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def memory(self) -> float:
        """Its resident memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def close(self) -> None:
        """End the program however it takes it."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join()
        os.close(self._master)

    def _follow(self) -> None:
        tail = b""
        while True:
            most = self._slow.bytes_per_second // 50 if self._slow else 1 << 16
            ready, _, _ = select.select([self._master], [], [], 0.2)
            if not ready:
                if self.process.poll() is not None:
                    return
                continue
            try:
                data = os.read(self._master, most)
            except OSError:
                return
            at = time.monotonic_ns()
            if self._slow:
                at += int(self._slow.delay * 1e9)
                time.sleep(len(data) / self._slow.bytes_per_second)
            self._take(tail + data, len(data), at)
            tail = (tail + data)[-_TAIL:]

    def _take(self, data: bytes, new: int, at: int) -> None:
        with self._changed:
            self.read += new
            if self._kept is not None:
                self._kept += data[len(data) - new :]
            for mark in self._marks:
                for found in mark.finditer(data):
                    self.seen.setdefault(found[0], at)
            self._changed.notify_all()


def python(*arguments: str) -> list[str]:
    """The command that runs this interpreter with these arguments."""
    return [sys.executable, *arguments]
