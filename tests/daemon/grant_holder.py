"""A runner that holds a grant, speaking HTTP to the listener of its choice."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rig_tui.daemon import guest
from tests.daemon.harness import OPTIONS, Served, client, listen

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

HOOKS, ASKS = "/api/activity/hooks", "/api/activity/permission-requests"


@dataclass
class Holder:
    """A launch's runner with its grant."""

    http: httpx.AsyncClient
    session_name: str
    node_id: str
    generation: str
    grant: str

    async def post(self, **fields: Any) -> httpx.Response:
        post = {"sessionName": self.session_name, "hookEvent": "active", "subtype": "x"}
        return await self.http.post(HOOKS, json={**post, **fields})

    def request(self, **fields: Any) -> dict[str, Any]:
        return {
            "sessionName": self.session_name,
            "turnId": "7",
            "requestId": 1,
            "toolCall": {"title": "Edit"},
            "options": OPTIONS,
            **fields,
        }

    async def submit(self, **fields: Any) -> httpx.Response:
        return await self.http.post(ASKS, json=self.request(**fields))

    async def ask(self, **fields: Any) -> str:
        reply = await self.submit(**fields)
        assert reply.json().get("created") is True, reply.text
        return str(reply.json()["askId"])

    async def read(self, ask_id: str, wait: float = 0) -> httpx.Response:
        return await self.http.get(f"{ASKS}/{ask_id}", params={"waitSeconds": wait})

    async def withdraw(self, ask_id: str) -> httpx.Response:
        return await self.http.post(f"{ASKS}/{ask_id}/withdraw", json={"reason": "turn_ended"})


async def launch(served: Served, name: str = "builder", **fields: Any) -> dict[str, Any]:
    """Declare a seat whose runner gets a grant; gives the answer."""
    body = {"rig": "my-rig", "name": name, "runner": True, "launchResult": True, "grant": True}
    reply = await served.operator.post("/api/seats", json={**body, **fields})
    assert reply.status_code == 201, reply.text
    made: dict[str, Any] = reply.json()
    return made


@contextlib.asynccontextmanager
async def holding(made: dict[str, Any], base_url: str) -> AsyncIterator[Holder]:
    """Give the runner of a launch that was answered so."""
    token = made["env"]["OPENRIG_ACTIVITY_HOOK_TOKEN"]
    async with client(base_url, token) as http:
        yield Holder(http, made["sessionName"], made["nodeId"], made["generation"], token)


@contextlib.asynccontextmanager
async def guests(served: Served) -> AsyncIterator[str]:
    """Listen for guests beside the main listener; gives the base URL."""
    asgi = guest.build(served.daemon.core, served.app.waits)
    async with listen(asgi, lambda: None, http="h11") as base_url:
        yield base_url


async def revoke(served: Served, seat_ref: str = "builder@my-rig") -> httpx.Response:
    return await served.operator.post(f"/api/seats/{seat_ref}/grants", json={"revoke": True})


def refused(reply: httpx.Response) -> tuple[int, str]:
    body = reply.json()
    assert body["ok"] is False
    assert body["error"], "every refusal says why"
    return reply.status_code, body["code"]


class RawRequest:
    """One request written byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def head(self) -> bytes:
        return await self._reader.readuntil(b"\r\n\r\n")

    async def answer(self) -> tuple[int, Any]:
        """Read a response to its end: status and JSON body."""
        head = await self.head()
        status = int(head.split()[1])
        length = next(
            int(line.split(b":")[1])
            for line in head.lower().splitlines()
            if line.startswith(b"content-length")
        )
        body = await self._reader.read() if not length else await self._reader.readexactly(length)
        return status, json.loads(body) if body else None


@contextlib.asynccontextmanager
async def raw(base_url: str) -> AsyncIterator[RawRequest]:
    """Connect without an HTTP client's help."""
    url = urlsplit(base_url)
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    try:
        yield RawRequest(reader, writer)
    finally:
        writer.close()
        await writer.wait_closed()
