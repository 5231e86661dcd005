"""A runner's requests under a grant: which are carried out, and what a refused one leaves."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon.ask_tables import Filters
from rig_tui.domain.model import Reading
from tests.daemon.grant_holder import (
    ASKS,
    HOOKS,
    Holder,
    guests,
    holding,
    launch,
    raw,
    refused,
    revoke,
)
from tests.daemon.harness import LOOP_SLACK, OPERATOR_TOKEN, Served
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

WRONG_SEAT = (403, "activity_grant_wrong_seat")
STALE = (409, "activity_grant_stale")
REVOKED = (401, "activity_grant_revoked")
PENDING = (409, "activity_grant_pending")

TABLE = {
    # launch, revoked: for this seat, the claimed generation being the grant's, another, absent
    ("live", False): (None, STALE, None),
    ("live", True): (REVOKED, STALE, REVOKED),
    ("replaced", False): (STALE, STALE, STALE),
    ("replaced", True): (STALE, STALE, STALE),
    ("unregistered", False): (PENDING, STALE, PENDING),
    ("unregistered", True): (REVOKED, STALE, REVOKED),
}


@pytest.fixture(params=["main", "guests"])
async def base_url(served: Served, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """Each of the two listeners in turn."""
    served.daemon.person()
    if request.param == "main":
        yield served.base_url
    else:
        async with guests(served) as url:
            yield url


@pytest.fixture
async def holder(served: Served, base_url: str) -> AsyncIterator[Holder]:
    async with holding(await launch(served), base_url) as holder:
        yield holder


async def relaunch(served: Served, **fields: Any) -> dict[str, Any]:
    reply = await served.operator.post("/api/seats/builder@my-rig/relaunch", json=fields)
    made: dict[str, Any] = reply.json()
    return made


def kept(served: Served) -> object:
    """Everything that is kept but the record of permits that runners give themselves."""
    core = served.daemon.core
    events = [e for e in served.daemon.events() if e["type"] != "runner.will_permit"]
    entries = [
        (seat_ref, core.store.timeline.of(seat_ref, (), Filters(), 500)) for seat_ref in core.seats
    ]
    return (
        dict(core.seats),
        dict(core.pending),
        events,
        served.daemon.permits(),
        entries,
        core.timelines.saved,
    )


@rule("D4-34", "D4-35", "D4-36", "D4-37", "D4-38", "D7-09", "A-20")
@pytest.mark.parametrize("route", ["hooks", "submit"])
@pytest.mark.parametrize(("state", "revoked"), TABLE)
async def test_the_whole_table_is_judged_alike_and_a_refusal_records_nothing(
    served: Served, base_url: str, route: str, state: str, revoked: bool
) -> None:
    other = await launch(served, "other")
    made = await launch(served, registered=state != "unregistered")
    if revoked:
        assert (await revoke(served)).status_code == 200
    if state == "replaced":
        await relaunch(served)
    before, accepted = kept(served), 0
    async with holding(made, base_url) as holder:
        for seat in ("this", "other"):
            names = (
                {"sessionName": "other@my-rig", "nodeId": other["nodeId"]}
                if seat == "other"
                else {}
            )
            claims = (made["generation"], "gen-x", None)
            for claim, expected in zip(claims, TABLE[state, revoked], strict=True):
                fields: dict[str, Any] = {**names, "generation": claim, "turnId": "7"}
                send = holder.post if route == "hooks" else holder.submit
                reply = await send(**fields)
                if seat == "other":
                    assert refused(reply) == WRONG_SEAT
                elif expected:
                    assert refused(reply) == expected
                else:
                    assert reply.status_code == 200
                    assert reply.json().get("counted", True) is True
                    accepted += 1
                    before = kept(served)
                assert kept(served) == before
    assert accepted == (2 if (state, revoked) == ("live", False) else 0)


@rule("D4-33", "D7-09")
async def test_a_grant_fills_in_node_and_generation(served: Served, holder: Holder) -> None:
    assert (await holder.post()).json() == {"ok": True, "counted": True}
    assert served.daemon.seat().reading is Reading.WORKING

    ask = served.daemon.ask(await holder.ask())
    assert (ask.seat_ref, ask.generation) == ("builder@my-rig", holder.generation)


@rule("D4-33")
async def test_a_grant_speaks_for_a_post_that_names_its_node_only(
    served: Served, holder: Holder
) -> None:
    assert (await holder.post(sessionName=None, nodeId=holder.node_id)).json()["counted"] is True


@rule("D4-33")
async def test_a_request_without_any_name_is_asked_of_a_person_all_the_same(
    served: Served, holder: Holder
) -> None:
    reply = await holder.submit(sessionName=None)
    assert reply.json()["created"] is True


@rule("D4-16", "A-17")
async def test_a_beat_under_a_grant_needs_no_generation(served: Served, holder: Holder) -> None:
    posts: list[dict[str, Any]] = [
        {"hookEvent": "UserPromptSubmit", "subtype": "accepted", "turnId": "1", "sequence": 1},
        {"hookEvent": "active", "subtype": "liveness", "turnId": "1", "sequence": 2},
    ]
    for post in posts:
        assert (await holder.post(**post)).json() == {"ok": True, "counted": True}


@rule("D4-18", "D4-38")
@pytest.mark.parametrize("fault", ["other seat", "other generation", "revoked"])
async def test_a_refused_post_raises_no_sequence_mark(
    served: Served, holder: Holder, fault: str
) -> None:
    fields: dict[str, Any] = {"sequence": 100}
    if fault == "other seat":
        fields["sessionName"] = "other@my-rig"
    elif fault == "other generation":
        fields["generation"] = "gen-x"
    else:
        await revoke(served)
    reply = await holder.post(**fields)
    assert reply.status_code in (401, 403, 409)
    record = served.daemon.core.seats["builder@my-rig"]
    assert record.activity.highest_sequence is None
    assert served.daemon.seat().reading is Reading.UNKNOWN


@rule("D4-36", "D4-38", "D7-09")
@pytest.mark.parametrize("route", ["hooks", "submit", "withdraw"])
@pytest.mark.parametrize(("meanwhile", "expected"), [("revoke", REVOKED), ("relaunch", STALE)])
async def test_a_grant_is_judged_when_the_body_is_in(
    served: Served,
    holder: Holder,
    base_url: str,
    route: str,
    meanwhile: str,
    expected: tuple[int, str],
) -> None:
    ask_id = await holder.ask(requestId=0)
    path, body = {
        "hooks": (
            HOOKS,
            {"sessionName": holder.session_name, "hookEvent": "Stop", "subtype": "end_turn"},
        ),
        "submit": (ASKS, holder.request()),
        "withdraw": (f"{ASKS}/{ask_id}/withdraw", {"reason": "turn_ended"}),
    }[route]
    data = json.dumps(body).encode()
    async with raw(base_url) as request, asyncio.timeout(LOOP_SLACK):
        await request.send(
            f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {holder.grant}\r\n"
            f"Content-Length: {len(data)}\r\nExpect: 100-continue\r\n\r\n".encode()
        )
        assert b"100 Continue" in await request.head(), "it knows the grant and wants the body"
        await request.send(data[:20])
        await (revoke(served) if meanwhile == "revoke" else relaunch(served))
        before = kept(served)
        await request.send(data[20:])
        status, answer = await request.answer()

    assert (status, answer["code"]) == expected
    assert kept(served) == before
    assert served.daemon.ask(ask_id).pending is (meanwhile == "revoke"), "no post withdrew it"


@rule("D4-36")
@pytest.mark.parametrize("route", ["hooks", "submit"])
@pytest.mark.parametrize("body", [b"not json", b"{}", b'{"requestId":1,"toolCall":' + b"[" * 9999])
async def test_a_senseless_body_under_a_revoked_grant_is_a_revoked_grants(
    served: Served, holder: Holder, route: str, body: bytes
) -> None:
    await revoke(served)
    before = kept(served)
    reply = await holder.http.post(HOOKS if route == "hooks" else ASKS, content=body)
    assert refused(reply) == REVOKED
    assert kept(served) == before


@rule("D7-09", "D7-43")
async def test_a_grant_reads_and_withdraws_its_own_launchs_asks(
    served: Served, holder: Holder
) -> None:
    ask_id = await holder.ask()
    assert (await holder.read(ask_id)).json() == {"ok": True, "askId": ask_id, "state": "pending"}
    assert (await holder.withdraw(ask_id)).json()["state"] == "withdrawn"
    assert (await holder.read(ask_id)).json()["state"] == "withdrawn"
    assert (await holder.read("qitem-x")).status_code == 404


@rule("D7-43", "D7-09", "D4-38")
async def test_a_grant_has_no_part_in_other_asks(
    served: Served, base_url: str, holder: Holder
) -> None:
    mine = await holder.ask()
    async with AsyncExitStack() as stack:
        other = await stack.enter_async_context(holding(await launch(served, "other"), base_url))
        theirs = await other.ask()
        await served.answer(mine)
        next_ = await stack.enter_async_context(holding(await relaunch(served), base_url))
        newest = await next_.ask()
        before = kept(served)
        for runner, ask_id, expected in (
            (next_, theirs, WRONG_SEAT),
            (other, mine, WRONG_SEAT),
            (next_, mine, STALE),
            (holder, newest, STALE),
            (holder, mine, STALE),
            (holder, theirs, WRONG_SEAT),
        ):
            assert refused(await runner.read(ask_id, 25)) == expected
            assert refused(await runner.withdraw(ask_id)) == expected
        assert kept(served) == before
        assert served.daemon.ask(mine).read_at is None


@rule("D7-43", "D4-37", "D4-36")
@pytest.mark.parametrize("revoked", [False, True])
async def test_before_its_launch_is_registered_a_grant_reads_nothing(
    served: Served, base_url: str, revoked: bool
) -> None:
    async with holding(await launch(served, registered=False), base_url) as holder:
        if revoked:
            await revoke(served)
        expected = REVOKED if revoked else PENDING
        assert refused(await holder.read("qitem-x", 25)) == expected
        assert refused(await holder.withdraw("qitem-x")) == expected
        if not revoked:
            await served.operator.post("/api/seats/builder@my-rig/register")
            assert (await holder.post()).json()["counted"] is True


@rule("D7-43", "D4-35", "D4-36")
@pytest.mark.parametrize(
    ("how", "expected"), [("relaunch", STALE), ("stop", STALE), ("revoke", REVOKED)]
)
async def test_a_waiting_read_ends_with_its_grant(
    served: Served, holder: Holder, how: str, expected: tuple[int, str]
) -> None:
    ask_id = await holder.ask()
    reading = asyncio.create_task(holder.read(ask_id, 25))
    await served.reads_waiting(1)

    if how == "revoke":
        await revoke(served)
    else:
        await served.operator.post(f"/api/seats/builder@my-rig/{how}", json={})

    async with asyncio.timeout(1):
        assert refused(await reading) == expected
    ask = served.daemon.ask(ask_id)
    assert ask.read_at is None
    assert ask.pending is (how == "revoke"), "a person may still answer what nobody will read"


@rule("D7-43")
async def test_a_waiting_read_outlives_what_happens_to_other_grants(
    served: Served, base_url: str, holder: Holder
) -> None:
    ask_id = await holder.ask()
    await launch(served, "other")
    reading = asyncio.create_task(holder.read(ask_id, 25))
    await served.reads_waiting(1)

    await revoke(served, "other@my-rig")
    await served.operator.post("/api/seats/builder@my-rig/grants", json={"issue": True})
    await served.reads_waiting(1)
    assert not reading.done()

    await served.answer(ask_id, "c")
    assert (await reading).json()["optionId"] == "c"


@rule("D4-35", "D4-36")
@pytest.mark.parametrize(("how", "expected"), [("relaunch", STALE), ("revoke", REVOKED)])
async def test_a_wait_for_messages_ends_with_its_grant(
    served: Served, how: str, expected: tuple[int, str]
) -> None:
    async with holding(await launch(served), served.base_url) as holder:
        path = "/api/seats/builder@my-rig/messages"
        waiting = asyncio.create_task(holder.http.get(path, params={"waitSeconds": 25}))
        async with asyncio.timeout(LOOP_SLACK):
            while not len(served.app.messages):  # noqa: ASYNC110  # the routes' own state
                await asyncio.sleep(0.001)
        await (revoke(served) if how == "revoke" else relaunch(served))
        async with asyncio.timeout(1):
            assert refused(await waiting) == expected


@rule("D7-58")
async def test_what_a_runner_permits_on_is_told_and_what_it_cancels_on_isnt(
    served: Served, base_url: str, holder: Holder
) -> None:
    ask_id = await holder.ask()
    await holder.submit(generation="gen-x")
    await holder.submit(sessionName="other@my-rig")
    async with holding(await launch(served, "other", registered=False), base_url) as other:
        await other.submit()
    assert served.daemon.causes() == ["activity_grant_pending"]

    await revoke(served)
    await holder.submit(requestId=2)
    await holder.read(ask_id)
    await holder.withdraw(ask_id)
    await holder.post()
    told = served.daemon.store.permits.causes(Filters(), 100)
    assert sorted((cause.code, cause.session_name) for cause in told) == [
        ("activity_grant_pending", "other@my-rig"),
        ("activity_grant_revoked", "builder@my-rig"),
        ("activity_grant_revoked", "builder@my-rig"),
    ]


@rule("D4-01", "D4-42")
@pytest.mark.parametrize("spoilt", ["secret", "id", "both", "no dot", "empty secret"])
async def test_what_only_looks_like_a_grant_is_nobodys(
    served: Served, base_url: str, holder: Holder, spoilt: str
) -> None:
    grant_id, secret = holder.grant.split(".")
    token = {
        "secret": f"{grant_id}.{secret[:-1]}",
        "id": f"grant-0.{secret}",
        "both": "grant-0.0",
        "no dot": grant_id,
        "empty secret": f"{grant_id}.",
    }[spoilt]
    headers = {"Authorization": f"Bearer {token}"}
    before = kept(served)
    body = {"sessionName": holder.session_name, "hookEvent": "active"}
    reply = await holder.http.post(HOOKS, json=body, headers=headers)
    main = base_url == served.base_url
    code = "activity_hook_unauthorized" if main else "activity_grant_required"
    assert refused(reply) == (401, code)
    reply = await holder.http.post(HOOKS, json=body, headers={"Authorization": OPERATOR_TOKEN})
    assert refused(reply) == (401, code)
    assert kept(served) == before
