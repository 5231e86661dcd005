"""Server-sent events as bytes: an incremental decoder, and the encoder.

Works on bytes and never on lines of text: splitting text at U+2028, U+0085 or a form
feed would tear legal frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

FRAME_CAP = 1_048_576
"""The most bytes one frame may have before it is skipped."""

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Frame:
    """One dispatched event."""

    data: str
    event: str = "message"
    id: str | None = None
    """The last id seen so far; None before the stream's first."""
    retry: int | None = None


@dataclass(frozen=True, slots=True)
class Oversized:
    """A frame over the cap: skipped to its blank line, content lost."""

    id: str | None
    """Its own id when one was seen, else the last one before it."""
    size: int
    """Its bytes, line ends not counted."""


Decoded: TypeAlias = Frame | Oversized


class Decoder:
    """Turns chunks into frames, however the chunks were cut.

    An oversized frame never ends the stream, and its id counts as seen, so that a
    reconnect doesn't bring it again.
    """

    def __init__(self, cap: int = FRAME_CAP) -> None:
        self._cap = cap
        self._start = b""
        self._started = False
        self._after_cr = False
        self._line = bytearray()
        self._line_size = 0
        self._pending_id: str | None = None
        self._last_id: str | None = None
        self._reset_frame()

    @property
    def last_id(self) -> str | None:
        """The id to resume after: of the last frame dispatched or skipped."""
        return self._last_id

    def feed(self, chunk: bytes) -> list[Decoded]:
        """Take the next bytes; give the frames they complete."""
        chunk = self._without_bom(chunk)
        found: list[Decoded] = []
        position = 0
        if self._after_cr and chunk:
            self._after_cr = False
            position = 1 if chunk[0] == 0x0A else 0
        while position < len(chunk):
            end = _line_end(chunk, position)
            if end < 0:
                self._extend(chunk[position:])
                break
            self._extend(chunk[position:end])
            self._finish_line(found)
            position = end + 1
            if chunk[end] == 0x0D:
                if position == len(chunk):
                    self._after_cr = True
                elif chunk[position] == 0x0A:
                    position += 1
        return found

    def _without_bom(self, chunk: bytes) -> bytes:
        if self._started:
            return chunk
        self._start += chunk
        if len(self._start) < len(_BOM) and _BOM.startswith(self._start):
            return b""
        self._started = True
        return self._start.removeprefix(_BOM)

    def _reset_frame(self) -> None:
        self._data: list[bytes] = []
        self._event = ""
        self._retry: int | None = None
        self._size = 0

    def _extend(self, piece: bytes) -> None:
        """Keep the line's bytes, but of a frame over the cap only enough for its id."""
        self._line_size += len(piece)
        if self._size + self._line_size > self._cap:
            piece = piece[: max(0, 1024 - len(self._line))]
        self._line += piece

    def _finish_line(self, found: list[Decoded]) -> None:
        line, size = bytes(self._line), self._line_size
        self._line.clear()
        self._line_size = 0
        if size == 0:
            self._dispatch(found)
            return
        self._size += size
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            if self._size <= self._cap:
                self._data.append(value)
        elif name == b"event":
            self._event = value.decode("utf-8", "replace")
        elif name == b"id":
            if b"\0" not in value and len(line) == size:
                self._pending_id = value.decode("utf-8", "replace")
        elif name == b"retry" and value.isdigit() and len(value) < 10:
            self._retry = int(value)

    def _dispatch(self, found: list[Decoded]) -> None:
        self._last_id = self._pending_id
        if self._size > self._cap:
            found.append(Oversized(self._last_id, self._size))
        elif self._data:
            data = b"\n".join(self._data).decode("utf-8", "replace")
            found.append(Frame(data, self._event or "message", self._last_id, self._retry))
        self._reset_frame()


def _line_end(chunk: bytes, start: int) -> int:
    newline = chunk.find(b"\n", start)
    carriage = chunk.find(b"\r", start, newline if newline >= 0 else len(chunk))
    return carriage if carriage >= 0 else newline


def encode(
    data: str | bytes,
    *,
    id: str | None = None,
    event: str | None = None,
    retry: int | None = None,
) -> bytes:
    """One frame's bytes. Line breaks in `data` become several data lines.

    Raises:
        ValueError: The id or the event name holds a line break, or the id a NUL.
    """
    lines: list[bytes] = []
    if id is not None:
        lines.append(b"id: " + _single(id, "id"))
    if event is not None:
        lines.append(b"event: " + _single(event, "event"))
    if retry is not None:
        lines.append(b"retry: %d" % retry)
    raw = data.encode() if isinstance(data, str) else data
    raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    lines.extend(b"data: " + part for part in raw.split(b"\n"))
    return b"\n".join(lines) + b"\n\n"


def comment(text: str = "") -> bytes:
    """A comment, which keeps a quiet stream provably alive."""
    return b": " + _single(text, "comment") + b"\n\n"


def _single(text: str, what: str) -> bytes:
    if any(c in text for c in "\r\n\0"):
        raise ValueError(f"an SSE {what} can't hold a line break or NUL: {text!r}")
    return text.encode()
