"""Requests of many megabytes are kept whole, cut where they are listed, and stop nobody."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.wire import contract
from tests.rules import rule

if TYPE_CHECKING:
    from tests.daemon.harness import Runner, Served

ASKS = "/api/activity/permission-requests"
LINES = 60_000
CALL = {
    "title": "Edit \u2028 src/app.py",
    "kind": "edit",
    "x": "hole",
    "content": [f"líne {number} \x1b[31m" for number in range(LINES)],
    "null": None,
}


@pytest.fixture
async def runner(served: Served) -> Runner:
    served.daemon.person()
    return await served.seat()


async def submit(served: Served, runner: Runner, call: Any, **fields: Any) -> str:
    reply = await served.hooks.post(ASKS, json=runner.request(toolCall=call, **fields))
    assert reply.json()["created"] is True, reply.text
    return str(reply.json()["askId"])


async def whole(served: Served, ask_id: str) -> dict[str, Any]:
    reply = await served.operator.get(f"/api/queue/{ask_id}")
    assert reply.status_code == 200
    permission: dict[str, Any] = reply.json()["permission"]
    return permission


@rule("D7-07", "D7-19")
async def test_a_large_tool_call_is_whole_in_one_fetch_and_cut_in_lists(
    served: Served, runner: Runner
) -> None:
    ask_id = await submit(served, runner, CALL)

    permission = await whole(served, ask_id)
    assert permission["toolCall"] == CALL
    assert permission["toolCallElided"] is False
    size = len(json.dumps(CALL, ensure_ascii=False, separators=(",", ":")).encode())
    assert permission["toolCallBytes"] == size > 1024 * 1024
    listed = (await served.operator.get("/api/queue/list?asks=open")).json()[0]
    assert listed["permission"]["toolCallElided"] is True
    assert len(json.dumps(listed)) < 64 * 1024
    assert listed["summary"] == CALL["title"]

    reply = await served.act(ask_id, "drop", reason="x")
    assert reply.json()["outcome"]["state"] == "permitted"
    assert (await whole(served, ask_id))["toolCall"] == CALL
    assert served.daemon.permits()[0].tool_call == CALL
    served.daemon.restart()
    assert served.daemon.ask(ask_id).tool_call == CALL


@rule("D7-07")
async def test_a_large_call_of_what_utf_8_cant_carry_is_kept_as_it_can_be(
    served: Served, runner: Runner
) -> None:
    text = json.dumps(runner.request(toolCall={"title": "\ud800", "content": "x" * 2**21}))
    reply = await served.hooks.post(ASKS, content=text.encode())
    permission = await whole(served, reply.json()["askId"])
    assert permission["toolCall"]["title"] == "\ufffd"


@rule("D7-06", "A-29")
async def test_a_large_request_sent_again_is_the_same_ask(served: Served, runner: Runner) -> None:
    ask_id = await submit(served, runner, CALL)
    for call, notices in ((CALL, 0), ({**CALL, "null": 1}, 1)):
        again = await served.hooks.post(ASKS, json=runner.request(toolCall=call))
        assert (again.json()["askId"], again.json()["created"]) == (ask_id, False)
        assert len(served.daemon.ask(ask_id).notices) == notices
    assert (await whole(served, ask_id))["toolCall"] == CALL


@pytest.mark.parametrize(
    ("route", "parser"), [(ASKS, "parse_submit"), ("/api/activity/hooks", "parse_post")]
)
async def test_others_are_served_while_a_large_request_is_parsed(
    served: Served, runner: Runner, monkeypatch: pytest.MonkeyPatch, route: str, parser: str
) -> None:
    release, parse = threading.Event(), getattr(contract, parser)
    parsing = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(body: bytes) -> object:
        loop.call_soon_threadsafe(parsing.set)
        assert release.wait(30)
        return parse(body)

    monkeypatch.setattr(contract, parser, slow)
    body = runner.request(toolCall=CALL, hookEvent="PreToolUse", subtype="edit")
    sending = asyncio.ensure_future(served.hooks.post(route, json=body))
    try:
        await asyncio.wait_for(parsing.wait(), 30)
        assert (await served.operator.get("/healthz")).status_code == 200
        assert not sending.done()
    finally:
        release.set()
    reply = (await sending).json()
    assert reply.get("counted") or reply.get("created"), reply


@rule("D7-07", "A-46")
async def test_what_is_over_the_limit_is_read_to_its_end_and_refused(
    served: Served, runner: Runner
) -> None:
    body = json.dumps(runner.request(toolCall="x" * (64 * 2**20))).encode()
    reply = await served.hooks.post(ASKS, content=body)
    assert (reply.status_code, reply.json()["code"]) == (422, "options_unsupported")
    assert not served.daemon.core.pending
