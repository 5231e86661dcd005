from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest

from rig_tui.domain.events import FleetRead, LinkLost, LinkMade, LinkRefused, SeatRead
from rig_tui.domain.model import NO_CONTRACT, Reading
from tests.client.conftest import FAST
from tests.client.scripted_daemon import hang
from tests.openrig import recorded
from tests.openrig.conftest import QUICK, become, seat_of
from tests.openrig.fake import EVENTS, event

if TYPE_CHECKING:
    from tests.client.scripted_daemon import Follower
    from tests.openrig.conftest import OpenRigConsole
    from tests.openrig.fake import FakeOpenRig

ACTIVITY = "agent.activity"


async def reads(follower: Follower, seat_ref: str, reading: Reading) -> None:
    await become(lambda: seat_of(follower, seat_ref).reading is reading)


async def settled(openrig: FakeOpenRig) -> None:
    """Wait until the lists have been read after the history."""
    # Probed, at first, and after it.
    await become(lambda: len(openrig.asked("/api/rigs/summary")) >= 3)


async def test_a_daemon_without_runners_is_recognised_and_says_what_it_can_do(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    follower = console.follow()
    made = await follower.until(LinkMade)
    assert isinstance(made, LinkMade)
    assert made.version == "OpenRig 0.4.6"
    assert made.contract == NO_CONTRACT
    assert {"read:seats", "read:asks", "do:approve", "do:resolve", f"stream:{EVENTS}"} <= (
        made.capabilities
    )
    assert "read:people" not in made.capabilities
    assert {request.method for request in openrig.requests} == {"GET"}
    assert all("authorization" not in request.headers for request in openrig.requests)
    assert seat_of(follower, "dev.claude1@alpha").session_name == "agent1"


async def test_where_a_daemon_of_ours_is_promised_openrig_is_never_taken_for_it(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    console.bearers, console.token = None, "t0ken"
    follower = console.follow()
    refused = await follower.until(LinkRefused)
    assert isinstance(refused, LinkRefused)
    assert not follower.all(LinkMade)
    assert {request.path for request in openrig.requests} == {"/healthz"}


async def test_a_history_of_25000_events_is_drained_without_acting_on_it(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    one = recorded.frames("live")[0]
    body = one.partition(b"\nid: ")[0]
    openrig.history = [body + b"\nid: %d\n\n" % n for n in range(1, 25_001)]
    follower = console.follow()
    await follower.until(LinkMade)
    began = time.process_time()
    await settled(openrig)
    spent = time.process_time() - began
    assert console.known.last_id == 25_000
    # Fifty times what one read of the lists takes would be a read for each event.
    assert len(openrig.asked("/api/rigs/summary")) <= 4
    assert spent < 5


async def test_an_event_makes_the_lists_read_again_whatever_it_says(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    follower = console.follow()
    stream = await openrig.stream()
    await settled(openrig)
    openrig.hear("alpha", "dev.impl", "idle")
    stream.send(event(900, ACTIVITY, activity={"state": "needs_input"}))
    await reads(follower, "dev.impl@alpha", Reading.IDLE)


async def test_events_that_come_out_of_order_lose_nothing(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    follower = console.follow()
    stream = await openrig.stream()
    await settled(openrig)
    stream.send(event(910, "view.changed"))
    openrig.hear("alpha", "dev.impl", "idle")
    stream.send(event(905, ACTIVITY))
    await reads(follower, "dev.impl@alpha", Reading.IDLE)


async def test_what_a_stream_lost_is_read_after_the_next_connect(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    follower = console.follow()
    stream = await openrig.stream()
    await settled(openrig)
    stream.send(event(900, ACTIVITY))
    openrig.hear("alpha", "dev.impl", "needs_input")
    await settled(openrig)
    stream.cut()
    await follower.until(LinkMade, 2)
    await reads(follower, "dev.impl@alpha", Reading.NEEDS_INPUT)
    again = await openrig.stream()
    assert int(again.request.headers["last-event-id"]) < 900 - 20


async def test_numbers_that_began_anew_don_t_make_the_console_deaf(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    follower = console.follow()
    stream = await openrig.stream()
    stream.send(event(5000, ACTIVITY))
    await settled(openrig)
    await become(lambda: console.known.last_id == 5000)
    stream.cut()
    await follower.until(LinkMade, 2)
    deaf = await openrig.stream()
    assert deaf.request.headers["last-event-id"] == "4936"
    fresh = await openrig.stream()
    assert "last-event-id" not in fresh.request.headers
    openrig.hear("alpha", "dev.impl", "idle")
    fresh.send(event(31, ACTIVITY))
    await reads(follower, "dev.impl@alpha", Reading.IDLE)


async def test_a_silent_stream_is_no_lost_link_but_a_daemon_that_hangs_is(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    console.pace, console.timing = QUICK, replace(FAST, answer=0.5)
    follower = console.follow()
    await follower.until(LinkMade)
    await settled(openrig)
    assert not follower.all(LinkLost)
    for path in ("/healthz", "/api/rigs/summary"):
        openrig.handlers[path] = hang()
    await follower.until(LinkLost)


async def test_a_seat_s_death_shows_though_no_event_tells_of_it(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    console.pace = QUICK
    openrig.hear("alpha", "dev.impl", "running")
    follower = console.follow()
    await follower.until(LinkMade)
    await reads(follower, "dev.impl@alpha", Reading.WORKING)
    openrig.seat("alpha", "dev.impl")["identityVerdict"] = {"verdict": "pane_missing"}
    await reads(follower, "dev.impl@alpha", Reading.UNKNOWN)


async def test_reading_what_hasn_t_changed_changes_nothing(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    console.pace = QUICK
    follower = console.follow()
    await follower.until(LinkMade)

    def read_more_than(count: int) -> bool:
        return len(openrig.asked("/api/rigs/summary")) > count

    for _ in range(3):
        asked = len(openrig.asked("/api/rigs/summary"))
        for row in openrig.nodes["alpha"]:
            row["agentActivity"]["sampledAt"] = f"2026-11-30T18:40:{asked:02}.000Z"
        await become(partial(read_more_than, asked))
    assert len(follower.all(FleetRead)) == 1
    assert not follower.all(SeatRead)


async def test_without_the_stream_of_everything_the_others_give_the_hints(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    openrig.serves.discard(EVENTS)
    follower = console.follow()
    made = await follower.until(LinkMade)
    assert isinstance(made, LinkMade)
    assert {"stream:/api/queue/sse", "stream:/api/mission-control/sse"} <= made.capabilities
    assert f"stream:{EVENTS}" not in made.capabilities


@pytest.mark.parametrize("path", ["/api/health-summary/version", "/api/mission-control/views"])
async def test_a_daemon_that_lacks_something_is_followed_without_it(
    console: OpenRigConsole, openrig: FakeOpenRig, path: str
) -> None:
    openrig.lacks.add(path)
    made = await console.follow().until(LinkMade)
    assert isinstance(made, LinkMade)
    assert made.version.startswith("OpenRig")
    assert ("do:approve" in made.capabilities) == (path != "/api/mission-control/views")


async def test_one_read_without_following_brings_the_seats_and_the_asks(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    _, made, read = await console.backend.open()
    assert made.version == "OpenRig 0.4.6"
    assert len(read.seats) == sum(map(len, openrig.nodes.values()))
    assert len(read.asks) == len(openrig.items)
    assert not openrig.asked(EVENTS)
