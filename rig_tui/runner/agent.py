"""The agent's process: JSON-RPC over its stdio, and the end of its whole process group."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from acp import RequestError
from acp.connection import Connection, StreamDirection

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from acp.connection import StreamEvent

    from rig_tui.domain.model import JsonObject, JsonValue

_LONGEST_LINE = 64 * 1024
_ENDS_WITHIN = 2.0
_STDERR_KEPT = 20
PERMISSION = "session/request_permission"


class AgentError(Exception):
    """The agent answered a request with an error."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(f"{message} ({code})" + (f": {data}" if data else ""))
        self.code = code


class AgentGoneError(Exception):
    """The agent's connection is closed."""


class Client(Protocol):
    """Who is told what the agent says and asks."""

    def updated(self, params: JsonObject) -> None:
        """The agent reported something (`session/update`)."""

    async def asked(self, request_id: JsonValue, params: JsonObject) -> JsonObject:
        """The agent requests a permission; gives the reply."""
        ...

    def replied(self, request_id: JsonValue) -> None:
        """The reply to a request was written to the agent."""


class Agent:
    """One agent process; made with `start`, and `end` leaves nothing of it."""

    def __init__(self, process: asyncio.subprocess.Process, client: Client) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.stderr_tail: deque[str] = deque(maxlen=_STDERR_KEPT)
        """The last lines it wrote to stderr."""
        self._client = client
        self._ids: deque[JsonValue] = deque()
        self._draining = asyncio.create_task(self._drain())
        self._connection = Connection(
            self._handle, process.stdin, process.stdout, observers=[self._observe]
        )

    @classmethod
    async def start(
        cls, command: Sequence[str], env: Mapping[str, str], client: Client, cwd: str
    ) -> Agent:
        """Start it in a session of its own, so that its whole group can be ended.

        Raises:
            OSError: It can't be started.
        """
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
        )
        return cls(process, client)

    async def request(self, method: str, params: JsonObject) -> JsonObject:
        """Ask the agent something.

        Raises:
            AgentError: It answered with an error.
            AgentGoneError: It is gone, or went before it answered.
        """
        try:
            reply = await self._connection.send_request(method, params)
        except RequestError as error:
            raise AgentError(error.code, str(error), error.data) from None
        except OSError as error:
            raise AgentGoneError from error
        return reply if isinstance(reply, dict) else {}

    async def notify(self, method: str, params: JsonObject) -> None:
        """Tell the agent something; an agent that is gone isn't told."""
        with suppress(OSError):
            await self._connection.send_notification(method, params)

    async def end(self) -> int:
        """Close its stdin, then end its group, first gently; gives its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        for step in (None, signal.SIGTERM, signal.SIGKILL):
            if step is not None:
                self._signal(step)
            with suppress(TimeoutError):
                await asyncio.wait_for(self.process.wait(), _ENDS_WITHIN)
                break
        self._signal(signal.SIGKILL)
        code = await self.process.wait()
        await self._connection.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._draining, _ENDS_WITHIN)
        return code

    def _signal(self, number: signal.Signals) -> None:
        # What a wrapper started outlives the wrapper and keeps its group alive.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    async def _drain(self) -> None:
        """Read stderr, or an agent that writes much to it would stand still."""
        assert self.process.stderr is not None
        rest = b""
        while chunk := await self.process.stderr.read(_LONGEST_LINE):
            *lines, rest = (rest + chunk).split(b"\n")
            rest = rest[-_LONGEST_LINE:]
            self.stderr_tail.extend(line.decode(errors="replace") for line in lines)
        if rest:
            self.stderr_tail.append(rest.decode(errors="replace"))

    async def _handle(self, method: str, params: Any, notification: bool) -> JsonObject | None:
        fields: JsonObject = params if isinstance(params, dict) else {}
        if notification:
            if method == "session/update":
                self._client.updated(fields)
            return None
        request_id = self._ids.popleft()
        if method != PERMISSION:
            raise RequestError.method_not_found(method)
        return await self._client.asked(request_id, fields)

    def _observe(self, event: StreamEvent) -> None:
        """Learn the ids, which handlers aren't told: they run in the order of arrival."""
        message = event.message
        if "id" not in message:
            return
        if event.direction is StreamDirection.INCOMING:
            if message.get("method") is not None:
                self._ids.append(message["id"])
        elif "method" not in message:
            self._client.replied(message["id"])
