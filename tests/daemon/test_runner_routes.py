"""The four runner routes over a real socket."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import asks, http_runner, launches, seats
from rig_tui.daemon.callers import Caller
from rig_tui.domain.model import Reading
from tests.daemon.harness import LOOP_SLACK, OPTIONS, Daemon, Served, serve
from tests.rules import rule

if TYPE_CHECKING:
    import httpx

HOOKS, ASKS = "/api/activity/hooks", "/api/activity/permission-requests"


@pytest.fixture
async def runner(served: Served) -> Any:
    served.daemon.person()
    return await served.seat()


@rule("D4-01", "D4-42")
@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer wrong",
        "Basic hook-secret",
        "hook-secret",
        "Bearer operator-secret",
    ],
)
async def test_without_the_hook_token_nothing_is_done(
    served: Served, runner: Any, authorization: str | None
) -> None:
    before = served.daemon.core.seats.copy()
    headers = {} if authorization is None else {"Authorization": authorization}
    del served.hooks.headers["Authorization"]
    post = runner.body(hookEvent="Stop", subtype="end_turn")
    replies = [
        await served.hooks.post(HOOKS, json=post, headers=headers),
        await served.hooks.post(ASKS, json=runner.request(), headers=headers),
        await served.hooks.get(f"{ASKS}/x", headers=headers),
        await served.hooks.post(f"{ASKS}/x/withdraw", headers=headers),
    ]

    assert [r.status_code for r in replies] == [401] * 4
    assert {r.json()["code"] for r in replies} == {"activity_hook_unauthorized"}
    assert served.daemon.core.seats == before
    assert not served.daemon.core.pending
    assert served.daemon.causes() == ["activity_hook_unauthorized"] * 2, "submit and read permit"


async def test_the_scheme_of_the_token_is_read_in_any_case(served: Served, runner: Any) -> None:
    post = runner.body(hookEvent="active", subtype="x")
    headers = {"Authorization": "bEaReR hook-secret"}
    assert (await served.hooks.post(HOOKS, json=post, headers=headers)).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Origin": "https://evil.example"}, {"Content-Type": "x/y; odd"}],
)
async def test_no_header_but_the_token_matters_to_a_runner(
    served: Served, runner: Any, headers: dict[str, str]
) -> None:
    headers = {"Content-Type": "text/plain", **headers}
    post = json.dumps(runner.body(hookEvent="active", subtype="x"))
    assert (await served.hooks.post(HOOKS, content=post, headers=headers)).status_code == 200
    reply = await served.hooks.post(ASKS, content=json.dumps(runner.request()), headers=headers)
    assert reply.status_code == 200
    ask_id = reply.json()["askId"]
    read = await served.hooks.get(f"{ASKS}/{ask_id}", headers=headers)
    assert read.json() == {"ok": True, "askId": ask_id, "state": "pending"}
    gone = await served.hooks.post(f"{ASKS}/{ask_id}/withdraw", headers=headers)
    assert gone.json()["state"] == "withdrawn"


@rule("D4-04", "D7-58", "A-21")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"not json", "invalid_json"),
        (b"[]", "invalid_json"),
        (b'{"hookEvent":"active"}', "missing_session_identity"),
        (b'{"sessionName":"builder@my-rig"}', "missing_hook_event"),
    ],
)
async def test_a_malformed_post_is_refused_and_told(
    served: Served, runner: Any, body: bytes, code: str
) -> None:
    reply = await served.hooks.post(HOOKS, content=body)
    assert (reply.status_code, reply.json()["code"]) == (400, code)
    told = served.daemon.events()[-1]
    assert (told["type"], told["code"]) == ("runner.post_refused", code)
    assert served.daemon.causes() == []


@rule("A-21", "D7-05", "D7-58")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[1]",
        b"{}",
        b'{"requestId":null}',
        b'{"requestId":true}',
        b'{"requestId":{}}',
        b'{"requestId":[]}',
        b'{"requestId":""}',
    ],
)
async def test_a_request_without_a_usable_id_is_refused_and_told(
    served: Served, runner: Any, body: bytes
) -> None:
    reply = await served.hooks.post(ASKS, content=body)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert served.daemon.causes() == ["invalid_request"]


@rule("D7-07")
async def test_large_and_odd_requests_are_asked_all_the_same(served: Served, runner: Any) -> None:
    odd: list[dict[str, Any]] = [
        {"toolCall": {"title": "x" * 2_000_000}},
        {"toolCall": None, "turnId": None, "nativeRef": None, "occurredAt": 5},
        {"toolCall": [[[1]]], "options": [{"optionId": "x"}, {"optionId": "y", "kind": 7}]},
    ]
    for number, fields in enumerate(odd, 10):
        body = runner.request(requestId=number, **fields)
        reply = await served.hooks.post(ASKS, json=body)
        assert (reply.status_code, reply.json().get("created")) == (200, True), reply.text
    assert served.daemon.causes() == []


@rule("A-46")
async def test_a_request_too_large_to_keep_is_read_to_its_end_and_refused(
    served: Served, runner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_runner, "LARGEST_BODY", 1_000_000)
    body = runner.request(toolCall={"title": "x" * 3_000_000})
    reply = await served.hooks.post(ASKS, json=body)

    assert (reply.status_code, reply.json()["code"]) == (422, "options_unsupported")
    assert not served.daemon.core.pending
    deep = b'{"requestId":1,"toolCall":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert (await served.hooks.post(ASKS, content=deep)).status_code == 422


@rule("D7-39", "D7-40")
async def test_a_waiting_read_returns_the_moment_the_ask_ends(served: Served, runner: Any) -> None:
    ask_id = runner.ask()
    reading = asyncio.create_task(served.read(ask_id, 25))
    await served.reads_waiting(1)

    await served.answer(ask_id, "c")

    async with asyncio.timeout(LOOP_SLACK):
        reply = await reading
    assert reply.json() == {"ok": True, "askId": ask_id, "state": "answered", "optionId": "c"}
    assert served.daemon.ask(ask_id).read_at is not None


@rule("D7-39")
async def test_a_route_to_another_person_doesnt_end_a_wait(served: Served, runner: Any) -> None:
    ask_id = runner.ask()
    served.daemon.person("ben")
    reading = asyncio.create_task(served.read(ask_id, 25))
    await served.reads_waiting(1)
    assert (await served.act(ask_id, "route", destinationSession="ben@external")).is_success
    await served.reads_waiting(1)
    assert not reading.done()
    await served.act(ask_id, "deny")
    assert (await reading).json()["state"] == "answered"


@rule("D7-39", "A-41")
@pytest.mark.parametrize("wait", ["", "abc", "-5", "0", "nan", "1e-3"])
async def test_an_odd_wait_is_answered_at_once(served: Served, runner: Any, wait: str) -> None:
    ask_id = runner.ask()
    async with asyncio.timeout(LOOP_SLACK):
        reply = await served.read(ask_id, wait)
    assert (reply.status_code, reply.json()["state"]) == (200, "pending")


@rule("D7-43")
@pytest.mark.parametrize("how", ["relaunch", "withdraw", "stop"])
async def test_a_wait_ends_when_the_request_does(served: Served, runner: Any, how: str) -> None:
    ask_id = runner.ask()
    reading = asyncio.create_task(served.read(ask_id, 25))
    await served.reads_waiting(1)
    core = served.daemon.core
    if how == "withdraw":
        asks.withdraw(core, served.daemon.ask(ask_id), "exited")
    elif how == "stop":
        launches.stop(core, core.seats[runner.session_name], None)
    else:
        served.daemon.relaunch(runner)
    async with asyncio.timeout(LOOP_SLACK):
        state = (await reading).json()["state"]
    assert state == ("withdrawn" if how == "withdraw" else "stale")


@rule("D7-44")
async def test_a_shutdown_ends_waits_with_pending(daemon: Daemon) -> None:
    daemon.person()
    async with serve(daemon) as served:
        ask_id = (await served.seat()).ask()
        reading = asyncio.create_task(served.read(ask_id, 25))
        await served.reads_waiting(1)
        served.app.end()
        async with asyncio.timeout(LOOP_SLACK):
            assert (await reading).json()["state"] == "pending"
            assert (await served.read(ask_id, 25)).json()["state"] == "pending"


async def test_an_answer_nobody_was_there_to_read_isnt_noted_as_read(
    served: Served, runner: Any
) -> None:
    ask_id = runner.ask()
    reading = asyncio.create_task(served.read(ask_id, 25))
    await served.reads_waiting(1)
    reading.cancel()
    await served.reads_waiting(0)
    await served.answer(ask_id)
    assert served.daemon.ask(ask_id).read_at is None


async def test_an_answer_that_meets_a_hang_up_isnt_noted_as_read(
    served: Served, runner: Any
) -> None:
    class Connection:
        hung_up = asyncio.Event()

        async def receive(self) -> dict[str, str]:
            await self.hung_up.wait()
            return {"type": "http.disconnect"}

    daemon, connection = served.daemon, Connection()
    routes: Any = http_runner.RunnerRoutes(daemon.core, served.app.waits)
    ask = daemon.ask(runner.ask())
    reading = asyncio.create_task(routes._read(connection, Caller(), ask, 25))
    await served.reads_waiting(1)
    connection.hung_up.set()
    asks.withdraw(daemon.core, ask, "exited")
    async with asyncio.timeout(LOOP_SLACK):
        reply = await reading

    assert reply.body["state"] == "pending"
    assert daemon.ask(ask.ask_id).read_at is None


@rule("D7-45", "D7-58")
async def test_an_unknown_ask_is_404_and_told(served: Served, runner: Any) -> None:
    reply = await served.read("qitem-20261130120000-00", 25)
    assert (reply.status_code, reply.json()["ok"]) == (404, False)
    assert served.daemon.causes() == ["http_404"]
    assert (await served.hooks.post(f"{ASKS}/nope/withdraw")).status_code == 404
    assert served.daemon.causes() == ["http_404"], "a withdrawal permits nothing"


@rule("D7-44", "D7-07")
async def test_trouble_in_the_daemon_is_never_an_unlisted_status(
    served: Served, runner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a defect")

    ask_id = runner.ask()
    for module, name in (
        (asks, "submit"),
        (asks, "read"),
        (asks, "withdraw"),
        (seats, "take_post"),
    ):
        monkeypatch.setattr(module, name, broken)

    submitted = await served.hooks.post(ASKS, json=runner.request(requestId=2))
    assert (submitted.status_code, submitted.json()["code"]) == (422, "options_unsupported")
    assert (await served.read(ask_id)).json()["state"] == "pending"
    withdrawn = await served.hooks.post(f"{ASKS}/{ask_id}/withdraw")
    assert (withdrawn.status_code, withdrawn.json()["state"]) == (200, "pending")
    posted = await served.hooks.post(HOOKS, json=runner.body(hookEvent="Stop", subtype="x"))
    assert (posted.status_code, posted.json()["counted"]) == (200, False)


@rule("D7-36", "D7-47", "D7-51")
async def test_fifty_acts_at_once_have_one_winner(served: Served, runner: Any) -> None:
    for turn in range(3):
        ask_id = runner.ask(requestId=turn)
        read_before = len(served.daemon.permits())
        replies: list[httpx.Response] = await asyncio.gather(
            *(served.answer(ask_id, "abc"[n % 3]) for n in range(15)),
            *(served.act(ask_id, v, reason="x") for v in ("deny", "drop", "approve") * 8),
            *(
                served.operator.post(
                    f"/api/queue/{ask_id}/reply",
                    json={"text": t, "expect": e, "actorSession": "ana@external"},
                )
                for t, e in (("yes", "yes"), ("no", "no")) * 3
            ),
            *(served.hooks.post(f"{ASKS}/{ask_id}/withdraw") for _ in range(5)),
        )

        acts, withdrawals = replies[:-5], replies[-5:]
        won = [r for r in acts if r.status_code == 200]
        lost = [r for r in acts if r.status_code == 409]
        assert len(won) + len(lost) == len(acts) == 45
        state = served.daemon.ask(ask_id).outcome.state.value
        assert len(won) == (state != "withdrawn")
        assert {r.json()["reason"] for r in lost} == {state}
        assert {r.json()["state"] for r in withdrawals} == {state}
        assert len(served.daemon.permits()) - read_before == (state == "permitted")


async def test_a_path_with_a_slash_too_many_is_no_redirect(served: Served, runner: Any) -> None:
    assert (await served.hooks.post(HOOKS + "/", json={})).status_code == 404
    assert served.daemon.seat().reading is Reading.UNKNOWN
    assert (await served.hooks.post(ASKS, json=runner.request(options=OPTIONS))).is_success
