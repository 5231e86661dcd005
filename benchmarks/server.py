"""A daemon's side of the stream, paced: a program that the others are measured with.

    python -m benchmarks.server --home FOLDER --seats N

It proves itself as a daemon does, lists a fleet, and starts to tell of changes when it
is told to (`POST /load`). Each probe is noted, with the nanosecond before it is written.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import hmac
import json
import random
import socket
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from benchmarks import fleet
from rig_tui.daemon.serving import CAPABILITIES, CONTRACT
from rig_tui.domain.model import People, Person, Rig
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

EPOCH, TOKEN = "benchmark", "benchmark-token"
PROBE_EVERY = 0.08
"""Seconds between probes, 30 % more or less."""
TICK = 0.001
PEOPLE = People((Person("ana", "Ana"),), "ana")


class Paced:
    """The fleet, who listens, and what was probed."""

    def __init__(self, address: str, seats: int) -> None:
        self.address = address
        self.seats = [fleet.posted(fleet.a_seat(n), "ready", 1) for n in range(seats)]
        self.seq = 1
        self.listeners: list[asyncio.Queue[bytes | None]] = []
        self.probes: list[tuple[int, int]] = []
        """Token number, nanosecond before it was written."""

    def change(self, number: int, detail: str) -> bytes:
        """Change a seat; gives the event's frame."""
        self.seq += 1
        seat = self.seats[number] = fleet.posted(self.seats[number], detail, self.seq)
        event = openrig.seat_changed(seat, seq=self.seq, at=datetime.now(UTC))  # noqa: TID251
        return openrig.encode_frame(event, epoch=EPOCH, seq=self.seq)

    async def drive(self, load: str, rate: int, seconds: float, *, probing: bool) -> int:
        """Tell of `rate` changes a second; gives how many they were."""
        told, dice = 0, random.Random(11)
        began = time.monotonic()
        probe_at = began if probing else float("inf")
        order = fleet.order(load, len(self.seats)) if rate else iter(())
        while (now := time.monotonic()) < began + seconds:
            frames = []
            while told < (now - began) * rate:
                told += 1
                frames.append(self.change(next(order), f"n{self.seq}"))
            if now >= probe_at:
                probe_at = now + PROBE_EVERY * dice.uniform(0.7, 1.3)
                number = len(self.probes)
                frames.append(self.change(fleet.PROBE, fleet.token(number)))
                self.probes.append((number, time.monotonic_ns()))
            if frames:
                self.tell(b"".join(frames))
            await asyncio.sleep(TICK)
        return told

    def tell(self, data: bytes) -> None:
        for listener in self.listeners:
            listener.put_nowait(data)

    async def listen(self) -> AsyncIterator[bytes]:
        listener: asyncio.Queue[bytes | None] = asyncio.Queue()
        opened = openrig.StreamOpened(self.seq, EPOCH, False, datetime.now(UTC))  # noqa: TID251
        yield openrig.encode_frame(openrig.stream_opened(opened), epoch=EPOCH, seq=self.seq)
        self.listeners.append(listener)
        try:
            while (data := await listener.get()) is not None:
                yield data
        finally:
            self.listeners.remove(listener)


def routes(paced: Paced) -> list[Route]:
    """What a console asks a daemon for, and what steers the load."""

    async def health(request: Request) -> Response:
        message = f"{request.query_params.get('nonce', '')}\n{paced.address}".encode()
        told = openrig.Health(
            version="0.0.0",
            contract=CONTRACT,
            epoch=EPOCH,
            now=datetime.now(UTC),  # noqa: TID251
            capabilities=CAPABILITIES,
            options_max=4,
            proof=hmac.new(TOKEN.encode(), message, hashlib.sha256).hexdigest(),
        )
        return JSONResponse(openrig.encode_health(told))

    async def rigs(request: Request) -> Response:
        seats = {seat.seat_id.rig_id: seat.rig_name for seat in paced.seats}
        return JSONResponse([openrig.encode_rig(Rig(*each)) for each in seats.items()])

    async def nodes(request: Request) -> Response:
        rig_id = request.path_params["rig_id"]
        mine = [seat for seat in paced.seats if seat.seat_id.rig_id == rig_id]
        return JSONResponse([openrig.encode_seat(seat) for seat in mine])

    async def nothing(request: Request) -> Response:
        return JSONResponse([])

    async def people(request: Request) -> Response:
        return JSONResponse(openrig.encode_people(PEOPLE))

    async def events(request: Request) -> Response:
        return StreamingResponse(paced.listen(), media_type="text/event-stream")

    async def burst(request: Request) -> Response:
        """As many changes as are asked for, made beforehand, then the end."""
        count = int(request.query_params["events"])
        order = fleet.order("uniform", len(paced.seats))
        whole = b"".join(paced.change(next(order), f"n{n}") for n in range(count))
        pieces = (whole[at : at + 65536] for at in range(0, len(whole), 65536))

        async def sent() -> AsyncIterator[bytes]:
            for piece in pieces:
                yield piece

        return StreamingResponse(sent(), media_type="text/event-stream")

    async def load(request: Request) -> Response:
        wanted = await request.json()
        paced.probes.clear()
        told = await paced.drive(**wanted)
        return JSONResponse({"told": told, "probes": paced.probes})

    async def shown(request: Request) -> Response:
        """What the rows that every program shows must say in the end."""
        return JSONResponse([seat.evidence.detail for seat in paced.seats[: fleet.HOT]])

    return [
        Route("/healthz", health),
        Route("/api/events", events),
        Route("/api/rigs/summary", rigs),
        Route("/api/rigs/{rig_id}/nodes", nodes),
        Route("/api/queue/list", nothing),
        Route("/api/stream/list", nothing),
        Route("/api/runner-permits", nothing),
        Route("/api/gateway/connections", people),
        Route("/burst", burst),
        Route("/load", load, methods=["POST"]),
        Route("/shown", shown),
    ]


def main() -> None:
    """Serve until terminated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--seats", type=int, required=True)
    arguments = parser.parse_args()
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"127.0.0.1:{listener.getsockname()[1]}"
    endpoint = {"baseUrl": f"http://{address}", "token": TOKEN}
    arguments.home.mkdir(parents=True, exist_ok=True)
    (arguments.home / "operator-endpoint.json").write_text(json.dumps(endpoint))
    print(json.dumps(endpoint), flush=True)
    app = Starlette(routes=routes(Paced(address, arguments.seats)))
    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", ws="none")
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
