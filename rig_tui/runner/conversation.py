"""One agent's conversation in one seat: its prompts in turn, its posts, its cancels."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from rig_tui.runner.agent import AgentError, AgentGoneError
from rig_tui.runner.requests import Requests
from rig_tui.runner.updates import TurnUpdates, text_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from rig_tui.client.runner_api import RunnerApi
    from rig_tui.domain.model import JsonObject, JsonValue

LIVENESS = 30
"""Seconds one beat counts for."""
_BEAT_EVERY = LIVENESS / 3


class Agent(Protocol):
    """What of an agent a conversation needs."""

    async def request(self, method: str, params: JsonObject) -> JsonObject:
        """Ask the agent something."""
        ...

    async def notify(self, method: str, params: JsonObject) -> None:
        """Tell the agent something."""


class Pane(Protocol):
    """Where the seat's own terminal is written to."""

    def say(self, line: str) -> None:
        """Write lines of anybody's text."""

    def stream(self, text: str) -> None:
        """Write a piece of what the agent says, which may go on."""


@dataclass(slots=True)
class Turn:
    """One prompt that is outstanding."""

    turn_id: str
    updates: TurnUpdates = field(default_factory=TurnUpdates)
    cancel_sent: datetime | None = None
    """When cancel was asked for; the agent's own stop reason says whether it cancelled."""


class Conversation:
    """Gives the agent one prompt at a time and reports its turns."""

    def __init__(
        self,
        api: RunnerApi,
        agent: Agent,
        native_ref: str,
        pane: Pane,
        *,
        clock: Callable[[], datetime],
        monotonic: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.native_ref = native_ref
        self._api = api
        self._agent = agent
        self._pane = pane
        self._clock = clock
        self._monotonic = monotonic
        self._sleep = sleep
        self._prompts: deque[str] = deque()
        self._offered = asyncio.Event()
        self._count = 0
        self._turn: Turn | None = None
        self._prompting: asyncio.Task[JsonObject] | None = None
        self._exited = False
        self.finished = False
        """Nothing more will be offered, and all of it was given."""
        self._finishing = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._requests = Requests(api, pane, native_ref, queue=self._prompts.append)

    @property
    def busy(self) -> bool:
        """Whether a prompt is outstanding or waits."""
        return self._turn is not None or bool(self._prompts)

    def offer(self, text: str) -> None:
        """Take a message; it waits for the end of a turn that runs."""
        if self.busy:
            self._pane.say(f"queued for after this turn ▸ {text}")
        self._prompts.append(text)
        self._offered.set()

    def cancel(self) -> None:
        """Ask the agent to stop its turn, and answer what it has asked as cancelled."""
        turn = self._turn
        if turn is None:
            self._pane.say("nothing runs, so nothing was cancelled")
            return
        turn.cancel_sent = self._clock()
        self._pane.say(
            f"cancel requested at {turn.cancel_sent:%H:%M:%S}; the agent says when its turn ends"
        )
        self._requests.close_all("turn_cancelled")
        self._start(self._agent.notify("session/cancel", {"sessionId": self.native_ref}))

    @property
    def in_turn(self) -> bool:
        """Whether a prompt is outstanding."""
        return self._turn is not None

    def finish(self) -> None:
        """End once everything offered has had its turn."""
        self._finishing = True
        self._offered.set()

    async def run(self) -> None:
        """Give the agent what was offered, one prompt after the other, while it lives."""
        beating = asyncio.create_task(self._beat())
        try:
            while not self._exited:
                while self._prompts and not self._exited:
                    await self._take_turn(self._prompts.popleft())
                if self._finishing:
                    self.finished = not self._exited
                    return
                self._offered.clear()
                await self._offered.wait()
        finally:
            beating.cancel()

    async def turn_ends_within(self, seconds: float) -> None:
        """Wait for the end of the turn that runs, but no longer."""
        if self._prompting is not None:
            await asyncio.wait({self._prompting}, timeout=seconds)
            await asyncio.sleep(0)  # The turn's own task comes first.

    async def exited(self, code: int) -> None:
        """Report the agent's own exit."""
        self._exited = True
        self._turn = None
        self._api.post("Stop", f"{self._api.env.runtime}_exited")
        self._pane.say(f"the agent has exited with {code}")
        self._requests.close_all("exited")
        await self._settled()

    def updated(self, params: JsonObject) -> None:
        """Post and print what the agent reported."""
        update = params.get("update")
        if not isinstance(update, dict):
            return
        self._print(update)
        if self._turn is None:
            return
        work = self._turn.updates.take(update, self._monotonic())
        if work is not None and not self._requests.holding:
            self._api.post(work.hook_event, work.subtype, turn_id=self._turn.turn_id)

    async def asked(self, request_id: JsonValue, params: JsonObject) -> JsonObject:
        """Give what the agent gets for one permission request, while its turn runs."""
        turn = self._turn
        if turn is None or turn.cancel_sent is not None:
            self._pane.say("a request outside of a running turn was answered as cancelled")
            return {"outcome": {"outcome": "cancelled"}}
        tool_call = turn.updates.whole(params.get("toolCall"))
        return await self._requests.asked(
            request_id, turn.turn_id, tool_call, params.get("options")
        )

    def replied(self, request_id: JsonValue) -> None:
        """Take note that a reply was written to the agent."""
        if self._turn is not None:
            self._requests.delivered(request_id, self._turn.turn_id)

    async def _take_turn(self, text: str) -> None:
        self._count += 1
        turn = self._turn = Turn(str(self._count))
        self._requests.holding = False
        prompting = asyncio.create_task(self._agent.request("session/prompt", self._prompt(text)))
        self._prompting = prompting
        self._api.post("UserPromptSubmit", "accepted", turn_id=turn.turn_id)
        self._pane.say(f"you ▸ {text}")
        try:
            reply = await prompting
            stopped = reply.get("stopReason")
            reason = stopped if isinstance(stopped, str) and stopped else "ended"
        except AgentGoneError:
            # Whether it exited is told by its process, in `exited`.
            self._exited = True
            return
        except AgentError as error:
            reason = "error"
            self._api.post("Notification", "runtime_error", turn_id=turn.turn_id)
            self._pane.say(f"the agent answered the prompt with an error: {error}")
        finally:
            prompting.cancel()
        self._end(turn, reason)

    def _end(self, turn: Turn, reason: str) -> None:
        self._turn = None
        if not self._requests.holding:
            self._api.post("Stop", reason, turn_id=turn.turn_id, liveness_seconds=LIVENESS)
        self._pane.say(f"turn {turn.turn_id} ended: {reason}")
        self._requests.close_all("turn_cancelled" if turn.cancel_sent else "turn_ended")

    def _prompt(self, text: str) -> JsonObject:
        return {"sessionId": self.native_ref, "prompt": [{"type": "text", "text": text}]}

    async def _beat(self) -> None:
        """Say that the turn is outstanding, or that the seat is idle; neither while held."""
        while True:
            await self._sleep(_BEAT_EVERY)
            if self._exited or self._requests.holding:
                continue
            if self._turn is None:
                self._api.post("Stop", "idle_heartbeat", liveness_seconds=LIVENESS)
            elif not self._requests.any_open:
                self._api.post(
                    "active",
                    "liveness",
                    turn_id=self._turn.turn_id,
                    liveness_seconds=LIVENESS,
                )

    def _print(self, update: JsonObject) -> None:
        match update.get("sessionUpdate"):
            case "agent_message_chunk":
                self._pane.stream(text_of(update))
            case "tool_call":
                title = update.get("title") or update.get("kind") or update.get("toolCallId")
                self._pane.say(f"tool ▸ {title}")
            case "tool_call_update" if update.get("status") in ("completed", "failed"):
                call = update.get("title") or update.get("toolCallId")
                self._pane.say(f"tool ▸ {call}: the agent says {update['status']}")

    async def _settled(self) -> None:
        """Wait for what is still being told to the agent and to OpenRig."""
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._requests.settled()

    def _start(self, telling: Awaitable[None]) -> None:
        task = asyncio.ensure_future(telling)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
