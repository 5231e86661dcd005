"""What a person or OpenRig typed into the pane, as blocks. Nothing here does I/O.

Rule of this file: everything up to an Enter outside a paste is one block, and nothing
inside a block is ever acted on, but for Ctrl-C.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TypeAlias

ABORT = "/abort"
_PASTE, _PASTED = "\x1b[200~", "\x1b[201~"
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\[O])")
_HALF_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")
_CTRL_C, _CTRL_U = "\x03", "\x15"
_RUBOUTS = ("\x7f", "\b")


@dataclass(frozen=True, slots=True)
class Block:
    """One submitted message, for one prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class Cancel:
    """The running turn is to be cancelled."""


Input: TypeAlias = Block | Cancel


class Blocks:
    """Takes the bytes of a terminal in raw mode, or the lines of a pipe."""

    def __init__(self) -> None:
        self.draft = ""
        """What is typed and not submitted yet."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._pasting = False

    def feed(self, data: bytes) -> list[Input]:
        """Take what was read; gives what that completed."""
        text, self._rest = self._rest + self._decoder.decode(data), ""
        found: list[Input] = []
        at = 0
        while at < len(text):
            taken = self._paste(text, at, found) if self._pasting else self._key(text, at, found)
            if not taken:
                self._rest = text[at:]
                break
            at += taken
        return found

    def finish(self) -> list[Input]:
        """Give what stands at the end of a pipe without a line end."""
        return self._submit()

    def _paste(self, text: str, at: int, found: list[Input]) -> int:
        """Take a piece of a paste; 0 when what is there may be half of its end."""
        escape = text.find("\x1b", at)
        upto = len(text) if escape < 0 else escape
        if upto == at:
            if text.startswith(_PASTED, at):
                self._pasting = False
                return len(_PASTED)
            if _PASTED.startswith(text[at:]):
                return 0
            upto = at + 1
        piece = text[at:upto]
        if piece.endswith("\r") and upto == len(text):
            # A line feed may follow, and both are one line end.
            piece = piece[:-1]
            if not piece:
                return 0
        found.extend(Cancel() for _ in range(piece.count(_CTRL_C)))
        self.draft += piece.replace(_CTRL_C, "").replace("\r\n", "\n").replace("\r", "\n")
        return len(piece)

    def _key(self, text: str, at: int, found: list[Input]) -> int:
        character = text[at]
        if character == "\x1b":
            return self._escape(text, at)
        if character in "\r\n":
            found.extend(self._submit())
        elif character == _CTRL_C:
            found.append(Cancel())
        elif character in _RUBOUTS:
            self.draft = self.draft[:-1]
        elif character == _CTRL_U:
            self.draft = ""
        elif character >= " " or character == "\t":
            self.draft += character
        return 1

    def _escape(self, text: str, at: int) -> int:
        """Skip a key that isn't text, or begin a paste; 0 when half of it is missing."""
        if whole := _ESCAPE.match(text, at):
            self._pasting = whole[0] == _PASTE
            return len(whole[0])
        return 0 if _HALF_ESCAPE.match(text, at) else 1

    def _submit(self) -> list[Input]:
        text, self.draft = self.draft, ""
        if text == ABORT:
            return [Cancel()]
        return [Block(text)] if text.strip() else []
