"""A daemon's core with a clock that stands still, and the same served over real HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import httpx
import uvicorn

from rig_tui.daemon import asks, launches, people, seats
from rig_tui.daemon.app import App, build
from rig_tui.daemon.core import Core
from rig_tui.daemon.home import Home
from rig_tui.daemon.ids import Ids
from rig_tui.daemon.serving import Serving
from rig_tui.daemon.store import Store
from rig_tui.daemon.timekeeper import Timekeeper
from rig_tui.wire import contract

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.types import ASGIApp

    from rig_tui.daemon.reply import Reply
    from rig_tui.domain.model import Ask, Permit, Seat

START = datetime(2026, 11, 30, 12, tzinfo=UTC)
OPERATOR_TOKEN, HOOK_TOKEN = "operator-secret", "hook-secret"

ALLOW = {"optionId": "a", "name": "Allow", "kind": "allow_once"}
ALWAYS = {"optionId": "b", "name": "Always allow", "kind": "allow_always"}
REJECT = {"optionId": "c", "name": "Reject", "kind": "reject_once"}
NEVER = {"optionId": "d", "name": "Never", "kind": "reject_always"}
OPTIONS = [ALLOW, ALWAYS, REJECT]

LOOP_SLACK = 5.0
"""Seconds a busy machine may take over what happens at once."""


class Clock:
    """Time that passes only when told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@dataclass
class Runner:
    """A seat's occupant, speaking to the core directly."""

    daemon: Daemon
    session_name: str
    generation: str
    attempt: str
    result_path: str | None
    env: dict[str, str]
    sequence: int = 0

    def body(self, **fields: Any) -> dict[str, Any]:
        return {"sessionName": self.session_name, "generation": self.generation, **fields}

    def post(self, hook_event: str, subtype: str, **fields: Any) -> dict[str, Any]:
        self.sequence += 1
        post = self.body(hookEvent=hook_event, subtype=subtype, sequence=self.sequence, **fields)
        reply = seats.take_post(self.daemon.core, contract.parse_post(json.dumps(post).encode()))
        assert isinstance(reply.body, dict)
        return reply.body

    def prompt(self, turn_id: object = "7", **fields: Any) -> dict[str, Any]:
        return self.post("UserPromptSubmit", "accepted", turnId=turn_id, **fields)

    def request(self, **fields: Any) -> dict[str, Any]:
        return self.body(
            **{
                "nativeRef": "conversation",
                "turnId": "7",
                "requestId": 1,
                "toolCall": {"title": "Edit src/app.ts", "kind": "edit"},
                "options": OPTIONS,
                **fields,
            }
        )

    def submit(self, **fields: Any) -> Reply:
        body = json.dumps(self.request(**fields)).encode()
        return asks.submit(self.daemon.core, contract.parse_submit(body))

    def ask(self, **fields: Any) -> str:
        """Submit a request a person is asked about; give the ask's id."""
        reply = self.submit(**fields)
        assert isinstance(reply.body, dict)
        assert reply.body.get("created") is True, reply
        return str(reply.body["askId"])

    def report(self, **fields: str) -> None:
        """Write the launch record."""
        assert self.result_path
        record = {"format": 1, "attempt": self.attempt, "harness": "dsh", **fields}
        Path(self.result_path).write_text(json.dumps(record))

    def read(self, ask_id: str) -> dict[str, Any]:
        reply = asks.read(self.daemon.core, self.daemon.ask(ask_id))
        assert isinstance(reply.body, dict)
        return reply.body


@dataclass
class Daemon:
    """A core over a database file, restartable."""

    home: Home
    clock: Clock = field(default_factory=Clock)
    launch_wait: float = 60.0
    options_max: int = 4

    def __post_init__(self) -> None:
        self.home.make()
        self.start()

    def start(self) -> None:
        self.store = Store(self.home.database)
        serving = Serving(
            home=self.home,
            base_url="http://127.0.0.1:1",
            operator_token=OPERATOR_TOKEN,
            hook_token=HOOK_TOKEN,
            epoch="e",
            launch_wait=self.launch_wait,
            options_max=self.options_max,
        )
        self.core = Core(self.store, serving, self.clock, Ids())

    def restart(self) -> None:
        """End and start again on the same file."""
        self.core.save()
        self.crash()

    def crash(self) -> None:
        """End without warning, losing what wasn't saved, and start again."""
        self.store.close()
        self.start()
        seats.restart(self.core)

    def person(self, entity_id: str = "ana", **fields: Any) -> None:
        people.register(self.core, {"entityId": entity_id, "confirm": True, **fields}, None)

    def runner(self, name: str = "builder", **fields: Any) -> Runner:
        body = {"rig": "my-rig", "name": name, "runner": True, "launchResult": True, **fields}
        return self.occupant(launches.declare(self.core, body, None))

    def relaunch(self, runner: Runner, **fields: Any) -> Runner:
        record = self.core.seats[runner.session_name]
        return self.occupant(launches.relaunch(self.core, record, fields, None))

    def relaunch_seat(self, seat_ref: str, **fields: Any) -> Runner:
        return self.occupant(launches.relaunch(self.core, self.core.seats[seat_ref], fields, None))

    def occupant(self, reply: Reply) -> Runner:
        made: Any = reply.body
        return Runner(
            self,
            made["sessionName"],
            made["generation"],
            made["attempt"],
            made["launchResultPath"],
            made["env"],
        )

    def seat(self, name: str = "builder") -> Seat:
        return self.core.seat_view(self.core.seats[f"{name}@my-rig"], self.clock())

    def ask(self, ask_id: str) -> Ask:
        ask = self.core.ask(ask_id)
        assert ask is not None
        return ask

    def permits(self) -> list[Permit]:
        from rig_tui.daemon.ask_tables import Filters

        return self.store.permits.recorded(Filters(), 100, latest=False)

    def causes(self) -> list[str]:
        from rig_tui.daemon.ask_tables import Filters

        return [cause.code for cause in self.store.permits.causes(Filters(), 100)]

    def events(self, after: int = 0) -> list[dict[str, Any]]:
        """Every event that is kept, oldest first."""
        self.core.save()
        rows = self.store.events(after, 10**12, 10_000)
        return [json.loads(data) for _, data in rows]


@dataclass
class Served:
    """A daemon on a real socket, with a client for each of its two secrets."""

    daemon: Daemon
    base_url: str
    operator: httpx.AsyncClient
    hooks: httpx.AsyncClient
    app: App
    stopped: asyncio.Event
    """Set when the daemon was asked to shut down."""

    async def seat(self, name: str = "builder", **fields: Any) -> Runner:
        body = {"rig": "my-rig", "name": name, "runner": True, "launchResult": True, **fields}
        reply = await self.operator.post("/api/seats", json=body)
        assert reply.status_code == 201, reply.text
        made = reply.json()
        return Runner(
            self.daemon,
            made["sessionName"],
            made["generation"],
            made["attempt"],
            made["launchResultPath"],
            made["env"],
        )

    async def act(self, ask_id: str, verb: str, **fields: Any) -> httpx.Response:
        body = {"verb": verb, "qitemId": ask_id, "actorSession": "human@host", **fields}
        return await self.operator.post("/api/mission-control/action", json=body)

    async def answer(self, ask_id: str, option_id: str = "a", **fields: Any) -> httpx.Response:
        body = {"questionId": "permission", "optionId": option_id, **fields}
        body.setdefault("actorSession", "human@host")
        return await self.operator.post(f"/api/queue/{ask_id}/answer", json=body)

    async def reads_waiting(self, count: int) -> None:
        """Return once that many reads wait for an ask to change."""
        async with asyncio.timeout(LOOP_SLACK):
            while len(self.app.waits) != count:  # noqa: ASYNC110  # the routes' own state
                await asyncio.sleep(0.001)

    async def read(self, ask_id: str, wait: float | str = 0) -> httpx.Response:
        return await self.hooks.get(
            f"/api/activity/permission-requests/{ask_id}", params={"waitSeconds": wait}
        )


@contextlib.asynccontextmanager
async def serve(daemon: Daemon, *, keep_time: bool = False) -> AsyncIterator[Served]:
    """Serve a core in this loop until the block ends."""
    stopped = asyncio.Event()
    built = build(daemon.core, stopped.set)
    keeping = asyncio.ensure_future(Timekeeper(daemon.core).run()) if keep_time else None
    try:
        async with (
            listen(built.asgi, built.end) as base_url,
            client(base_url, OPERATOR_TOKEN) as operator,
            client(base_url, HOOK_TOKEN) as hooks,
        ):
            yield Served(daemon, base_url, operator, hooks, built, stopped)
    finally:
        if keeping:
            keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeping


@contextlib.asynccontextmanager
async def listen(
    asgi: ASGIApp, end: Callable[[], None], http: Literal["httptools", "h11"] = "httptools"
) -> AsyncIterator[str]:
    """Serve an application in this loop; gives its base URL."""
    config = uvicorn.Config(
        asgi, port=0, http=http, log_config=None, lifespan="off", ws="none", access_log=False
    )
    server = _Server(config)
    running = asyncio.ensure_future(server.serve())
    await server.listening.wait()
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        end()
        server.ending.set()
        await running


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()
        self.ending = asyncio.Event()

    async def main_loop(self) -> None:
        """Wait without looking ten times a second, which would be most of a test."""
        await self.ending.wait()

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.listening.set()


def client(base_url: str, token: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=base_url,
        headers={"Authorization": f"Bearer {token}"},
        trust_env=False,
        verify=False,
        timeout=30,
    )


def home_in(folder: Path) -> Home:
    return Home(folder / "home")
