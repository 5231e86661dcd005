"""The journal of what this console sent: append-only JSON lines, for its owner alone.

Rule of this file: a line is written whole by one call and under a lock, so consoles that
share the journal never mix or lose theirs, and a line that can't be read costs only itself.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig_tui.domain.model import JsonObject

VERSION = 1
NAME = "receipts.jsonl"
MOST_BYTES = 20 * 1024 * 1024
"""A longer journal becomes the old one, and the one before it goes."""


@dataclass(frozen=True, slots=True)
class Journal:
    """The journal in a file."""

    path: Path

    @property
    def _old(self) -> Path:
        return self.path.with_suffix(".old.jsonl")

    def write(self, facts: JsonObject) -> None:
        """Add a line.

        Raises:
            OSError: It couldn't be written: a full disk, a folder that isn't ours.
        """
        line = json.dumps({"v": VERSION, **facts}, separators=(",", ":")).encode() + b"\n"
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._locked() as journal:
            size = os.fstat(journal).st_size
            if size and os.pread(journal, 1, size - 1) != b"\n":
                # The end of a line that didn't fit on a full disk.
                line = b"\n" + line
            if os.write(journal, line) != len(line):
                raise OSError(f"{self.path} took only part of a line")

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """Open the journal for one writer, making room first where it is too long."""
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
        while True:
            journal = os.open(self.path, flags, 0o600)
            try:
                fcntl.flock(journal, fcntl.LOCK_EX)
                here = os.fstat(journal)
                if not self._is_at_its_place(here):
                    continue
                if here.st_size > MOST_BYTES:
                    self.path.replace(self._old)
                    continue
                yield journal
                return
            finally:
                os.close(journal)

    def _is_at_its_place(self, opened: os.stat_result) -> bool:
        """Whether nobody moved the opened journal away before it was locked."""
        try:
            return os.path.samestat(opened, self.path.lstat())
        except FileNotFoundError:
            return False

    def read(self) -> tuple[list[JsonObject], int]:
        """Give each act with what became of it, oldest first, and how many lines are damaged.

        Raises:
            OSError: A journal is there and can't be read.
        """
        acts: dict[str, JsonObject] = {}
        damaged = 0
        for path in (self._old, self.path):
            for line in path.read_bytes().splitlines() if path.exists() else ():
                try:
                    facts = json.loads(line)
                    known = acts.setdefault(facts["id"], {})
                except (ValueError, TypeError, KeyError):
                    damaged += bool(line.strip(b"\0 "))
                    continue
                known.update(facts)
        return list(acts.values()), damaged
