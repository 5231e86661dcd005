"""Grants issued and revoked by an operator: what is given, kept and shown."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.domain.model import Grant
from rig_tui.wire import openrig
from tests.daemon.grant_holder import holding, launch, refused, revoke
from tests.daemon.harness import HOOK_TOKEN, START
from tests.rules import rule

if TYPE_CHECKING:
    import httpx

    from tests.daemon.harness import Served

TOKEN, URL = "OPENRIG_ACTIVITY_HOOK_TOKEN", "OPENRIG_URL"
GRANTS = "/api/seats/builder@my-rig/grants"


async def issue(served: Served, **headers: str) -> httpx.Response:
    return await served.operator.post(GRANTS, json={"issue": True}, headers=headers)


async def relaunch(served: Served, **fields: Any) -> dict[str, Any]:
    reply = await served.operator.post("/api/seats/builder@my-rig/relaunch", json=fields)
    env: dict[str, Any] = reply.json()["env"]
    return env


def told(reply: httpx.Response) -> tuple[int, str]:
    return reply.status_code, reply.json()["error"]


@rule("D4-33")
async def test_a_seat_launched_with_a_grant_gets_it_in_place_of_the_token(served: Served) -> None:
    made = await launch(served)
    assert made["env"][TOKEN] != HOOK_TOKEN
    assert HOOK_TOKEN not in made["env"].values()
    assert made["env"][URL] == served.daemon.core.serving.base_url
    assert served.daemon.seat().grant == Grant("grant")
    plain = await launch(served, "other", grant=False)
    assert plain["env"][TOKEN] == HOOK_TOKEN
    assert served.daemon.seat("other").grant == Grant("token")
    assert (await served.operator.post("/api/seats", json={"grant": "yes"})).status_code == 400


@rule("D4-33")
async def test_a_relaunch_keeps_to_a_grant_unless_told_otherwise(served: Served) -> None:
    first = (await launch(served))["env"][TOKEN]
    second = (await relaunch(served))[TOKEN]
    assert second not in (first, HOOK_TOKEN), "a grant speaks for one launch"
    assert (await relaunch(served, grant=False))[TOKEN] == HOOK_TOKEN
    assert (await relaunch(served))[TOKEN] == HOOK_TOKEN
    assert (await relaunch(served, grant=True))[TOKEN] != HOOK_TOKEN
    await revoke(served)
    await relaunch(served)
    assert served.daemon.seat().grant == Grant("grant")
    assert not served.daemon.seat().notices


async def test_an_issued_grant_is_shown_once_and_works(served: Served) -> None:
    made = await launch(served, grant=False)
    reply = await issue(served)
    answer = reply.json()
    token = answer.pop("token")
    assert reply.status_code == 201
    assert answer == {
        "ok": True,
        "seatRef": "builder@my-rig",
        "generation": made["generation"],
        "grant": {"mode": "grant", "revokedAt": None},
        "url": served.daemon.core.serving.base_url,
    }
    made["env"][TOKEN] = token
    async with holding(made, served.base_url) as holder:
        assert (await holder.post()).json()["counted"] is True


async def test_one_launch_may_hold_several_grants_and_a_revocation_ends_them_all(
    served: Served,
) -> None:
    made = await launch(served)
    second = {**made, "env": {TOKEN: (await issue(served)).json()["token"]}}
    async with holding(made, served.base_url) as one, holding(second, served.base_url) as two:
        assert (await one.post()).json()["counted"] is True
        assert (await two.post()).json()["counted"] is True
        await revoke(served)
        for holder in (one, two):
            assert refused(await holder.post()) == (401, "activity_grant_revoked")
        third = {**made, "env": {TOKEN: (await issue(served)).json()["token"]}}
        assert served.daemon.seat().grant == Grant("grant")
        async with holding(third, served.base_url) as three:
            assert (await three.post()).json()["counted"] is True
        assert refused(await one.post()) == (401, "activity_grant_revoked")


async def test_a_revocation_is_told_on_the_seat_with_what_follows(served: Served) -> None:
    served.daemon.person()
    made = await launch(served)
    async with holding(made, served.base_url) as holder:
        ask_id = await holder.ask()
    reply = await revoke(served)
    assert reply.json() == {
        "ok": True,
        "seatRef": "builder@my-rig",
        "generation": made["generation"],
        "grant": {"mode": "grant", "revokedAt": openrig.encode_instant(START)},
        "changed": True,
        "pendingAsks": [ask_id],
    }
    event = served.daemon.events()[-1]
    assert event["type"] == "seat.activity_changed"
    assert event["runner"]["grant"] == reply.json()["grant"]
    assert served.daemon.seat().grant == Grant("grant", START)
    (notice,) = served.daemon.seat().notices
    assert "PERMITS by itself" in notice

    log = (await served.operator.get("/api/seats/builder@my-rig/events?kinds=grant")).json()
    assert [(entry["what"], entry["by"]) for entry in log] == [("revoked", "human@host")]

    served.daemon.clock.advance(60)
    again = (await revoke(served)).json()
    assert (again["changed"], again["grant"]) == (False, reply.json()["grant"])
    assert served.daemon.seat().notices == (notice,)


async def test_a_seat_row_says_what_its_runner_holds(served: Served) -> None:
    await launch(served)
    await revoke(served)
    (rig,) = served.daemon.core.rigs
    (row,) = (await served.operator.get(f"/api/rigs/{rig}/nodes")).json()
    assert row["runner"]["grant"] == {
        "mode": "grant",
        "revokedAt": openrig.encode_instant(START),
    }


@pytest.mark.parametrize(
    "body",
    [{}, {"issue": False}, {"issue": 1}, {"revoke": None}, {"issue": True, "revoke": True}],
)
async def test_a_change_that_is_neither_or_both_changes_nothing(
    served: Served, body: dict[str, Any]
) -> None:
    await launch(served)
    before = served.daemon.events()
    reply = await served.operator.post(GRANTS, json=body)
    assert told(reply) == (400, "invalid_request")
    assert served.daemon.events() == before


async def test_where_there_is_nothing_to_change_that_is_said(served: Served) -> None:
    assert told(await issue(served)) == (404, "seat_not_found")
    await launch(served, grant=False)
    assert told(await revoke(served)) == (409, "no_grant")
    await served.operator.post("/api/seats/builder@my-rig/stop")
    assert told(await issue(served)) == (409, "no_launch")
    assert told(await revoke(served)) == (409, "no_launch")


async def test_a_repeated_write_is_done_once_and_its_replay_holds_no_secret(
    served: Served,
) -> None:
    await launch(served)
    first = await issue(served, **{"Idempotency-Key": "k"})
    again = await issue(served, **{"Idempotency-Key": "k"})
    assert again.status_code == 201
    assert "token" not in again.json()
    assert {**again.json(), "token": first.json()["token"]} == first.json()
    key = {"Idempotency-Key": "k2"}
    body = {"revoke": True}
    replies = [await served.operator.post(GRANTS, json=body, headers=key) for _ in range(2)]
    assert replies[0].content == replies[1].content
    known = await served.operator.get("/api/operations/k")
    assert first.json()["token"].split(".")[1] not in known.text


@rule("D4-35", "D4-36")
async def test_grants_outlive_the_daemon_and_stay_what_they_were(served: Served) -> None:
    daemon = served.daemon
    replaced = (await launch(served))["env"][TOKEN]
    live = (await relaunch(served))[TOKEN]
    revoked = (await launch(served, "other"))["env"][TOKEN]
    await revoke(served, "other@my-rig")

    daemon.restart()

    def again(token: str) -> tuple[str, bool]:
        grant = daemon.core.grants.proven_by(token)
        assert grant is not None
        return grant.generation, grant.revoked_at is not None

    generation = daemon.core.seats["builder@my-rig"].seat.generation
    assert again(live) == (generation, False)
    assert again(replaced)[0] != generation
    assert again(revoked)[1] is True


async def test_what_is_kept_of_a_grant_doesnt_hold_its_secret(served: Served) -> None:
    token = (await launch(served))["env"][TOKEN]
    issued = (await issue(served)).json()["token"]
    served.daemon.restart()
    files = [path for path in served.daemon.home.path.rglob("*") if path.is_file()]
    assert any(path.name == "daemon.sqlite" for path in files)
    for secret in (token.split(".")[1], issued.split(".")[1]):
        digest = hashlib.sha256(secret.encode()).hexdigest().encode()
        kept = b"".join(path.read_bytes() for path in files)
        assert secret.encode() not in kept
        assert digest in kept
