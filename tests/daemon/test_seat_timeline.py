"""What a seat's timeline tells afterwards, over real HTTP."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import timekeeper, timelines
from rig_tui.daemon.ask_tables import Filters
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from rig_tui.domain.timeline import SeatEvent
    from tests.daemon.harness import Runner, Served

SEAT = "builder@my-rig"


@pytest.fixture
async def runner(served: Served) -> Runner:
    served.daemon.person("ana", default=True)
    served.daemon.person("ben")
    await served.seat("qa")
    return await served.seat()


async def told(served: Served, seat_ref: str = SEAT, **query: Any) -> list[SeatEvent]:
    """The timeline, newest first."""
    reply = await served.operator.get(f"/api/seats/{seat_ref}/events", params=query)
    assert reply.is_success, reply.text
    return list(openrig.decode_seat_events(reply.content))


async def facts(served: Served, *kinds: str) -> list[tuple[str, str, str | None, str | None]]:
    """The entries of these kinds, oldest first, without what differs each time."""
    events = await told(served, kinds=",".join(kinds))
    return [(e.kind, e.what, e.by, e.reason) for e in reversed(events)]


async def test_posts_are_told_with_whether_they_counted_and_why_not(
    served: Served, runner: Runner
) -> None:
    runner.prompt()
    late = dict(runner.body(hookEvent="active", subtype="agent_message_chunk", sequence=9))
    await served.hooks.post("/api/activity/hooks", json=late)
    await served.hooks.post("/api/activity/hooks", json=late | {"generation": "earlier"})
    runner.sequence = 10
    runner.post("Notification", "runtime_error")
    runner.post("Stop", "dsh_exited")

    assert await facts(served, "post", "refused", "error", "exit") == [
        ("post", "UserPromptSubmit/accepted", SEAT, None),
        ("post", "active/agent_message_chunk", SEAT, None),
        ("refused", "active/agent_message_chunk", SEAT, "stale_generation"),
        ("error", "Notification/runtime_error", SEAT, None),
        ("exit", "Stop/dsh_exited", SEAT, None),
    ]
    assert await told(served, "qa@my-rig", kinds="post") == []


async def test_an_ask_is_told_from_its_opening_to_its_end_with_its_permit(
    served: Served, runner: Runner
) -> None:
    ask_id = runner.ask()
    body = {"destinationSession": "qa@my-rig", "actorSession": "ben@external", "reason": "yours"}
    row_id = (await served.act(ask_id, "handoff", **body)).json()["createdQitemId"]
    done = {"state": "done", "actorSession": "qa@my-rig"}
    await served.operator.post(f"/api/queue/{row_id}/update", json=done)

    kinds = ("ask", "handoff", "ended", "permit")
    assert await facts(served, *kinds) == [
        ("ask", "Edit src/app.ts", SEAT, "default_person"),
        ("handoff", "qa@my-rig", "ben@external", "yours"),
        ("ended", "permitted", "qa@my-rig", "done"),
        ("permit", "Allow", "qa@my-rig", "closed_without_choice"),
    ]
    assert {event.ask_id for event in await told(served, kinds=",".join(kinds))} == {ask_id}


async def test_a_permit_without_an_ask_is_told(served: Served, runner: Runner) -> None:
    runner.submit(options=[{"optionId": "a", "name": "Allow", "kind": "allow_once"}])
    assert await facts(served, "ask", "permit") == [
        ("permit", "Allow", None, "options_not_showable")
    ]


async def test_what_operators_did_to_a_seat_is_told_with_who_and_why(
    served: Served, runner: Runner
) -> None:
    runner.ask()
    await served.operator.post(f"/api/sessions/{SEAT}/clear-attention", json={"reason": "seen"})
    who = {"reason": "on call", "actorSession": "ana@external"}
    settings: list[dict[str, object]] = [{"to": "ben"}, {"deny": True}, {"clear": True}]
    for setting in settings:
        url = f"/api/seat/set-permissions-to/{SEAT}"
        await served.operator.post(url, json=setting | who)
    await served.operator.post(f"/api/seats/{SEAT}/relaunch", json={})
    await served.operator.post(f"/api/seats/{SEAT}/stop", json={})

    assert await facts(served, "cleared", "override", "launch", "stopped", "ended") == [
        ("launch", "new", None, None),
        ("cleared", "permission", "human@host", "seen"),
        ("override", "to ben", "ana@external", "on call"),
        ("override", "deny", "ana@external", "on call"),
        ("override", "default", "ana@external", "on call"),
        ("ended", "stale", "daemon", "relaunch"),
        ("launch", "new", None, None),
        ("stopped", "stopped", None, None),
    ]


async def test_a_launch_is_told_with_what_came_of_it(served: Served, runner: Runner) -> None:
    served.daemon.clock.advance(60)
    timekeeper.Timekeeper(served.daemon.core).tick()
    assert await facts(served, "launch") == [
        ("launch", "new", None, None),
        ("launch", "none", None, None),
    ]


async def test_it_is_paged_backwards_and_filtered(served: Served, runner: Runner) -> None:
    for turn in range(7):
        served.daemon.clock.advance(60)
        runner.prompt(turn)
    every = await told(served)
    assert len(every) == 8
    assert [event.sort_key for event in every] == sorted(
        (event.sort_key for event in every), reverse=True
    )

    pages: list[SeatEvent] = []
    while page := await told(
        served, limit=3, **({"beforeSortKey": pages[-1].sort_key} if pages else {})
    ):
        assert len(page) <= 3
        pages += page
    assert pages == every
    assert len(await told(served, since="2026-11-30T12:06:00Z")) == 2
    assert len(await told(served, until="2026-11-30T12:01:00Z")) == 2
    assert await told(served, person="ana") == []
    for query, code in (
        ({"kinds": "post,weather"}, "invalid_kind"),
        ({"limit": "0"}, "invalid_limit"),
        ({"since": "soon"}, "invalid_time"),
    ):
        bad = await served.operator.get(f"/api/seats/{SEAT}/events", params=query)
        assert (bad.status_code, bad.json()["error"]) == (400, code)
    gone = await served.operator.get("/api/seats/nobody@my-rig/events")
    assert (gone.status_code, gone.json()["error"]) == (404, "seat_not_found")


async def test_it_outlives_a_relaunch_and_a_restart(served: Served, runner: Runner) -> None:
    runner.ask()
    runner.prompt()
    before = await told(served)
    await served.operator.post(f"/api/seats/{SEAT}/relaunch", json={})
    served.daemon.restart()
    kept = served.daemon.store.timeline
    assert kept.of(SEAT, (), Filters(), 100)[-len(before) :] == before


async def test_old_posts_go_and_what_was_done_stays(
    served: Served, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_id = runner.ask()
    await served.answer(ask_id, "a")
    for turn in range(5):
        runner.prompt(turn)
    served.daemon.clock.advance(timelines.KEPT_FOR / timedelta(seconds=1) + 1)
    runner.prompt(9)
    served.daemon.core.save()
    monkeypatch.setattr(timelines, "PRUNED_AT_ONCE", 2)

    rounds = 0
    while served.daemon.core.timelines.prune(served.daemon.clock()):
        rounds += 1
    assert rounds >= 2
    assert len(await told(served, kinds="post")) == 1
    assert [event.kind for event in await told(served)] == ["post", "ended", "ask", "launch"]

    monkeypatch.setattr(timelines, "KEPT_ENTRIES", 0)
    served.daemon.core.timelines.prune(served.daemon.clock())
    assert [event.kind for event in await told(served)] == ["ended", "ask", "launch"]


async def test_endless_words_of_a_runner_are_cut(served: Served, runner: Runner) -> None:
    runner.post("active", "x" * 100_000)
    (event,) = await told(served, kinds="post")
    assert event.what.startswith("active/xxx")
    assert len(event.what) < 5000
