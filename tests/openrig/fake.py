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
_OPEN = ("pending", "in-progress", "blocked")
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
    closed_by: dict[str, str] = field(default_factory=dict)
    acted: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Every write that was taken: its path and its body."""
    answers: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    """By path of a write: what is answered instead, without doing it."""
    gated: bool = False
    """Whether it was started with both tokens."""
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

    def file(self, **more: Any) -> dict[str, Any]:
        """One more open item."""
        number = len(self.items) + 1
        item = self.items[-1] | {"qitemId": f"qitem-new-{number}"} | more
        self.items.insert(0, item)
        return item

    def end(self, ask_id: str, by: str = "ben@external", **more: Any) -> None:
        """Let somebody have ended an item."""
        self.item(ask_id).update({"state": "done", "closureReason": "no-follow-on"} | more)
        self.closed_by[ask_id] = by

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
        if request.method == "POST":
            await self._write(request, writer)
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

    async def _write(self, request: Request, writer: asyncio.StreamWriter) -> None:
        clears = request.path.endswith("/clear-attention")
        token = "terminal" if clears else "operator"
        if self.gated and request.headers.get("authorization") != f"Bearer {token}":
            status, body = recorded.refusal("auth-mc-action-missing")
        elif request.path in self.answers:
            status, body = self.answers[request.path]
        else:
            self.acted.append((request.path, request.json))
            status, body = 200, b"{}" if clears else self._act(request.json)
        writer.write(head(status, content_length=str(len(body))) + body)

    def _act(self, body: dict[str, Any]) -> bytes:
        """Do what a verb does, as its table in the recorded daemon's source says."""
        item, said = self.item(body["qitemId"]), body.get("reason") or body.get("decision")
        match body["verb"]:
            case "approve":
                self.end(item["qitemId"], body["actorSession"])
            case "deny":
                self.end(item["qitemId"], body["actorSession"], closureReason="denied",
                         closureTarget=said or "operator denied")  # fmt: skip
            case "drop":
                self.end(item["qitemId"], body["actorSession"], closureReason="canceled",
                         closureTarget=said)  # fmt: skip
            case "hold":
                item.update(state="blocked", blockedOn=said)
            case "resolve":
                item.update(state="in-progress")
            case "route" | "handoff":
                to = body["destinationSession"]
                item.update(state="handed-off", handedOffTo=to, closureTarget=to)
        return json.dumps({"closedQitem": item, "verb": body["verb"]}).encode()

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
                return [item for item in self.items if item["state"] in _OPEN]
            case ["queue", "attention-aggregate"]:
                return {"items": [], "hosts": [{"hostId": "local", "status": "ok"}]}
            case ["queue", ask_id]:
                return next((i for i in self.items if i["qitemId"] == ask_id), None)
            case ["queue", ask_id, "transitions"]:
                by = self.closed_by.get(ask_id)
                return [{"ts": "2026-11-30T18:40:00.000Z", "actorSession": by}] if by else []
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
