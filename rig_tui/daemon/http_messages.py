"""The route a runner takes its messages by."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.routing import Route

from rig_tui.daemon import callers, messages
from rig_tui.daemon.callers import Caller, GrantRefusedError
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.daemon.responses import respond
from rig_tui.daemon.waits import Waits, hung_up
from rig_tui.domain.grants import Claim
from rig_tui.wire import contract, openrig

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from rig_tui.daemon.core import Core
    from rig_tui.daemon.seat_state import SeatRecord


class MessageRoutes:
    """Messages, for the runner of one seat."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self.waits = Waits()
        core.on_messages.append(self.waits.wake)

    def routes(self) -> list[Route]:
        take = Route("/api/seats/{seat_ref}/messages", self.take, methods=["GET"])
        # A HEAD would take messages nobody got.
        take.methods = {"GET"}
        return [take]

    async def take(self, request: Request) -> Response:
        """Give the seat's messages, waiting for the first one if there are none."""
        caller = callers.identify(self._core, request.headers, grants_only=False)
        try:
            if caller is None:
                raise RefusedError(
                    401,
                    "activity_hook_unauthorized",
                    "This route needs the seat's own token or grant. Nothing was taken.",
                )
            record = self._record(request, caller, request.query_params.get("generation"))
            messages.note_taker(self._core, record)
            return respond(await self._take(request, caller, record.seat.generation))
        except GrantRefusedError as exc:
            return respond(exc.reply)
        except RefusedError as exc:
            return respond(exc.reply)

    async def _take(self, request: Request, caller: Caller, generation: str | None) -> Reply:
        seat_ref = request.path_params["seat_ref"]
        loop = asyncio.get_running_loop()
        wait = contract.wait_seconds(request.query_params.get("waitSeconds"))
        deadline = loop.time() + wait
        gone = asyncio.ensure_future(hung_up(request))
        try:
            while not self._core.store.messages.count(seat_ref) and not self.waits.closed:
                left = deadline - loop.time()
                if left <= 0 or gone.done():
                    break
                with self.waits.on(seat_ref) as changed:
                    waiting = asyncio.ensure_future(changed.wait())
                    await asyncio.wait(
                        {waiting, gone}, timeout=left, return_when=asyncio.FIRST_COMPLETED
                    )
                    waiting.cancel()
                self._record(request, caller, generation)
            # Nobody is there to take them when the caller has hung up.
            taken = () if gone.done() else messages.take(self._core, seat_ref)
        finally:
            gone.cancel()
        return Reply(200, openrig.encode_messages(taken))

    def _record(self, request: Request, caller: Caller, generation: str | None) -> SeatRecord:
        """Find the seat, if the caller speaks for its occupant."""
        record = self._core.seats.get(request.path_params["seat_ref"])
        if record is None:
            raise RefusedError(404, "seat_not_found", "There is no such seat.")
        callers.check(self._core, caller, Claim(record.seat.session_name, None, generation))
        live = record.seat.generation
        if live is None or generation not in {None, live}:
            raise RefusedError(
                409,
                "stale_generation",
                "The request isn't from the seat's current occupant. Nothing was taken.",
            )
        return record
