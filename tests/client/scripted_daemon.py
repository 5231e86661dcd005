"""A daemon for the client's tests: real sockets, and every fault on request."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from rig_tui.domain.model import (
    Ask,
    Holder,
    HolderType,
    JsonObject,
    JsonValue,
    Option,
    People,
    Person,
    Rig,
    Seat,
    SeatId,
)
from rig_tui.wire import openrig, sse

if TYPE_CHECKING:
    from rig_tui.domain.events import Event, EventBatch

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> JsonObject:
        value: JsonObject = json.loads(self.body)
        return value


Handler: TypeAlias = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


def head(status: int, **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def answer(value: JsonValue, status: int = 200) -> Handler:
    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        body = json.dumps(value).encode()
        writer.write(
            head(status, content_length=str(len(body)), content_type="application/json") + body
        )

    return handle


def redirect(url: str) -> Handler:
    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(head(307, location=url, content_length="0"))

    return handle


def hang() -> Handler:
    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    return handle


def drip(begin: bytes = b"") -> Handler:
    """Send a byte now and then, for ever."""

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(begin)
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.02)

    return handle


def drop(sent: bytes = b"") -> Handler:
    """Send these bytes and close, whatever was promised."""

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        writer.close()

    return handle


class Stream:
    """One open event stream, fed by the test."""

    def __init__(self, request: Request, writer: asyncio.StreamWriter) -> None:
        self.request = request
        self._writer = writer
        self.ended = asyncio.Event()

    def send(self, data: bytes) -> None:
        self._writer.write(b"%x\r\n%s\r\n" % (len(data), data))

    def end(self) -> None:
        """End the body properly."""
        self._writer.write(b"0\r\n\r\n")
        self.ended.set()

    def cut(self, partial: bytes = b"") -> None:
        """Break off in the middle of a chunk."""
        self._writer.write(b"ffff\r\n" + partial)
        self._writer.close()
        self.ended.set()


ANA = People((Person("ana", "Ana"),), default="ana")


@dataclass
class ScriptedDaemon:
    token: str = "t0ken"
    epoch: str = "e1"
    seq: int = 3
    port: int = 0
    proof: bool = True
    opens: bool = True
    """Whether a stream begins with stream.opened by itself."""
    capabilities: frozenset[str] = frozenset({"asks", "answer"})
    people: People = ANA
    seats: tuple[Seat, ...] = ()
    open_asks: tuple[Ask, ...] = ()
    closed_asks: tuple[Ask, ...] = ()
    handlers: dict[str, Handler] = field(default_factory=dict)
    """By path: what answers instead of the usual."""
    requests: list[Request] = field(default_factory=list)
    streams: asyncio.Queue[Stream] = field(default_factory=asyncio.Queue)
    _server: asyncio.Server | None = None
    _serving: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def asked(self, path: str) -> list[Request]:
        return [request for request in self.requests if request.path == path]

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        tasks = list(self._serving)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            while (request := await _request(reader)) is not None:
                self.requests.append(request)
                await self.handlers.get(request.path, self._usual)(request, writer)
                await writer.drain()
        except (ConnectionError, asyncio.CancelledError):
            pass  # the daemon stops, or the console went: asyncio would log either
        finally:
            self._serving.discard(task)
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _usual(self, request: Request, writer: asyncio.StreamWriter) -> None:
        if request.path == "/healthz":
            await answer(self._health(request))(request, writer)
        elif request.headers.get("authorization") != f"Bearer {self.token}":
            await answer({"error": "unauthorized", "message": "No."}, 401)(request, writer)
        elif request.path == "/api/events":
            await self._events(request, writer)
        else:
            await answer(*self._list(request))(request, writer)

    def _health(self, request: Request) -> JsonObject:
        message = f"{request.query['nonce']}\n127.0.0.1:{self.port}".encode()
        proof = hmac.new(self.token.encode(), message, hashlib.sha256).hexdigest()
        return openrig.encode_health(
            openrig.Health(
                version="9.9",
                contract="0.7.9",
                epoch=self.epoch,
                now=NOW,
                capabilities=self.capabilities,
                proof=proof if self.proof else None,
            )
        )

    async def _events(self, request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(head(200, content_type="text/event-stream", transfer_encoding="chunked"))
        stream = Stream(request, writer)
        if self.opens:
            stream.send(self.opened())
        self.streams.put_nowait(stream)
        await stream.ended.wait()

    def opened(self, *, reset: bool = False) -> bytes:
        event = openrig.stream_opened(openrig.StreamOpened(self.seq, self.epoch, reset, NOW))
        return openrig.encode_frame(event, epoch=self.epoch, seq=self.seq)

    def _list(self, request: Request) -> tuple[JsonValue, int]:
        match request.path, request.query.get("asks"):
            case "/api/rigs/summary", _:
                return [openrig.encode_rig(Rig("r1", "my-rig"))], 200
            case "/api/rigs/r1/nodes", _:
                return [openrig.encode_seat(seat) for seat in self.seats], 200
            case "/api/queue/list", "open":
                return [openrig.encode_item(ask) for ask in self.open_asks], 200
            case "/api/queue/list", "closed":
                return [openrig.encode_item(ask) for ask in self.closed_asks], 200
            case (("/api/stream/list" | "/api/runner-permits"), _):
                return [], 200
            case "/api/gateway/connections", _:
                return openrig.encode_people(self.people), 200
            case _:
                return {"error": "not_found", "message": f"No {request.path}."}, 404


async def _request(reader: asyncio.StreamReader) -> Request | None:
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = raw.decode().strip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in lines)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    return Request(method, parts.path, dict(parse_qsl(parts.query)), headers, body)


@asynccontextmanager
async def scripted() -> AsyncIterator[ScriptedDaemon]:
    daemon = ScriptedDaemon()
    await daemon.start()
    try:
        yield daemon
    finally:
        await daemon.stop()


class Follower:
    """Runs `connect()` and lets a test wait for what comes."""

    def __init__(self, batches: AsyncGenerator[EventBatch, None]) -> None:
        self.batches: list[EventBatch] = []
        self._come = asyncio.Event()
        self._task = asyncio.create_task(self._follow(batches))

    @property
    def events(self) -> list[Event]:
        return [event for batch in self.batches for event in batch]

    def all(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    async def _follow(self, batches: AsyncGenerator[EventBatch, None]) -> None:
        async with aclosing(batches):
            async for batch in batches:
                self.batches.append(batch)
                self._come.set()

    async def until(self, kind: type[Event], count: int = 1) -> Event:
        """Wait for the `count`th event of a kind."""
        async with asyncio.timeout(10):
            while len(self.all(kind)) < count:
                self._come.clear()
                await self._come.wait()
        return self.all(kind)[count - 1]

    async def stop(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task


def an_ask(ask_id: str = "qitem-1", *, version: int = 1, holder: str = "ana") -> Ask:
    return Ask(
        ask_id=ask_id,
        row_id=ask_id,
        seat_ref="builder@my-rig",
        session_name="builder@my-rig",
        generation="g1",
        native_ref="n1",
        turn_id="7",
        request_id="12",
        tool_call={"title": "Edit src/app.ts"},
        options=(Option("o1", "Allow", "allow_once"), Option("o2", "Reject", "reject_once")),
        asked_because="default_person",
        holder=Holder(HolderType.PERSON, f"{holder}@external", holder.title()),
        opened_at=NOW,
        version=version,
    )


def a_seat(name: str = "builder", *, version: int = 1) -> Seat:
    return Seat(
        seat_id=SeatId("r1", name),
        rig_name="my-rig",
        name=name,
        session_name=f"{name}@my-rig",
        node_id=f"node-{name}",
        generation="g1",
        version=version,
    )


def opened_frame(ask: Ask, *, seq: int, epoch: str = "e1") -> bytes:
    return openrig.encode_frame(openrig.queue_created(ask, seq=seq, at=NOW), epoch=epoch, seq=seq)


def raw_frame(data: str, *, event_id: str | None = None) -> bytes:
    return sse.encode(data, id=event_id)
