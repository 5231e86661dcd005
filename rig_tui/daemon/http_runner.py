"""The four routes a runner calls.

Rule of this file: an authenticated caller gets an answer of the contract's table and
nothing else, whatever goes wrong here, because it permits by itself on anything else.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, TypeVar

from starlette.routing import Route

from rig_tui.daemon import asks, callers, permits, seats
from rig_tui.daemon.body import read_body
from rig_tui.daemon.callers import GrantRefusedError
from rig_tui.daemon.reply import Reply
from rig_tui.daemon.responses import Unwrapped, respond
from rig_tui.daemon.waits import hung_up
from rig_tui.domain.grants import Claim
from rig_tui.wire import contract
from rig_tui.wire.errors import BadRequestError, UnkeepableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from rig_tui.daemon.callers import Caller
    from rig_tui.daemon.core import Core
    from rig_tui.daemon.waits import Waits
    from rig_tui.domain.model import Ask

log = logging.getLogger(__name__)

Parsed = TypeVar("Parsed")

LARGEST_BODY = 64 * 1024 * 1024
_LARGE = 1024 * 1024
"""Bodies above this are parsed outside the loop, so that nobody else waits."""
_HOOKS = "/api/activity/hooks"
_ASKS = asks.SUBMIT_ROUTE
_READ = _ASKS + "/{ask_id}"


class RunnerRoutes:
    """Activity posts, and permission requests submitted, read and withdrawn."""

    def __init__(self, core: Core, waits: Waits, *, guests: bool = False) -> None:
        """Serve whoever holds the local token or a grant; of guests, only grants."""
        self._core = core
        self._waits = waits
        self._guests = guests

    def routes(self) -> list[Route]:
        read = Route(_READ, self.read, methods=["GET"])
        # A HEAD would count as the reading of an answer nobody got.
        read.methods = {"GET"}
        return [
            Route(_HOOKS, Unwrapped(self.post), methods=["POST"]),
            Route(_ASKS, self.submit, methods=["POST"]),
            read,
            Route(_READ + "/withdraw", self.withdraw, methods=["POST"]),
        ]

    async def post(self, request: Request) -> Response:
        caller = self._caller(request)
        body = await read_body(request, LARGEST_BODY if caller else 0)
        if caller is None:
            return respond(self._unauthorized())
        try:
            return respond(await self._post(caller, body))
        except GrantRefusedError as exc:
            return respond(exc.reply)
        except Exception:  # the contract knows no failure of ours
            log.exception("an activity post could not be recorded")
            return respond(Reply(200, {"ok": True, "counted": False, "reason": "not_recorded"}))

    async def submit(self, request: Request) -> Response:
        caller = self._caller(request)
        body = await read_body(request, LARGEST_BODY if caller else 0)
        if caller is None:
            return respond(self._unauthorized(_ASKS))
        try:
            return respond(await self._submit(caller, body))
        except GrantRefusedError as exc:
            return respond(self._refused(exc, _ASKS))
        except Exception:  # an unlisted status would permit; this one refuses
            log.exception("a permission request could not be judged")
            return respond(asks.unkeepable("The daemon failed; see its log."))

    async def read(self, request: Request) -> Response:
        ask_id = request.path_params["ask_id"]
        caller = self._caller(request)
        if caller is None:
            return respond(self._unauthorized(_READ))
        try:
            ask = self._core.ask(ask_id)
            self._check(caller, ask)
            if ask is None:
                self._note("http_404", _READ, detail=f"no ask {ask_id}")
                return respond(_unknown(ask_id))
            wait = contract.wait_seconds(request.query_params.get("waitSeconds"))
            return respond(await self._read(request, caller, ask, wait))
        except GrantRefusedError as exc:
            return respond(self._refused(exc, _READ))
        except Exception:  # an unlisted status would permit; pending never does
            log.exception("the ask %s could not be read", ask_id)
            return respond(asks.still_pending(ask_id))

    async def withdraw(self, request: Request) -> Response:
        ask_id = request.path_params["ask_id"]
        caller = self._caller(request)
        body = await read_body(request, LARGEST_BODY if caller else 0) or b""
        if caller is None:
            return respond(self._unauthorized())
        try:
            withdrawal = await _parsed(contract.parse_withdraw, body)
            ask = self._core.ask(ask_id)
            self._check(caller, ask)
            if ask is None:
                return respond(_unknown(ask_id))
            return respond(asks.withdraw(self._core, ask, withdrawal))
        except GrantRefusedError as exc:
            return respond(exc.reply)
        except Exception:  # as above; the ask waits on, which grants nothing
            log.exception("the ask %s could not be withdrawn", ask_id)
            return respond(asks.still_pending(ask_id))

    async def _post(self, caller: Caller, body: bytes | None) -> Reply:
        try:
            if body is None:
                raise BadRequestError("invalid_request", "The post is larger than 64 MiB.")
            post = await _parsed(contract.parse_post, body)
        except BadRequestError as exc:
            self._check(caller, None)
            seats.tell_refused(self._core, exc.code, exc.message)
            return _bad(exc.code, f"{exc.message} Nothing was recorded.")
        post = callers.checked(self._core, caller, post)
        return seats.take_post(self._core, post)

    async def _submit(self, caller: Caller, body: bytes | None) -> Reply:
        try:
            if body is None:
                raise UnkeepableError("The request is larger than 64 MiB.")
            parsed = await _parsed(contract.parse_submit, body)
        except BadRequestError as exc:
            self._check(caller, None)
            self._note(exc.code, _ASKS, detail=exc.message)
            return _bad(exc.code, exc.message)
        except UnkeepableError as exc:
            self._check(caller, None)
            return asks.unkeepable(exc.message)
        return asks.submit(self._core, callers.checked(self._core, caller, parsed))

    async def _read(self, request: Request, caller: Caller, ask: Ask, wait: float) -> Reply:
        """Answer at once, or when the ask ends, or its grant, or after `wait` seconds."""
        deadline = asyncio.get_running_loop().time() + wait
        gone = asyncio.ensure_future(hung_up(request)) if ask.pending and wait else None
        try:
            while gone and ask.pending and not self._waits.closed:
                left = deadline - asyncio.get_running_loop().time()
                if left <= 0 or gone.done():
                    break
                with self._waits.on(ask.ask_id) as changed:
                    waiting = asyncio.ensure_future(changed.wait())
                    await asyncio.wait(
                        {waiting, gone}, timeout=left, return_when=asyncio.FIRST_COMPLETED
                    )
                    waiting.cancel()
                ask = self._core.ask(ask.ask_id) or ask
                self._check(caller, ask)
            if gone and gone.done():
                # Nobody is there to read it, so it must not count as read.
                return asks.still_pending(ask.ask_id)
        finally:
            if gone:
                gone.cancel()
        return asks.read(self._core, ask)

    def _caller(self, request: Request) -> Caller | None:
        return callers.identify(self._core, request.headers, grants_only=self._guests)

    def _check(self, caller: Caller, ask: Ask | None) -> None:
        claim = Claim(ask.session_name, generation=ask.generation) if ask else callers.NO_CLAIM
        callers.check(self._core, caller, claim)

    def _refused(self, exc: GrantRefusedError, route: str) -> Reply:
        if exc.fault.permits:
            self._note(exc.fault.value, route, session_name=exc.session_name)
        return exc.reply

    def _unauthorized(self, permitting: str | None = None) -> Reply:
        """Refuse a caller nobody knows.

        Args:
            permitting: The route, where its runner permits on this answer.
        """
        code = "activity_grant_required" if self._guests else "activity_hook_unauthorized"
        if permitting:
            self._note(code, permitting)
        needed = (
            "This listener takes only a seat's grant"
            if self._guests
            else "This route needs the hook token, also in activity-endpoint.json, or a grant"
        )
        message = (
            f"{needed}: Authorization: Bearer <OPENRIG_ACTIVITY_HOOK_TOKEN>. Nothing was recorded."
        )
        return Reply(401, contract.refusal_body(code, message))

    def _note(
        self, code: str, route: str, *, session_name: str | None = None, detail: str = ""
    ) -> None:
        permits.note_will_permit(
            self._core, code, route=route, session_name=session_name, detail=detail
        )


async def _parsed(parse: Callable[[bytes], Parsed], body: bytes) -> Parsed:
    return await asyncio.to_thread(parse, body) if len(body) > _LARGE else parse(body)


def _unknown(ask_id: str) -> Reply:
    return Reply(404, contract.refusal_body("ask_not_found", f"There is no ask {ask_id}."))


def _bad(code: str, message: str) -> Reply:
    return Reply(400, contract.refusal_body(code, message))
