"""The link to one daemon: made, lost, made again."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from contextlib import aclosing
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from rig_tui.client.errors import DiscoveryError
from rig_tui.client.intake import EventStream
from rig_tui.domain.events import (
    AskOpened,
    FleetRead,
    LinkDoubted,
    LinkLost,
    LinkMade,
    LinkRefused,
    LinkRemarked,
    LinkTried,
)
from rig_tui.wire import openrig
from tests.client.conftest import Console
from tests.client.scripted_daemon import (
    NOW,
    ScriptedDaemon,
    a_seat,
    an_ask,
    answer,
    drip,
    drop,
    hang,
    head,
    opened_frame,
    raw_frame,
    redirect,
    scripted,
)

if TYPE_CHECKING:
    from rig_tui.client.discovery import Discovery


async def test_the_lists_come_after_the_subscription_and_before_what_the_stream_brings(
    console: Console, daemon: ScriptedDaemon
) -> None:
    daemon.opens = False
    daemon.seats = (a_seat(),)
    daemon.open_asks = (an_ask("qitem-listed"),)
    follower = console.follow()
    stream = await daemon.streams.get()
    assert not daemon.asked("/api/queue/list")
    stream.send(daemon.opened() + opened_frame(an_ask("qitem-new", version=4), seq=4))
    await follower.until(AskOpened)
    tried, (made, read), opened = follower.batches
    assert tried == (LinkTried(f"127.0.0.1:{daemon.port}", "rule 1"),)
    assert isinstance(made, LinkMade)
    assert (made.epoch, made.contract, made.capabilities) == (
        "e1",
        "0.7.9",
        frozenset({"asks", "answer"}),
    )
    assert isinstance(read, FleetRead)
    assert [ask.ask_id for ask in read.asks] == ["qitem-listed"]
    assert [seat.name for seat in read.seats] == ["builder"]
    assert read.people == daemon.people
    assert [type(event) for event in opened] == [AskOpened]
    assert stream.request.query == {"from": "now"}


async def test_an_ask_that_ends_between_the_two_lists_is_read_once_and_ended(
    console: Console, daemon: ScriptedDaemon
) -> None:
    daemon.open_asks = (an_ask(version=1),)
    daemon.closed_asks = (an_ask(version=2),)
    read = await console.follow().until(FleetRead)
    assert isinstance(read, FleetRead)
    assert [ask.version for ask in read.asks] == [2]


async def test_a_daemon_that_starts_later_is_found_without_a_key(
    console: Console, daemon: ScriptedDaemon
) -> None:
    await daemon.stop()
    follower = console.follow()
    lost = await follower.until(LinkLost, 3)
    assert isinstance(lost, LinkLost)
    assert lost.cause == f"nothing answers at 127.0.0.1:{daemon.port}: Connection refused"
    await daemon.start()
    await follower.until(LinkMade)


async def test_a_lost_stream_is_resumed_after_the_last_id_and_the_lists_are_read_again(
    console: Console, daemon: ScriptedDaemon
) -> None:
    follower = console.follow()
    stream = await daemon.streams.get()
    stream.send(opened_frame(an_ask(version=7), seq=7))
    await follower.until(AskOpened)
    stream.cut(b"data: {half")
    lost = await follower.until(LinkLost)
    assert isinstance(lost, LinkLost)
    assert "broke" in lost.cause
    again = await daemon.streams.get()
    assert again.request.headers["last-event-id"] == "e1.7"
    assert "from" not in again.request.query
    await follower.until(FleetRead, 2)
    assert len(follower.all(LinkMade)) == 2


async def test_an_id_outlives_a_stream_that_brought_none(
    console: Console, daemon: ScriptedDaemon
) -> None:
    follower = console.follow()
    stream = await daemon.streams.get()
    stream.send(opened_frame(an_ask(version=7), seq=7))
    await follower.until(AskOpened)
    daemon.opens = False
    stream.end()
    (await daemon.streams.get()).end()
    third = await daemon.streams.get()
    assert third.request.headers["last-event-id"] == "e1.7"
    third.end()


async def test_what_names_no_daemon_is_said_and_looked_at_again(console: Console) -> None:
    found = console.discovery()

    def broken() -> Discovery:
        raise DiscoveryError("OPENRIG_PORT: no address")

    console.discovery = broken  # type: ignore[method-assign]
    follower = console.follow()
    refused = await follower.until(LinkRefused)
    assert isinstance(refused, LinkRefused)
    assert refused.cause == "OPENRIG_PORT: no address"
    console.backend._find = lambda: found
    console.backend.retry_now()
    await follower.until(LinkMade)


async def test_a_stream_without_ids_is_begun_at_now_again(
    console: Console, daemon: ScriptedDaemon
) -> None:
    daemon.opens = False
    follower = console.follow()
    for _ in range(2):
        stream = await daemon.streams.get()
        assert stream.request.query == {"from": "now"}
        assert "last-event-id" not in stream.request.headers
        opened = openrig.stream_opened(openrig.StreamOpened(3, "e1", False, NOW))
        stream.send(raw_frame(json.dumps(opened)))
        stream.end()
    lost = await follower.until(LinkLost)
    assert isinstance(lost, LinkLost)
    assert "ended the event stream" in lost.cause


async def test_a_daemon_that_starts_anew_with_another_database_says_so(
    console: Console, daemon: ScriptedDaemon
) -> None:
    follower = console.follow()
    stream = await daemon.streams.get()
    await follower.until(FleetRead)
    daemon.epoch = "e2"
    stream.end()
    made = await follower.until(LinkMade, 2)
    assert isinstance(made, LinkMade)
    assert made.epoch == "e2"


async def test_a_daemon_that_counts_from_a_lower_number_says_so(
    console: Console, daemon: ScriptedDaemon
) -> None:
    """A restored backup has the same epoch; only its numbers tell."""
    follower = console.follow()
    stream = await daemon.streams.get()
    stream.send(opened_frame(an_ask(version=7), seq=7))
    await follower.until(AskOpened)
    assert not getattr(await follower.until(LinkMade), "renumbered", None)
    daemon.seq = 5
    stream.end()
    made = await follower.until(LinkMade, 2)
    assert isinstance(made, LinkMade)
    assert made.renumbered
    read = await follower.until(FleetRead, 2)
    assert isinstance(read, FleetRead)
    assert read.version == 5
    again = await daemon.streams.get()
    again.end()
    made = await follower.until(LinkMade, 3)
    assert isinstance(made, LinkMade)
    assert not made.renumbered


async def test_a_stream_of_another_daemon_than_proved_itself_is_not_followed(
    console: Console, daemon: ScriptedDaemon
) -> None:
    daemon.opens = False
    follower = console.follow()
    stream = await daemon.streams.get()
    daemon.epoch = "e2"
    stream.send(daemon.opened())
    lost = await follower.until(LinkLost)
    assert isinstance(lost, LinkLost)
    assert "another daemon has come up" in lost.cause
    daemon.opens = True
    made = await follower.until(LinkMade)
    assert isinstance(made, LinkMade)
    assert made.epoch == "e2"


async def test_an_event_that_comes_late_has_the_lists_read_again(
    console: Console, daemon: ScriptedDaemon
) -> None:
    """What it is about may be gone since; only the lists can tell."""
    follower = console.follow()
    stream = await daemon.streams.get()
    stream.send(opened_frame(an_ask("qitem-9", version=9), seq=9))
    stream.send(opened_frame(an_ask("qitem-9", version=9), seq=9))
    await follower.until(AskOpened, 2)
    assert len(follower.all(FleetRead)) == 1
    stream.send(opened_frame(an_ask("qitem-8", version=8), seq=8))
    read = await follower.until(FleetRead, 2)
    assert isinstance(read, FleetRead)
    assert read.version == 9


async def test_a_comment_is_a_sign_of_life_and_silence_is_doubt(
    console: Console, daemon: ScriptedDaemon
) -> None:
    """The daemon proves itself, so its stream is what is dead: it is opened anew."""
    console.timing = dataclasses.replace(console.timing, silence=0.8)
    follower = console.follow()
    stream = await daemon.streams.get()
    await follower.until(FleetRead)
    for _ in range(6):
        stream.send(b": still here\n\n")
        await asyncio.wait([asyncio.create_task(stream.ended.wait())], timeout=0.2)
    assert not follower.all(LinkDoubted)
    doubted = await follower.until(LinkDoubted)
    assert isinstance(doubted, LinkDoubted)
    assert "silent for" in doubted.cause
    await follower.until(FleetRead, 2)
    assert not follower.all(LinkLost)
    stream.ended.set()


async def test_a_line_that_drips_and_never_ends_is_silence(
    console: Console, daemon: ScriptedDaemon
) -> None:
    console.timing = dataclasses.replace(console.timing, silence=0.3)
    follower = console.follow()
    stream = await daemon.streams.get()
    await follower.until(FleetRead)
    while not follower.all(LinkDoubted):
        stream.send(b"x")
        await asyncio.wait([asyncio.create_task(stream.ended.wait())], timeout=0.05)
    await follower.until(LinkMade, 2)
    stream.ended.set()


async def test_a_silent_daemon_that_proves_nothing_is_lost(
    console: Console, daemon: ScriptedDaemon
) -> None:
    """As when the machine it runs on is gone: nothing ever ends the connection."""
    console.timing = dataclasses.replace(console.timing, silence=0.5, probe=0.5)
    follower = console.follow()
    stream = await daemon.streams.get()
    await follower.until(FleetRead)
    daemon.handlers["/healthz"] = hang()
    lost = await follower.until(LinkLost)
    assert isinstance(lost, LinkLost)
    assert "it was silent for" in lost.cause
    assert "doesn't answer" in lost.cause
    assert follower.events.index(follower.all(LinkDoubted)[0]) < follower.events.index(lost)
    del daemon.handlers["/healthz"]
    await follower.until(LinkMade, 2)
    stream.ended.set()


@pytest.mark.parametrize("hours", [8, -2], ids=["slept", "set back"])
async def test_a_machine_that_slept_or_whose_clock_was_set_connects_anew(
    console: Console, daemon: ScriptedDaemon, hours: int
) -> None:
    follower = console.follow()
    stream = await daemon.streams.get()
    await follower.until(FleetRead)
    console.skew = timedelta(hours=hours)
    doubted = await follower.until(LinkDoubted)
    assert isinstance(doubted, LinkDoubted)
    assert f"{hours * 3600:+} s" in doubted.cause
    made = await follower.until(LinkMade, 2)
    assert isinstance(made, LinkMade)
    assert abs((made.clock_offset + timedelta(hours=hours)).total_seconds()) < 60
    await follower.until(FleetRead, 2)
    assert not follower.all(LinkLost)
    stream.ended.set()


@pytest.mark.parametrize("path", ["/healthz", "/api/rigs/summary", "/api/events"])
async def test_an_answer_that_drips_for_ever_is_given_up(
    console: Console, daemon: ScriptedDaemon, path: str
) -> None:
    """Each byte comes in time; only the whole never does."""
    console.timing = dataclasses.replace(console.timing, answer=0.3, whole=0.3)
    daemon.handlers[path] = drip(head(200, content_type="text/event-stream"))
    follower = console.follow()
    await follower.until(LinkLost)
    del daemon.handlers[path]
    await follower.until(LinkMade)


@pytest.mark.parametrize("path", ["/healthz", "/api/events", "/api/queue/list"])
async def test_a_daemon_that_hangs_is_lost_and_tried_again(
    console: Console, daemon: ScriptedDaemon, path: str
) -> None:
    console.timing = dataclasses.replace(console.timing, answer=0.4, silence=0.4)
    daemon.handlers[path] = hang()
    follower = console.follow()
    await follower.until(LinkLost, 2)
    del daemon.handlers[path]
    await follower.until(LinkMade)


@pytest.mark.parametrize("path", ["/api/events", "/api/rigs/r1/nodes", "/api/queue/list"])
@pytest.mark.parametrize(
    "fault",
    [
        answer({"error": "broken", "message": "Disk full."}, 500),
        answer("not what was asked for"),
        drop(head(200, content_length="99") + b"[{"),
        drop(b"HELO there\r\n"),
    ],
    ids=["500", "nonsense", "truncated", "not http"],
)
async def test_a_faulty_answer_is_a_lost_link_that_is_made_again(
    console: Console, daemon: ScriptedDaemon, path: str, fault: object
) -> None:
    daemon.handlers[path] = fault  # type: ignore[assignment]
    follower = console.follow()
    await follower.until(LinkLost, 2)
    assert not follower.all(LinkMade)
    del daemon.handlers[path]
    await follower.until(LinkMade)


async def test_a_stream_that_does_not_begin_with_its_opening_is_not_followed(
    console: Console, daemon: ScriptedDaemon
) -> None:
    daemon.opens = False
    follower = console.follow()
    stream = await daemon.streams.get()
    stream.send(opened_frame(an_ask(), seq=4))
    lost = await follower.until(LinkLost)
    assert isinstance(lost, LinkLost)
    assert "stream.opened" in lost.cause
    stream.ended.set()


async def test_a_malformed_event_is_a_remark_and_a_reread_and_the_stream_goes_on(
    console: Console, daemon: ScriptedDaemon
) -> None:
    follower = console.follow()
    stream = await daemon.streams.get()
    await follower.until(FleetRead)
    stream.send(raw_frame('{"type":"queue.created","item":5}', event_id="e1.4"))
    remarked = await follower.until(LinkRemarked)
    assert isinstance(remarked, LinkRemarked)
    assert "e1.4" in remarked.remark
    await follower.until(FleetRead, 2)
    stream.send(raw_frame("{not json", event_id="e1.5"))
    await follower.until(FleetRead, 3)
    stream.send(opened_frame(an_ask(version=6), seq=6))
    await follower.until(AskOpened)
    assert len(follower.all(LinkMade)) == 1


async def test_a_post_the_daemon_refused_is_a_remark_and_costs_no_reread(
    console: Console, daemon: ScriptedDaemon
) -> None:
    follower = console.follow()
    stream = await daemon.streams.get()
    refused = openrig.post_refused("invalid_json", "The body isn't JSON.", seq=4, at=NOW)
    stream.send(raw_frame(json.dumps(refused), event_id="e1.4"))
    remarked = await follower.until(LinkRemarked)
    assert isinstance(remarked, LinkRemarked)
    assert "The body isn't JSON." in remarked.remark
    stream.send(opened_frame(an_ask(version=5), seq=5))
    await follower.until(AskOpened)
    assert len(follower.all(FleetRead)) == 1


async def test_an_unknown_event_is_nothing(console: Console, daemon: ScriptedDaemon) -> None:
    follower = console.follow()
    stream = await daemon.streams.get()
    stream.send(raw_frame('{"type":"weather.changed"}', event_id="e1.4"))
    stream.send(opened_frame(an_ask(version=5), seq=5))
    await follower.until(AskOpened)
    assert not follower.all(LinkRemarked)
    assert len(follower.all(FleetRead)) == 1


async def test_an_oversized_event_is_skipped_reported_reread_and_never_asked_for_again(
    console: Console, daemon: ScriptedDaemon
) -> None:
    follower = console.follow()
    stream = await daemon.streams.get()
    await follower.until(FleetRead)
    stream.send(raw_frame("x" * 1_100_000, event_id="e1.9"))
    remarked = await follower.until(LinkRemarked)
    assert isinstance(remarked, LinkRemarked)
    assert "e1.9" in remarked.remark
    read = await follower.until(FleetRead, 2)
    assert isinstance(read, FleetRead)
    assert read.version == 9
    stream.end()
    again = await daemon.streams.get()
    assert again.request.headers["last-event-id"] == "e1.9"
    await follower.until(FleetRead, 3)
    assert len(follower.all(LinkRemarked)) == 1


@pytest.mark.parametrize("what", ["resync", "reset"])
async def test_what_the_daemon_says_was_lost_is_read_from_the_lists(
    console: Console, daemon: ScriptedDaemon, what: str
) -> None:
    follower = console.follow()
    stream = await daemon.streams.get()
    await follower.until(FleetRead)
    if what == "resync":
        event = openrig.stream_resync(9, at=NOW)
        stream.send(openrig.encode_frame(event, epoch="e1", seq=9))
    else:
        stream.send(daemon.opened(reset=True))
    await follower.until(FleetRead, 2)
    assert not follower.all(LinkLost)


async def test_one_reread_serves_every_fault_of_a_chunk(
    console: Console, daemon: ScriptedDaemon
) -> None:
    follower = console.follow()
    stream = await daemon.streams.get()
    await follower.until(FleetRead)
    stream.send(b"".join(raw_frame("{", event_id=f"e1.{n}") for n in range(4, 54)))
    stream.send(opened_frame(an_ask(version=60), seq=60))
    await follower.until(AskOpened)
    assert len(follower.all(LinkRemarked)) == 50
    assert len(follower.all(FleetRead)) == 2


async def test_a_wrong_token_is_explained_and_not_tried_again_by_itself(
    console: Console, daemon: ScriptedDaemon
) -> None:
    daemon.handlers["/api/events"] = answer({"error": "unauthorized", "message": "No."}, 401)
    follower = console.follow()
    refused = await follower.until(LinkRefused)
    assert isinstance(refused, LinkRefused)
    assert "refuses the operator token from a token file" in refused.cause
    assert (refused.retry_at - refused.at).total_seconds() == 30
    del daemon.handlers["/api/events"]
    assert len(daemon.asked("/api/events")) == 1
    console.backend.retry_now()
    await follower.until(LinkMade)


async def test_without_a_token_it_says_where_one_was_looked_for(
    console: Console, daemon: ScriptedDaemon
) -> None:
    found = console.discovery()
    bare = dataclasses.replace(found.candidates[0], token=None, token_from="RIG_TUI_TOKEN")
    console.discovery = lambda: dataclasses.replace(  # type: ignore[method-assign]
        found, candidates=(bare,)
    )
    refused = await console.follow().until(LinkRefused)
    assert isinstance(refused, LinkRefused)
    assert "none was found. Looked in: RIG_TUI_TOKEN" in refused.cause
    assert all("authorization" not in request.headers for request in daemon.requests)


@pytest.mark.parametrize("proof", ["none", "of another token"])
async def test_a_listener_that_cannot_prove_itself_never_sees_the_token(
    console: Console, daemon: ScriptedDaemon, proof: str
) -> None:
    console.daemons = [dataclasses.replace(daemon, token="the real one")]
    daemon.proof = proof != "none"
    refused = await console.follow().until(LinkRefused)
    assert isinstance(refused, LinkRefused)
    assert "something else is listening" in refused.cause
    assert {request.path for request in daemon.requests} == {"/healthz"}
    assert all("authorization" not in request.headers for request in daemon.requests)
    assert all("the real one" not in str(request) for request in daemon.requests)


@pytest.mark.parametrize("path", ["/healthz", "/api/events", "/api/rigs/summary"])
async def test_a_redirect_is_never_followed(
    console: Console, daemon: ScriptedDaemon, path: str
) -> None:
    async with scripted() as other:
        daemon.handlers[path] = redirect(f"{other.base_url}/elsewhere")
        follower = console.follow()
        await follower.until(LinkRefused if path == "/healthz" else LinkLost)
        assert not other.requests


async def test_proxies_of_the_environment_are_not_used(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    await console.follow().until(LinkMade)


async def test_a_search_goes_on_to_the_next_and_a_final_rule_does_not(
    console: Console, daemon: ScriptedDaemon
) -> None:
    absent = ScriptedDaemon(port=1)
    console.daemons = [absent, daemon]
    console.search = True
    follower = console.follow()
    made = await follower.until(LinkMade)
    assert isinstance(made, LinkMade)
    assert made.address.endswith(f":{daemon.port}")
    assert [getattr(tried, "found_by", "") for tried in follower.all(LinkTried)] == [
        "rule 1",
        "rule 2",
    ]
    final = Console(absent, daemon)
    final_follower = final.follow()
    await final_follower.until(LinkLost, 2)
    assert not final_follower.all(LinkMade)
    await final.close()


async def test_a_search_that_finds_nothing_says_what_was_tried(console: Console) -> None:
    console.daemons = [ScriptedDaemon(port=1), ScriptedDaemon(port=2)]
    console.search = True
    lost = await console.follow().until(LinkLost)
    assert isinstance(lost, LinkLost)
    first, second, third = lost.cause.split("\n")
    assert first == "No daemon was found."
    assert second.startswith("rule 1: nothing answers at 127.0.0.1:1")
    assert third.startswith("rule 2: nothing answers at 127.0.0.1:2")


@pytest.mark.parametrize(("steady", "runs"), [(60.0, 1), (0.0, 4)])
async def test_only_a_link_that_held_starts_the_waits_anew(
    console: Console, daemon: ScriptedDaemon, steady: float, runs: int
) -> None:
    """A daemon that accepts and drops at once must not be hammered."""
    console.timing = dataclasses.replace(console.timing, steady=steady)
    follower = console.follow()
    for count in range(1, 4):
        stream = await daemon.streams.get()
        await follower.until(FleetRead, count)
        stream.end()
    await follower.until(LinkLost, 3)
    assert console.runs == runs


async def test_a_burst_lets_the_event_loop_have_its_turn() -> None:
    stream = EventStream(lambda: NOW)
    burst = b"".join(opened_frame(an_ask(version=n), seq=n) for n in range(1, 1001))
    turns = 0

    async def keys() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(keys())
    intake = await stream.take(burst)
    task.cancel()
    assert len(intake.events) == 1000
    assert turns >= 4


async def test_opening_once_reads_the_lists_without_the_stream(
    console: Console, daemon: ScriptedDaemon
) -> None:
    daemon.seats = (a_seat(),)
    async with aclosing(console.backend) as backend:
        *_, read = await backend.open()
        assert [seat.name for seat in read.seats] == ["builder"]
        assert backend.base_url == daemon.base_url
    assert not daemon.asked("/api/events")
