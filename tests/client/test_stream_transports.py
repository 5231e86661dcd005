"""The lean transport of the event stream does what httpx's own does, fault for fault."""

from __future__ import annotations

import asyncio
import gzip
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx
import pytest

from rig_tui.client.loopback import MOST_HEAD_BYTES, Loopback, serves

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
TIMEOUT = httpx.Timeout(2.0, read=0.2)


@pytest.fixture(params=["stock", "lean"])
def transport(request: pytest.FixtureRequest) -> httpx.AsyncBaseTransport:
    stock = httpx.AsyncHTTPTransport(trust_env=False)
    return stock if request.param == "stock" else Loopback("/stream", stock)


class Server:
    """Answers every request with the same pieces, then does what it is told."""

    def __init__(self, *pieces: bytes, hangs: bool = False) -> None:
        self.pieces = pieces
        self.hangs = hangs
        self.asked = b""
        self.reached = asyncio.Event()
        self.left = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.asked = await reader.readuntil(b"\r\n\r\n")
            self.reached.set()
            for piece in self.pieces:
                writer.write(piece)
                await writer.drain()
                # Otherwise the system joins what was written apart.
                await asyncio.sleep(0)
            if self.hangs:
                await reader.read()
                self.left.set()
        except ConnectionError:
            self.left.set()
        finally:
            writer.close()


@asynccontextmanager
async def answering(
    transport: httpx.AsyncBaseTransport, server: Server
) -> AsyncIterator[Callable[[], Awaitable[bytes]]]:
    """Give what reads the stream of that server whole."""
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    async with (
        listening,
        httpx.AsyncClient(transport=transport, timeout=TIMEOUT, trust_env=False) as client,
    ):

        async def read() -> bytes:
            async with client.stream("GET", f"http://127.0.0.1:{port}/stream?from=now") as found:
                body = b"".join([chunk async for chunk in found.aiter_bytes()])
                return b"%d %s" % (found.status_code, body)

        yield read


@pytest.mark.parametrize(
    "answer",
    [
        CHUNKED + b"5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
        CHUNKED + b"5;name=value\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: x\r\n\r\n",
        OK + b"Content-Length: 11\r\n\r\nhello world",
        OK + b"\r\nhello world",
        b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"Content-Length: 11\r\n\r\nhello world",
        b"HTTP/1.0 200 OK\r\n\r\nhello world",
    ],
)
@pytest.mark.parametrize("size", [1, 7, 1000])
async def test_a_body_is_read_whole_however_it_is_framed_and_torn(
    transport: httpx.AsyncBaseTransport, answer: bytes, size: int
) -> None:
    pieces = [answer[start : start + size] for start in range(0, len(answer), size)]
    async with answering(transport, Server(*pieces)) as read:
        assert await read() == b"200 hello world"


async def test_it_asks_for_what_it_was_asked_for(transport: httpx.AsyncBaseTransport) -> None:
    server = Server(OK + b"Content-Length: 0\r\n\r\n")
    async with answering(transport, server) as read:
        assert await read() == b"200 "
    lines = server.asked.split(b"\r\n")
    assert lines[0] == b"GET /stream?from=now HTTP/1.1"
    assert any(line.lower().startswith(b"host: 127.0.0.1:") for line in lines)


@pytest.mark.parametrize("status", [404, 401, 500, 307])
async def test_a_refusal_is_read_with_its_body(
    transport: httpx.AsyncBaseTransport, status: int
) -> None:
    answer = b"HTTP/1.1 %d X\r\nContent-Length: 4\r\n\r\nwhy?" % status
    async with answering(transport, Server(answer, hangs=True)) as read:
        assert await read() == b"%d why?" % status


async def test_a_compressed_body_is_read(transport: httpx.AsyncBaseTransport) -> None:
    body = gzip.compress(b"hello world")
    head = OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body)
    async with answering(transport, Server(head, body)) as read:
        assert await read() == b"200 hello world"


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-",
        CHUNKED + b"5\r\nhel",
        CHUNKED + b"5\r\nhello\r\n",
        CHUNKED + b"hello\r\n",
        OK + b"Content-Length: 11\r\n\r\nhello",
        b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
        OK + b"X: " + b"x" * (2 * MOST_HEAD_BYTES) + b"\r\n\r\n",
    ],
)
async def test_what_ends_too_early_or_isnt_http_is_a_fault(
    transport: httpx.AsyncBaseTransport, answer: bytes
) -> None:
    async with answering(transport, Server(answer)) as read:
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            await read()


@pytest.mark.parametrize("answer", [b"", OK, CHUNKED, CHUNKED + b"5\r\nhello\r\n"])
async def test_silence_ends_in_a_timeout(
    transport: httpx.AsyncBaseTransport, answer: bytes
) -> None:
    server = Server(answer, hangs=True)
    async with answering(transport, server) as read:
        with pytest.raises(httpx.ReadTimeout):
            await read()
        await asyncio.wait_for(server.left.wait(), 5)


async def test_nobody_there_is_a_connect_error_with_its_cause(
    transport: httpx.AsyncBaseTransport,
) -> None:
    async with httpx.AsyncClient(transport=transport, timeout=TIMEOUT) as client:
        with pytest.raises(httpx.ConnectError) as raised:
            await client.get("http://127.0.0.1:9/stream")
    assert isinstance(raised.value.__cause__, Exception)


async def test_who_stops_reading_lets_the_server_go(transport: httpx.AsyncBaseTransport) -> None:
    server = Server(CHUNKED + b"5\r\nhello\r\n", hangs=True)
    async with answering(transport, server) as read:
        reading = asyncio.ensure_future(read())
        await server.reached.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await asyncio.wait_for(server.left.wait(), 5)


async def test_every_other_path_is_the_stock_transports() -> None:
    asked = []

    async def handle(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return httpx.Response(200)

    lean = Loopback("/stream", httpx.MockTransport(handle))
    async with httpx.AsyncClient(transport=lean, base_url="http://127.0.0.1:9") as client:
        await client.get("/healthz")
        with pytest.raises(httpx.ConnectError):
            await client.get("/stream")
    assert asked == ["/healthz"]


def test_it_serves_plain_http_on_this_machine_and_nothing_else() -> None:
    served = ["http://127.0.0.1:7433", "http://[::1]:7433", "http://127.8.8.8"]
    others = ["https://127.0.0.1:7433", "http://10.0.0.1:7433", "http://rig.example", "http://"]
    assert [serves(url) for url in served + others] == [True] * 3 + [False] * 4
