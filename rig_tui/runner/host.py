"""Host an agent in a seat until it ends, its pane closes or it is asked to stop."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rig_tui import __version__
from rig_tui.client.local import now
from rig_tui.client.runner_api import RunnerApi, open_http
from rig_tui.runner.agent import Agent, AgentError, AgentGoneError
from rig_tui.runner.blocks import Block, Blocks
from rig_tui.runner.conversation import Conversation
from rig_tui.runner.inbox import take_messages
from rig_tui.runner.opening import introduce, open_new, reopen
from rig_tui.runner.relay import Relay
from rig_tui.runner.reopening import Missing, Opened, Opening, Unconfirmed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rig_tui.client.runner_launch import RunnerEnv
    from rig_tui.runner.pane import Pane

_CANCELS_WITHIN = 1.0
_LAST_WORDS = 0.5
"""Seconds for the end of a turn to arrive from an agent that has exited."""
_READ = 65536


@dataclass(frozen=True, slots=True)
class Launch:
    """What one run is asked to do."""

    command: Sequence[str]
    env: RunnerEnv
    agent_environ: Mapping[str, str]
    folder: str
    first_input: str | None = None
    resume_ref: str | None = None


class Host:
    """One launch from its start to its end."""

    def __init__(self, launch: Launch, pane: Pane, stdin: int) -> None:
        self._launch = launch
        self._pane = pane
        self._stdin = stdin
        self._relay = Relay()
        self._blocks = Blocks()
        self._stopping = asyncio.Event()

    async def run(self) -> int:
        """Run to the end; 0 when it was asked to end."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stopping.set)
        async with (
            open_http() as http,
            RunnerApi(self._launch.env, http, clock=now, pane=self._pane.say) as api,
        ):
            try:
                agent = await Agent.start(
                    self._launch.command,
                    self._launch.agent_environ,
                    self._relay,
                    self._launch.folder,
                )
            except OSError as error:
                self._pane.say(f"the agent can't be started: {error}")
                return 1
            stopping = asyncio.create_task(self._stopping.wait())
            try:
                return await self._hosted(api, agent, stopping)
            finally:
                stopping.cancel()
                await self._end(api, agent)

    async def _hosted(self, api: RunnerApi, agent: Agent, stopping: asyncio.Task[bool]) -> int:
        opening = asyncio.create_task(self._open(agent))
        await asyncio.wait({opening, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not opening.done():
            opening.cancel()
            return 0
        opened, producer = opening.result()
        self._report(api, opened, producer)
        if not isinstance(opened, Opened):
            return 1
        asked = self._launch.resume_ref
        if asked is not None and opened.native_ref != asked:
            self._pane.say(f"the agent opened {opened.native_ref} instead of {asked}")
            return 1
        self._pane.say(f"conversation {opened.native_ref}; {producer}")
        return await self._converse(api, agent, opened.native_ref, stopping)

    async def _open(self, agent: Agent) -> tuple[Opening, str]:
        producer, asked = f"rig-tui {__version__}", self._launch.resume_ref
        try:
            introduction = await introduce(agent, __version__)
        except (AgentError, AgentGoneError, TimeoutError) as error:
            why = str(error) or "it ended, or says nothing"
            return Unconfirmed(f"the agent doesn't begin: {why}"), producer
        producer += f"; {introduction.words}"
        if asked is None:
            return await open_new(agent, self._launch.folder), producer
        opening = await reopen(agent, introduction, asked, self._launch.folder)
        other = self._relay.other_than(asked)
        if isinstance(opening, Opened) and other is not None:
            opening = Opened(other)
        return opening, producer

    def _report(self, api: RunnerApi, opening: Opening, producer: str) -> None:
        """Write the launch record, for what the agent itself has said."""
        native_ref = opening.native_ref if isinstance(opening, Opened) else None
        error = "missing" if isinstance(opening, Missing) else None
        if isinstance(opening, Unconfirmed):
            self._pane.say(f"no conversation, and none reported: {opening.why}")
            return
        if error is not None:
            self._pane.say("the agent says that the conversation doesn't exist")
        try:
            api.report_launch(
                harness=api.env.runtime, producer=producer, native_ref=native_ref, error=error
            )
        except OSError as problem:
            self._pane.say(f"the launch record can't be written: {problem}")

    async def _converse(
        self, api: RunnerApi, agent: Agent, native_ref: str, stopping: asyncio.Task[bool]
    ) -> int:
        conversation = Conversation(
            api, agent, native_ref, self._pane, clock=now, monotonic=time.monotonic
        )
        self._relay.conversation = conversation
        if self._launch.first_input:
            conversation.offer(self._launch.first_input)
        talking = asyncio.create_task(conversation.run())
        taking = asyncio.create_task(take_messages(api, conversation.offer, self._pane.say))
        exiting = asyncio.create_task(agent.process.wait())
        self._listen(conversation)
        try:
            await asyncio.wait({exiting, talking, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if exiting.done():
                await conversation.turn_ends_within(_LAST_WORDS)
            elif stopping.done() and conversation.in_turn:
                conversation.cancel()
                await conversation.turn_ends_within(_CANCELS_WITHIN)
            return 0 if stopping.done() or conversation.finished else 1
        finally:
            asyncio.get_running_loop().remove_reader(self._stdin)
            for task in (talking, taking, exiting):
                task.cancel()
            await asyncio.wait({talking, taking})

    async def _end(self, api: RunnerApi, agent: Agent) -> None:
        """End the agent with its group, and report that it exited."""
        alone = agent.process.returncode is not None
        code = await agent.end()
        if alone and code:
            for line in agent.stderr_tail:
                self._pane.say(f"stderr ▸ {line}")
        if self._relay.conversation is None:
            api.post("Stop", f"{api.env.runtime}_exited")
        else:
            await self._relay.conversation.exited(code)

    def _listen(self, conversation: Conversation) -> None:
        try:
            asyncio.get_running_loop().add_reader(self._stdin, self._typed, conversation)
        except PermissionError:
            self._pane.say("nothing can be typed here: stdin is no terminal and no pipe")

    def _typed(self, conversation: Conversation) -> None:
        try:
            data = os.read(self._stdin, _READ)
        except OSError:  # a terminal that has hung up
            data = b""
        for entered in self._blocks.feed(data) if data else self._blocks.finish():
            if isinstance(entered, Block):
                conversation.offer(entered.text)
            else:
                conversation.cancel()
        if data:
            self._pane.draft(self._blocks.draft)
            return
        asyncio.get_running_loop().remove_reader(self._stdin)
        if os.isatty(self._stdin):
            self._stopping.set()
        else:
            conversation.finish()
