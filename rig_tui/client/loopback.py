"""The event stream of a daemon on this machine, read with little work per event.

One plain connection per response: nothing is pooled, and nothing stands between the
socket and the parser. Whatever httpx raises for a fault, this raises too.
"""

from __future__ import annotations

import asyncio
import ipaddress
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httptools
import httpx

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

MOST_HEAD_BYTES = 64 * 1024
_READ_BYTES = 256 * 1024
_TO_BE_READ = 1024 * 1024
"""What the socket may be ahead of the reader before the sender has to wait."""


def serves(base_url: str) -> bool:
    """Whether a daemon is one that this can talk to: plain HTTP at a loopback address."""
    parts = urlsplit(base_url)
    try:
        address = ipaddress.ip_address(parts.hostname or "")
    except ValueError:
        return False
    return parts.scheme == "http" and address.is_loopback


class Loopback(httpx.AsyncBaseTransport):
    """Reads one path's responses itself; every other request is the stock transport's."""

    def __init__(self, path: str, stock: httpx.AsyncBaseTransport) -> None:
        self._path = path
        self._stock = stock

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path != self._path:
            return await self._stock.handle_async_request(request)
        within = request.extensions.get("timeout", {})
        reader, writer = await _connected(request, within.get("connect"))
        body = _Body(reader, writer, within.get("read"))
        try:
            await body.ask(request, within.get("write"))
            status, headers = await body.head()
        except BaseException:
            await body.aclose()
            raise
        return httpx.Response(status, headers=headers, stream=body)

    async def aclose(self) -> None:
        await self._stock.aclose()


class _Parsed:
    """What httptools has found in a response so far."""

    def __init__(self) -> None:
        self.headers: list[tuple[bytes, bytes]] = []
        self.headed = False
        self.framed = False
        """Whether the body says itself where it ends."""
        self.complete = False
        self._chunks: list[bytes] = []
        self._parser = httptools.HttpResponseParser(self)

    @property
    def status(self) -> int:
        return self._parser.get_status_code()

    def feed(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            raise httpx.RemoteProtocolError(f"the answer isn't HTTP: {error}") from error

    def taken(self) -> Iterator[bytes]:
        """Give the pieces of the body that have come."""
        chunks, self._chunks = self._chunks, []
        return iter(chunks)

    def on_message_begin(self) -> None:
        self.headers.clear()
        self.framed = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name, value))
        self.framed = self.framed or name.lower() in (b"content-length", b"transfer-encoding")

    def on_headers_complete(self) -> None:
        self.headed = self.status >= httpx.codes.OK

    def on_body(self, body: bytes) -> None:
        self._chunks.append(body)

    def on_message_complete(self) -> None:
        self.complete = self.headed


class _Body(httpx.AsyncByteStream):
    """One connection, and the response that comes on it."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, silence: float | None
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._silence = silence
        self._parsed = _Parsed()

    async def ask(self, request: httpx.Request, within: float | None) -> None:
        """Send a request that has no body."""
        lines = [request.method.encode() + b" " + request.url.raw_path + b" HTTP/1.1"]
        lines += [name + b": " + value for name, value in request.headers.raw]
        self._writer.write(b"\r\n".join(lines) + b"\r\n\r\n")
        async with _faults(within, httpx.WriteTimeout, httpx.WriteError):
            await self._writer.drain()

    async def head(self) -> tuple[int, list[tuple[bytes, bytes]]]:
        """Read up to the end of the headers."""
        size = 0
        while not self._parsed.headed:
            size += await self._read()
            if size > MOST_HEAD_BYTES and not self._parsed.headed:
                raise httpx.RemoteProtocolError("the answer's headers are too large")
        return self._parsed.status, self._parsed.headers

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            for chunk in self._parsed.taken():
                yield chunk
            if self._parsed.complete or not await self._read():
                return

    async def _read(self) -> int:
        """Read what there is; 0 at an end that is none too early."""
        async with _faults(self._silence, httpx.ReadTimeout, httpx.ReadError):
            data = await self._reader.read(_READ_BYTES)
        if not data and (self._parsed.framed or not self._parsed.headed):
            raise httpx.RemoteProtocolError("the connection ended before the answer did")
        if data:
            self._parsed.feed(data)
        return len(data)

    async def aclose(self) -> None:
        self._writer.transport.abort()
        try:
            await self._writer.wait_closed()
        except OSError:
            # It broke before it was closed, which its reader has been told.
            return


async def _connected(
    request: httpx.Request, within: float | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    url = request.url
    async with _faults(within, httpx.ConnectTimeout, httpx.ConnectError):
        return await asyncio.open_connection(url.host, url.port or 80, limit=_TO_BE_READ)


@asynccontextmanager
async def _faults(
    within: float | None,
    late: type[httpx.TimeoutException],
    broken: type[httpx.NetworkError],
) -> AsyncIterator[None]:
    """Bound a wait, and raise what httpx would raise for it."""
    try:
        async with asyncio.timeout(within):
            yield
    except TimeoutError as error:
        raise late("nothing came in time") from error
    except OSError as error:
        raise broken(str(error)) from error
