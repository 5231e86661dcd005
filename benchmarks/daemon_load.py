"""The load on a daemon, lean enough that the server is what is measured.

Run as a program it is the echo server the daemon is compared with.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

    from starlette.requests import Request

HOOKS, ASKS, ECHO = "/api/activity/hooks", "/api/activity/permission-requests", "/echo"
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_TOLD = re.compile(
    rb'^id: [^.\n]+\.(\d+)\ndata: \{"type":"seat\.activity_changed".*?"sessionName":"([^"]+)"'
    rb'.*?"evidenceDetail":"n(\d+)"'
)


@dataclass(frozen=True)
class Seat:
    """Who posts."""

    session_name: str
    node_id: str
    generation: str


class Posts(asyncio.Protocol):
    """One seat's connection: posts one at a time and waits for the answer."""

    def __init__(self, port: int, token: str, route: str, seat: Seat) -> None:
        self.port = port
        self.seat = seat
        self.sent = 0
        self.sent_at: list[int] = []
        self.refused = 0
        self._head = (
            f"POST {route} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        ).encode()
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._answered: asyncio.Future[None] | None = None

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, "127.0.0.1", self.port)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._answered and not self._answered.done():
            self._answered.set_exception(exc or ConnectionResetError())

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, body = bytes(self._received).partition(b"\r\n\r\n")
        length = _LENGTH.search(head) if found else None
        if length and len(body) >= int(length[1]) and self._answered:
            self.refused += b'"counted":false' in body or b" 200 " not in head[:13]
            self._received.clear()
            self._answered.set_result(None)

    async def post(self) -> int:
        """Post once; give the nanoseconds until it was answered."""
        if self._transport is None:
            await self.connect()
        assert self._transport is not None
        self.sent += 1
        body = json.dumps(
            {
                "sessionName": self.seat.session_name,
                "nodeId": self.seat.node_id,
                "runtime": "custom",
                "generation": self.seat.generation,
                "sequence": self.sent,
                "occurredAt": datetime.now(UTC).isoformat(),  # noqa: TID251
                "hookEvent": "PreToolUse",
                "subtype": f"n{self.sent}",
                "turnId": "1",
            }
        ).encode()
        self._answered = asyncio.get_running_loop().create_future()
        began = time.monotonic_ns()
        self.sent_at.append(began)
        self._transport.write(self._head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        await self._answered
        return time.monotonic_ns() - began


async def drive(posts: list[Posts], seconds: float, every: float | None) -> list[int]:
    """Post from every seat for a while; give each answer's nanoseconds."""
    took: list[int] = []
    began = time.monotonic()

    async def seat(number: int, posting: Posts) -> None:
        # Spread over the interval, as seats are that know nothing of each other.
        due = began + (every or 0) * number / len(posts)
        while (now := time.monotonic()) < began + seconds:
            if every is not None:
                if due > now:
                    await asyncio.sleep(due - now)
                due += every
            took.append(await posting.post())

    await asyncio.gather(*(seat(number, posting) for number, posting in enumerate(posts)))
    return took


@dataclass
class Reader:
    """One subscriber: what it was told, in order."""

    told: list[tuple[int, bytes, int, int]] = field(default_factory=list)
    """Event number, session, the seat's post number, when it was read."""
    _rest: bytes = b""

    def feed(self, data: bytes) -> None:
        now = time.monotonic_ns()
        *frames, self._rest = (self._rest + data).split(b"\n\n")
        for frame in frames:
            if found := _TOLD.search(frame[frame.find(b"id: ") :]):
                self.told.append((int(found[1]), found[2], int(found[3]), now))


@asynccontextmanager
async def subscribed(port: int, token: str, count: int) -> AsyncIterator[list[Reader]]:
    """Listen to the daemon's events with several subscribers."""
    readers = [Reader() for _ in range(count)]
    opened = [asyncio.Event() for _ in readers]

    async def listen(reader: Reader, listening: asyncio.Event) -> None:
        incoming, outgoing = await asyncio.open_connection("127.0.0.1", port)
        try:
            outgoing.write(_get("/api/events?from=now", port, token))
            while chunk := await incoming.read(1 << 18):
                listening.set()
                reader.feed(chunk)
        finally:
            outgoing.close()

    async with _running([listen(*pair) for pair in zip(readers, opened, strict=True)]):
        for each in opened:
            await each.wait()
        yield readers


@dataclass
class Waits:
    """The waiting reads."""

    answered: int = 0


@asynccontextmanager
async def waiting(port: int, token: str, asks: list[str]) -> AsyncIterator[Waits]:
    """Wait for each of these asks, for as long as the block lasts."""
    waits = Waits()

    async def wait(ask_id: str) -> None:
        incoming, outgoing = await asyncio.open_connection("127.0.0.1", port)
        try:
            while True:
                outgoing.write(_get(f"{ASKS}/{ask_id}?waitSeconds=25", port, token))
                head = await incoming.readuntil(b"\r\n\r\n")
                length = _LENGTH.search(head)
                assert length
                await incoming.readexactly(int(length[1]))
                waits.answered += 1
        finally:
            outgoing.close()

    async with _running([wait(ask_id) for ask_id in asks]):
        yield waits


async def caught_up(readers: list[Reader], events: int, within: float = 10) -> None:
    """Wait until every reader was told of that many posts, or long enough."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline and any(len(r.told) < events for r in readers):  # noqa: ASYNC110
        await asyncio.sleep(0.05)


@dataclass(frozen=True)
class Told:
    """What subscribers were told."""

    events: int
    lost: int
    reordered: int
    p50_ms: float
    p99_ms: float


def judge(readers: list[Reader], posts: list[Posts], before: list[int]) -> Told:
    """Compare what was told with what was posted after the first `before` of each seat."""
    by_session = {p.seat.session_name.encode(): p for p in posts}
    posted = sum(p.sent for p in posts) - sum(before)
    lost = reordered = 0
    took: list[int] = []
    for reader in readers:
        last_event, last_post = 0, dict(zip(by_session, before, strict=True))
        for number, session, post, at in reader.told:
            reordered += number <= last_event or post <= last_post[session]
            last_event, last_post[session] = number, post
            took.append(at - by_session[session].sent_at[post - 1])
        lost += posted - len({(session, post) for _, session, post, _ in reader.told})
    return Told(len(readers[0].told), lost, reordered, percentile(took, 50), percentile(took, 99))


def percentile(nanoseconds: list[int], percent: int) -> float:
    """Give a percentile in milliseconds."""
    ordered = sorted(nanoseconds)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] / 1e6


def _get(path: str, port: int, token: str) -> bytes:
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"
    ).encode()


@asynccontextmanager
async def _running(coroutines: list[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    tasks = [asyncio.ensure_future(each) for each in coroutines]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _serve_echo() -> None:
    """A route that reads its body and sends it back, served as the daemon is."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.responses import Response
    from starlette.routing import Route

    async def echo(request: Request) -> Response:
        return Response(await request.body(), media_type="application/json")

    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(json.dumps({"port": listener.getsockname()[1]}), flush=True)
    app = Starlette(routes=[Route(ECHO, echo, methods=["POST"])])
    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", ws="none")
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    _serve_echo()
