"""One daemon that has proved what it is: its connections, its token, its answers.

Every status and every broken connection becomes a `ClientError` here, or is left
whole for `write`, whose caller must tell "not sent" from "not known".
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import socket
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import httpx

from rig_tui.client.errors import (
    BadAnswerError,
    ForeignError,
    LostError,
    MissingError,
    NotAllowedError,
    UnreachableError,
)
from rig_tui.wire import openrig
from rig_tui.wire.errors import WireError
from rig_tui.wire.json import dump_bytes

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping
    from datetime import datetime

    from rig_tui.client.discovery import Candidate
    from rig_tui.domain.model import JsonObject

_SERVICE = "rig-tui-daemon"
OPENING_ERRORS = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""Failures before anything was sent."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long to wait for what, in seconds."""

    connect: float = 5.0
    answer: float = 10.0
    """For the answer to a read or a write; a write isn't given up before."""
    silence: float = 40.0
    """For anything at all on the stream, which sends a comment every 15 s."""
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
        return await _get(self._client, self.candidate, path, params)

    async def write(self, method: str, path: str, body: JsonObject, key: str) -> httpx.Response:
        """Write once, and give back whatever was answered.

        Raises:
            httpx.TransportError: Nothing was answered.
        """
        self._posting += 1
        try:
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

        Raises:
            ClientError: It couldn't be opened, or it ended, broke or fell silent.
        """
        silence = self._timing.silence
        headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        if last_id is not None:
            headers["Last-Event-ID"] = last_id
        request = self._client.build_request(
            "GET",
            "/api/events",
            params=None if last_id is not None else {"from": "now"},
            headers=headers,
            timeout=httpx.Timeout(self._timing.answer, read=silence),
        )
        with _as_errors(self.candidate, silence=silence):
            response = await self._client.send(request, stream=True)
        try:
            if response.status_code != httpx.codes.OK:
                with _as_errors(self.candidate):
                    await response.aread()
            _check(self.candidate, response)
            kind = response.headers.get("content-type", "")
            if not kind.startswith("text/event-stream"):
                raise BadAnswerError(f"{self.candidate.address} answers /api/events with {kind!r}")
            yield self._chunks(response)
        finally:
            await response.aclose()

    async def _chunks(self, response: httpx.Response) -> AsyncIterator[bytes]:
        with _as_errors(self.candidate, silence=self._timing.silence):
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
    client = _client(candidate.base_url, timing, transport())
    try:
        nonce = secrets.token_hex(16)
        began = clock()
        try:
            body = await _get(client, candidate, "/healthz", {"nonce": nonce})
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


def _client(
    base_url: str, timing: Timing, transport: httpx.AsyncBaseTransport | None
) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=base_url,
        # OpenRig and uvicorn close an idle connection after 5 s; one that is taken
        # up again just then would lose a write without a trace.
        limits=httpx.Limits(max_connections=20, keepalive_expiry=4.0),
        timeout=httpx.Timeout(timing.answer, connect=timing.connect),
        transport=transport,
        # Certificates take tens of milliseconds to load, which plain HTTP needn't spend.
        verify=base_url.startswith("https:"),
        trust_env=False,
        follow_redirects=False,
    )


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
    path: str,
    params: Mapping[str, str | int] | None = None,
) -> bytes:
    with _as_errors(candidate):
        response = await client.get(path, params=params)
    _check(candidate, response)
    return response.content


@contextmanager
def _as_errors(candidate: Candidate, silence: float | None = None) -> Iterator[None]:
    """Turn what httpx raises into `ClientError`s that say what happened."""
    where = candidate.address
    try:
        yield
    except OPENING_ERRORS as error:
        raise UnreachableError(f"nothing answers at {where}: {words(error)}") from error
    except httpx.TimeoutException as error:
        waited = "" if silence is None else f" for {silence:g} s"
        raise LostError(f"{where} fell silent{waited}") from error
    except httpx.TransportError as error:
        raise LostError(f"the connection to {where} broke: {words(error)}") from error
    except (httpx.InvalidURL, httpx.DecodingError) as error:
        raise BadAnswerError(f"{where} can't be read: {words(error)}") from error


def words(error: Exception) -> str:
    """What the system says underneath, else the error's own words, or its name."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return cause.strerror or str(cause)
        if isinstance(cause, OSError) and cause.errno:
            return os.strerror(cause.errno)
        cause = cause.__cause__ or cause.__context__
    return str(error) or type(error).__name__


def _check(candidate: Candidate, response: httpx.Response) -> None:
    """Pass a 2xx.

    Raises:
        ClientError: Any other status, in words.
    """
    status, where = response.status_code, candidate.address
    if response.is_success:
        return
    if response.is_redirect:
        raise BadAnswerError(f"{where} answers with a redirect ({status}); it wasn't followed")
    refusal = openrig.decode_error(status, response.content)
    if status == httpx.codes.UNAUTHORIZED:
        raise NotAllowedError(_unauthorized(candidate))
    if status == httpx.codes.FORBIDDEN:
        raise NotAllowedError(f"{where} refuses this console: {refusal.message}")
    what = MissingError if status == httpx.codes.NOT_FOUND else BadAnswerError
    raise what(f"{where} answers {response.url.path} with {status}: {refusal.message}")


def _unauthorized(candidate: Candidate) -> str:
    if candidate.token is not None:
        return (
            f"{candidate.address} refuses the operator token from {candidate.token_from}."
            " Nothing can be seen or answered until the token is right"
        )
    return (
        f"{candidate.address} wants its operator token, and none was found. Looked in:"
        f" {candidate.token_from}"
    )
