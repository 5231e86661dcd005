from __future__ import annotations

from typing import Any

import pytest

from rig_tui.runner.agent import AgentError, AgentGoneError
from rig_tui.runner.opening import Introduction, introduce, open_new, reopen
from rig_tui.runner.reopening import Missing, Opened, Unconfirmed
from tests.rules import rule

BOTH = {"loadSession": True, "sessionCapabilities": {"resume": {}, "list": {}}}
RESUME: dict[str, Any] = {"sessionCapabilities": {"resume": {}}}
LOAD = {"loadSession": True, "sessionCapabilities": {"resume": None}}


class Agent:
    """Answers from lists, by method."""

    def __init__(self, **replies: Any) -> None:
        self.replies = replies
        self.seen: list[tuple[str, dict[str, Any]]] = []

    async def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.seen.append((method, params))
        reply = self.replies[method.removeprefix("session/")].pop(0)
        if isinstance(reply, Exception):
            raise reply
        assert isinstance(reply, dict)
        return reply

    @property
    def methods(self) -> list[str]:
        return [method for method, _ in self.seen]


async def reopened(capabilities: dict[str, Any], agent: Agent) -> Any:
    return await reopen(agent, Introduction({"agentCapabilities": capabilities}), "conv-7", "/w")


@rule("R8-01")
@pytest.mark.parametrize(
    ("capabilities", "method"), [(BOTH, "resume"), (RESUME, "resume"), (LOAD, "load")]
)
async def test_a_conversation_is_reopened_by_the_method_the_agent_advertises(
    capabilities: dict[str, Any], method: str
) -> None:
    agent = Agent(**{method: [{}]})
    assert await reopened(capabilities, agent) == Opened("conv-7")
    assert agent.seen == [
        (f"session/{method}", {"sessionId": "conv-7", "cwd": "/w", "mcpServers": []})
    ]


@rule("R8-01")
async def test_resume_that_is_advertised_and_not_there_falls_back_to_load() -> None:
    agent = Agent(resume=[AgentError(-32601, "no")], load=[{}], list=[{"sessions": []}])
    assert await reopened(BOTH, agent) == Opened("conv-7")
    assert "session/new" not in agent.methods


@rule("R8-01", "R8-02")
@pytest.mark.parametrize(
    "refusal",
    [AgentError(code, "not found") for code in (-32602, -32603, -32000, -32601)]
    + [AgentGoneError(), TimeoutError()],
)
async def test_a_refusal_that_is_not_the_agents_own_not_found_leaves_it_unconfirmed(
    refusal: Exception,
) -> None:
    agent = Agent(resume=[refusal])
    assert isinstance(await reopened(RESUME, agent), Unconfirmed)
    assert agent.methods == ["session/resume"]


@rule("R8-02")
async def test_the_agents_own_not_found_is_missing() -> None:
    assert await reopened(LOAD, Agent(load=[AgentError(-32002, "gone")])) == Missing()


async def test_an_agent_that_can_reopen_nothing_is_asked_nothing() -> None:
    agent = Agent()
    assert isinstance(await reopened({}, agent), Unconfirmed)
    assert agent.seen == []


@rule("R8-03")
@pytest.mark.parametrize(
    ("pages", "outcome"),
    [
        ([{"sessions": [{"sessionId": "conv-7"}]}], Unconfirmed),
        ([{"sessions": [], "nextCursor": ""}, {"sessions": [{"sessionId": "conv-7"}]}],
         Unconfirmed),
        ([{"sessions": []}], Missing),
        ([{}], Missing),
        ([AgentError(-32603, "no list")], Missing),
        ([{"sessions": [], "nextCursor": "a"}] * 3, Missing),
    ],
)  # fmt: skip
async def test_a_listed_conversation_is_never_missing_and_an_unreadable_page_decides_nothing(
    pages: list[Any], outcome: type
) -> None:
    agent = Agent(resume=[AgentError(-32002, "gone")], list=pages)
    assert isinstance(await reopened(BOTH, agent), outcome)


@rule("R8-03")
async def test_a_conversation_the_list_doesnt_name_is_still_tried() -> None:
    agent = Agent(resume=[{}], list=[])
    assert await reopened(BOTH, agent) == Opened("conv-7")


async def test_a_reopened_conversation_with_another_name_is_reported_as_that() -> None:
    assert await reopened(RESUME, Agent(resume=[{"sessionId": "conv-8"}])) == Opened("conv-8")


async def test_a_new_conversation_is_what_the_agent_calls_it() -> None:
    assert await open_new(Agent(new=[{"sessionId": "conv-1"}]), "/w") == Opened("conv-1")
    for reply in ({}, {"sessionId": 7}, AgentError(-32000, "log in first"), AgentGoneError()):
        assert isinstance(await open_new(Agent(new=[reply]), "/w"), Unconfirmed)


async def test_the_agent_is_offered_nothing_of_this_machine_and_named_by_its_own_words() -> None:
    agent = Agent(initialize=[{"agentInfo": {"name": "dsh", "version": "2"}, "protocolVersion": 1}])
    assert (await introduce(agent, "9")).words == "dsh 2; ACP 1"
    assert agent.seen[0][1]["clientCapabilities"] == {}
