"""Every fault of a daemon or its network: no ask is lost, none answered twice, keys live.

The console's own pipeline runs over real sockets: backend, events, fleet. What a fault
costs is measured in processor time between two turns of the event loop, which is what a
key would have to wait for, and which a busy machine doesn't lengthen.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import gc
import time
from contextlib import aclosing
from typing import TYPE_CHECKING, TypeAlias

import pytest

from rig_tui.client.errors import ClientError
from rig_tui.client.session import Timing
from rig_tui.domain.commands import AnswerAsk, Done, Unconfirmed, Unsent, WholeAsk
from rig_tui.domain.events import AskActSent, AskActSettled, AskFetched, LinkMade
from rig_tui.domain.model import AskState, Fleet, LinkState, Outcome, Sending, Sent
from rig_tui.domain.reduce import reduce
from rig_tui.wire import openrig
from tests.client.scripted_daemon import (
    NOW,
    ScriptedDaemon,
    Stream,
    a_seat,
    an_ask,
    answer,
    drip,
    drop,
    hang,
    head,
    opened_frame,
    raw_frame,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from rig_tui.domain.commands import Verdict
    from rig_tui.domain.events import Event
    from tests.client.conftest import Console
    from tests.client.scripted_daemon import Handler, Request

LIMIT = 0.3
"""Seconds of processor time that a key may have to wait for: 100 ms where nothing else runs."""
IMPATIENT = Timing(
    connect=2.0, answer=0.7, whole=0.8, silence=0.8, probe=0.7, refused=0.01, reread=0.01
)
FIRST, LATER = (
    dataclasses.replace(an_ask(ask_id, version=version), tool_call_bytes=27)
    for ask_id, version in (("qitem-1", 1), ("qitem-2", 5))
)
ANSWER = "/api/queue/qitem-1/answer"
COMMAND = AnswerAsk("qitem-1", "qitem-1", "o1")
GIVEN = Outcome(AskState.ANSWERED, "o1", "allow_once", False)


class Watch:
    """What a console makes of its daemon, and the longest a key would have waited."""

    def __init__(self, console: Console) -> None:
        self.fleet = Fleet()
        self.links = 0
        self.longest = 0.0
        self._console = console
        self._changed = asyncio.Event()
        self._ticked = asyncio.Event()
        self._tasks = [asyncio.create_task(self._follow()), asyncio.create_task(self._tick())]

    async def until(self, holds: Callable[[Fleet], bool]) -> None:
        """Wait until the fleet is so."""
        async with asyncio.timeout(20):
            while not holds(self.fleet):
                self._changed.clear()
                await self._changed.wait()

    async def made(self, links: int) -> None:
        """Wait until the link was made so often."""
        await self.until(lambda _: self.links >= links)

    async def answer(self) -> Verdict:
        """Answer the first ask, once, and read it again where it isn't known what came of it."""
        backend = self._console.backend
        self._apply(AskActSent("qitem-1", Sent("key-1", "Allow", NOW)))
        verdict = await backend.send(COMMAND, "key-1")
        self._apply(AskActSettled("qitem-1", "key-1", verdict))
        if isinstance(verdict, Unconfirmed):
            with contextlib.suppress(ClientError):
                page = await backend.fetch(WholeAsk("qitem-1"))
                assert page.ask is not None
                self._apply(AskFetched(page.ask))
        return verdict

    async def afresh(self) -> None:
        """Forget how long the test itself has kept the loop busy."""
        self._ticked.clear()
        await self._ticked.wait()
        self.longest = 0.0

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _follow(self) -> None:
        async with aclosing(self._console.backend.connect()) as batches:
            async for batch in batches:
                self.links += sum(isinstance(event, LinkMade) for event in batch)
                self._apply(*batch)

    def _apply(self, *batch: Event) -> None:
        self.fleet = reduce(self.fleet, batch)
        self._changed.set()

    async def _tick(self) -> None:
        before = time.thread_time()
        while True:
            await asyncio.sleep(0.001)
            now = time.thread_time()
            self.longest, before = max(self.longest, now - before), now
            self._ticked.set()


@pytest.fixture
async def watch(console: Console, daemon: ScriptedDaemon) -> AsyncIterator[Watch]:
    console.timing = IMPATIENT
    daemon.seats = (a_seat(),)
    daemon.open_asks = (FIRST,)
    daemon.handlers[ANSWER] = recorded(daemon)
    # What other tests hold is not the console's to look through for garbage.
    gc.freeze()
    watch = Watch(console)
    yield watch
    await watch.close()
    gc.unfreeze()


def recorded(daemon: ScriptedDaemon) -> Handler:
    """Record an answer as a daemon does: once, and in its lists too."""

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        (was,) = (ask for ask in daemon.open_asks if ask.ask_id == "qitem-1")
        over = dataclasses.replace(was, outcome=GIVEN, version=daemon.seq + 10)
        daemon.open_asks = tuple(ask for ask in daemon.open_asks if ask is not was)
        daemon.closed_asks = (over,)
        await answer(openrig.encode_recorded(over))(request, writer)

    return handle


Fault: TypeAlias = "Callable[[ScriptedDaemon, Stream], Awaitable[None]]"


def at(path: str, handler: Handler) -> Fault:
    """The stream breaks, and then this is what answers at a path."""

    async def begin(daemon: ScriptedDaemon, stream: Stream) -> None:
        daemon.handlers[path] = handler
        stream.end()

    return begin


def on_the_stream(*pieces: bytes) -> Fault:
    """The stream brings this; then it goes on as if nothing had been."""

    async def begin(daemon: ScriptedDaemon, stream: Stream) -> None:
        for piece in pieces:
            stream.send(piece)

    return begin


async def refuse(daemon: ScriptedDaemon, stream: Stream) -> None:
    await daemon.stop()


async def fall_silent(daemon: ScriptedDaemon, stream: Stream) -> None:
    """Half-open: the connection stands, and nothing comes any more, on any other either."""
    daemon.handlers["/healthz"] = daemon.handlers["/api/events"] = hang()


async def cut(daemon: ScriptedDaemon, stream: Stream) -> None:
    stream.cut(b"data: {half an ev")


LISTS = ("/healthz", "/api/events", "/api/rigs/r1/nodes", "/api/queue/list")
ANSWERS: dict[str, Handler] = {
    "hang": hang(),
    "drip": drip(head(200, content_type="text/event-stream")),
    "500": answer({"error": "broken", "message": "Disk full."}, 500),
    "404": answer({"error": "not_found", "message": "No such thing."}, 404),
    "truncated": drop(head(200, content_length="99") + b'[{"qitemId":'),
    "invalid JSON": drop(head(200, content_length="7") + b"[{]}}]!"),
    "wrong types": answer([{"qitemId": 5, "id": [], "permission": "yes", "logicalId": None}]),
}
FAULTS: dict[str, Fault] = {
    "refuse": refuse,
    "half-open": fall_silent,
    "cut": cut,
    **{f"{name} {path}": at(path, each) for name, each in ANSWERS.items() for path in LISTS},
    "invalid JSON on the stream": on_the_stream(raw_frame("{not json", event_id="e1.4")),
    "wrong types on the stream": on_the_stream(
        raw_frame('{"type":"queue.created","seq":"x","item":[7]}', event_id="e1.4")
    ),
    "huge frame": on_the_stream(*[b"data: " + b"x" * 60_000] * 40, b"\n\n"),
    "huge nested frame": on_the_stream(raw_frame("[" * 200_000, event_id="e1.4")),
    "huge id": on_the_stream(raw_frame("{}", event_id="9" * 100_000)),
}


@pytest.mark.parametrize("name", FAULTS)
async def test_no_fault_loses_an_ask_answers_twice_or_keeps_keys_waiting(
    watch: Watch, daemon: ScriptedDaemon, name: str
) -> None:
    """An answer is given and another ask comes while the fault lasts; then it ends."""
    stream = await daemon.streams.get()
    await watch.made(1)
    assert list(watch.fleet.asks) == ["qitem-1"]
    handlers = dict(daemon.handlers)
    await FAULTS[name](daemon, stream)
    daemon.seq = 5
    daemon.open_asks = (*daemon.open_asks, LATER)
    if "stream" in name or "huge" in name:
        stream.send(opened_frame(LATER, seq=5))
        await watch.until(lambda fleet: "qitem-2" in fleet.asks)
    else:
        await watch.until(lambda fleet: not fleet.link.live)
        await watch.until(lambda fleet: fleet.link.state is not LinkState.STALE)
    verdict = await watch.answer()
    assert isinstance(verdict, Done | Unsent | Unconfirmed)
    assert "qitem-1" in watch.fleet.asks
    daemon.handlers = handlers
    if name == "refuse":
        await daemon.start()
    await watch.until(lambda fleet: fleet.link.live and "qitem-2" in fleet.asks)
    posts = daemon.asked(ANSWER)
    assert len(posts) == (0 if isinstance(verdict, Unsent) else 1)
    assert watch.fleet.asks["qitem-1"].pending is not bool(posts)
    assert watch.fleet.asks["qitem-2"] == LATER
    assert watch.longest < LIMIT
    stream.ended.set()


@pytest.mark.parametrize("name", ["hang", "drip", "500", "truncated", "invalid JSON"])
async def test_an_answer_whose_reply_is_lost_is_reconciled_and_never_sent_again(
    watch: Watch, daemon: ScriptedDaemon, name: str
) -> None:
    stream = await daemon.streams.get()
    await watch.made(1)
    record = daemon.handlers[ANSWER]

    async def record_and_lose(request: Request, writer: asyncio.StreamWriter) -> None:
        await record(request, _Nowhere())  # type: ignore[arg-type]
        (over,) = daemon.closed_asks
        daemon.handlers["/api/queue/qitem-1"] = answer(openrig.encode_item(over, whole=True))
        await ANSWERS[name](request, writer)

    daemon.handlers[ANSWER] = record_and_lose
    assert isinstance(await watch.answer(), Unconfirmed)
    stream.end()
    await watch.until(lambda fleet: not fleet.asks["qitem-1"].pending)
    assert len(daemon.asked(ANSWER)) == 1
    assert watch.fleet.asks["qitem-1"].outcome == GIVEN
    assert watch.fleet.sent["qitem-1"].state is Sending.UNCONFIRMED
    assert watch.longest < LIMIT


@pytest.mark.parametrize("which", ["same", "other", "restored"])
async def test_a_daemon_that_starts_anew_is_believed(
    watch: Watch, daemon: ScriptedDaemon, which: str
) -> None:
    """With its database, with another one, or with a backup whose numbers are lower."""
    stream = await daemon.streams.get()
    await watch.made(1)
    daemon.seq = 900
    newer = dataclasses.replace(FIRST, row_id="qitem-9", version=900)
    stream.send(opened_frame(newer, seq=900))
    await watch.until(lambda fleet: fleet.asks["qitem-1"].version == 900)
    await daemon.stop()
    await watch.until(lambda fleet: not fleet.link.live)
    listed = {"same": (newer,), "other": (LATER,), "restored": (FIRST, LATER)}[which]
    daemon.epoch = "e2" if which == "other" else "e1"
    daemon.seq = 900 if which == "same" else 6
    daemon.open_asks = listed
    daemon.streams = asyncio.Queue()
    await daemon.start()
    held = {ask.ask_id: ask for ask in listed}
    await watch.until(lambda fleet: fleet.link.live and fleet.asks == held)
    (await daemon.streams.get()).send(
        opened_frame(an_ask("qitem-3", version=950), seq=950, epoch=daemon.epoch)
    )
    await watch.until(lambda fleet: "qitem-3" in fleet.asks)
    assert bool(watch.fleet.absences) is (which != "same")
    assert watch.longest < LIMIT


async def test_a_storm_of_events_loses_none_and_lets_keys_through(
    watch: Watch, daemon: ScriptedDaemon
) -> None:
    stream = await daemon.streams.get()
    asks = [an_ask(f"storm-{number}", version=number) for number in range(10, 3010)]
    frames = [opened_frame(ask, seq=ask.version) for ask in asks]
    await watch.afresh()
    for start in range(0, len(frames), 250):
        stream.send(b"".join(frames[start : start + 250]))
        await asyncio.sleep(0)
    await watch.until(lambda fleet: "storm-3009" in fleet.asks)
    assert {ask.ask_id for ask in asks} < watch.fleet.asks.keys()
    assert watch.longest < LIMIT
    assert isinstance(await watch.answer(), Done)
    assert len(daemon.asked(ANSWER)) == 1


class _Nowhere:
    """A writer whose bytes are lost."""

    def write(self, data: bytes) -> None:
        return None
