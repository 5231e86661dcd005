"""One daemon that has proved what it is: its connections, its token, its answers.

Every status and every broken connection becomes a `ClientError` here, or is left
whole for `write`, whose caller must tell "not sent" from "not known".
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import httpx

from rig_tui.client import loopback
from rig_tui.client.errors import (
    BadAnswerError,
    ForeignError,
    LostError,
    UnreachableError,
)
from rig_tui.client.faults import as_errors, check
from rig_tui.wire import openrig
from rig_tui.wire.errors import WireError
from rig_tui.wire.json import dump_bytes

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from datetime import datetime

    from rig_tui.client.discovery import Candidate
    from rig_tui.domain.model import JsonObject

_SERVICE = "rig-tui-daemon"
_EVENTS = "/api/events"


@dataclass(frozen=True, slots=True)
class Timing:
    """How long to wait for what, in seconds."""

    connect: float = 5.0
    answer: float = 10.0
    """For each part of an answer to a read or a write; a write isn't given up before."""
    whole: float = 30.0
    """For an answer to its end, however slowly it drips."""
    silence: float = 20.0
    """For a sign of life on the stream, which has one every 15 s."""
    probe: float = 3.0
    """For the daemon to prove itself anew when its stream is silent."""
    stray: float = 3.0
    """How far the wall clock may stray from the monotonic one between two looks."""
    refused: float = 30.0
    """Between attempts at a daemon that refuses us."""
    steady: float = 10.0
    """A link that held longer than this starts the waits anew when it is lost."""
    reread: float = 0.25
    """Between two reads of the lists on one connection."""


class Session:
    """A connection pool to one daemon, and what it said of itself."""

    def __init__(
        self,
        candidate: Candidate,
        client: httpx.AsyncClient,
        health: openrig.Health,
        clock_offset: timedelta,
        timing: Timing,
    ) -> None:
        self.candidate = candidate
        self.health = health
        self.clock_offset = clock_offset
        self._client = client
        self._timing = timing
        self._posting = 0
        self._retired = False

    async def get(self, path: str, params: Mapping[str, str | int] | None = None) -> bytes:
        """Read one resource.

        Raises:
            ClientError: It couldn't be read.
        """
        return await _get(self._client, self.candidate, self._timing, path, params)

    async def write(self, method: str, path: str, body: JsonObject, key: str) -> httpx.Response:
        """Write once, and give back whatever was answered.

        Raises:
            httpx.TransportError: Nothing was answered.
            TimeoutError: The answer never came to its end.
        """
        self._posting += 1
        try:
            async with asyncio.timeout(self._timing.whole):
                return await self._client.request(
                    method,
                    path,
                    content=dump_bytes(body),
                    headers={"Content-Type": "application/json", "Idempotency-Key": key},
                )
        finally:
            self._posting -= 1
            if self._retired and not self._posting:
                await self._client.aclose()

    @asynccontextmanager
    async def stream(self, last_id: str | None) -> AsyncIterator[AsyncIterator[bytes]]:
        """Open the event stream after `last_id`, or at now, as chunks of bytes.

        However long it stays silent, it isn't ended here: see `Pulse`.

        Raises:
            ClientError: It couldn't be opened, or it ended or broke.
        """
        headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        if last_id is not None:
            headers["Last-Event-ID"] = last_id
        request = self._client.build_request(
            "GET",
            _EVENTS,
            params=None if last_id is not None else {"from": "now"},
            headers=headers,
            timeout=httpx.Timeout(self._timing.answer, read=None),
        )
        with as_errors(self.candidate):
            async with asyncio.timeout(self._timing.answer):
                response = await self._client.send(request, stream=True)
        try:
            if response.status_code != httpx.codes.OK:
                with as_errors(self.candidate):
                    async with asyncio.timeout(self._timing.answer):
                        await response.aread()
            check(self.candidate, response)
            kind = response.headers.get("content-type", "")
            if not kind.startswith("text/event-stream"):
                raise BadAnswerError(f"{self.candidate.address} answers {_EVENTS} with {kind!r}")
            yield self._chunks(response)
        finally:
            await response.aclose()

    async def _chunks(self, response: httpx.Response) -> AsyncIterator[bytes]:
        with as_errors(self.candidate):
            async for chunk in response.aiter_bytes():
                yield chunk
        raise LostError(f"{self.candidate.address} ended the event stream")

    async def aclose(self) -> None:
        """Close the connections, the last one once its write has been answered."""
        self._retired = True
        if not self._posting:
            await self._client.aclose()


async def reach(
    candidate: Candidate,
    *,
    clock: Callable[[], datetime],
    timing: Timing,
    transport: Callable[[], httpx.AsyncBaseTransport | None] = lambda: None,
) -> Session:
    """Find the daemon alive and itself; only then does its session hold the token.

    Raises:
        UnreachableError: Nothing answers there.
        ForeignError: Something answers that can't prove to hold this token.
        ClientError: The answer can't be used.
    """
    if candidate.base_url is None:
        raise UnreachableError(candidate.problem)
    client = open_client(candidate.base_url, timing, transport())
    try:
        nonce = secrets.token_hex(16)
        began = clock()
        try:
            body = await _get(client, candidate, timing, "/healthz", {"nonce": nonce})
        except BadAnswerError as error:
            raise ForeignError(f"something else is listening there: {error}") from error
        ended = clock()
        health = _health(candidate, body, nonce)
    except BaseException:
        await client.aclose()
        raise
    if candidate.token is not None:
        client.headers["Authorization"] = f"Bearer {candidate.token}"
    offset = health.now - (began + (ended - began) / 2) if health.now else timedelta()
    return Session(candidate, client, health, offset, timing)


def open_client(
    base_url: str, timing: Timing, transport: httpx.AsyncBaseTransport | None
) -> httpx.AsyncClient:
    """A connection pool that follows no redirect and trusts no environment."""
    return httpx.AsyncClient(
        base_url=base_url,
        timeout=httpx.Timeout(timing.answer, connect=timing.connect),
        transport=transport or _transport(base_url),
        trust_env=False,
        follow_redirects=False,
    )


def _transport(base_url: str) -> httpx.AsyncBaseTransport:
    stock = httpx.AsyncHTTPTransport(
        # OpenRig and uvicorn close an idle connection after 5 s; one that is taken
        # up again just then would lose a write without a trace.
        limits=httpx.Limits(max_connections=20, keepalive_expiry=4.0),
        # Certificates take tens of milliseconds to load, which plain HTTP needn't spend.
        verify=base_url.startswith("https:"),
        trust_env=False,
    )
    return loopback.Loopback(_EVENTS, stock) if loopback.serves(base_url) else stock


def _health(candidate: Candidate, body: bytes, nonce: str) -> openrig.Health:
    other = f"something else is listening on {candidate.address}"
    try:
        health = openrig.decode_health(body)
    except WireError as error:
        raise ForeignError(f"{other}: {error}") from error
    if health.service != _SERVICE:
        raise ForeignError(f"{other}: it isn't a rig_tui daemon")
    if candidate.token is not None:
        message = f"{nonce}\n{candidate.address}".encode()
        proof = hmac.new(candidate.token.encode(), message, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(proof.encode(), (health.proof or "").encode()):
            raise ForeignError(
                f"{other}, or the token is wrong: it doesn't hold the token of"
                f" {candidate.token_from}. The token wasn't sent"
            )
    return health


async def _get(
    client: httpx.AsyncClient,
    candidate: Candidate,
    timing: Timing,
    path: str,
    params: Mapping[str, str | int] | None = None,
) -> bytes:
    with as_errors(candidate):
        async with asyncio.timeout(timing.whole):
            response = await client.get(path, params=params)
    check(candidate, response)
    return response.content
