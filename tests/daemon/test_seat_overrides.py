"""Setting who is asked for a seat, over real HTTP, and what that does to its requests."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import overrides
from tests.daemon.harness import ALLOW, OPTIONS, REJECT
from tests.rules import rule

if TYPE_CHECKING:
    import httpx

    from tests.daemon.harness import Daemon, Runner, Served

SEAT = "builder@my-rig"
BLANK = {"mode": "none", "person": None, "reason": None, "by": None, "at": None}


async def put(served: Served, seat_ref: str = SEAT, **body: Any) -> httpx.Response:
    body.setdefault("reason", "on call")
    return await served.operator.post(f"/api/seat/set-permissions-to/{seat_ref}", json=body)


async def people(served: Served, *entity_ids: str, default: str | None = None) -> None:
    for entity_id in entity_ids:
        body = {"entityId": entity_id, "confirm": True, "default": entity_id == default}
        assert (await served.operator.post("/api/gateway/humans", json=body)).status_code == 200


async def remove(served: Served, entity_id: str) -> None:
    url = f"/api/gateway/humans/{entity_id}"
    assert (await served.operator.delete(url, params={"confirm": "1"})).status_code == 200


async def submit(served: Served, runner: Runner, **fields: Any) -> httpx.Response:
    url = "/api/activity/permission-requests"
    return await served.hooks.post(url, json=runner.request(**fields))


async def row(served: Served, name: str = "builder") -> dict[str, Any]:
    (rig,) = (await served.operator.get("/api/rigs/summary")).json()
    nodes = (await served.operator.get(f"/api/rigs/{rig['id']}/nodes")).json()
    found: dict[str, Any] = next(node for node in nodes if node["logicalId"] == name)
    return found


def refused(reply: httpx.Response) -> tuple[int, str]:
    body = reply.json()
    assert body["message"], "every refusal says why"
    return reply.status_code, body["error"]


@pytest.fixture
async def runner(served: Served) -> Runner:
    """A seat whose requests reach ana; ben is registered too."""
    await people(served, "ana", "ben", default="ana")
    return await served.seat()


@rule("D7-16")
async def test_a_person_is_chosen_for_a_seat_and_asked_from_the_next_request_on(
    served: Served, runner: Runner
) -> None:
    seen = served.daemon.core.events.newest

    done = (await put(served, to="ben", actorSession="ana@external")).json()

    setting = {
        "mode": "to",
        "person": "ben",
        "reason": "on call",
        "by": "ana@external",
        "at": "2026-11-30T12:00:00.000Z",
    }
    chosen = {"mode": "person", "person": "ben", "because": "chosen_for_seat"}
    assert done == {
        "ok": True,
        "seat": SEAT,
        "from": BLANK,
        "to": setting,
        "changed": True,
        "asked": chosen,
        "pendingAsks": 0,
    }
    shown = (await row(served))["runner"]
    assert (shown["override"], shown["asked"]) == (setting, chosen)
    (told,) = served.daemon.events(seen)
    assert (told["type"], told["reason"], told["actorSession"]) == (
        "seat.permissions_to_changed",
        "on call",
        "ana@external",
    )
    assert told["runner"]["asked"] == chosen
    assert told["version"] == told["seq"]
    ask = served.daemon.ask((await submit(served, runner)).json()["askId"])
    assert (ask.holder.id, ask.asked_because, ask.asked_reason) == (
        "ben@external",
        "chosen_for_seat",
        "on call",
    )


@rule("D7-04", "D7-16")
@pytest.mark.parametrize("options", [OPTIONS, [ALLOW], [REJECT], [], [ALLOW, ALLOW]])
async def test_a_seat_set_to_deny_refuses_at_once_whatever_is_offered(
    served: Served, runner: Runner, options: list[Any]
) -> None:
    runner.prompt()
    assert (await put(served, deny=True)).json()["asked"]["mode"] == "refuses"

    reply = await submit(served, runner, options=options)

    assert (reply.status_code, reply.json()["code"]) == (409, "denied_by_seat")
    assert served.daemon.core.pending == {}
    assert served.daemon.permits() == []
    assert served.daemon.seat().reading == "working"


@rule("D7-04", "A-30")
async def test_a_refused_request_is_judged_again_once_the_seat_asks_again(
    served: Served, runner: Runner
) -> None:
    await put(served, deny=True)
    assert (await submit(served, runner)).status_code == 409
    await put(served, clear=True)
    assert (await submit(served, runner)).json()["created"] is True


@rule("D7-16")
async def test_clearing_goes_back_to_the_default_person(served: Served, runner: Runner) -> None:
    await put(served, to="ben")
    done = (await put(served, clear=True, reason="back from leave")).json()
    assert (done["from"]["person"], done["to"]["mode"], done["changed"]) == ("ben", "none", True)
    assert done["asked"] == {"mode": "person", "person": "ana", "because": "default_person"}


@rule("D7-16")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid_setting"),
        ({"to": "ben", "deny": True}, "invalid_setting"),
        ({"to": "ben", "clear": True}, "invalid_setting"),
        ({"deny": True, "clear": True}, "invalid_setting"),
        ({"to": "ben", "deny": False}, "invalid_setting"),
        ({"to": "ben", "deny": None}, "invalid_setting"),
        ({"to": None}, "invalid_setting"),
        ({"to": ""}, "invalid_setting"),
        ({"to": ["ben"]}, "invalid_setting"),
        ({"deny": False}, "invalid_setting"),
        ({"deny": None}, "invalid_setting"),
        ({"deny": 1}, "invalid_setting"),
        ({"deny": "true"}, "invalid_setting"),
        ({"clear": False}, "invalid_setting"),
        ({"clear": 1}, "invalid_setting"),
        ({"deny": True, "reason": " "}, "reason_required"),
        ({"deny": True, "reason": None}, "reason_required"),
        ({"clear": True, "reason": ""}, "reason_required"),
        ({"to": "zoe"}, "not_a_registered_person"),
        ({"to": "ben@external"}, "not_a_registered_person"),
        ({"to": "human@host"}, "not_a_registered_person"),
    ],
)
async def test_anything_but_one_setting_with_a_reason_changes_nothing(
    served: Served, runner: Runner, body: dict[str, Any], code: str
) -> None:
    await put(served, to="ben", reason="before")
    before, seen = (await row(served))["runner"], served.daemon.core.events.newest
    assert refused(await put(served, **body)) == (400, code)
    assert (await row(served))["runner"] == before
    assert served.daemon.events(seen) == []


async def test_an_unknown_seat_and_an_unknown_actor_are_refused(
    served: Served, runner: Runner
) -> None:
    assert refused(await put(served, "nobody@my-rig", deny=True)) == (404, "seat_not_found")
    by_seat = await put(served, deny=True, actorSession=SEAT)
    assert refused(by_seat) == (403, "not_a_registered_person")


async def test_setting_the_same_again_tells_nobody(served: Served, runner: Runner) -> None:
    await put(served, deny=True)
    first = (await row(served))["runner"]["override"]
    served.daemon.clock.advance(60)
    seen = served.daemon.core.events.newest
    again = (await put(served, deny=True)).json()
    assert (again["changed"], again["from"], again["to"]) == (False, first, first)
    assert served.daemon.events(seen) == []
    assert (await put(served, deny=True, reason="still")).json()["changed"] is True


@rule("D7-16")
async def test_a_setting_outlives_relaunches_and_restarts(served: Served, runner: Runner) -> None:
    await put(served, deny=True)
    await served.operator.post(f"/api/seats/{SEAT}/relaunch", json={})
    assert (await row(served))["runner"]["override"]["mode"] == "deny"
    served.daemon.restart()
    assert served.daemon.seat().override.reason == "on call"
    assert served.daemon.seat().asked.mode == "refuses"


@rule("D7-16")
async def test_no_setting_is_read_from_a_declaration(served: Served, runner: Runner) -> None:
    fields: dict[str, Any] = {
        "override": {"mode": "deny"},
        "permissionsTo": "ben",
        "deny": True,
        "to": "ben",
    }
    await served.seat("other", **fields)
    assert (await row(served, "other"))["runner"]["override"] == BLANK
    await served.operator.post("/api/seats/other@my-rig/relaunch", json=fields)
    assert (await row(served, "other"))["runner"]["override"] == BLANK


@rule("A-28", "D7-16")
@pytest.mark.parametrize("body", [{"deny": True}, {"to": "ben"}, {"clear": True}])
async def test_open_asks_stay_as_they_are(
    served: Served, runner: Runner, body: dict[str, Any]
) -> None:
    ask_id = (await submit(served, runner)).json()["askId"]
    before = served.daemon.ask(ask_id)

    assert (await put(served, **body)).json()["pendingAsks"] == 1

    assert served.daemon.ask(ask_id) == before
    again = (await submit(served, runner)).json()
    assert (again["askId"], again["created"]) == (ask_id, False)
    assert (await served.answer(ask_id, "b", actorSession="ana@external")).status_code == 200


@rule("A-26", "A-28", "D7-12")
async def test_a_chosen_person_who_is_removed_leaves_the_seat_permitting(
    served: Served, runner: Runner
) -> None:
    await put(served, to="ben")
    ask_id = (await submit(served, runner)).json()["askId"]
    url = "/api/gateway/humans/ben"
    wary = await served.operator.delete(url)
    assert refused(wary) == (409, "would_permit")
    (change,) = wary.json()["changes"]
    assert (change["seatRef"], change["to"]["because"]) == (SEAT, "chosen_person_not_registered")

    await remove(served, "ben")

    assert (await row(served))["runner"]["asked"] == {
        "mode": "permits",
        "person": None,
        "because": "chosen_person_not_registered",
    }
    permitted = (await submit(served, runner, requestId=2)).json()
    assert (permitted["state"], permitted["reason"]) == (
        "permitted",
        "chosen_person_not_registered",
    )
    assert served.daemon.ask(ask_id).pending
    assert (await served.answer(ask_id, "c", actorSession="ana@external")).status_code == 200


ROWS = [
    (count, default, override)
    for count in (0, 1, 2)
    for default in ("none", "valid", "dangling")
    for override in ("none", "valid", "dangling", "deny")
    if count or "valid" not in (default, override)
]
"""Everything that can be: where nobody is registered, nobody valid can be chosen."""
BY_DEFAULT = {
    (0, "none"): "no_registered_person",
    (0, "dangling"): "no_registered_person",
    (1, "none"): "ana",
    (1, "valid"): "ana",
    (1, "dangling"): "ana",
    (2, "none"): "several_and_no_default",
    (2, "valid"): "ben",
    (2, "dangling"): "several_and_no_default",
}
"""With no override: the person asked, or the cause of a permit."""


@rule("D7-14", "D7-12", "A-25", "A-26", "D7-04")
@pytest.mark.parametrize(("count", "default", "override"), ROWS)
async def test_who_is_asked(served: Served, count: int, default: str, override: str) -> None:
    runner = await served.seat()
    entity_ids = ("ana", "ben")[:count]
    chosen = {"none": None, "valid": entity_ids[-1:], "dangling": ("gone",)}[default]
    await people(served, *entity_ids, "gone", "left", default=chosen[0] if chosen else None)
    match override:
        case "valid":
            await put(served, to="ana")
        case "dangling":
            await put(served, to="left")
        case "deny":
            await put(served, deny=True)
    await remove(served, "gone")
    await remove(served, "left")

    reply = await submit(served, runner)

    shown = (await row(served))["runner"]["asked"]
    if override == "deny":
        assert (reply.status_code, reply.json()["code"]) == (409, "denied_by_seat")
        assert shown["mode"] == "refuses"
        return
    expected = {"valid": "ana", "dangling": "chosen_person_not_registered"}.get(
        override
    ) or BY_DEFAULT[count, default]
    if expected in entity_ids:
        ask = served.daemon.ask(reply.json()["askId"])
        assert ask.holder.id == f"{expected}@external"
        assert (shown["mode"], shown["person"]) == ("person", expected)
    else:
        assert reply.json()["reason"] == expected
        assert (shown["mode"], shown["because"]) == ("permits", expected)
        assert [permit.cause for permit in served.daemon.permits()] == [expected]


def spoil(daemon: Daemon, change: str) -> None:
    """Change the database while the daemon is away, and start it again."""
    daemon.store.close()
    with closing(sqlite3.connect(daemon.home.database)) as db, db:
        db.execute(change)
    daemon.start()


@rule("A-27")
@pytest.mark.parametrize(
    "doc",
    [
        "",
        "{",
        "7",
        "null",
        "{}",
        '{"mode":"none"}',
        '{"mode":"maybe"}',
        '{"mode":"to","at":"yesterday"}',
    ],
)
def test_a_setting_that_cant_be_read_refuses(daemon: Daemon, doc: str) -> None:
    daemon.person("ana")
    daemon.runner("other")
    runner = daemon.runner()
    daemon.store.put_override(SEAT, doc)
    daemon.restart()

    reply: Any = runner.submit()
    assert (reply.status, reply.body["code"]) == (409, "denied_by_seat")
    assert daemon.seat().asked.mode == "refuses"
    assert "can't be read" in (daemon.seat().override.reason or "")
    assert daemon.seat("other").asked.mode == "person"


@rule("A-27")
@pytest.mark.parametrize("change", ["DROP TABLE overrides", "ALTER TABLE overrides DROP doc"])
def test_without_any_readable_setting_every_seat_refuses(daemon: Daemon, change: str) -> None:
    daemon.person("ana")
    runners = [daemon.runner(), daemon.runner("other")]
    spoil(daemon, change)
    for runner in runners:
        reply: Any = runner.submit()
        assert (reply.status, reply.body["code"]) == (409, "denied_by_seat")
    assert daemon.permits() == []


@rule("A-27")
def test_setting_it_anew_mends_a_setting_that_couldnt_be_read(daemon: Daemon) -> None:
    daemon.person("ana")
    runner = daemon.runner()
    daemon.store.put_override(SEAT, "{")
    daemon.restart()
    body: dict[str, Any] = {"clear": True, "reason": "mended"}
    done: Any = overrides.set_permissions_to(
        daemon.core, daemon.core.seats[SEAT], body, by="human@host", key=None
    )
    assert done.body["changed"] is True
    assert runner.ask()
    daemon.restart()
    assert daemon.seat().asked.mode == "person"
