"""One scripted seat, played through the contract as any runner would speak it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rig_tui.client.runner_answers import Answer, Asked, PermissionRequest
from rig_tui.demo.steps import Ask, End, Exit, Prompt, Quiet, Rest, Work
from rig_tui.domain.model import ALLOW_ALWAYS, ALLOW_ONCE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from rig_tui.client.runner_api import RunnerApi
    from rig_tui.demo.steps import Request, Script, Step

PRODUCER = "rig-tui demo"
_ALLOWS = (ALLOW_ONCE, ALLOW_ALWAYS)
_BEATS_PER_LIFETIME = 3


class SeatPlayer:
    """Plays a script: the opening once, then its loop for ever."""

    def __init__(
        self,
        script: Script,
        api: RunnerApi,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.script = script
        self.opened = asyncio.Event()
        """Set once the opening's ask is submitted, or the opening is over."""
        self._api = api
        self._sleep = sleep
        self._turn = 0
        self._requests = 0
        self._holding = False
        self._said: list[str] = []

    async def play(self) -> None:
        """Report the launch, then play; a script without a loop ends."""
        self._api.report_launch(
            harness=self._api.env.runtime, producer=PRODUCER, native_ref=self.script.native_ref
        )
        await self._steps(self.script.opening)
        await self._api.flush()
        self.opened.set()
        while self.script.loop:
            await self._steps(self.script.loop)

    async def _steps(self, steps: Sequence[Step]) -> None:
        stopping = False
        for step in steps:
            if not stopping or isinstance(step, End):
                stopping = await self._step(step)

    async def _step(self, step: Step) -> bool:
        """Do one step; whether the agent now wants to end its turn."""
        match step:
            case Prompt():
                self._accept_prompt()
            case Work(kinds, every):
                await self._work(kinds, every)
            case Quiet(seconds, liveness):
                await self._beat(seconds, liveness)
            case Ask(requests, patience):
                return not await self._ask(requests, patience)
            case End(reason, liveness):
                await self._end(reason, liveness)
            case Rest(seconds, liveness):
                await self._rest(seconds, liveness)
            case Exit():
                self._post("Stop", f"{self._api.env.runtime}_exited")
        return False

    def _accept_prompt(self) -> None:
        self._turn += 1
        self._holding = False
        self._post("UserPromptSubmit", "accepted")

    async def _work(self, kinds: Sequence[str], every: float) -> None:
        for kind in kinds:
            if kind == "message":
                self._post("active", "agent_message")
            else:
                self._post("PreToolUse", kind)
            await self._sleep(every)

    async def _beat(self, seconds: float, liveness: int) -> None:
        for pause in _pauses(seconds, liveness):
            self._post("active", "liveness", liveness_seconds=liveness)
            await self._sleep(pause)

    async def _rest(self, seconds: float, liveness: int) -> None:
        for pause in _pauses(seconds, liveness):
            await self._sleep(pause)
            self._post("Stop", "idle_heartbeat", liveness_seconds=liveness)

    async def _end(self, reason: str, liveness: int | None) -> None:
        """End the turn; words a person sent along become the next prompts."""
        self._post("Stop", reason, liveness_seconds=liveness)
        while self._said:
            self._said.pop(0)
            self._accept_prompt()
            await self._work(("message",), 6.0)
            self._post("Stop", "end_turn", liveness_seconds=liveness)

    async def _ask(self, requests: Sequence[Request], patience: float | None) -> bool:
        """Ask for everything at once; False when the agent stops its turn over it."""
        open_asks: dict[asyncio.Task[Answer], tuple[str, Request]] = {}
        go_on = True
        for request in requests:
            submitted = self._as_submitted(request)
            reply = await self._api.submit(submitted)
            if isinstance(reply, Asked):
                reading = asyncio.create_task(self._api.answer(reply.ask_id, submitted))
                open_asks[reading] = (reply.ask_id, request)
            else:
                go_on = self._deliver(reply, request) and go_on
        self.opened.set()
        giving_up = asyncio.create_task(self._give_up_after(patience))
        try:
            while go_on and open_asks:
                done, _ = await asyncio.wait(
                    {giving_up, *open_asks}, return_when=asyncio.FIRST_COMPLETED
                )
                for reading in open_asks.keys() & done:
                    _, request = open_asks.pop(reading)
                    go_on = self._deliver(reading.result(), request) and go_on
                go_on = go_on and giving_up not in done
        finally:
            for task in (giving_up, *open_asks):
                task.cancel()
        for ask_id, _ in open_asks.values():
            await self._api.withdraw(ask_id, "turn_ended")
        return go_on

    async def _give_up_after(self, patience: float | None) -> None:
        if patience is None:
            await asyncio.Event().wait()
        else:
            await self._sleep(patience)

    def _as_submitted(self, request: Request) -> PermissionRequest:
        self._requests += 1
        return PermissionRequest(
            self._requests,
            request.tool_call,
            request.options,
            turn_id=str(self._turn),
            native_ref=self.script.native_ref,
        )

    def _deliver(self, answer: Answer, request: Request) -> bool:
        """Give the scripted agent its answer; whether that lets it go on."""
        if answer.hold:
            self._post("Notification", "permission_prompt")
            self._holding = True
            return False
        if answer.said is not None:
            self._said.append(answer.said)
        if answer.ask_id is not None and answer.option_id is not None:
            self._post("active", "permission_resolved", ask_id=answer.ask_id)
        kinds = {option["optionId"]: option["kind"] for option in request.options}
        if kinds.get(answer.option_id) in _ALLOWS:
            return True
        self._post("active", "agent_message")
        return False

    def _post(
        self,
        hook_event: str,
        subtype: str,
        *,
        liveness_seconds: int | None = None,
        ask_id: str | None = None,
    ) -> None:
        """Post for the current turn, unless attention is held: then nothing may follow it."""
        if not self._holding:
            self._api.post(
                hook_event,
                subtype,
                turn_id=str(self._turn),
                liveness_seconds=liveness_seconds,
                ask_id=ask_id,
            )


def _pauses(seconds: float, liveness: int) -> list[float]:
    """Cut a while into pauses short enough that no report of it runs out."""
    pause = liveness / _BEATS_PER_LIFETIME
    return [pause] * max(1, round(seconds / pause))
