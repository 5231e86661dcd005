"""Reading the stream without drawing it: ours, and httpx with httpx-sse.

    python -m benchmarks.ingest ours|httpx-sse URL EVENTS

It prints, as JSON, how many events it read, in how many seconds, with how much CPU.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx
from httpx_sse import aconnect_sse
from pydantic import TypeAdapter

from rig_tui.client.intake import EventStream
from rig_tui.client.loopback import Loopback
from rig_tui.wire.openrig.seat_row import SeatRow

PATH = "/burst"


@dataclass
class Progress:
    """When the first event came, and how it stands."""

    events: int = 0
    began: float = 0.0
    cpu: float = 0.0

    def more(self, count: int) -> None:
        if not self.events:
            self.began, self.cpu = time.monotonic(), time.process_time()
        self.events += count


async def ours(client: httpx.AsyncClient, path: str, wanted: int, told: Progress) -> None:
    """The console's own way from bytes to events of its domain."""
    stream = EventStream(lambda: datetime.now(UTC))  # noqa: TID251
    async with client.stream("GET", path) as response:
        async for chunk in response.aiter_bytes():
            told.more(len((await stream.take(chunk)).events))
            if told.events >= wanted:
                return


async def httpx_sse(client: httpx.AsyncClient, path: str, wanted: int, told: Progress) -> None:
    """The usual way, with the same rows validated."""
    rows = TypeAdapter(SeatRow)
    async with aconnect_sse(client, "GET", path) as source:
        async for event in source.aiter_sse():
            if '"seat.activity_changed"' in event.data[:64]:
                rows.validate_json(event.data)
                told.more(1)
            if told.events >= wanted:
                return


async def main(way: str, url: str, wanted: int) -> None:
    """Read so many events, and print what that took."""
    path, _, query = url.removeprefix("http://").partition("/")[2].partition("?")
    stock = httpx.AsyncHTTPTransport(trust_env=False)
    transport = Loopback(f"/{path}", stock) if way == "ours" else stock
    told = Progress()
    read = {"ours": ours, "httpx-sse": httpx_sse}[way]
    async with httpx.AsyncClient(
        base_url=url.partition(f"/{path}")[0], transport=transport, timeout=None
    ) as client:
        print("ready", flush=True)
        await read(client, f"/{path}?{query}" if query else f"/{path}", wanted, told)
    seconds, cpu = time.monotonic() - told.began, time.process_time() - told.cpu
    print(json.dumps({"events": told.events, "seconds": seconds, "cpu": cpu}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
