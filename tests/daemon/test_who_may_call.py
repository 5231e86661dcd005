"""Every route against every secret that isn't its own, and against a browser."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any

import pytest
from starlette.routing import Route

from rig_tui.daemon import grants, security
from tests.daemon.grant_holder import ASKS, HOOKS, holding, launch
from tests.daemon.harness import HOOK_TOKEN, OPERATOR_TOKEN, Served
from tests.rules import rule

if TYPE_CHECKING:
    import httpx

OPEN = {"/healthz"}
MESSAGES = "/api/seats/{seat_ref}/messages"
RUNNERS = {HOOKS, ASKS, ASKS + "/{ask_id}", ASKS + "/{ask_id}/withdraw", MESSAGES}


def operator_routes(served: Served) -> list[tuple[str, str]]:
    """Every (method, path) of the daemon that isn't open or a runner's."""
    routes = [route for route in served.app.asgi.routes if isinstance(route, Route)]
    found = [
        (method, route.path)
        for route in routes
        if route.path not in OPEN | RUNNERS
        for method in sorted(route.methods or ())
    ]
    assert len(found) > 20
    assert {route.path for route in routes} >= OPEN | RUNNERS
    return found


async def call(
    http: httpx.AsyncClient, method: str, path: str, ask_id: str, **headers: str
) -> httpx.Response:
    for name, value in (("seat_ref", "builder@my-rig"), ("session", "builder@my-rig")):
        path = path.replace("{" + name + "}", value)
    for name in ("row_id", "ask_id"):
        path = path.replace("{" + name + "}", ask_id)
    return await http.request(method, path, headers=headers)


@rule("D4-42")
@pytest.mark.parametrize("secret", ["hook token", "grant"])
async def test_what_a_runner_holds_opens_no_route_of_an_operator(
    served: Served, secret: str
) -> None:
    served.daemon.person()
    async with holding(await launch(served), served.base_url) as holder:
        ask_id = await holder.ask()
        token = HOOK_TOKEN if secret == "hook token" else holder.grant
        before = served.daemon.events()
        for method, path in operator_routes(served):
            reply = await call(holder.http, method, path, ask_id, Authorization=f"Bearer {token}")
            assert reply.status_code == 401, (method, path)
        assert served.daemon.events() == before
        assert served.daemon.ask(ask_id).pending
        assert not served.stopped.is_set()


async def test_an_operators_token_opens_no_route_of_a_runner(served: Served) -> None:
    served.daemon.person()
    ask_id = (await served.seat()).ask()
    for path in sorted(RUNNERS):
        method = "GET" if path in (ASKS + "/{ask_id}", MESSAGES) else "POST"
        assert (await call(served.operator, method, path, ask_id)).status_code == 401, path
    assert served.daemon.ask(ask_id).pending


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Host": "127.0.0.1.evil.example"},
    ],
)
async def test_no_web_page_reaches_a_route_of_an_operator(
    served: Served, headers: dict[str, str]
) -> None:
    served.daemon.person()
    ask_id = (await served.seat()).ask()
    before = served.daemon.events()
    for method, path in [*operator_routes(served), ("GET", "/healthz")]:
        reply = await call(served.operator, method, path, ask_id, **headers)
        assert reply.status_code == 403, (method, path)
    assert served.daemon.events() == before
    assert not served.stopped.is_set()


@rule("D4-01")
@pytest.mark.parametrize("verdict", [True, False])
async def test_every_secret_is_compared_in_constant_time_and_in_no_other_way(
    served: Served, monkeypatch: pytest.MonkeyPatch, verdict: bool
) -> None:
    """Whatever the comparison says goes, so no other one takes part."""
    made = await launch(served)
    grant_id, secret = made["env"]["OPENRIG_ACTIVITY_HOOK_TOKEN"].split(".")
    compared: list[tuple[Any, Any]] = []

    class Comparing:
        new, digest = hmac.new, hmac.digest

        @staticmethod
        def compare_digest(one: Any, other: Any) -> bool:
            compared.append((one, other))
            return verdict

    async def passes(path: str, token: str) -> bool:
        compared.clear()
        reply = await served.hooks.get(path, headers={"Authorization": f"Bearer {token}"})
        assert compared, "it was compared at all"
        return reply.status_code != 401

    monkeypatch.setattr(security, "hmac", Comparing)
    for token in ("wrong", OPERATOR_TOKEN):
        assert await passes("/api/queue/list", token) is verdict
    for token in ("wrong", HOOK_TOKEN, OPERATOR_TOKEN):
        assert await passes(f"{ASKS}/x", token) is verdict
    monkeypatch.setattr(security, "hmac", hmac)
    monkeypatch.setattr(grants, "hmac", Comparing)
    for token in (f"{grant_id}.{secret}", f"{grant_id}.wrong"):
        assert await passes(f"{ASKS}/x", token) is verdict
        assert [len(each) for each in compared[0]] == [64, 64], "digests, not secrets"
    assert await passes(f"{ASKS}/x", f"grant-unknown.{secret}") is False
    assert [len(each) for each in compared[0]] == [64, 64], "an unknown id takes as long"
