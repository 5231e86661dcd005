"""The permission requests of a turn: submitted whole, read until decided, delivered once."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Protocol

from rig_tui.client.runner_answers import Answer, Asked, PermissionRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from rig_tui.client.runner_api import RunnerApi
    from rig_tui.domain.model import JsonObject, JsonValue

_SHUT_WITHOUT_CHOICE = ("said_no", "no_allow_offered")


class _Pane(Protocol):
    def say(self, line: str) -> None: ...


class _Open:
    """A request the agent waits on."""

    def __init__(self, request: PermissionRequest, turn_id: str) -> None:
        self.request = request
        self.turn_id = turn_id
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.ask_id: str | None = None
        self.closed_for: str | None = None
        """Why nothing may be delivered any more."""
        self.deciding: asyncio.Task[None] | None = None


class Requests:
    """What the agent has asked and not been answered."""

    def __init__(
        self, api: RunnerApi, pane: _Pane, native_ref: str, *, queue: Callable[[str], None]
    ) -> None:
        self.holding = False
        """A refusal is shown: nothing but an exit or an accepted prompt is posted."""
        self._api = api
        self._pane = pane
        self._native_ref = native_ref
        self._queue = queue
        self._open: list[_Open] = []
        self._delivering: dict[str, Answer] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def any_open(self) -> bool:
        """Whether the agent waits on a request."""
        return bool(self._open)

    async def asked(
        self, request_id: JsonValue, turn_id: str, tool_call: JsonValue, options: JsonValue
    ) -> JsonObject:
        """Submit a request and wait; gives the reply for the agent."""
        offered = [o for o in options if isinstance(o, dict)] if isinstance(options, list) else []
        waiting = _Open(
            PermissionRequest(request_id, tool_call, offered, turn_id, self._native_ref), turn_id
        )
        self._open.append(waiting)
        self._pane.say(f"asks ▸ {_words(tool_call)}")
        waiting.deciding = self._start(self._decide(waiting))
        answer = await waiting.answer
        self._delivering[_key(request_id)] = answer
        if answer.option_id is None:
            return {"outcome": {"outcome": "cancelled"}}
        return {"outcome": {"outcome": "selected", "optionId": answer.option_id}}

    def delivered(self, request_id: JsonValue, turn_id: str) -> None:
        """Post that an ask's answer reached the agent, which goes on with the same turn."""
        answer = self._delivering.pop(_key(request_id), None)
        if answer is not None and resolves(answer) and not self.holding:
            self._api.post("active", "permission_resolved", turn_id=turn_id, ask_id=answer.ask_id)

    def close_all(self, reason: str) -> None:
        """Answer everything open as cancelled, and withdraw it; nothing comes after that."""
        for waiting in self._open:
            waiting.closed_for = reason
            waiting.answer.set_result(Answer(None, reason))
            if waiting.ask_id is not None and waiting.deciding is not None:
                waiting.deciding.cancel()
                self._start(self._api.withdraw(waiting.ask_id, reason))
        self._open.clear()

    async def settled(self) -> None:
        """Wait until everything closed is withdrawn."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _decide(self, waiting: _Open) -> None:
        reply = await self._api.submit(waiting.request)
        if isinstance(reply, Asked):
            waiting.ask_id = reply.ask_id
            if waiting.closed_for is not None:
                await self._api.withdraw(reply.ask_id, waiting.closed_for)
                return
            self._pane.say(f"a person is asked; nothing typed here answers ({reply.ask_id})")
            reply = await self._api.answer(reply.ask_id, waiting.request)
        if waiting.closed_for is None:
            self._open.remove(waiting)
            self._deliver(waiting, reply)

    def _deliver(self, waiting: _Open, answer: Answer) -> None:
        waiting.closed_for = "answered"
        if answer.hold:
            self._api.post("Notification", "permission_prompt", turn_id=waiting.turn_id)
            self.holding = True
        if answer.said is not None:
            self._pane.say(f"queued for after this turn ▸ {answer.said}")
            self._queue(answer.said)
        if not answer.by_runner and not answer.hold:
            got = "cancelled" if answer.option_id is None else repr(answer.option_id)
            self._pane.say(f"the agent gets {got}: {answer.why}")
        waiting.answer.set_result(answer)

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def resolves(answer: Answer) -> bool:
    """Whether delivering it ends the wait for a person that OpenRig had shown."""
    if answer.ask_id is None or answer.hold:
        return False
    return answer.option_id is not None or answer.why in _SHUT_WITHOUT_CHOICE


def _key(request_id: JsonValue) -> str:
    return json.dumps(request_id)


def _words(tool_call: JsonValue) -> str:
    if not isinstance(tool_call, dict):
        return json.dumps(tool_call, ensure_ascii=False)
    title = tool_call.get("title") or tool_call.get("toolCallId")
    arguments = tool_call.get("rawInput")
    told = f" {json.dumps(arguments, ensure_ascii=False)}" if arguments is not None else ""
    return f"{title}{told}"
