from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import httpx

from rig_tui.client.runner_api import RunnerApi, open_http
from rig_tui.client.runner_launch import RunnerEnv
from rig_tui.demo.player import SeatPlayer
from rig_tui.demo.requests import EDIT_APP, FIVE_OPTIONS, RUN_TESTS
from rig_tui.demo.steps import Ask, End, Exit, Prompt, Quiet, Rest, Script, Step, Work
from tests.rules import rule

if TYPE_CHECKING:
    from pathlib import Path

ENV = RunnerEnv("http://daemon.test:1", "tok", "qa@r", "node-1", "custom", "gen-1", "attempt-1")


class Daemon:
    """Opens an ask per submit; an ask it has no answer for stays pending for ever."""

    def __init__(self, **answers: dict[str, str]) -> None:
        self.answers = answers
        self.log: list[str] = []
        self.posts: list[dict[str, Any]] = []
        self.submits: list[dict[str, Any]] = []
        self.at_submit: httpx.Response | None = None

    async def handle(self, request: httpx.Request) -> httpx.Response:
        route = request.url.path.split("/")
        body = json.loads(request.content) if request.content else {}
        if route[-1] == "hooks":
            self.posts.append(body)
            self.log.append(f"{body['hookEvent']}/{body['subtype']}")
        elif route[-1] == "withdraw":
            self.log.append(f"withdraw {route[-2]} {body['reason']}")
        elif request.method == "GET":
            if route[-1] not in self.answers:
                await asyncio.Event().wait()
            return httpx.Response(200, json={"ok": True, **self.answers[route[-1]]})
        else:
            self.submits.append(body)
            self.log.append("submit")
            ask = {"ok": True, "askId": f"ask{len(self.submits)}", "created": True}
            return self.at_submit or httpx.Response(200, json=ask)
        return httpx.Response(200, json={"ok": True})


async def played(daemon: Daemon, *opening: Step, env: RunnerEnv = ENV) -> list[float]:
    """Play an opening to its end; nothing sleeps, the pauses are returned."""
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    async with (
        open_http(httpx.MockTransport(daemon.handle)) as http,
        RunnerApi(env, http, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC)) as api,
    ):
        player = SeatPlayer(Script("r", "qa", "conv", opening), api, sleep)
        await player.play()
        assert player.opened.is_set()
    return pauses


TURN = (Prompt(), Ask((EDIT_APP,)), Work(("edit",)), End(), Rest(10))


@rule("R4-08")
async def test_an_allowed_request_goes_on_works_and_ends_its_turn() -> None:
    daemon = Daemon(ask1={"state": "answered", "optionId": "allow"})
    await played(daemon, *TURN)
    assert daemon.log == [
        "UserPromptSubmit/accepted",
        "submit",
        "active/permission_resolved",
        "PreToolUse/edit",
        "Stop/end_turn",
        "Stop/idle_heartbeat",
    ]
    resolved = daemon.posts[1]
    assert (resolved["turnId"], resolved["askId"]) == ("1", "ask1")
    assert daemon.submits[0]["turnId"] == "1"


async def test_a_rejected_request_says_so_ends_its_turn_and_rests() -> None:
    daemon = Daemon(ask1={"state": "answered", "optionId": "reject"})
    await played(daemon, *TURN)
    assert daemon.log == [
        "UserPromptSubmit/accepted",
        "submit",
        "active/permission_resolved",
        "active/agent_message",
        "Stop/end_turn",
        "Stop/idle_heartbeat",
    ]


@rule("R7-05")
async def test_a_refused_ask_is_cancelled_holds_nothing_and_ends_the_turn() -> None:
    daemon = Daemon(ask1={"state": "refused", "reason": "said_no"})
    await played(daemon, *TURN)
    assert daemon.log[2:] == ["active/agent_message", "Stop/end_turn", "Stop/idle_heartbeat"]


@rule("R7-07")
async def test_what_is_open_at_the_turns_end_is_withdrawn_before_the_stop() -> None:
    daemon = Daemon(ask1={"state": "answered", "optionId": "reject"})
    await played(daemon, Prompt(), Ask((RUN_TESTS, EDIT_APP)), Work(("edit",)), End())
    assert daemon.log[-1] == "Stop/end_turn"
    assert daemon.log.count("withdraw ask2 turn_ended") == 1
    assert "PreToolUse/edit" not in daemon.log


@rule("R7-07")
async def test_an_agent_out_of_patience_withdraws_and_stops() -> None:
    daemon = Daemon()
    pauses = await played(daemon, Prompt(), Ask((EDIT_APP,), patience=900), Work(("e",)), End())
    assert pauses == [900]
    assert daemon.log[2:] == ["withdraw ask1 turn_ended", "Stop/end_turn"]


async def test_two_asks_are_open_together_and_both_yeses_go_on() -> None:
    yes = {"state": "answered", "optionId": "allow"}
    daemon = Daemon(ask1=yes, ask2=yes)
    await played(daemon, Prompt(), Ask((RUN_TESTS, EDIT_APP)), Work(("edit",)), End())
    assert daemon.log[1:3] == ["submit", "submit"]
    assert daemon.log[-2:] == ["PreToolUse/edit", "Stop/end_turn"]
    assert [body["requestId"] for body in daemon.submits] == [1, 2]


@rule("R4-08")
async def test_a_permit_at_submit_resolves_nothing() -> None:
    daemon = Daemon()
    permitted = {"ok": True, "state": "permitted", "optionId": "allow_once", "reason": "…"}
    daemon.at_submit = httpx.Response(200, json=permitted)
    await played(daemon, Prompt(), Ask((FIVE_OPTIONS,)), Work(("execute",)))
    assert daemon.log == ["UserPromptSubmit/accepted", "submit", "PreToolUse/execute"]


@rule("R4-09")
async def test_a_refusal_by_the_seat_is_held_until_the_next_prompt() -> None:
    daemon = Daemon()
    daemon.at_submit = httpx.Response(409, json={"code": "denied_by_seat"})
    await played(daemon, *TURN, Prompt())
    assert daemon.log == [
        "UserPromptSubmit/accepted",
        "submit",
        "Notification/permission_prompt",
        "UserPromptSubmit/accepted",
    ]


@rule("R7-06")
async def test_words_sent_along_become_the_next_prompt_after_the_turn() -> None:
    daemon = Daemon(ask1={"state": "permitted", "optionId": "allow", "said": "use b"})
    await played(daemon, Prompt(), Ask((EDIT_APP,)), End())
    assert daemon.log[3:] == [
        "Stop/end_turn",
        "UserPromptSubmit/accepted",
        "active/agent_message",
        "Stop/end_turn",
    ]
    assert [post["turnId"] for post in daemon.posts[-3:]] == ["2", "2", "2"]


@rule("R4-05", "R4-06")
async def test_beats_and_heartbeats_come_more_often_than_half_their_lifetime() -> None:
    daemon = Daemon()
    pauses = await played(daemon, Prompt(), Quiet(30, 30), End(liveness=30), Rest(60, 60))
    assert daemon.log == [
        "UserPromptSubmit/accepted",
        *["active/liveness"] * 3,
        "Stop/end_turn",
        *["Stop/idle_heartbeat"] * 3,
    ]
    assert pauses == [10, 10, 10, 20, 20, 20]
    assert [post.get("livenessSeconds") for post in daemon.posts] == [None, *[30] * 4, *[60] * 3]


@rule("R4-10")
async def test_an_exit_is_posted_as_an_exit_and_nothing_else() -> None:
    daemon = Daemon()
    await played(daemon, Prompt(), Exit())
    assert daemon.log == ["UserPromptSubmit/accepted", "Stop/custom_exited"]


async def test_the_launch_is_reported_before_anything_else(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    await played(Daemon(), env=replace(ENV, launch_result=path))
    record = json.loads(path.read_text())
    assert (record["attempt"], record["nativeRef"]) == ("attempt-1", "conv")


@rule("R4-04")
async def test_turns_are_numbered_by_the_prompts_handed_over() -> None:
    daemon = Daemon()
    await played(daemon, *(Prompt(), Work(("read",)), End()) * 3)
    accepted = [post for post in daemon.posts if post["subtype"] == "accepted"]
    assert [post["turnId"] for post in accepted] == ["1", "2", "3"]
    assert [post["turnId"] for post in daemon.posts] == [n for n in "123" for _ in range(3)]
