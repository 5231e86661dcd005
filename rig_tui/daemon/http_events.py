"""The stream of events (`GET /api/events`) and the daemon's health."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

import rig_tui
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.daemon.responses import respond
from rig_tui.daemon.security import check_host, check_operator, proof
from rig_tui.daemon.serving import CAPABILITIES, CONTRACT
from rig_tui.wire import openrig, sse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from starlette.requests import Request

    from rig_tui.daemon.core import Core
    from rig_tui.daemon.eventlog import Logged, Subscription

COMMENT_EVERY = 15.0
SENT_APART = 0.02
"""Seconds between two chunks of a stream: a burst of events goes out together."""
_CHUNK = 256 * 1024
_NUMBER = re.compile(r"[0-9]{1,18}")
_NONCE = re.compile(r"[0-9a-fA-F]{32}")


class EventRoutes:
    """What any program may ask, and what a console listens to."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def routes(self) -> list[Route]:
        return [
            Route("/healthz", self.health, methods=["GET"]),
            Route("/api/events", self.events, methods=["GET"]),
        ]

    async def health(self, request: Request) -> Response:
        serving = self._core.serving
        nonce = request.query_params.get("nonce")
        try:
            check_host(request.headers, serving)
            if nonce is not None and not _NONCE.fullmatch(nonce):
                raise RefusedError(400, "invalid_nonce", "nonce must be 32 hex digits.")
        except RefusedError as exc:
            return respond(exc.reply)
        health = openrig.Health(
            version=rig_tui.__version__,
            contract=CONTRACT,
            epoch=serving.epoch,
            now=self._core.clock(),
            capabilities=CAPABILITIES,
            options_max=serving.options_max,
            proof=proof(serving, nonce) if nonce else None,
        )
        return respond(Reply(200, openrig.encode_health(health)))

    async def events(self, request: Request) -> Response:
        try:
            check_operator(request.headers, self._core.serving)
        except RefusedError as exc:
            return respond(exc.reply)
        from_now = request.query_params.get("from") == "now"
        after, reset = self._start(request.headers.get("last-event-id"), from_now=from_now)
        subscription = self._core.events.subscribe()
        return StreamingResponse(
            self._stream(subscription, after, reset=reset),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-cache"},
        )

    def _start(self, last_event_id: str | None, *, from_now: bool) -> tuple[int, bool]:
        """Find the number a stream starts after, and whether something was missed."""
        log = self._core.events
        if last_event_id:
            epoch, _, number = last_event_id.rpartition(".")
            known = epoch == self._core.serving.epoch and _NUMBER.fullmatch(number)
            if known and log.replays(int(number)):
                return int(number), False
            return log.newest, True
        return (log.newest if from_now else log.before_oldest()), False

    async def _stream(
        self, subscription: Subscription, after: int, *, reset: bool
    ) -> AsyncIterator[bytes]:
        log, epoch = self._core.events, self._core.serving.epoch
        try:
            # Whatever happens from here on is in the subscription's queue.
            newest = log.newest
            opened = openrig.StreamOpened(after, epoch, reset, self._core.clock())
            yield openrig.encode_frame(openrig.stream_opened(opened), epoch=epoch, seq=after)
            for page in log.replay(after, newest):
                yield b"".join(self._frame(event) for event in page)
                # A reader that keeps up would never make this wait.
                await asyncio.sleep(0)
            while (taken := await subscription.take(COMMENT_EVERY)) is not None:
                fresh = [event for event in taken if event.seq > newest]
                for chunk in self._chunks(fresh):
                    yield chunk
                if not taken:
                    yield sse.comment()
                await asyncio.sleep(SENT_APART)
        finally:
            log.unsubscribe(subscription)

    def _chunks(self, events: list[Logged]) -> Iterator[bytes]:
        """Put frames together, but not so many that a slow reader holds much memory."""
        chunk = bytearray()
        for event in events:
            chunk += self._frame(event)
            if len(chunk) >= _CHUNK:
                yield bytes(chunk)
                chunk.clear()
        if chunk:
            yield bytes(chunk)

    def _frame(self, event: Logged) -> bytes:
        if not event.frame:
            what = event.data or openrig.stream_resync(event.seq, at=self._core.clock())
            event.frame = openrig.encode_frame(what, epoch=self._core.serving.epoch, seq=event.seq)
        return event.frame
