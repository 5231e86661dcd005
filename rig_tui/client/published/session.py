"""One published OpenRig: its connections, what it can do, and which token goes where."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

import httpx

from rig_tui.client.errors import BadAnswerError, ForeignError, LostError, UnreachableError
from rig_tui.client.faults import as_errors, check
from rig_tui.client.session import open_client
from rig_tui.wire.errors import WireError
from rig_tui.wire.json import dump_bytes
from rig_tui.wire.published.health import decode_version, is_published

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from datetime import datetime

    from rig_tui.client.discovery import Candidate
    from rig_tui.client.session import Timing
    from rig_tui.domain.model import JsonObject

EVERYTHING: Final = "/api/events"
SEATS: Final = "/api/activity/events"
IN_PARTS: Final = ("/api/queue/sse", "/api/mission-control/sse")
VERBS: Final = ("approve", "deny", "route", "handoff", "hold", "drop", "annotate")
"""What every version's mission control does; `resolve` came later."""
_READS: Final = {
    "read:seats": "/api/rigs/summary",
    "read:asks": "/api/queue/list?attention=1&limit=1",
    "read:people": "/api/gateway/connections",
    "read:destinations": "/api/mission-control/destinations",
    "read:hosts": "/api/queue/attention-aggregate",
}
_HAS_VERBS: Final = "/api/mission-control/views"
_HAS_RESOLVE: Final = "/api/mission-control/audit?action_verb=resolve&limit=1"


@dataclass(frozen=True, slots=True)
class Opened:
    """An answer to the wish for a stream."""

    streams: bool
    """Whether it is one."""
    at: datetime | None
    """When it was answered, by the daemon's clock."""
    chunks: AsyncIterator[bytes]


@dataclass(slots=True)
class PublishedSession:
    """A connection pool to one daemon, and what it was seen to have."""

    candidate: Candidate
    client: httpx.AsyncClient
    version: str
    abilities: frozenset[str]
    clock_offset: timedelta
    timing: Timing
    _posting: int = 0
    _retired: bool = False

    @property
    def name(self) -> str:
        """What it is called: `OpenRig 0.4.6`."""
        return f"OpenRig {self.version}" if self.version else "OpenRig"

    async def get(self, path: str, params: Mapping[str, str | int] | None = None) -> bytes:
        """Read one resource.

        Raises:
            ClientError: It couldn't be read.
        """
        with as_errors(self.candidate):
            async with asyncio.timeout(self.timing.whole):
                response = await self.client.get(path, params=params)
        check(self.candidate, response)
        return response.content

    async def write(self, path: str, body: JsonObject, bearer: str | None) -> httpx.Response:
        """Write once, and give back whatever was answered.

        Raises:
            httpx.TransportError: Nothing was answered.
            TimeoutError: The answer never came to its end.
        """
        headers = {"Content-Type": "application/json"}
        if bearer is not None:
            headers["Authorization"] = f"Bearer {bearer}"
        self._posting += 1
        try:
            async with asyncio.timeout(self.timing.whole):
                return await self.client.post(path, content=dump_bytes(body), headers=headers)
        finally:
            self._posting -= 1
            if self._retired and not self._posting:
                await self.client.aclose()

    @asynccontextmanager
    async def stream(self, path: str, last_id: int | None) -> AsyncIterator[Opened]:
        """Open one of the streams after an event, or as it opens by itself.

        Nothing keeps an idle one alive, so there is no deadline but for its head.

        Raises:
            ClientError: The daemon is gone.
        """
        headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        if last_id is not None:
            headers["Last-Event-ID"] = str(last_id)
        timeout = httpx.Timeout(self.timing.answer, read=None)
        request = self.client.build_request("GET", path, headers=headers, timeout=timeout)
        with as_errors(self.candidate):
            async with asyncio.timeout(self.timing.answer):
                response = await self.client.send(request, stream=True)
        try:
            kind = response.headers.get("content-type", "")
            streams = response.is_success and kind.startswith("text/event-stream")
            yield Opened(streams, _date(response), self._chunks(response, path))
        finally:
            await response.aclose()

    async def _chunks(self, response: httpx.Response, path: str) -> AsyncIterator[bytes]:
        with as_errors(self.candidate):
            async for chunk in response.aiter_bytes():
                yield chunk
        raise LostError(f"{self.candidate.address} ended {path}")

    async def aclose(self) -> None:
        """Close the connections, the last one once its write has been answered."""
        self._retired = True
        if not self._posting:
            await self.client.aclose()


async def probe(
    candidate: Candidate,
    *,
    clock: Callable[[], datetime],
    timing: Timing,
    transport: Callable[[], httpx.AsyncBaseTransport | None] = lambda: None,
) -> PublishedSession:
    """Find out whether a published OpenRig listens there, and what it has.

    Only ever reads: a daemon is asked by GET what it can be told by POST.

    Raises:
        UnreachableError: Nothing answers there.
        ForeignError: Something else answers.
        ClientError: The answer can't be used.
    """
    if candidate.base_url is None:
        raise UnreachableError(candidate.problem)
    client = open_client(candidate.base_url, timing, transport())
    try:
        with as_errors(candidate):
            began = clock()
            response = await client.get("/healthz")
            ended = clock()
        _recognise(candidate, response)
        version = await _version(candidate, client)
        abilities = await _abilities(candidate, client)
    except BaseException:
        await client.aclose()
        raise
    offset = _offset(response, began + (ended - began) / 2)
    return PublishedSession(candidate, client, version, abilities, offset, timing)


def _recognise(candidate: Candidate, response: httpx.Response) -> None:
    other = f"something else is listening on {candidate.address}"
    try:
        check(candidate, response)
        known = is_published(response.content)
    except (BadAnswerError, WireError) as error:
        raise ForeignError(f"{other}: {error}") from error
    if not known:
        raise ForeignError(f"{other}: it is no OpenRig")


async def _version(candidate: Candidate, client: httpx.AsyncClient) -> str:
    with as_errors(candidate):
        response = await client.get("/api/health-summary/version")
    if not response.is_success:
        return ""
    try:
        return decode_version(response.content)
    except WireError:
        return ""


async def _abilities(candidate: Candidate, client: httpx.AsyncClient) -> frozenset[str]:
    with as_errors(candidate):
        found = {
            path: (await client.get(path)).is_success
            for path in (*_READS.values(), _HAS_VERBS, _HAS_RESOLVE)
        }
    abilities = {name for name, path in _READS.items() if found[path]}
    if "read:seats" not in abilities:
        raise ForeignError(f"{candidate.address} answers like OpenRig but lists no rigs")
    if found[_HAS_VERBS]:
        abilities |= {f"do:{verb}" for verb in VERBS}
        abilities |= {"do:resolve"} if found[_HAS_RESOLVE] else set()
    return frozenset(abilities | {"do:clear attention"})


def _date(response: httpx.Response) -> datetime | None:
    """When it was answered by the daemon's clock, in whole seconds."""
    try:
        return parsedate_to_datetime(response.headers.get("date", ""))
    except ValueError:
        return None


def _offset(response: httpx.Response, at: datetime) -> timedelta:
    """The daemon's clock minus ours; less than its whole seconds tell isn't known."""
    date = _date(response)
    offset = date - at if date is not None and date.tzinfo is not None else timedelta()
    return offset if abs(offset) > timedelta(seconds=2) else timedelta()
