from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from rig_tui.client import runner_api
from rig_tui.client.runner_answers import Answer, Asked, PermissionRequest
from rig_tui.client.runner_api import RunnerApi, open_http
from rig_tui.client.runner_launch import RunnerEnv, RunnerEnvError, write_launch_record
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    Handler = Callable[[httpx.Request], Awaitable[httpx.Response]]
    Start = Callable[[Handler], AbstractAsyncContextManager[RunnerApi]]

ENV = RunnerEnv("http://daemon.test:1", "tok", "qa@my-rig", "node-1", "custom", "gen-1")
OPTIONS: list[Any] = [
    {"optionId": "o", "name": "Allow", "kind": "allow_once"},
    {"optionId": "r", "name": "Reject", "kind": "reject_once"},
]
ASK = PermissionRequest(12, {"title": "Edit"}, OPTIONS, turn_id="7", native_ref="conv")
START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class Clock:
    """Steps as told, backwards too."""

    def __init__(self, *steps: int) -> None:
        self.steps = list(steps)
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=self.steps.pop(0) if self.steps else 1)
        return self.now


class Daemon:
    """Answers from a list; keeps what it was sent."""

    def __init__(self, *replies: httpx.Response | Exception) -> None:
        self.replies = list(replies)
        self.seen: list[httpx.Request] = []
        self.pane: list[str] = []
        self.slept: list[float] = []
        self.clock = Clock()

    async def handle(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        reply = self.replies.pop(0) if self.replies else httpx.Response(200, json={"ok": True})
        if isinstance(reply, Exception):
            raise reply
        return reply

    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.seen if request.content]

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def runner(self, http: httpx.AsyncClient) -> RunnerApi:
        return RunnerApi(ENV, http, clock=self.clock, pane=self.pane.append, sleep=self.sleep)


def reply(status: int = 200, **body: Any) -> httpx.Response:
    return httpx.Response(status, json=body)


@pytest.fixture
def daemon() -> Daemon:
    return Daemon()


@pytest.fixture
async def runner(daemon: Daemon) -> AsyncIterator[RunnerApi]:
    async with open_http(httpx.MockTransport(daemon.handle)) as http, daemon.runner(http) as api:
        yield api


@rule("R4-03", "R3-02")
async def test_every_post_is_numbered_dated_and_attributed(
    daemon: Daemon, runner: RunnerApi
) -> None:
    runner.post("UserPromptSubmit", "accepted", turn_id="1")
    runner.post("active", "liveness", turn_id="1", liveness_seconds=30)
    runner.post("active", "permission_resolved", turn_id="1", ask_id="ask-1")
    await runner.flush()
    first, beat, resolved = daemon.bodies()
    assert first == {
        "sessionName": "qa@my-rig",
        "nodeId": "node-1",
        "runtime": "custom",
        "generation": "gen-1",
        "sequence": 1,
        "occurredAt": "2026-11-30T12:00:01Z",
        "hookEvent": "UserPromptSubmit",
        "subtype": "accepted",
        "turnId": "1",
    }
    assert (beat["sequence"], beat["livenessSeconds"]) == (2, 30)
    assert (resolved["sequence"], resolved["askId"]) == (3, "ask-1")
    assert daemon.seen[0].headers["Authorization"] == "Bearer tok"
    assert str(daemon.seen[0].url) == "http://daemon.test:1/api/activity/hooks"


async def test_a_clock_set_back_never_dates_a_post_before_an_earlier_one(
    daemon: Daemon, runner: RunnerApi
) -> None:
    daemon.clock.steps = [10, -5, 1]
    for _ in range(3):
        runner.post("active", "agent_message")
    await runner.flush()
    dates = [body["occurredAt"] for body in daemon.bodies()]
    assert dates == ["2026-11-30T12:00:10Z"] * 3


@rule("R4-02")
async def test_posts_go_one_at_a_time_in_order_and_hold_nobody_up() -> None:
    going, let_go = asyncio.Event(), asyncio.Event()
    order: list[int] = []
    at_once = most = 0

    async def handle(request: httpx.Request) -> httpx.Response:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        going.set()
        await let_go.wait()
        order.append(json.loads(request.content)["sequence"])
        at_once -= 1
        return httpx.Response(200, json={"ok": True})

    async with (
        open_http(httpx.MockTransport(handle)) as http,
        RunnerApi(ENV, http, clock=Clock()) as api,
    ):
        for _ in range(20):
            api.post("active", "agent_message")
        await going.wait()
        assert order == []
        let_go.set()
        await api.flush()
    assert order == list(range(1, 21))
    assert most == 1


async def test_a_post_that_fails_is_said_and_the_next_one_still_goes(
    daemon: Daemon, runner: RunnerApi
) -> None:
    daemon.replies = [httpx.ReadTimeout("slow"), reply(500)]
    for _ in range(3):
        runner.post("active", "agent_message")
    await runner.flush()
    assert [body["sequence"] for body in daemon.bodies()] == [1, 2, 3]
    assert daemon.pane == [
        "activity post failed: OpenRig cannot be reached",
        "activity post failed: 500",
    ]


async def test_a_daemon_that_hangs_delays_a_submit_only_so_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner_api, "_POST_TIMEOUT", 0.01)
    never = asyncio.Event()

    async def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("hooks"):
            await never.wait()
        return reply(askId="ask-1", created=True)

    async with (
        open_http(httpx.MockTransport(handle)) as http,
        RunnerApi(ENV, http, clock=Clock()) as api,
    ):
        api.post("active", "agent_message")
        assert await api.submit(ASK) == Asked("ask-1", created=True)


@rule("R7-01")
@pytest.mark.parametrize("request_id", [7, "7", 9007199254740993, "tool-1"])
async def test_a_request_is_submitted_as_the_agent_made_it(
    daemon: Daemon, runner: RunnerApi, request_id: int | str
) -> None:
    runner.post("PreToolUse", "edit")
    daemon.replies = [reply(ok=True), reply(ok=True, askId="ask-1", created=True)]
    request = PermissionRequest(
        request_id, {"title": "Edit \ud83d", "x": [1]}, OPTIONS, "7", "conv"
    )
    assert await runner.submit(request) == Asked("ask-1", created=True)
    post, submitted = daemon.bodies()
    assert post["hookEvent"] == "PreToolUse"
    assert submitted.pop("occurredAt").endswith("Z")
    assert submitted == {
        "sessionName": "qa@my-rig",
        "nodeId": "node-1",
        "generation": "gen-1",
        "nativeRef": "conv",
        "turnId": "7",
        "requestId": request_id,
        "toolCall": {"title": "Edit \ud83d", "x": [1]},
        "options": OPTIONS,
    }
    assert type(submitted["requestId"]) is type(request_id)


async def test_a_permit_at_submit_is_delivered_and_has_no_ask(
    daemon: Daemon, runner: RunnerApi
) -> None:
    daemon.replies = [reply(ok=True, state="permitted", optionId="o", reason="…")]
    assert await runner.submit(ASK) == Answer("o", "permitted")
    assert daemon.pane == []


@rule("R7-03")
async def test_pending_is_read_again_and_never_cancelled(daemon: Daemon, runner: RunnerApi) -> None:
    pending = [reply(ok=True, state="pending") for _ in range(3)]
    daemon.replies = [*pending, reply(ok=True, state="answered", optionId="r")]
    assert await runner.answer("ask-1", ASK) == Answer("r", "answered", "ask-1")
    assert [str(request.url.query, "ascii") for request in daemon.seen] == ["waitSeconds=25"] * 4
    assert {request.method for request in daemon.seen} == {"GET"}


async def test_no_read_asks_to_wait_longer_than_the_daemon_may(
    daemon: Daemon, runner: RunnerApi
) -> None:
    daemon.replies = [reply(ok=True, state="pending")]
    assert await runner.read("ask-1", ASK, wait=600) is None
    assert daemon.seen[0].url.params["waitSeconds"] == "25"


@rule("R7-10")
async def test_a_read_without_an_answer_is_tried_again_first(
    daemon: Daemon, runner: RunnerApi
) -> None:
    daemon.replies = [
        httpx.ReadError("reset"),
        httpx.ConnectError("refused"),
        reply(ok=True, state="answered", optionId="r"),
    ]
    assert await runner.answer("ask-1", ASK) == Answer("r", "answered", "ask-1")
    assert len(daemon.slept) == 2


@rule("R7-08")
async def test_a_daemon_gone_for_good_is_a_permit_the_pane_shows(
    daemon: Daemon, runner: RunnerApi
) -> None:
    daemon.replies = [httpx.ConnectError("refused")] * 9
    answer = await runner.answer("ask-1", ASK)
    assert (answer.option_id, answer.by_runner) == ("o", True)
    assert daemon.pane == ["permitted by this runner with 'o': OpenRig can't be reached"]


@rule("R7-08")
@pytest.mark.parametrize("body", [b"not json", b"\xff", b"[1]", b""])
async def test_a_reply_that_is_no_json_object_permits(
    daemon: Daemon, runner: RunnerApi, body: bytes
) -> None:
    daemon.replies = [httpx.Response(200, content=body)]
    answer = await runner.submit(ASK)
    assert isinstance(answer, Answer)
    assert (answer.option_id, answer.by_runner) == ("o", True)


async def test_a_refusal_that_is_held_is_shown_in_the_pane(
    daemon: Daemon, runner: RunnerApi
) -> None:
    daemon.replies = [reply(409, code="denied_by_seat", error="…")]
    answer = await runner.submit(ASK)
    assert answer == Answer(None, "denied_by_seat", hold=True)
    assert daemon.pane == ["refused: denied_by_seat"]


@rule("R7-07")
@pytest.mark.parametrize("reason", ["turn_cancelled", "turn_ended", "exited"])
async def test_a_withdrawal_names_its_reason(
    daemon: Daemon, runner: RunnerApi, reason: str
) -> None:
    await runner.withdraw("ask-1", reason)
    assert daemon.bodies() == [{"reason": reason}]
    assert daemon.seen[0].url.path == "/api/activity/permission-requests/ask-1/withdraw"


async def test_a_withdrawal_that_fails_is_said(daemon: Daemon, runner: RunnerApi) -> None:
    daemon.replies = [reply(500)]
    await runner.withdraw("ask-1", "turn_ended")
    assert daemon.pane == ["withdrawing ask-1 failed: 500"]


@rule("R4-01")
@pytest.mark.parametrize(
    ("environ", "base"),
    [
        ({"OPENRIG_URL": "http://guest:9/", "OPENRIG_ACTIVITY_HOOK_TOKEN": "t"}, "http://guest:9"),
        ({"OPENRIG_PORT": "91", "OPENRIG_ACTIVITY_HOOK_TOKEN": "t"}, "http://127.0.0.1:91"),
        (
            {"OPENRIG_PORT": "91", "OPENRIG_HOST": "box", "OPENRIG_ACTIVITY_HOOK_TOKEN": "t"},
            "http://box:91",
        ),
        (
            {
                "OPENRIG_URL": "http://a:1",
                "OPENRIG_PORT": "2",
                "OPENRIG_ACTIVITY_HOOK_TOKEN": "t",
                "OPENRIG_HOME": "/nowhere",
            },
            "http://a:1",
        ),
    ],
)
def test_base_and_token_come_from_the_environment(environ: dict[str, str], base: str) -> None:
    env = RunnerEnv.from_environ(environ)
    assert (env.base_url, env.token) == (base, "t")


@rule("R4-01")
@pytest.mark.parametrize("partly", [{}, {"OPENRIG_URL": "http://elsewhere:5"}])
def test_base_and_token_come_together_from_the_file_otherwise(
    tmp_path: Path, partly: dict[str, str]
) -> None:
    (tmp_path / "activity-endpoint.json").write_text('{"baseUrl": "http://f:3", "token": "ft"}')
    env = RunnerEnv.from_environ({"OPENRIG_HOME": str(tmp_path), **partly})
    assert (env.base_url, env.token) == ("http://f:3", "ft")


@pytest.mark.parametrize("content", [None, "not json", "{}", "[]"])
def test_an_environment_without_an_address_is_an_error_that_says_so(
    tmp_path: Path, content: str | None
) -> None:
    if content is not None:
        (tmp_path / "activity-endpoint.json").write_text(content)
    with pytest.raises(RunnerEnvError, match=r"activity-endpoint\.json"):
        RunnerEnv.from_environ({"OPENRIG_HOME": str(tmp_path)})
    with pytest.raises(RunnerEnvError, match="OPENRIG_URL"):
        RunnerEnv.from_environ({})


def test_the_launch_record_appears_whole_and_alone(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    write_launch_record(
        path, attempt="at-1", harness="custom", producer="demo 1", native_ref="conv"
    )
    assert [entry.name for entry in tmp_path.iterdir()] == ["record.json"]
    assert json.loads(path.read_text()) == {
        "format": 1,
        "attempt": "at-1",
        "harness": "custom",
        "nativeRef": "conv",
        "producer": "demo 1",
    }


async def test_a_launch_without_a_record_path_just_runs(runner: RunnerApi) -> None:
    runner.report_launch(harness="custom", producer="demo", native_ref="conv")
