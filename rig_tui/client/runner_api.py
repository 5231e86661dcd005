"""A runner's side of the contract's routes: activity posts and permission requests.

Posts never make the agent wait: they are numbered and dated when made, and one task
sends them one at a time. A permission request always comes to an `Answer`.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

import httpx

from rig_tui.client.runner_answers import Answer, Asked, PermissionRequest, answered
from rig_tui.client.runner_launch import RunnerEnv, write_launch_record
from rig_tui.wire.openrig import decode_messages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from rig_tui.domain.messages import Message
    from rig_tui.domain.model import JsonObject

LONGEST_WAIT = 25
"""Seconds OpenRig holds a read open, at most."""
_POST_TIMEOUT = 5.0
_READ_TRIES = 4
"""A read that got no answer is tried again so often before OpenRig counts as gone."""
_RETRY_PAUSE = 1.0
_HOOKS = "/api/activity/hooks"
_REQUESTS = "/api/activity/permission-requests"


class UnreachableError(Exception):
    """OpenRig gave no answer."""


def open_http(transport: httpx.AsyncBaseTransport | None = None) -> httpx.AsyncClient:
    """Make the client that any number of runners in one process share."""
    return httpx.AsyncClient(
        transport=transport,
        timeout=_POST_TIMEOUT,
        limits=httpx.Limits(max_connections=None),
        trust_env=False,
        follow_redirects=False,
    )


class RunnerApi:
    """One runner's posts and requests; use it as an async context manager."""

    def __init__(
        self,
        env: RunnerEnv,
        http: httpx.AsyncClient,
        *,
        clock: Callable[[], datetime],
        pane: Callable[[str], None] = lambda line: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.env = env
        self._http = http
        self._clock = clock
        self._pane = pane
        self._sleep = sleep
        self._sequence = 0
        self._latest: datetime | None = None
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue()
        self._sender: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._sender = asyncio.create_task(self._send_posts())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.flush()
        if self._sender is not None:
            self._sender.cancel()
            await asyncio.wait([self._sender])

    def post(
        self,
        hook_event: str,
        subtype: str,
        *,
        turn_id: str | None = None,
        liveness_seconds: int | None = None,
        ask_id: str | None = None,
    ) -> None:
        """Queue one activity post; it is numbered and dated now and sent in order."""
        self._sequence += 1
        body: JsonObject = {
            "sessionName": self.env.session_name,
            "nodeId": self.env.node_id,
            "runtime": self.env.runtime,
            "generation": self.env.generation,
            "sequence": self._sequence,
            "occurredAt": self._now(),
            "hookEvent": hook_event,
            "subtype": subtype,
        }
        if turn_id is not None:
            body["turnId"] = turn_id
        if liveness_seconds is not None:
            body["livenessSeconds"] = liveness_seconds
        if ask_id is not None:
            body["askId"] = ask_id
        self._outbox.put_nowait(_json(body))

    async def flush(self) -> None:
        """Wait until everything posted so far is out, but not for a daemon that hangs."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._outbox.join(), _POST_TIMEOUT)

    async def submit(self, request: PermissionRequest) -> Asked | Answer:
        """Submit the agent's live request, after the posts made before it."""
        await self.flush()
        body: JsonObject = {
            "sessionName": self.env.session_name,
            "nodeId": self.env.node_id,
            "generation": self.env.generation,
            "nativeRef": request.native_ref,
            "turnId": request.turn_id,
            "requestId": request.request_id,
            "toolCall": request.tool_call,
            "options": list(request.options),
            "occurredAt": self._now(),
        }
        status, reply = await self._call("POST", _REQUESTS, content=_json(body))
        if status == 200 and isinstance(ask_id := reply.get("askId"), str):
            return Asked(ask_id, reply.get("created") is True)
        return self._told(request, status, reply, None)

    async def read(
        self, ask_id: str, request: PermissionRequest, wait: int = LONGEST_WAIT
    ) -> Answer | None:
        """Read once; None while it is pending."""
        held = min(wait, LONGEST_WAIT)
        route = f"{_REQUESTS}/{ask_id}?waitSeconds={held}"
        status, reply = await self._call("GET", route, held=held)
        for _ in range(_READ_TRIES - 1):
            if status is not None:
                break
            await self._sleep(_RETRY_PAUSE)
            status, reply = await self._call("GET", route, held=held)
        if status == 200 and reply.get("state") == "pending":
            return None
        return self._told(request, status, reply, ask_id)

    async def answer(self, ask_id: str, request: PermissionRequest) -> Answer:
        """Read until somebody has decided; silence is waited out for ever."""
        while (answer := await self.read(ask_id, request)) is None:
            pass
        return answer

    async def withdraw(self, ask_id: str, reason: str) -> None:
        """Say that the turn is over: `turn_cancelled`, `turn_ended` or `exited`."""
        status, _ = await self._call(
            "POST", f"{_REQUESTS}/{ask_id}/withdraw", content=_json({"reason": reason})
        )
        if status != 200:
            self._pane(f"withdrawing {ask_id} failed: {status or 'OpenRig cannot be reached'}")

    async def take_messages(self) -> tuple[Message, ...] | None:
        """Wait for messages to the seat; None when it takes none here, and never will.

        Raises:
            UnreachableError: OpenRig gave no answer; asking again is safe.
        """
        if not self.env.seat_ref:
            return None
        route = f"/api/seats/{quote(self.env.seat_ref)}/messages?waitSeconds={LONGEST_WAIT}"
        if self.env.generation:
            route += f"&generation={quote(self.env.generation)}"
        status, reply = await self._call("GET", route, held=LONGEST_WAIT)
        if status is None or status >= 500:
            raise UnreachableError
        return decode_messages(reply) if status == 200 else None

    def report_launch(
        self,
        *,
        harness: str,
        producer: str,
        native_ref: str | None = None,
        error: str | None = None,
    ) -> None:
        """Write the launch record where OpenRig asked for one."""
        if self.env.launch_result is not None:
            write_launch_record(
                self.env.launch_result,
                attempt=self.env.attempt,
                harness=harness,
                producer=producer,
                native_ref=native_ref,
                error=error,
            )

    def _told(
        self, request: PermissionRequest, status: int | None, reply: JsonObject, ask_id: str | None
    ) -> Answer:
        answer = answered(request, status, reply, ask_id)
        if answer.by_runner:
            self._pane(f"permitted by this runner with {answer.option_id!r}: {answer.why}")
        elif answer.hold:
            self._pane(f"refused: {answer.why}")
        return answer

    async def _send_posts(self) -> None:
        while True:
            body = await self._outbox.get()
            try:
                status, _ = await self._call("POST", _HOOKS, content=body)
                if status != 200:
                    self._pane(f"activity post failed: {status or 'OpenRig cannot be reached'}")
            finally:
                self._outbox.task_done()

    async def _call(
        self, method: str, route: str, *, content: bytes | None = None, held: int = 0
    ) -> tuple[int | None, JsonObject]:
        try:
            response = await self._http.request(
                method,
                self.env.base_url + route,
                content=content,
                headers={
                    "Authorization": f"Bearer {self.env.token}",
                    "Content-Type": "application/json",
                },
                timeout=_POST_TIMEOUT + held,
            )
        except (httpx.HTTPError, httpx.InvalidURL):
            return None, {}
        try:
            reply = response.json()
        except ValueError:
            reply = None
        return response.status_code, reply if isinstance(reply, dict) else {}

    def _now(self) -> str:
        """Date a post; never before an earlier one, or OpenRig would skip it."""
        now = self._clock()
        self._latest = now if self._latest is None else max(now, self._latest)
        return self._latest.isoformat().replace("+00:00", "Z")


def _json(body: JsonObject) -> bytes:
    return json.dumps(body).encode()
