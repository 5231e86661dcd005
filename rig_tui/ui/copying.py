"""Copying what an ask is about: to the terminal's clipboard, or to a file.

Rule of this file: it always says which of the two it was.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from rig_tui.ui.sequences import CLIPBOARD_MOST

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from rig_tui.domain.model import Ask
    from rig_tui.settings.values import CopyTo
    from rig_tui.ui.terminal import Terminal

FOLDER_MODE, FILE_MODE = 0o700, 0o600


class Copier:
    """Copies texts, and says where they are."""

    def __init__(
        self,
        terminal: Terminal,
        to: CopyTo,
        folder: Callable[[], Path],
        now: Callable[[], datetime],
    ) -> None:
        self._terminal = terminal
        self._to = to
        self._folder = folder
        self._now = now

    def tool_call(self, ask: Ask) -> str:
        """Copy the whole tool call as JSON; where it is now, in words."""
        return self._copy(json_text(ask.tool_call), "tool call", "json")

    def ask_id(self, ask: Ask) -> str:
        """Copy the ask's id; where it is now, in words."""
        return self._copy(ask.ask_id, "ask id", "txt")

    def words(self, text: str) -> str:
        """Copy words that were kept; where they are now, in words."""
        return self._copy(text, "draft", "txt")

    def _copy(self, text: str, what: str, suffix: str) -> str:
        data = text.encode("utf-8", "backslashreplace")
        if self._to == "terminal" and len(data) <= CLIPBOARD_MOST:
            self._terminal.copy(data)
            return (
                f"The {what} ({len(data):,} bytes) is handed to the terminal's clipboard. "
                'If your terminal doesn\'t take it, set copy = "file".'
            )
        try:
            path = self._write(data, what.replace(" ", "-"), suffix)
        except OSError as error:
            return f"The {what} couldn't be written: {error}. Nothing was copied."
        why = "" if self._to == "file" else ", too large for the clipboard,"
        return f"The {what} ({len(data):,} bytes){why} is in {path}"

    def _write(self, data: bytes, name: str, suffix: str) -> Path:
        folder = self._folder() / "copied"
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        path = folder / f"{self._now():%Y%m%d-%H%M%S-%f}-{name}.{suffix}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(path, flags, FILE_MODE), "wb") as file:
            file.write(data)
        return path


def json_text(value: object) -> str:
    """A value as JSON that reads like text; what could steer a terminal is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return "".join(c if c == "\n" or c.isprintable() else _escaped(c) for c in text)


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1]
