from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from rig_tui.client.runner_api import RunnerApi, open_http
from rig_tui.client.runner_launch import RunnerEnv
from rig_tui.runner.agent import AgentError, AgentGoneError
from rig_tui.runner.conversation import Conversation
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ENV = RunnerEnv("http://daemon.test:1", "tok", "qa@my-rig", "node-1", "dsh", "gen-1")
ALLOW = {"optionId": "yes", "name": "Allow", "kind": "allow_once"}
ALWAYS = {"optionId": "always", "name": "Always", "kind": "allow_always"}
REJECT = {"optionId": "no", "name": "Reject", "kind": "reject_once"}
REQUEST = {"toolCall": {"toolCallId": "c1", "title": "Run"}, "options": [ALLOW, REJECT]}
CANCELLED = {"outcome": {"outcome": "cancelled"}}
HOOKS = "/api/activity/hooks"
ASKED = {"ok": True, "askId": "ask-1", "created": True}


def selected(option_id: str) -> dict[str, Any]:
    return {"outcome": {"outcome": "selected", "optionId": option_id}}


class Daemon:
    """Takes posts; answers submits and reads as the test says, when it says so."""

    def __init__(self) -> None:
        self.submits: list[Any] = [ASKED]
        self.reads: asyncio.Queue[Any] = asyncio.Queue()
        self.seen: list[tuple[str, str, Any]] = []
        self.open = asyncio.Event()
        self.open.set()

    async def handle(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content) if request.content else None
        self.seen.append((request.method, request.url.path, body))
        await self.open.wait()
        reply: Any = {"ok": True}
        if request.method == "GET":
            reply = await self.reads.get()
        elif request.url.path.endswith("permission-requests"):
            reply = self.submits.pop(0)
        if isinstance(reply, Exception):
            raise reply
        status = reply.pop("status", 200) if isinstance(reply, dict) else 200
        return httpx.Response(status, json=reply)

    @property
    def posts(self) -> list[str]:
        return [f"{b['hookEvent']}/{b['subtype']}" for _, path, b in self.seen if path == HOOKS]

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [body for _, path, body in self.seen if path == HOOKS]

    @property
    def withdrawals(self) -> list[Any]:
        return [(p.split("/")[-2], b["reason"]) for _, p, b in self.seen if p.endswith("withdraw")]

    @property
    def submitted(self) -> list[dict[str, Any]]:
        return [b for _, path, b in self.seen if path.endswith("permission-requests")]


class FakeAgent:
    """Takes prompts, and ends them when the test says so."""

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.notified: list[str] = []
        self.prompted = asyncio.Event()
        self._ending: asyncio.Future[str] | None = None

    async def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert method == "session/prompt"
        self.prompts.append(params["prompt"][0]["text"])
        self._ending = asyncio.get_running_loop().create_future()
        self.prompted.set()
        return {"stopReason": await self._ending}

    async def notify(self, method: str, params: dict[str, Any]) -> None:
        assert params == {"sessionId": "conv"}
        self.notified.append(method)

    def end(self, reason: str | Exception = "end_turn") -> None:
        assert self._ending is not None
        self.prompted.clear()
        if isinstance(reason, str):
            self._ending.set_result(reason)
        else:
            self._ending.set_exception(reason)


class Pane:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, line: str) -> None:
        self.lines.append(line)

    stream = say

    def says(self, words: str) -> bool:
        return any(words in line for line in self.lines)


class Seat:
    """A conversation with its agent, its daemon, its pane and its clock."""

    def __init__(self, api: RunnerApi, daemon: Daemon, pane: Pane) -> None:
        self.api, self.daemon, self.pane, self.agent = api, daemon, pane, FakeAgent()
        self.ticks: asyncio.Queue[None] = asyncio.Queue()
        self.conversation = Conversation(
            api,
            self.agent,
            "conv",
            pane,
            clock=lambda: datetime(2026, 12, 1, 12, 0, tzinfo=UTC),
            monotonic=lambda: 0.0,
            sleep=self._sleep,
        )

    async def _sleep(self, seconds: float) -> None:
        assert seconds < 15
        await self.ticks.get()

    async def settle(self) -> None:
        """Let everything that can happen now happen."""
        for _ in range(40):
            await asyncio.sleep(0)

    async def tick(self) -> None:
        self.ticks.put_nowait(None)
        await self.settle()

    async def prompt(self, text: str = "do it") -> None:
        self.conversation.offer(text)
        await self.agent.prompted.wait()
        await self.settle()

    async def end(self, reason: str | Exception = "end_turn") -> None:
        self.agent.end(reason)
        await self.settle()

    async def ask(self, request_id: Any = 0, **more: Any) -> asyncio.Task[dict[str, Any]]:
        """The agent asks, and takes note as the connection does when the reply is written."""

        async def asked() -> dict[str, Any]:
            reply = await self.conversation.asked(request_id, REQUEST | more)
            self.conversation.replied(request_id)
            return reply

        task = asyncio.create_task(asked())
        await self.settle()
        return task


@pytest.fixture
async def seat() -> AsyncIterator[Seat]:
    daemon, pane = Daemon(), Pane()

    async def at_once(_: float) -> None:
        await asyncio.sleep(0)

    async with (
        open_http(httpx.MockTransport(daemon.handle)) as http,
        RunnerApi(
            ENV,
            http,
            clock=lambda: datetime(2026, 12, 1, tzinfo=UTC),
            pane=pane.say,
            sleep=at_once,
        ) as api,
    ):
        made = Seat(api, daemon, pane)
        running = asyncio.create_task(made.conversation.run())
        yield made
        running.cancel()
        await asyncio.wait([running])
        await made.conversation.exited(0)


@rule("R4-04", "R4-05", "R5-04", "R10-01")
async def test_messages_are_prompts_one_after_the_other_and_each_is_mirrored(seat: Seat) -> None:
    await seat.prompt("first")
    seat.conversation.offer("second\nwith lines")
    await seat.settle()
    assert seat.agent.prompts == ["first"]
    assert seat.pane.says("queued for after this turn ▸ second")
    await seat.end()
    assert seat.agent.prompts == ["first", "second\nwith lines"]
    await seat.end("max_tokens")
    assert seat.daemon.posts == [
        "UserPromptSubmit/accepted",
        "Stop/end_turn",
        "UserPromptSubmit/accepted",
        "Stop/max_tokens",
    ]
    assert [body["turnId"] for body in seat.daemon.bodies] == ["1", "1", "2", "2"]
    assert [body.get("livenessSeconds") for body in seat.daemon.bodies] == [None, 30, None, 30]
    assert seat.pane.says("you ▸ first")
    assert seat.pane.says("you ▸ second")


@rule("R4-02")
async def test_a_daemon_that_hangs_delays_neither_the_agent_nor_the_order(seat: Seat) -> None:
    seat.daemon.open.clear()
    await seat.prompt("first")
    seat.conversation.updated({"update": {"sessionUpdate": "tool_call", "kind": "edit"}})
    await seat.end()
    await seat.prompt("second")
    assert seat.agent.prompts == ["first", "second"]
    assert len(seat.daemon.posts) == 1
    seat.daemon.open.set()
    await seat.settle()
    assert seat.daemon.posts == [
        "UserPromptSubmit/accepted",
        "PreToolUse/edit",
        "Stop/end_turn",
        "UserPromptSubmit/accepted",
    ]


@rule("R4-06", "R4-07")
async def test_beats_say_that_a_quiet_turn_is_outstanding_and_stop_at_each_boundary(
    seat: Seat,
) -> None:
    await seat.prompt()
    for _ in range(5):
        await seat.tick()
    assert seat.daemon.posts[1:] == ["active/liveness"] * 5
    assert {(b["turnId"], b["livenessSeconds"]) for b in seat.daemon.bodies[1:]} == {("1", 30)}
    asked = await seat.ask()
    await seat.tick()
    assert seat.daemon.posts[1:] == ["active/liveness"] * 5
    seat.daemon.reads.put_nowait({"state": "answered", "optionId": "yes"})
    assert await asked == selected("yes")
    await seat.tick()
    assert seat.daemon.posts[6:] == ["active/permission_resolved", "active/liveness"]
    await seat.end()
    await seat.tick()
    assert seat.daemon.posts[8:] == ["Stop/end_turn", "Stop/idle_heartbeat"]


@rule("R7-01", "R7-02", "R7-03", "R7-04", "R4-08")
async def test_an_answer_is_waited_for_without_end_and_delivered_once(seat: Seat) -> None:
    await seat.prompt()
    asked = await seat.ask("0")
    for _ in range(3):
        seat.daemon.reads.put_nowait({"state": "pending"})
        await seat.settle()
        assert not asked.done()
    seat.daemon.reads.put_nowait({"state": "answered", "optionId": "no"})
    assert await asked == selected("no")
    await seat.settle()
    request = seat.daemon.submitted[0]
    assert request["requestId"] == "0"
    assert (request["turnId"], request["nativeRef"]) == ("1", "conv")
    assert request["options"] == [ALLOW, REJECT]
    assert seat.daemon.posts == ["UserPromptSubmit/accepted", "active/permission_resolved"]
    assert seat.daemon.bodies[-1]["askId"] == "ask-1"
    await seat.end()
    assert seat.daemon.withdrawals == []


@rule("R7-01")
async def test_several_requests_are_open_at_once_and_zero_is_an_id(seat: Seat) -> None:
    await seat.prompt()
    seat.daemon.submits = [ASKED, ASKED | {"askId": "ask-2"}]
    first, second = await seat.ask(0), await seat.ask(1)
    assert [body["requestId"] for body in seat.daemon.submitted] == [0, 1]
    seat.daemon.reads.put_nowait({"state": "answered", "optionId": "yes"})
    await seat.settle()
    assert [first.done(), second.done()] == [True, False]
    await seat.tick()
    assert "active/liveness" not in seat.daemon.posts
    await seat.end()
    assert await second == CANCELLED
    assert seat.daemon.withdrawals == [("ask-2", "turn_ended")]


@rule("R4-08")
async def test_a_permit_at_submit_is_delivered_and_resolves_nothing(seat: Seat) -> None:
    await seat.prompt()
    seat.daemon.submits = [{"ok": True, "state": "permitted", "optionId": "yes", "reason": "none"}]
    assert await (await seat.ask()) == selected("yes")
    await seat.settle()
    assert seat.daemon.posts == ["UserPromptSubmit/accepted"]


@rule("R7-05")
@pytest.mark.parametrize("state", ["refused", "withdrawn", "stale"])
async def test_what_nobody_grants_is_cancelled_and_nothing_is_held(seat: Seat, state: str) -> None:
    await seat.prompt()
    asked = await seat.ask()
    seat.daemon.reads.put_nowait(
        {"state": state, "reason": "said_no" if state == "refused" else None}
    )
    assert await asked == CANCELLED
    await seat.end()
    assert "Notification/permission_prompt" not in seat.daemon.posts
    assert seat.daemon.posts[-1] == "Stop/end_turn"


@rule("R7-06")
async def test_words_said_are_a_prompt_behind_those_that_wait(seat: Seat) -> None:
    await seat.prompt("first")
    asked = await seat.ask()
    seat.conversation.offer("second")
    seat.daemon.reads.put_nowait({"state": "permitted", "optionId": "yes", "said": "use staging"})
    assert await asked == selected("yes")
    for _ in range(3):
        await seat.end()
    assert seat.agent.prompts == ["first", "second", "use staging"]


@rule("R6-01", "R6-02", "R7-04", "R7-07", "R7-12")
async def test_cancelled_is_said_only_when_the_agent_says_it(seat: Seat) -> None:
    await seat.prompt()
    asked = await seat.ask()
    seat.conversation.cancel()
    assert await asked == CANCELLED
    await seat.settle()
    assert seat.agent.notified == ["session/cancel"]
    assert seat.daemon.withdrawals == [("ask-1", "turn_cancelled")]
    assert seat.pane.says("cancel requested at 12:00:00")
    assert await (await seat.ask(1)) == CANCELLED, "a request after the cancel"
    assert len(seat.daemon.submitted) == 1
    seat.daemon.reads.put_nowait({"state": "answered", "optionId": "yes"})
    await seat.end("end_turn")
    assert seat.daemon.posts == ["UserPromptSubmit/accepted", "Stop/end_turn"]
    assert not seat.pane.says("ended: cancelled")
    await seat.prompt()
    seat.conversation.cancel()
    await seat.end("cancelled")
    assert seat.daemon.posts[-1] == "Stop/cancelled"
    seat.conversation.cancel()
    assert seat.agent.notified == ["session/cancel"] * 2


@rule("R7-07", "R7-12")
async def test_an_agent_that_ends_its_turn_over_a_request_gets_no_late_answer(seat: Seat) -> None:
    await seat.prompt()
    asked = await seat.ask()
    await seat.end()
    assert await asked == CANCELLED
    assert seat.daemon.withdrawals == [("ask-1", "turn_ended")]
    seat.daemon.reads.put_nowait({"state": "answered", "optionId": "yes"})
    await seat.settle()
    assert seat.daemon.posts == ["UserPromptSubmit/accepted", "Stop/end_turn"]
    assert await (await seat.ask(1)) == CANCELLED, "no turn runs"


@rule("R7-07")
async def test_a_turn_that_ends_during_the_submit_withdraws_what_came_of_it(seat: Seat) -> None:
    await seat.prompt()
    seat.daemon.open.clear()
    asked = await seat.ask()
    await seat.end()
    assert await asked == CANCELLED
    seat.daemon.open.set()
    await seat.settle()
    assert seat.daemon.withdrawals == [("ask-1", "turn_ended")]


@rule("R7-08", "R4-09")
@pytest.mark.parametrize(
    ("status", "error"), [(409, "denied_by_seat"), (422, "options_unsupported")]
)
async def test_a_denial_is_held_until_the_next_accepted_prompt(
    seat: Seat, status: int, error: str
) -> None:
    await seat.prompt()
    seat.daemon.submits = [{"status": status, "error": error}]
    assert await (await seat.ask()) == CANCELLED
    seat.conversation.updated({"update": {"sessionUpdate": "tool_call", "kind": "edit"}})
    await seat.tick()
    await seat.end()
    await seat.tick()
    assert seat.daemon.posts[1:] == ["Notification/permission_prompt"]
    assert seat.pane.says("refused: ")
    await seat.prompt()
    await seat.end()
    assert seat.daemon.posts[2:] == ["UserPromptSubmit/accepted", "Stop/end_turn"]


@rule("R7-08", "R7-10")
@pytest.mark.parametrize("at", ["submit", "read"])
@pytest.mark.parametrize(
    "failure",
    [
        httpx.ConnectError("gone"),
        {"status": 404},
        {"status": 500},
        {"status": 401, "error": "activity_grant_revoked"},
        {"status": 409, "error": "duplicate_request"},
        {"status": 418},
        [],
    ],
)
async def test_without_an_answer_the_agents_own_allow_is_given_and_printed(
    seat: Seat, at: str, failure: Any
) -> None:
    await seat.prompt()
    failure = dict(failure) if isinstance(failure, dict) else failure
    if at == "submit":
        seat.daemon.submits = [failure]
    else:
        for _ in range(4):
            seat.daemon.reads.put_nowait(failure)
    asked = await seat.ask(options=[ALWAYS, REJECT, ALLOW])
    assert await asked == selected("yes")
    assert seat.pane.says("permitted by this runner with 'yes'")


@rule("R7-09")
async def test_without_an_answer_and_an_allow_it_is_refused_and_held(seat: Seat) -> None:
    await seat.prompt()
    seat.daemon.submits = [{"status": 404}]
    assert await (await seat.ask(options=[REJECT])) == CANCELLED
    await seat.end()
    assert seat.daemon.posts[1:] == ["Notification/permission_prompt"]


@rule("R4-11")
async def test_a_prompt_that_fails_is_an_error_and_leaves_no_attention(seat: Seat) -> None:
    await seat.prompt()
    await seat.end(AgentError(-32603, "no model"))
    assert seat.daemon.posts[1:] == ["Notification/runtime_error", "Stop/error"]
    assert seat.pane.says("no model")


@rule("R4-10", "R7-07")
async def test_an_agent_that_exits_is_never_idle_and_its_requests_are_withdrawn(seat: Seat) -> None:
    await seat.prompt()
    asked = await seat.ask()
    await seat.end(AgentGoneError())
    await seat.conversation.exited(3)
    assert await asked == CANCELLED
    await seat.tick()
    assert seat.daemon.posts == ["UserPromptSubmit/accepted", "Stop/dsh_exited"]
    assert seat.daemon.withdrawals == [("ask-1", "exited")]
