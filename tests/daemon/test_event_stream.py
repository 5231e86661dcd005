"""The stream of events over a real socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import http_events
from rig_tui.wire import sse
from tests.daemon.harness import Daemon, Served, serve

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx


class Reader:
    """Reads frames one at a time."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._chunks = response.aiter_bytes()
        self._decoder = sse.Decoder()
        self._frames: list[Any] = []
        self.raw = b""

    async def next(self) -> tuple[str | None, dict[str, Any]]:
        """Give the next frame's id and event."""
        async with asyncio.timeout(5):
            while not self._frames:
                await self._more()
        frame = self._frames.pop(0)
        return frame.id, json.loads(frame.data)

    async def types(self, count: int) -> list[str]:
        return [(await self.next())[1]["type"] for _ in range(count)]

    async def _more(self) -> None:
        chunk = await anext(self._chunks)
        self.raw += chunk
        self._frames += self._decoder.feed(chunk)

    async def comment(self) -> None:
        async with asyncio.timeout(5):
            while b"\n:" not in self.raw and not self.raw.startswith(b":"):
                await self._more()

    async def end(self) -> None:
        async with asyncio.timeout(5):
            with contextlib.suppress(StopAsyncIteration):
                while True:
                    await self._more()


@contextlib.asynccontextmanager
async def listening(
    served: Served, query: str = "", last: str | None = None
) -> AsyncIterator[Reader]:
    headers = {"Last-Event-ID": last} if last else {}
    async with served.operator.stream("GET", f"/api/events{query}", headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Reader(response)


async def test_a_stream_from_now_opens_and_then_tells_what_happens(served: Served) -> None:
    served.daemon.person()
    async with listening(served, "?from=now") as reader:
        id_, opened = await reader.next()
        newest = served.daemon.core.events.newest
        assert id_ == f"e.{newest}"
        assert opened == {
            "type": "stream.opened",
            "seq": newest,
            "epoch": "e",
            "reset": False,
            "now": "2026-11-30T12:00:00.000Z",
        }
        runner = await served.seat()
        ask_id = runner.ask()
        await served.answer(ask_id)

        appeared = (await reader.next())[1]
        assert (appeared["type"], appeared["appeared"]) == ("seat.activity_changed", True)
        id_, created = await reader.next()
        assert created["type"] == "queue.created"
        assert created["item"]["permission"]["askId"] == ask_id
        assert id_ == f"e.{created['seq']}"
        assert created["item"]["permission"]["version"] == created["seq"]
        needs = (await reader.next())[1]
        assert needs["activityState"]["display"] == "needs-input"
        assert needs["version"] == needs["seq"] == created["seq"] + 1
        ended = (await reader.next())[1]
        assert (ended["type"], ended["toState"]) == ("queue.updated", "done")
        assert ended["item"]["permission"]["state"] == "answered"


async def test_without_a_start_everything_kept_is_replayed_and_then_goes_on(
    served: Served,
) -> None:
    served.daemon.person()
    await served.seat()
    async with listening(served) as reader:
        assert (await reader.next())[1]["seq"] == 0
        assert await reader.types(2) == ["gateway.human_changed", "seat.activity_changed"]
        served.daemon.person("ben")
        assert (await reader.next())[1]["type"] == "gateway.human_changed"


async def test_a_reader_resumes_where_it_was(served: Served) -> None:
    for name in ("ana", "ben", "cat"):
        served.daemon.person(name)
    async with listening(served) as reader:
        await reader.next()
        last, _ = await reader.next()
    async with listening(served, last=last) as reader:
        opened = (await reader.next())[1]
        assert (opened["seq"], opened["reset"]) == (1, False)
        seqs = [(await reader.next())[1]["seq"] for _ in range(2)]
        assert seqs == [2, 3]


@pytest.mark.parametrize(
    "last", ["e.99999999", "other.1", "1", "e.", "e.x", "e.-1", "e." + "9" * 5000]
)
async def test_an_id_that_cant_be_resumed_resets_and_starts_at_now(
    served: Served, last: str
) -> None:
    served.daemon.person()
    async with listening(served, last=last) as reader:
        opened = (await reader.next())[1]
        assert opened["reset"] is True
        assert opened["seq"] == served.daemon.core.events.newest
        served.daemon.person("ben")
        assert (await reader.next())[1]["connections"]["humans"][1]["entityId"] == "ben"


async def test_an_id_that_was_pruned_away_resets(served: Served) -> None:
    served.daemon.person()
    served.daemon.person("ben")
    served.daemon.clock.advance(8 * 86_400)
    served.daemon.core.events.prune(served.daemon.clock())
    async with listening(served, last="e.1") as reader:
        assert (await reader.next())[1]["reset"] is True


async def test_a_reader_resumes_over_a_restart_with_the_seats_anew(daemon: Daemon) -> None:
    async with serve(daemon) as served:
        await served.seat()
        last = f"e.{daemon.core.events.newest}"
    daemon.restart()
    async with serve(daemon) as served, listening(served, last=last) as reader:
        opened = (await reader.next())[1]
        assert opened["reset"] is False
        again = (await reader.next())[1]
        assert (again["type"], again["appeared"]) == ("seat.activity_changed", False)


async def test_a_quiet_stream_sends_comments(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_events, "COMMENT_EVERY", 0.01)
    async with listening(served, "?from=now") as reader:
        await reader.next()
        await reader.comment()


async def test_a_shutdown_ends_streams(served: Served) -> None:
    async with listening(served) as reader:
        await reader.next()
        served.app.end()
        await reader.end()
    async with listening(served) as reader:
        await reader.end()


async def test_a_reader_that_hangs_up_is_forgotten(served: Served) -> None:
    log = served.daemon.core.events
    async with listening(served) as reader:
        await reader.next()
        assert log.readers == 1
    async with asyncio.timeout(5):
        while log.readers:  # noqa: ASYNC110  # the log's own state
            await asyncio.sleep(0.001)


async def test_a_reader_that_falls_behind_is_told_to_read_again(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(served, "?from=now") as reader:
        await reader.next()
        core = served.daemon.core
        with core.effect() as fx:
            for _ in range(90):
                fx.emit(lambda seq: {"type": "x", "seq": seq, "filler": "x" * 60_000})
        id_, gap = await reader.next()
        assert gap["type"] == "stream.resync"
        assert id_ == f"e.{gap['seq']}"
        after = [(await reader.next())[1]["seq"] for _ in range(core.events.newest - gap["seq"])]
        assert after == list(range(gap["seq"] + 1, core.events.newest + 1))
        assert after


async def test_what_happens_as_a_stream_opens_is_told_once(daemon: Daemon) -> None:
    core = daemon.core
    daemon.person()
    subscription = core.events.subscribe()
    daemon.person("ben")
    routes: Any = http_events.EventRoutes(core)
    stream = routes._stream(subscription, 0, reset=False)
    decoder, frames = sse.Decoder(), []
    for _ in range(2):
        frames += decoder.feed(await anext(stream))
    daemon.person("cat")
    frames += decoder.feed(await anext(stream))
    await stream.aclose()

    numbers = [json.loads(frame.data)["seq"] for frame in frames if isinstance(frame, sse.Frame)]
    assert numbers == [0, 1, 2, 3]
    assert core.events.readers == 0
