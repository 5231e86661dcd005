"""A workload on a daemon that may die at any moment, and what must hold after it did.

Everything sent is remembered with its answer, if one came. What was acknowledged must be
there afterwards as it was acknowledged; what wasn't may have happened or not, and sending
it again must come to the same as having sent it once.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rig_tui.wire import sse
from tests.daemon.harness import OPTIONS
from tests.daemon.lean_http import Answer, send

if TYPE_CHECKING:
    import random

ASKS = "/api/activity/permission-requests"
PEOPLE = 20
ENDS: dict[str, dict[str, Any]] = {
    "click a": {"state": "answered", "optionId": "a"},
    "click c": {"state": "answered", "optionId": "c"},
    "deny": {"state": "answered", "optionId": "c"},
    "drop": {"state": "permitted", "optionId": "a"},
    "words": {"state": "permitted", "optionId": "a", "said": "use staging"},
    "withdraw": {"state": "withdrawn"},
}
"""What a runner reads after each act."""


@dataclass
class Asked:
    """A request that was submitted, and what was done to it."""

    seat: Occupant
    number: int
    ask_id: str | None = None
    act: str | None = None
    """The one act that was sent, if one was."""
    done: bool = False
    """Whether the act was acknowledged."""

    @property
    def request(self) -> dict[str, Any]:
        return self.seat.request(self.number, OPTIONS)

    @property
    def key(self) -> str:
        return f"{self.seat.name}.{self.number}"


@dataclass
class Occupant:
    """A seat's runner."""

    name: str
    session_name: str
    generation: str
    numbers: itertools.count[int] = field(default_factory=itertools.count)
    posts: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    counted: list[tuple[float, int]] = field(default_factory=list)
    """When each post was acknowledged as counted, and its number."""

    def request(self, number: int, options: list[dict[str, str]]) -> dict[str, Any]:
        return {
            "sessionName": self.session_name,
            "generation": self.generation,
            "nativeRef": "conversation",
            "turnId": "1",
            "requestId": number,
            "toolCall": {"title": f"Edit {number}", "content": "x" * (number % 7) * 1000},
            "options": options,
        }


@dataclass
class Workload:
    """What was done to one home, over all its daemons."""

    chance: random.Random
    port: int = 0
    operator: str = ""
    hooks: str = ""
    occupants: list[Occupant] = field(default_factory=list)
    asks: list[Asked] = field(default_factory=list)
    permits: dict[tuple[str, int], Occupant] = field(default_factory=dict)
    """Requests permitted without asking, acknowledged."""
    people: dict[str, int] = field(default_factory=dict)
    """Whom a name was acknowledged for, and the latest such name."""
    told: dict[int, str] = field(default_factory=dict)
    """Every event any subscriber was told, by its number."""
    _people: itertools.count[int] = field(default_factory=itertools.count)

    async def begin(self, seats: int) -> None:
        """Register somebody and launch the seats."""
        await self._operate("/api/gateway/humans", {"entityId": "ana", "default": True})
        for number in range(seats):
            body: dict[str, Any] = {
                "rig": "crash",
                "name": f"s{number}",
                "runner": True,
                "launchResult": True,
            }
            made = (await self._operate("/api/seats", body)).body
            self.occupants.append(Occupant(body["name"], made["sessionName"], made["generation"]))

    async def run(self) -> None:
        """Work until the daemon is gone."""
        workers = [self._work(occupant) for occupant in self.occupants]
        tasks = [asyncio.ensure_future(w) for w in (*workers, self._register(), self._listen())]
        await asyncio.wait(tasks)
        for task in tasks:
            if error := task.exception():
                assert isinstance(error, OSError | EOFError | asyncio.IncompleteReadError), error

    async def _work(self, seat: Occupant) -> None:
        while True:
            await self._post(seat)
            if self.chance.random() < 0.2:
                await self._permit(seat)
                continue
            asked = Asked(seat, next(seat.numbers))
            self.asks.append(asked)
            await self._submit(asked)
            if self.chance.random() < 0.85:
                asked.act = self.chance.choice(list(ENDS))
                await self._act(asked)
                await self._read(asked)

    async def _post(self, seat: Occupant) -> None:
        number = next(seat.posts)
        answer = await self._run(
            "/api/activity/hooks",
            {
                "sessionName": seat.session_name,
                "generation": seat.generation,
                "sequence": number,
                "hookEvent": "PreToolUse",
                "subtype": f"n{number}",
            },
        )
        assert answer.body["counted"], answer
        seat.counted.append((time.monotonic(), number))

    async def _permit(self, seat: Occupant) -> None:
        """Have a request permitted that can't be shown."""
        number = next(seat.numbers)
        answer = await self._run(ASKS, seat.request(number, OPTIONS[:1]))
        assert answer.body["state"] == "permitted", answer
        self.permits[seat.session_name, number] = seat

    async def _submit(self, asked: Asked) -> None:
        answer = await self._run(ASKS, asked.request)
        assert answer.status == 200, answer
        ask_id = answer.body["askId"]
        assert asked.ask_id in (None, ask_id)
        asked.ask_id = ask_id

    async def _act(self, asked: Asked) -> None:
        assert asked.act
        name, _, option = asked.act.partition(" ")
        body: dict[str, Any] = {"actorSession": "human@host", "qitemId": asked.ask_id}
        if name == "withdraw":
            answer = await self._run(f"{ASKS}/{asked.ask_id}/withdraw", {"reason": "turn_ended"})
        elif name in ("click", "words"):
            said: dict[str, Any] = {"questionId": "permission", "optionId": option}
            if name == "words":
                said = {"text": "use staging", "expect": "words", "confirmPermit": True}
            route = "reply" if name == "words" else "answer"
            path = f"/api/queue/{asked.ask_id}/{route}"
            answer = await self._operate(path, {**body, **said}, asked.key)
        else:
            body |= {"verb": name, "reason": "crash"}
            answer = await self._operate("/api/mission-control/action", body, asked.key)
        assert answer.status == 200, answer
        asked.done = True

    async def _read(self, asked: Asked) -> None:
        answer = await send(self.port, "GET", f"{ASKS}/{asked.ask_id}", self.hooks)
        assert answer.status == 200, answer
        read = answer.body
        assert read.pop("ok") is True
        assert read.pop("askId") == asked.ask_id
        ended = asked.act is not None and read == ENDS[asked.act]
        assert ended or (read == {"state": "pending"} and not asked.done), (asked, read)

    async def _register(self) -> None:
        while True:
            number = next(self._people)
            body = {"entityId": f"p{number % PEOPLE}", "displayName": str(number)}
            await self._operate("/api/gateway/humans", body)
            self.people[body["entityId"]] = number
            await asyncio.sleep(0.02)

    async def _listen(self) -> None:
        """Remember what a subscriber is told: a number never means two things."""
        incoming, outgoing = await asyncio.open_connection("127.0.0.1", self.port)
        head = "GET /api/events?from=now HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
        decoder = sse.Decoder()
        try:
            outgoing.write(f"{head}{self.operator}\r\n\r\n".encode())
            await incoming.readuntil(b"\r\n\r\n")
            while size := int(await incoming.readline() or b"0", 16):
                for frame in decoder.feed((await incoming.readexactly(size + 2))[:-2]):
                    assert isinstance(frame, sse.Frame)
                    number = int((frame.id or "").rpartition(".")[2])
                    if '"stream.opened"' not in frame.data:
                        assert self.told.setdefault(number, frame.data) == frame.data
        finally:
            outgoing.close()
            with contextlib.suppress(OSError):
                await outgoing.wait_closed()

    async def check(self, killed_at: float, since: int) -> None:
        """See that nothing acknowledged was lost, and that doing it again does it once.

        Args:
            killed_at: When the daemon died.
            since: The number of the first ask of this daemon's life; of those before only
                some are looked at again.
        """
        older = self.asks[:since]
        for asked in self.asks[since:]:
            await self._submit(asked)
            if asked.act:
                await self._read(asked)
                await self._act(asked)
            await self._read(asked)
        for asked in self.chance.sample(older, min(10, len(older))):
            await self._read(asked)
        connections = (await self._get("/api/gateway/connections")).body
        names = {human["entityId"]: human["displayName"] for human in connections["humans"]}
        for entity_id, number in self.people.items():
            assert int(names[entity_id]) >= number
        await self._check_activity(killed_at)

    async def _check_activity(self, killed_at: float) -> None:
        rig = (await self._get("/api/rigs/summary")).body[0]["id"]
        rows = (await self._get(f"/api/rigs/{rig}/nodes")).body
        for seat, row in zip(self.occupants, rows, strict=True):
            kept = [number for at, number in seat.counted if at < killed_at - 1]
            if kept and row["runner"]["evidence"] == "post":
                assert int(row["runner"]["evidenceDetail"].removeprefix("n")) >= kept[-1]

    async def check_all(self) -> None:
        """See that everything ever sent happened exactly once."""
        for asked in self.asks:
            await self._read(asked)
        asks = [
            row["permission"] for row in (await self._get("/api/queue/list?asks=open")).body
        ] + [row["permission"] for row in await self._pages("/api/queue/list?asks=closed")]
        requests = [(ask["sessionName"], ask["requestId"]) for ask in asks]
        assert len(set(requests)) == len(requests), "a request became two asks"
        assert {ask["askId"] for ask in asks} == {asked.ask_id for asked in self.asks}
        await self._check_permits({ask["askId"] for ask in asks if ask["state"] == "permitted"})

    async def _check_permits(self, permitted: set[str]) -> None:
        for session_name, number in list(self.permits):
            await self._run(ASKS, self.permits[session_name, number].request(number, OPTIONS[:1]))
        records = await self._pages("/api/stream/list?direction=latest")
        sources = [(r["sourceSession"], r["body"]["requestId"]) for r in records]
        assert len(set(sources)) == len(sources), "a permit was recorded twice"
        of_asks = {r["body"]["askId"] for r in records if r["body"]["askId"]}
        assert of_asks == permitted
        assert {(name, str(number)) for name, number in self.permits} <= set(sources)

    async def _pages(self, path: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        before = ""
        while page := (await self._get(f"{path}&limit=500{before}")).body:
            rows += page
            before = f"&beforeSortKey={page[-1].get('sortKey') or page[-1]['streamSortKey']}"
        for row in rows:
            if isinstance(row.get("body"), str) and row["body"].startswith("{"):
                row["body"] = json.loads(row["body"])
        return rows

    async def _get(self, path: str) -> Answer:
        answer = await send(self.port, "GET", path, self.operator)
        assert answer.status == 200, answer
        return answer

    async def _run(self, path: str, body: dict[str, Any]) -> Answer:
        return await send(self.port, "POST", path, self.hooks, body)

    async def _operate(self, path: str, body: dict[str, Any], key: str | None = None) -> Answer:
        answer = await send(self.port, "POST", path, self.operator, body, key=key)
        assert answer.status in (200, 201), answer
        return answer
