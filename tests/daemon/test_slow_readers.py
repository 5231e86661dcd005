"""What a reader of the stream costs, and what it gets, over a real socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import tracemalloc
from typing import TYPE_CHECKING, Any

from rig_tui.daemon import eventlog, http_events
from rig_tui.wire import sse
from tests.daemon.harness import OPERATOR_TOKEN, Daemon, Served

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import pytest

FILLER = "x" * 50_000


@contextlib.asynccontextmanager
async def connected(
    served: Served, query: str = ""
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A subscriber that takes little in by itself."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.setblocking(False)
    port = int(served.base_url.rpartition(":")[2])
    await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", port))
    incoming, outgoing = await asyncio.open_connection(sock=plain, limit=4096)
    try:
        outgoing.write(
            f"GET /api/events{query} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Authorization: Bearer {OPERATOR_TOKEN}\r\n\r\n".encode()
        )
        assert b" 200 " in await incoming.readuntil(b"\r\n\r\n")
        yield incoming, outgoing
    finally:
        outgoing.close()
        with contextlib.suppress(OSError):
            await outgoing.wait_closed()


async def chunk(incoming: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(30):
        size = int(await incoming.readline(), 16)
        return (await incoming.readexactly(size + 2))[:-2]


async def events(incoming: asyncio.StreamReader, until: int) -> tuple[list[dict[str, Any]], int]:
    """Read to that number; give the events and the count of chunks."""
    found: list[dict[str, Any]] = []
    decoder, chunks = sse.Decoder(), 0
    while not found or found[-1]["seq"] < until:
        chunks += 1
        for frame in decoder.feed(await chunk(incoming)):
            assert isinstance(frame, sse.Frame)
            found.append(json.loads(frame.data))
    return found, chunks


def emit(daemon: Daemon, count: int, filler: str = "") -> None:
    with daemon.core.effect() as fx:
        for _ in range(count):
            fx.emit(lambda seq: {"type": "x", "seq": seq, "filler": filler})


async def test_a_reader_that_doesnt_read_costs_bounded_memory_and_is_told_to_read_again(
    served: Served,
) -> None:
    log = served.daemon.core.events
    async with connected(served, "?from=now") as (incoming, _):
        await chunk(incoming)
        tracemalloc.start()
        try:
            for _ in range(100):
                emit(served.daemon, 10, FILLER)
                await asyncio.sleep(0)
            grown, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert most < 20 * 2**20, "fifty megabytes were sent to it"
        assert grown < 16 * 2**20
        (subscription,) = log._subscriptions
        assert subscription._bytes <= eventlog.MOST_BYTES_BEHIND

        told, _chunks = await events(incoming, log.newest)
    numbers = [event["seq"] for event in told]
    assert numbers == sorted(set(numbers)), "in order, none twice"
    gaps = [n for n, event in enumerate(told) if event["type"] == "stream.resync"]
    assert gaps
    after = numbers[gaps[-1] :]
    assert after == list(range(after[0], log.newest + 1)), "everything since the last gap"
    before = numbers[: gaps[0]]
    assert before == list(range(before[0], before[-1] + 1)), "everything up to the first"


async def test_a_slow_reader_doesnt_hold_up_a_quick_one(served: Served) -> None:
    log = served.daemon.core.events
    async with (
        connected(served, "?from=now") as (slow, _),
        connected(served, "?from=now") as (quick, _),
    ):
        await chunk(slow)
        await chunk(quick)
        first = log.newest + 1
        for _ in range(30):
            emit(served.daemon, 2, FILLER)
            told, _chunks = await events(quick, log.newest)
            assert [event["seq"] for event in told] == [log.newest - 1, log.newest]
        assert log.newest == first + 59


async def test_a_replay_comes_in_few_large_chunks_and_is_whole(served: Served) -> None:
    emit(served.daemon, 5_000)
    newest = served.daemon.core.events.newest
    async with connected(served) as (incoming, _):
        told, chunks = await events(incoming, newest)
    assert [event["seq"] for event in told[1:]] == list(range(1, newest + 1))
    assert chunks <= 6


async def test_a_replay_to_a_reader_that_doesnt_read_costs_a_page(served: Served) -> None:
    for _ in range(40):
        emit(served.daemon, 10, FILLER)
    tracemalloc.start()
    try:
        async with connected(served) as (incoming, _):
            await chunk(incoming)
            await asyncio.sleep(0)
            _grown, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert most < 4 * 2**20, "twenty megabytes are kept"
            newest = served.daemon.core.events.newest
            told, _chunks = await events(incoming, newest)
    finally:
        tracemalloc.stop()
    assert [event["seq"] for event in told] == list(range(1, newest + 1))


async def test_a_burst_goes_out_in_one_chunk(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_events, "SENT_APART", 0.2)
    log = daemon.core.events
    subscription = log.subscribe()
    stream = http_events.EventRoutes(daemon.core)._stream(subscription, log.newest, reset=False)
    await anext(stream)
    emit(daemon, 1)
    assert b'"seq":1' in await anext(stream)
    burst = asyncio.ensure_future(anext(stream))
    for _ in range(3):
        emit(daemon, 1)
        await asyncio.sleep(0.01)
    decoder = sse.Decoder()
    assert len(decoder.feed(await burst)) == 3
    await stream.aclose()  # type: ignore[attr-defined]


def test_a_stream_is_provably_alive_every_fifteen_seconds() -> None:
    assert http_events.COMMENT_EVERY == 15
    assert http_events.SENT_APART <= 0.02
