"""A replaying fake of OpenRig 0.4.6: its recorded answers, and its traps on request."""

from __future__ import annotations

import asyncio
import copy
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

from tests.client.scripted_daemon import Request, ScriptedDaemon, Stream, answer, head
from tests.openrig import recorded

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from rig_tui.domain.model import JsonValue

NOW = datetime(2026, 11, 30, 18, 40, tzinfo=UTC)
EVENTS = "/api/events"
_IN_PARTS = ("/api/queue/sse", "/api/mission-control/sse")


@dataclass
class FakeOpenRig(ScriptedDaemon):
    """One daemon without runners, of two rigs and six open asks."""

    nodes: dict[str, list[dict[str, Any]]] = field(
        default_factory=lambda: copy.deepcopy(recorded.ANSWERS["nodes"])
    )
    items: list[dict[str, Any]] = field(
        default_factory=lambda: copy.deepcopy(recorded.ANSWERS["attention"])
    )
    history: list[bytes] = field(default_factory=lambda: recorded.frames("history"))
    """Every event there ever was, as it goes over the wire."""
    serves: set[str] = field(default_factory=lambda: {EVENTS, *_IN_PARTS})
    """The streams there are."""
    lacks: set[str] = field(default_factory=set)
    """Routes that are not there."""
    subscribed: asyncio.Queue[tuple[str, Stream]] = field(default_factory=asyncio.Queue)

    def seat(self, rig: str, logical_id: str) -> dict[str, Any]:
        return next(n for n in self.nodes[rig] if n["logicalId"] == logical_id)

    def hear(self, rig: str, logical_id: str, state: str, **more: Any) -> None:
        """Let a hook have said so."""
        self.seat(rig, logical_id)["agentActivity"] = {
            "state": state, "reason": "pre_tool_use", "evidenceSource": "runtime_hook",
            "sampledAt": "2026-11-30T18:39:59.000Z", "eventAt": "2026-11-30T18:39:58.000Z",
            "evidence": "x", "rawEvent": "PreToolUse", "rawSubtype": None, "stale": False,
        } | more  # fmt: skip

    def item(self, ask_id: str) -> dict[str, Any]:
        return next(item for item in self.items if item["qitemId"] == ask_id)

    async def stream(self, path: str = EVENTS) -> Stream:
        """The next stream that is opened at this path."""
        async with asyncio.timeout(10):
            while True:
                opened, stream = await self.subscribed.get()
                if opened == path:
                    return stream

    async def _usual(self, request: Request, writer: asyncio.StreamWriter) -> None:
        if request.path in self.serves:
            await self._serve_stream(request, writer)
            return
        found = self._find(request) if request.path not in self.lacks else None
        if found is None:
            writer.write(head(404, content_type="text/plain; charset=UTF-8", content_length="13"))
            writer.write(b"404 Not Found")
        else:
            await answer(found)(request, writer)

    async def _serve_stream(self, request: Request, writer: asyncio.StreamWriter) -> None:
        date = format_datetime(NOW, usegmt=True)
        writer.write(
            head(200, content_type="text/event-stream", transfer_encoding="chunked", date=date)
        )
        stream = Stream(request, writer)
        if request.path == EVENTS:
            last = int(request.headers.get("last-event-id", "0"))
            for event in self.history:
                if number(event) > last:
                    stream.send(event)
            await writer.drain()
        self.subscribed.put_nowait((request.path, stream))
        await stream.ended.wait()

    def _find(self, request: Request) -> JsonValue:
        answers = recorded.ANSWERS
        match request.path.removeprefix("/api/").split("/"):
            case ["", "healthz"]:
                return dict(answers["health"])
            case ["health-summary", "version"]:
                return dict(answers["version"])
            case ["rigs", "summary"]:
                return [rig for rig in answers["rigs"] if rig["name"] in self.nodes]
            case ["rigs", rig_id, "nodes"]:
                names = {rig["id"]: rig["name"] for rig in answers["rigs"]}
                return list(self.nodes.get(names.get(rig_id, ""), []))
            case ["queue", "list"]:
                return list(self.items)
            case ["queue", "attention-aggregate"]:
                return {"items": [], "hosts": [{"hostId": "local", "status": "ok"}]}
            case ["queue", ask_id]:
                return next((i for i in self.items if i["qitemId"] == ask_id), None)
            case ["mission-control", "views"]:
                return dict(answers["views"])
            case ["mission-control", "destinations"]:
                return dict(answers["destinations"])
            case ["mission-control", "audit"]:
                return {"rows": []}
            case _:
                return None


def number(event: bytes) -> int:
    """An event's number."""
    return int(event.rpartition(b"id: ")[2])


def event(seq: int, kind: str, **more: Any) -> bytes:
    """An event as the daemon writes it: the data before the number, and no name."""
    data = {"type": kind, **more, "seq": seq, "createdAt": "2026-11-30 18:40:01"}
    return f"data: {json.dumps(data, separators=(',', ':'))}\nid: {seq}\n\n".encode()


@asynccontextmanager
async def fake_openrig() -> AsyncIterator[FakeOpenRig]:
    daemon = FakeOpenRig()
    await daemon.start()
    try:
        yield daemon
    finally:
        await daemon.stop()
