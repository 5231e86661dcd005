"""Messages to a seat: queued, taken once by its runner, and never called delivered."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import launches
from rig_tui.daemon.messages import MOST_QUEUED
from rig_tui.wire import openrig
from tests.rules import rule

if TYPE_CHECKING:
    import httpx

    from tests.daemon.harness import Runner, Served

PATH = "/api/seats/builder@my-rig/messages"


@pytest.fixture
async def runner(served: Served) -> Runner:
    served.daemon.person()
    return await served.seat()


async def send(served: Served, text: str = "hello", **fields: Any) -> httpx.Response:
    headers = fields.pop("headers", {})
    body = {"session": "builder@my-rig", "text": text, **fields}
    return await served.operator.post("/api/transport/send", json=body, headers=headers)


async def take(served: Served, **query: Any) -> list[str]:
    answer = await served.hooks.get(PATH, params=query)
    assert answer.status_code == 200, answer.text
    return [message.text for message in openrig.decode_messages(answer.content)]


async def waits(served: Served, count: int) -> None:
    """Return when so many runners wait for messages."""
    while len(served.app.messages) != count:  # noqa: ASYNC110
        await asyncio.sleep(0)


@rule("D4-32", "D10-01", "D10-02")
async def test_a_message_is_queued_and_nothing_ever_says_delivered(
    served: Served, runner: Runner
) -> None:
    assert await take(served) == []
    key = {"Idempotency-Key": "k"}
    sent = await send(served, "do it", verify=True, headers=key)
    assert sent.status_code == 200
    receipt = sent.json()
    assert receipt["status"] == "queued"
    assert receipt["verified"] is False
    assert openrig.decode_receipt(sent.content).message_id == receipt["messageId"]
    seen = served.daemon.core.events.newest

    assert await take(served) == ["do it"]
    runner.prompt("1")
    runner.post("active", "agent_message", detail="you ▸ do it")
    runner.post("Stop", "end_turn", turnId="1")

    assert (await send(served, "do it", verify=True, headers=key)).content == sent.content
    operation = (await served.operator.get("/api/operations/k")).json()
    assert operation["response"]["status"] == "queued"
    told = [e for e in served.daemon.events() if e["seq"] > seen]
    assert {event["type"] for event in told} == {"seat.activity_changed"}
    said = str([{**event, "runner": event["runner"]["evidence"]} for event in told])
    assert "deliver" not in said
    assert receipt["messageId"] not in str(told)
    assert await take(served) == [], "the replay sent nothing again"


async def test_messages_are_taken_once_in_order_with_their_sender(
    served: Served, runner: Runner
) -> None:
    await take(served)
    for text in ("one", "two\r\nlines\n", "/abort"):
        await send(served, text, actorSession="ana@external")
    rows = (await served.hooks.get(PATH)).json()["messages"]
    assert [(row["from"], row["text"]) for row in rows] == [
        ("ana@external", "one"),
        ("ana@external", "two\r\nlines\n"),
        ("ana@external", "/abort"),
    ]
    assert rows[0]["sentAt"] == "2026-11-30T12:00:00.000Z"
    assert await take(served) == []


async def test_a_seat_whose_runner_never_asked_has_no_pane(served: Served, runner: Runner) -> None:
    refused = await send(served)
    assert (refused.status_code, refused.json()["error"]) == (409, "no_pane")
    await take(served)
    assert served.daemon.seat().takes_messages
    served.daemon.restart()
    assert served.daemon.seat().takes_messages
    assert (await send(served, session="ghost@my-rig")).status_code == 404
    for fields in ({"text": ""}, {"text": 5}, {"session": None}):
        assert (await send(served, **fields)).status_code == 400


@rule("D7-56", "D7-35")
async def test_nothing_is_sent_while_a_person_is_waited_for(served: Served, runner: Runner) -> None:
    await take(served)
    ask_id = runner.ask()
    refused = await send(served, "yes")
    assert (refused.status_code, refused.json()["error"]) == (409, "target_needs_input")
    served.daemon.clock.advance(1)
    runner.post("active", "agent_message")
    assert (await send(served, "yes")).json()["error"] == "target_needs_input", "it still waits"
    assert served.daemon.ask(ask_id).pending
    await served.answer(ask_id)
    assert (await send(served, "yes")).status_code == 200

    runner.post("Notification", "permission_prompt")
    assert (await send(served, "yes")).json()["error"] == "target_needs_input"
    assert await take(served) == ["yes"]


async def test_a_waiting_runner_is_woken_by_a_message(served: Served, runner: Runner) -> None:
    waiting = asyncio.ensure_future(take(served, waitSeconds=25))
    await waits(served, 1)
    await send(served, "now")
    assert await asyncio.wait_for(waiting, 5) == ["now"]


async def test_a_wait_without_a_message_ends_empty(served: Served, runner: Runner) -> None:
    assert await take(served, waitSeconds=0.05) == []
    assert await take(served, waitSeconds="abc") == []


async def test_a_wait_ends_with_its_occupant_and_with_the_daemon(
    served: Served, runner: Runner
) -> None:
    waiting = asyncio.ensure_future(served.hooks.get(PATH, params={"waitSeconds": 25}))
    await waits(served, 1)
    served.daemon.relaunch(runner)
    ended = await asyncio.wait_for(waiting, 5)
    assert (ended.status_code, ended.json()["error"]) == (409, "stale_generation")

    waiting = asyncio.ensure_future(served.hooks.get(PATH, params={"waitSeconds": 25}))
    await waits(served, 1)
    served.app.end()
    assert (await asyncio.wait_for(waiting, 5)).json()["messages"] == []


async def test_a_runner_that_hung_up_takes_nothing(served: Served, runner: Runner) -> None:
    waiting = asyncio.ensure_future(served.hooks.get(PATH, params={"waitSeconds": 25}))
    await waits(served, 1)
    waiting.cancel()
    await waits(served, 0)
    await send(served, "kept")
    assert await take(served) == ["kept"]


async def test_only_the_live_occupants_runner_takes_messages(
    served: Served, runner: Runner
) -> None:
    await take(served)
    await send(served)
    assert (await served.operator.get(PATH)).status_code == 401
    assert (await served.hooks.get(PATH, headers={"Authorization": "x"})).status_code == 401
    stale = await served.hooks.get(PATH, params={"generation": "gen-of-another"})
    assert (stale.status_code, stale.json()["error"]) == (409, "stale_generation")
    assert (await served.hooks.get("/api/seats/ghost@my-rig/messages")).status_code == 404
    assert (await served.hooks.head(PATH)).status_code == 405, "a HEAD would lose them"
    assert await take(served, generation=runner.generation) == ["hello"]


@rule("D4-34", "D4-36")
async def test_a_grant_takes_its_own_seats_messages_only(served: Served) -> None:
    runner, _ = await served.seat(grant=True), await served.seat("qa")
    bearer = {"Authorization": f"Bearer {runner.env['OPENRIG_ACTIVITY_HOOK_TOKEN']}"}
    other = await served.hooks.get("/api/seats/qa@my-rig/messages", headers=bearer)
    assert (other.status_code, other.json()["code"]) == (403, "activity_grant_wrong_seat")
    assert not served.daemon.seat("qa").takes_messages
    assert (await served.hooks.get(PATH, headers=bearer)).status_code == 200
    assert (await send(served)).status_code == 200
    revoke = "/api/seats/builder@my-rig/grants"
    await served.operator.post(revoke, json={"revoke": True})
    revoked = await served.hooks.get(PATH, headers=bearer)
    assert (revoked.status_code, revoked.json()["code"]) == (401, "activity_grant_revoked")
    assert await take(served) == ["hello"]


async def test_what_an_occupant_never_took_is_told_and_not_handed_on(
    served: Served, runner: Runner
) -> None:
    await take(served)
    await send(served)
    await send(served)
    again = served.daemon.relaunch(runner)
    assert "never took" in served.daemon.seat().notices[0]
    assert served.daemon.seat().notices[0].endswith(": 2.")
    assert (await send(served)).json()["error"] == "no_pane", "the new one hasn't asked"
    assert await take(served, generation=again.generation) == []
    await send(served)
    record = served.daemon.core.seats["builder@my-rig"]
    launches.stop(served.daemon.core, record, None)
    assert served.daemon.seat().notices[-1].endswith(": 1.")
    assert (await send(served)).json()["error"] == "no_pane"
    assert (await served.hooks.get(PATH)).json()["error"] == "stale_generation"


async def test_a_queue_nobody_takes_from_is_bounded(served: Served, runner: Runner) -> None:
    await take(served)
    for number in range(MOST_QUEUED):
        assert (await send(served, str(number))).status_code == 200
    assert (await send(served)).json()["error"] == "queue_full"
    assert await take(served) == [str(number) for number in range(MOST_QUEUED)]


async def test_a_message_survives_the_process(served: Served, runner: Runner) -> None:
    await take(served)
    await send(served, "kept")
    served.daemon.restart()
    assert served.daemon.store.messages.count("builder@my-rig") == 1
