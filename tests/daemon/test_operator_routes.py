"""The operator's routes over a real socket: who may call them, lists, and doing things once."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.wire import openrig
from tests.daemon.harness import ALLOW, OPERATOR_TOKEN, OPTIONS, Served
from tests.rules import rule

if TYPE_CHECKING:
    import httpx

READS = (
    "/api/rigs/summary",
    "/api/rigs/x/nodes",
    "/api/queue/list",
    "/api/queue/x",
    "/api/queue/x/transitions",
    "/api/gateway/connections",
    "/api/stream/list",
    "/api/runner-permits",
    "/api/operations/x",
    "/api/seats/x/events",
    "/api/mission-control/destinations",
    "/api/mission-control/audit",
    "/api/events",
)
WRITES = (
    "/api/queue/x/answer",
    "/api/queue/x/reply",
    "/api/queue/x/update",
    "/api/seat/set-permissions-to/x",
    "/api/mission-control/action",
    "/api/sessions/x/clear-attention",
    "/api/gateway/humans",
    "/api/gateway/default",
    "/api/seats",
    "/api/seats/x/register",
    "/api/seats/x/relaunch",
    "/api/seats/x/stop",
    "/api/seats/x/grants",
    "/api/transport/send",
    "/api/shutdown",
)


@pytest.fixture
async def runner(served: Served) -> Any:
    served.daemon.person("ana", default=True)
    served.daemon.person("ben")
    return await served.seat()


def refused(reply: httpx.Response) -> tuple[int, str]:
    body = reply.json()
    assert body["message"], "every refusal says why"
    return reply.status_code, body["error"]


@rule("D4-42")
async def test_every_route_wants_the_operator_token(served: Served) -> None:
    for authorization in ("", "Bearer hook-secret", f"Basic {OPERATOR_TOKEN}"):
        headers = {"Authorization": authorization}
        replies = [await served.operator.get(path, headers=headers) for path in READS]
        replies += [await served.operator.post(path, json={}, headers=headers) for path in WRITES]
        replies.append(await served.operator.delete("/api/gateway/humans/x", headers=headers))
        assert {refused(reply) for reply in replies} == {(401, "unauthorized")}
    assert not served.stopped.is_set()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1.evil.example:80"}, 403),
        ({"Host": "["}, 403),
        ({"Host": "localhost:9"}, 200),
        ({"Host": "[::1]:9"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:3000"}, 200),
    ],
)
async def test_a_foreign_host_or_origin_is_refused(
    served: Served, headers: dict[str, str], status: int
) -> None:
    for path in ("/api/rigs/summary", "/healthz"):
        reply = await served.operator.get(path, headers=headers)
        assert reply.status_code == status
        if status == 403:
            assert refused(reply) == (403, "forbidden_host")


async def test_health_proves_the_token_to_whom_sends_a_nonce(served: Served) -> None:
    del served.operator.headers["Authorization"]
    nonce = "0123456789abcdef" * 2
    reply = await served.operator.get("/healthz", params={"nonce": nonce})
    health = openrig.decode_health(reply.content)

    message = f"{nonce}\n127.0.0.1:1"
    expected = hmac.new(OPERATOR_TOKEN.encode(), message.encode(), hashlib.sha256).hexdigest()
    assert health.proof == expected
    assert (health.service, health.contract, health.epoch) == ("rig-tui-daemon", "0.7.9", "e")
    assert health.now == served.daemon.clock()
    has = {"asks", "answer", "reply", "close", "route", "handoff", "update", "people", "grants"}
    assert has | {"permissions-to", "timeline"} <= health.capabilities
    assert "hosts" not in health.capabilities
    assert "proof" not in (await served.operator.get("/healthz")).json()
    bad = await served.operator.get("/healthz", params={"nonce": "short"})
    assert refused(bad) == (400, "invalid_nonce")


async def test_what_this_daemon_doesnt_have_is_404(served: Served) -> None:
    assert refused(await served.operator.post("/api/queue/x/handoff", json={})) == (
        404,
        "not_found",
    )
    assert refused(await served.operator.get("/api/seats")) == (405, "method_not_allowed")


async def test_bodies_that_make_no_sense_are_refused(served: Served, runner: Any) -> None:
    post = served.operator.post
    assert refused(await post("/api/seats", content=b"{")) == (400, "invalid_json")
    assert refused(await post("/api/seats", content=b"[]")) == (400, "invalid_json")
    assert refused(await post("/api/seats", content=b" " * 1_100_000)) == (413, "too_large")
    ask_id = runner.ask()
    nobody = await post(f"/api/queue/{ask_id}/answer", json={"questionId": "permission"})
    assert refused(nobody) == (400, "actor_required")
    stranger = await served.answer(ask_id, actorSession="zoe@external")
    assert refused(stranger) == (403, "not_a_registered_person")
    unknown = await served.answer("qitem-x")
    assert refused(unknown) == (404, "qitem_not_found")
    assert refused(await served.act("", "deny")) == (404, "qitem_not_found")
    assert served.daemon.ask(ask_id).pending


async def test_the_actor_may_be_in_the_header(served: Served, runner: Any) -> None:
    ask_id = runner.ask()
    body = {"questionId": "permission", "optionId": "a"}
    headers = {"X-OpenRig-Session": "ana@external"}
    await served.operator.post(f"/api/queue/{ask_id}/answer", json=body, headers=headers)
    assert served.daemon.ask(ask_id).decided_by == "ana@external"


async def test_a_key_does_its_write_once_and_answers_byte_for_byte(
    served: Served, runner: Any
) -> None:
    ask_id = runner.ask()
    headers = {"Idempotency-Key": "k-1"}
    body = {"verb": "approve", "qitemId": ask_id, "actorSession": "ana@external"}

    def act(**other: Any) -> Any:
        path = "/api/mission-control/action"
        return served.operator.post(path, json={**body, **other}, headers=headers)

    first = await act()
    assert first.status_code == 200
    again = await act()
    assert (again.status_code, again.content) == (200, first.content)
    assert len(served.daemon.permits()) == 1
    assert refused(await act(reason="other")) == (409, "idempotency_key_reused")
    without = await served.operator.post("/api/mission-control/action", json=body)
    assert refused(without) == (409, "not_applicable")

    known = (await served.operator.get("/api/operations/k-1")).json()
    assert (known["state"], known["status"]) == ("done", 200)
    assert known["response"] == first.json()
    unknown = await served.operator.get("/api/operations/k-2")
    assert unknown.json() == {"state": "unknown"}


async def test_a_key_belongs_to_one_path_and_a_refusal_doesnt_use_it_up(
    served: Served, runner: Any
) -> None:
    first, second = runner.ask(), runner.ask(requestId=2)
    served.operator.headers["Idempotency-Key"] = "k"
    assert refused(await served.answer(first, "zzz")) == (400, "unknown_option")
    assert (await served.operator.get("/api/operations/k")).json() == {"state": "unknown"}
    assert (await served.answer(first, "a")).status_code == 200
    assert (await served.answer(second, "c")).status_code == 200
    assert served.daemon.ask(second).outcome.option_id == "c"


async def test_a_replay_holds_no_secret(served: Served) -> None:
    body = {"rig": "r", "name": "n", "runner": True, "launchResult": True}
    headers = {"Idempotency-Key": "k"}
    first = await served.operator.post("/api/seats", json=body, headers=headers)
    again = await served.operator.post("/api/seats", json=body, headers=headers)

    assert first.json()["env"].pop("OPENRIG_ACTIVITY_HOOK_TOKEN") == "hook-secret"
    assert "hook-secret" not in again.text
    assert again.json()["generation"] == first.json()["generation"]
    assert len(served.daemon.core.seats) == 1
    assert "hook-secret" not in (await served.operator.get("/api/operations/k")).text


async def test_every_write_that_succeeds_is_done_once(served: Served, runner: Any) -> None:
    writes: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/api/gateway/humans", {"entityId": "cat"}),
        ("POST", "/api/gateway/default", {"entityId": "cat"}),
        ("DELETE", "/api/gateway/humans/cat", {"confirm": True}),
        ("POST", "/api/seats", {"rig": "my-rig", "name": "late", "registered": False}),
        ("POST", "/api/seats/late@my-rig/register", {}),
        ("POST", "/api/seats/late@my-rig/relaunch", {}),
        ("POST", "/api/seats/late@my-rig/stop", {}),
        ("POST", "/api/sessions/builder@my-rig/clear-attention", {"reason": "seen"}),
    ]
    runner.ask()
    for number, (method, path, body) in enumerate(writes):
        headers = {"Idempotency-Key": f"k{number}"}
        first = await served.operator.request(method, path, json=body, headers=headers)
        assert first.is_success, first.text
        seen = served.daemon.core.events.newest
        again = await served.operator.request(method, path, json=body, headers=headers)
        assert again.status_code == first.status_code
        assert served.daemon.core.events.newest == seen, "nothing was done twice"


async def test_rigs_and_their_seats_are_listed(served: Served, runner: Any) -> None:
    (rig,) = (await served.operator.get("/api/rigs/summary")).json()
    assert (rig["name"], rig["nodeCount"]) == ("my-rig", 1)
    reply = await served.operator.get(f"/api/rigs/{rig['id']}/nodes")
    assert openrig.decode_seats(reply.content) == (served.daemon.seat(),)
    missing = await served.operator.get("/api/rigs/nope/nodes")
    assert refused(missing) == (404, "rig_not_found")


@rule("D7-19")
async def test_an_ask_is_listed_cut_and_read_whole(served: Served, runner: Any) -> None:
    call = {"title": "Run", "kind": "execute", "rawInput": {"command": "x" * 40_000}}
    ask_id = runner.ask(toolCall=call)
    whole = openrig.decode_item((await served.operator.get(f"/api/queue/{ask_id}")).content)
    assert whole == served.daemon.ask(ask_id)
    assert whole.tool_call == call
    for query in ("?asks=open", "?attention=1", ""):
        (cut,) = openrig.decode_items(
            (await served.operator.get(f"/api/queue/list{query}")).content
        )
        assert cut.elided
        assert len(str(cut.tool_call)) < 20_000
        assert cut.tool_call_bytes > 40_000


@rule("D7-55")
async def test_ended_asks_are_listed_newest_first_paged_and_filtered(
    served: Served, runner: Any
) -> None:
    ended = []
    for number, option in enumerate("abc"):
        ask_id = runner.ask(requestId=number, toolCall={"title": f"Call {option}"})
        await served.answer(ask_id, option, actorSession="ben@external" if number else "human@host")
        served.daemon.clock.advance(60)
        ended.append(ask_id)

    async def listed(**query: Any) -> list[str]:
        reply = await served.operator.get("/api/queue/list", params={"asks": "closed", **query})
        assert reply.is_success, reply.text
        return [row["permission"]["askId"] for row in reply.json()]

    newest_first = ended[::-1]
    assert await listed() == newest_first
    assert await listed(limit=2) == newest_first[:2]
    reply = await served.operator.get("/api/queue/list", params={"asks": "closed", "limit": 1})
    before = reply.json()[0]["sortKey"]
    assert await listed(beforeSortKey=before) == newest_first[1:]
    assert await listed(person="ben") == newest_first[:2]
    assert await listed(kind="allow_always") == [ended[1]]
    assert await listed(q="CALL B") == [ended[1]]
    assert await listed(seat="builder@my-rig", rig="my-rig") == newest_first
    assert await listed(rig="other") == []
    assert await listed(since="2026-11-30T12:01:00Z") == newest_first[:2]
    assert await listed(until="2026-11-30T13:00:30+01:00") == [ended[0]]
    for bad in ({"limit": "0"}, {"limit": "x"}, {"since": "yesterday"}):
        reply = await served.operator.get("/api/queue/list", params={"asks": "closed", **bad})
        assert reply.status_code == 400


async def test_an_asks_transitions_follow_it_over_its_rows(served: Served, runner: Any) -> None:
    ask_id = runner.ask()
    await served.act(ask_id, "route", destinationSession="ben@external")
    row_id = served.daemon.ask(ask_id).row_id
    await served.act(row_id, "deny", reason="too broad")

    rows = (await served.operator.get(f"/api/queue/{row_id}/transitions")).json()
    assert [(r["qitemId"], r["state"], r["actorSession"]) for r in rows] == [
        (ask_id, "pending", "builder@my-rig"),
        (ask_id, "handed-off", "human@host"),
        (row_id, "pending", "human@host"),
        (row_id, "done", "human@host"),
    ]
    assert rows[-1]["transitionNote"] == "too broad"
    assert rows[0]["ts"] == "2026-11-30T12:00:00.000Z"


@rule("D7-54", "D7-49")
async def test_permits_are_listed_as_stream_items_either_way_round(
    served: Served, runner: Any
) -> None:
    other = await served.seat("qa")
    for number, seat in enumerate((runner, other, runner)):
        seat.submit(requestId=number, options=[ALLOW])
        served.daemon.clock.advance(60)

    async def listed(**query: Any) -> list[str | None]:
        reply = await served.operator.get("/api/stream/list", params=query)
        assert reply.is_success, reply.text
        return [permit.request_id for permit in openrig.decode_permits(reply.content)]

    tag = {"hintTag": "runner-permission-permit"}
    assert await listed(**tag) == ["0", "1", "2"]
    assert await listed(**tag, direction="latest") == ["2", "1", "0"]
    assert await listed(**tag, sourceSession="builder@my-rig") == ["0", "2"]
    assert await listed(rig="my-rig", cause="options_not_showable", kind="allow_once", limit=1)
    assert await listed(rig="rig") == []
    assert await listed(hintTag="other") == []
    assert await listed(since="2026-11-30T12:01:00Z", until="2026-11-30T12:01:59Z") == ["1"]
    rows = (await served.operator.get("/api/stream/list", params=tag)).json()
    keys = [row["streamSortKey"] for row in rows]
    assert await listed(afterSortKey=keys[0]) == ["1", "2"]
    assert await listed(direction="latest", beforeSortKey=keys[2]) == ["1", "0"]
    for bad in ({"direction": "up"}, {"direction": "latest", "afterSortKey": keys[0]}):
        assert (await served.operator.get("/api/stream/list", params=bad)).status_code == 400


@rule("D7-58")
async def test_what_made_runners_permit_is_listed_newest_first(served: Served, runner: Any) -> None:
    runner.ask(turnId=1)
    runner.submit(turnId=2)
    await served.read("qitem-gone")

    reply = await served.operator.get("/api/runner-permits")
    causes = openrig.decode_runner_permits(reply.content)
    assert [cause.code for cause in causes] == ["http_404", "duplicate_request"]
    assert causes[1].session_name == "builder@my-rig"
    older = await served.operator.get(
        "/api/runner-permits", params={"beforeSortKey": causes[0].sort_key}
    )
    assert len(older.json()) == 1


async def test_people_are_read_registered_and_removed(served: Served, runner: Any) -> None:
    reply = await served.operator.get("/api/gateway/connections")
    assert openrig.decode_people(reply.content) == served.daemon.core.people
    gone = await served.operator.delete("/api/gateway/humans/ben?dryRun=1")
    assert gone.json()["dryRun"] is True
    assert (await served.operator.delete("/api/gateway/humans/ben")).is_success
    last = await served.operator.delete("/api/gateway/humans/ana")
    assert refused(last) == (409, "would_permit")
    assert (await served.operator.delete("/api/gateway/humans/ana?confirm=1")).is_success
    assert served.daemon.core.people.registered == ()


@rule("D4-29")
async def test_clearing_attention_needs_a_reason(served: Served, runner: Any) -> None:
    runner.ask()
    path = "/api/sessions/builder@my-rig/clear-attention"
    for body in ({}, {"reason": " "}, {"reason": 5}):
        assert refused(await served.operator.post(path, json=body)) == (400, "reason_required")
    assert (await served.operator.post(path, json={"reason": "seen"})).json()["ok"] is True
    again = await served.operator.post(path, json={"reason": "seen"})
    assert refused(again) == (409, "not_in_attention")
    ghost = "/api/sessions/ghost@my-rig/clear-attention"
    lost = await served.operator.post(ghost, json={"reason": "seen"})
    assert refused(lost) == (404, "session_not_found")


@rule("D7-56")
async def test_a_send_is_refused_while_somebody_is_waited_for(served: Served, runner: Any) -> None:
    runner.ask()
    body = {"session": "builder@my-rig", "text": "yes"}
    post = served.operator.post
    assert refused(await post("/api/transport/send", json=body)) == (409, "target_needs_input")
    assert (await post("/api/transport/send", json={"session": "x"})).status_code == 400
    ghost = await post("/api/transport/send", json={**body, "session": "ghost"})
    assert refused(ghost) == (404, "session_not_found")


@rule("D9-03", "D9-04")
async def test_a_seat_is_relaunched_and_stopped(served: Served, runner: Any) -> None:
    ask_id = runner.ask()
    relaunched = await served.operator.post("/api/seats/builder@my-rig/relaunch", json={})
    assert relaunched.status_code == 201
    assert relaunched.json()["generation"] != runner.generation
    assert runner.read(ask_id)["state"] == "stale"
    async with asyncio.timeout(5):
        stopped = await served.operator.post("/api/seats/builder@my-rig/stop")
    assert stopped.json() == {"ok": True, "seatRef": "builder@my-rig"}
    assert served.daemon.seat().generation is None
    ghost = await served.operator.post("/api/seats/ghost@my-rig/stop")
    assert refused(ghost) == (404, "seat_not_found")


@rule("D7-57")
async def test_a_shutdown_is_refused_while_asks_wait(served: Served, runner: Any) -> None:
    ask_id = runner.ask()
    for body in ({}, {"force": 1}):
        reply = await served.operator.post("/api/shutdown", json=body)
        assert refused(reply) == (409, "asks_pending")
        assert [ask["askId"] for ask in reply.json()["asks"]] == [ask_id]
    assert not served.stopped.is_set()
    assert (await served.operator.post("/api/shutdown", json={"force": True})).is_success
    assert served.stopped.is_set()


async def test_a_database_that_refuses_is_told_to_the_operator(
    served: Served, runner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:

    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("disk is full")

    ask_id = runner.ask(options=OPTIONS)
    monkeypatch.setattr(served.daemon.store.asks, "close", full)
    assert refused(await served.answer(ask_id)) == (500, "not_saved")
    assert served.daemon.ask(ask_id).pending
