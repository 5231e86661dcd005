"""The listener for guests: four routes, grants only, and nothing by any trick."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from rig_tui.daemon import guest
from rig_tui.daemon.guest import GuestAddress
from rig_tui.daemon.listening import ListenError, listening
from rig_tui.settings import SettingsError
from tests.daemon.grant_holder import ASKS, HOOKS, Holder, guests, holding, launch, raw, refused
from tests.daemon.harness import HOOK_TOKEN, LOOP_SLACK, OPERATOR_TOKEN, Served, client
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND")
ROUTES = {("POST", HOOKS), ("POST", ASKS), ("GET", ASKS + "/{}"), ("POST", ASKS + "/{}/withdraw")}


@pytest.fixture
async def guest_url(served: Served) -> AsyncIterator[str]:
    served.daemon.person()
    async with guests(served) as url:
        yield url


@pytest.fixture
async def holder(served: Served, guest_url: str) -> AsyncIterator[Holder]:
    async with holding(await launch(served), guest_url) as holder:
        yield holder


def state(served: Served) -> object:
    core = served.daemon.core
    return dict(core.seats), dict(core.pending), served.daemon.events()


@rule("D4-40")
async def test_the_four_routes_are_served(served: Served, holder: Holder) -> None:
    assert (await holder.post()).json() == {"ok": True, "counted": True}
    ask_id = await holder.ask()
    assert (await holder.read(ask_id)).json()["state"] == "pending"
    assert (await holder.withdraw(ask_id)).json()["state"] == "withdrawn"


@rule("D4-40")
async def test_every_other_route_of_the_daemon_is_404_on_every_method(
    served: Served, holder: Holder
) -> None:
    ask_id = await holder.ask()
    paths = {getattr(route, "path", "") for route in served.app.asgi.routes}
    paths |= {"/", "/docs", "/openapi.json", "/api", "/api/activity", "/favicon.ico"}
    assert {"/healthz", "/api/events", "/api/seats", HOOKS} <= paths
    before = state(served)
    tried = 0
    for path in sorted(paths):
        for method in METHODS:
            if (method, path.replace("{ask_id}", "{}")) in ROUTES:
                continue
            target = path.replace("{seat_ref}", "builder@my-rig").replace("{session}", "builder")
            for name in ("ask_id", "row_id"):
                target = target.replace("{" + name + "}", ask_id)
            reply = await holder.http.request(method, target)
            assert reply.status_code == 404, (method, target)
            tried += 1
    assert tried > 200
    assert state(served) == before


@rule("D4-40", "A-43")
@pytest.mark.parametrize(
    "line",
    [
        "POST //api/activity/hooks",
        "POST /api//activity/hooks",
        "POST /api/activity//hooks",
        "POST /api/activity/hooks/",
        "POST /api/activity/hooks//",
        "POST /api/activity/./hooks",
        "POST /api/activity/../activity/hooks",
        "POST /api/activity/%2e%2e/activity/hooks",
        "POST /api/activity/%2E%2E/seats",
        "POST /api/activity/hooks/%2e%2e/hooks",
        "POST /api/activity/hooks/../../seats",
        "POST /api/activity/%68ooks",
        "POST /api/activity%2fhooks",
        "POST /api/activity/hooks%00",
        "POST /api/activity/hooks%20",
        "POST /api/activity/hooks;x=/",
        "POST /api/activity\\hooks",
        "POST \\api\\activity\\hooks",
        "POST /API/activity/hooks",
        "POST /?/api/activity/hooks",
        "POST http://127.0.0.1/api/activity/hooks",
        "GET http://127.0.0.1/api/queue/list",
        "GET http://127.0.0.1/healthz",
        "POST //127.0.0.1/api/seats",
        "GET /api/activity/permission-requests/",
        "GET /api/activity/permission-requests",
        "GET /api/activity/permission-requests/{ask}/",
        "HEAD /api/activity/permission-requests/{ask}",
        "GET /api/activity/permission-requests/{ask}/withdraw",
        "GET /api/activity/permission-requests/{ask}/answer",
        "POST /api/activity/permission-requests/{ask}",
        "POST /api/activity/permission-requests/{ask}%2fwithdraw",
        "POST /api/activity/permission-requests/{ask}/../{ask}/withdraw",
        "GET /api/activity/permission-requests/../../queue/{ask}",
        "GET /api/activity/permission-requests/%2e%2e/%2e%2e/queue/{ask}",
        "POST /api/queue/{ask}/answer",
        "OPTIONS *",
        "CONNECT 127.0.0.1:80",
    ],
)
async def test_no_trick_with_the_path_finds_anything(
    served: Served, guest_url: str, holder: Holder, line: str
) -> None:
    ask_id = await holder.ask()
    before = state(served)
    body = '{"sessionName":"builder@my-rig","hookEvent":"Stop","subtype":"end_turn"}'
    async with raw(guest_url) as request, asyncio.timeout(LOOP_SLACK):
        await request.send(
            f"{line.format(ask=ask_id)} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Authorization: Bearer {holder.grant}\r\nContent-Length: {len(body)}\r\n"
            f"X-HTTP-Method-Override: POST\r\n\r\n{body}".encode()
        )
        assert (await request.head()).split()[1] == b"404"
    assert state(served) == before
    assert served.daemon.ask(ask_id).read_at is None


@rule("D4-40", "A-43")
@pytest.mark.parametrize(
    "header",
    [
        "X-HTTP-Method-Override",
        "X-HTTP-Method",
        "X-Method-Override",
        "X-Original-URL",
        "X-Rewrite-URL",
        "X-Forwarded-Prefix",
    ],
)
async def test_no_header_changes_method_or_path(
    served: Served, guest_url: str, holder: Holder, header: str
) -> None:
    before = state(served)
    for value in ("POST", "GET", "/api/seats", HOOKS):
        for method, path in (("GET", HOOKS), ("PUT", ASKS), ("POST", "/api/seats"), ("GET", "/x")):
            reply = await holder.http.request(method, path, headers={header: value})
            assert refused(reply) == (404, "not_found")
    # Where the route itself is one of the four, such a header is nothing.
    assert (await holder.http.get(ASKS + "/x", headers={header: "POST"})).status_code == 404
    assert state(served)[1] == before[1]  # type: ignore[index]
    assert (await holder.http.post(HOOKS, headers={header: "GET"})).status_code == 400


@rule("D4-41", "A-43")
@pytest.mark.parametrize("token", [HOOK_TOKEN, OPERATOR_TOKEN, "wrong", ".", None])
async def test_only_a_grant_is_taken(
    served: Served, guest_url: str, holder: Holder, token: str | None
) -> None:
    ask_id = await holder.ask()
    permits_told = [e for e in served.daemon.events() if e["type"] == "runner.will_permit"]
    before = state(served)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=guest_url, headers=headers, trust_env=False) as http:
        post = {
            "sessionName": holder.session_name,
            "generation": holder.generation,
            "hookEvent": "active",
            "subtype": "x",
        }
        for reply in (
            await http.post(HOOKS, json=post),
            await http.post(f"{ASKS}/{ask_id}/withdraw"),
        ):
            assert refused(reply) == (401, "activity_grant_required")
        assert state(served) == before
        for reply in (
            await http.post(ASKS, json=holder.request(generation=holder.generation, requestId=2)),
            await http.get(f"{ASKS}/{ask_id}"),
        ):
            assert refused(reply) == (401, "activity_grant_required")
    assert not permits_told
    assert state(served)[:2] == before[:2]  # type: ignore[index]
    assert served.daemon.causes() == ["activity_grant_required"] * 2, "submit and read permit"


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}, {"Host": ""}]
)
async def test_a_guests_host_and_origin_are_never_checked(
    served: Served, holder: Holder, headers: dict[str, str]
) -> None:
    holder.http.headers.update(headers)
    assert (await holder.post()).status_code == 200
    ask_id = await holder.ask()
    assert (await holder.read(ask_id)).status_code == 200
    assert (await holder.withdraw(ask_id)).status_code == 200


@rule("D4-42")
async def test_a_grant_works_on_the_main_port_too_and_opens_nothing_else_there(
    served: Served, holder: Holder
) -> None:
    async with client(served.base_url, holder.grant) as http:
        post = {"sessionName": holder.session_name, "hookEvent": "active", "subtype": "x"}
        assert (await http.post(HOOKS, json=post)).json()["counted"] is True
        assert (await http.get("/api/queue/list")).status_code == 401


@rule("D4-39")
@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, None),
        ({guest.PORT_VARIABLE: ""}, None),
        ({guest.HOST_VARIABLE: "10.0.0.1"}, None),
        ({guest.PORT_VARIABLE: "7434"}, GuestAddress(7434, "127.0.0.1")),
        ({guest.PORT_VARIABLE: "7434", guest.HOST_VARIABLE: ""}, GuestAddress(7434)),
        (
            {guest.PORT_VARIABLE: "65535", guest.HOST_VARIABLE: "10.0.0.1"},
            GuestAddress(65535, "10.0.0.1"),
        ),
    ],
)
def test_guests_are_listened_for_only_where_that_is_asked(
    environ: dict[str, str], expected: GuestAddress | None
) -> None:
    assert guest.address(environ) == expected


@rule("D4-39", "A-43")
@pytest.mark.parametrize(
    "text",
    ["0", "00", "-1", "-7434", "+7434", "65536", "99999999999", "http", "74 34", " ", "7.5", "７"],
)
def test_a_port_that_is_none_is_an_error_that_names_it(text: str) -> None:
    with pytest.raises(SettingsError) as error:
        guest.address({guest.PORT_VARIABLE: text})
    assert guest.PORT_VARIABLE in str(error.value)
    assert repr(text) in str(error.value)


def test_a_guests_url_can_be_used_whatever_the_host() -> None:
    assert GuestAddress(7434).base_url == "http://127.0.0.1:7434"
    assert GuestAddress(7434, "fd00::1").base_url == "http://[fd00::1]:7434"


@rule("D4-39")
def test_each_listener_is_bound_to_its_own_address_only() -> None:
    port = free_port()
    with listening(0, None, None) as alone:
        assert alone.guest is None
    with listening(0, None, GuestAddress(port)) as both:
        assert both.guest is not None
        assert both.guest.getsockname() == ("127.0.0.1", port)
        assert both.main.getsockname()[0] == "127.0.0.1"
        assert both.port != port


@rule("D4-39", "A-43")
@pytest.mark.parametrize("last", [False, True])
def test_one_port_for_both_is_refused_naming_both(last: bool) -> None:
    port = free_port()
    asked, had = (0, port) if last else (port, None)
    guests_at = GuestAddress(port, "0.0.0.0")
    with pytest.raises(ListenError) as error, listening(asked, had, guests_at):
        pass
    assert guest.PORT_VARIABLE in str(error.value)
    assert "main port" in str(error.value)
    assert str(port) in str(error.value)
    with listening(port, None, None):
        pass


@rule("D4-39", "A-43")
def test_a_port_that_a_system_gave_is_compared_too(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)) as same:
        monkeypatch.setattr("rig_tui.daemon.listening._main", lambda *_: same)
        monkeypatch.setattr("rig_tui.daemon.listening._guest", lambda _: contextlib.nullcontext())
        with pytest.raises(ListenError, match="both"), listening(0, None, GuestAddress(port)):
            pass


@rule("D4-39", "A-43")
@pytest.mark.parametrize("host", ["taken", "192.0.2.1", "no such host.invalid", "a" * 300])
def test_an_address_that_cant_be_bound_is_refused_and_nothing_stays_bound(host: str) -> None:
    main = free_port()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        address = GuestAddress(port, "127.0.0.1" if host == "taken" else host)
        with pytest.raises(ListenError, match=str(port)), listening(main, None, address):
            pass
    with socket.create_server(("127.0.0.1", main)):
        pass


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: Any = probe.getsockname()[1]
        return int(port)
