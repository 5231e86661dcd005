"""Responses that leave in one packet.

Uvicorn writes a response's head and its body apart, and uvloop sends each at once: two
system calls here and two awakenings at the other end, which is most of what a small
answer costs.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_SMALL = 1024
"""Larger writes go out at once, so that a stream's back-pressure stays what it is."""


class JoinedWrites(asyncio.Transport):
    """A transport that holds a small write for the next one of the loop's turn."""

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self._transport = transport
        self._held = b""

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        if self._held:
            data, self._held = self._held + data, b""
            self._transport.write(data)
        elif len(data) < _SMALL:
            self._held = bytes(data)
            asyncio.get_running_loop().call_soon(self._release)
        else:
            self._transport.write(data)

    def _release(self) -> None:
        held, self._held = self._held, b""
        if held and not self._transport.is_closing():
            self._transport.write(held)

    def close(self) -> None:
        self._release()
        self._transport.close()

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def pause_reading(self) -> None:
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        self._transport.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)


class Protocol(HttpToolsProtocol):
    """Uvicorn's, over joined writes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(JoinedWrites(cast("asyncio.Transport", transport)))
