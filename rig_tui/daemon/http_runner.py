"""The four routes a runner calls.

Rule of this file: an authenticated caller gets an answer of the contract's table and
nothing else, whatever goes wrong here, because it permits by itself on anything else.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from starlette.routing import Route

from rig_tui.daemon import asks, permits, seats
from rig_tui.daemon.body import read_body
from rig_tui.daemon.reply import Reply
from rig_tui.daemon.responses import respond
from rig_tui.daemon.security import bears
from rig_tui.wire import contract
from rig_tui.wire.errors import BadRequestError, UnkeepableError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from rig_tui.daemon.core import Core
    from rig_tui.daemon.waits import Waits
    from rig_tui.domain.model import Ask

log = logging.getLogger(__name__)

LARGEST_BODY = 64 * 1024 * 1024
_LARGE = 1024 * 1024
"""Bodies above this are parsed outside the loop, so that nobody else waits."""
_HOOKS = "/api/activity/hooks"
_ASKS = asks.SUBMIT_ROUTE
_READ = _ASKS + "/{ask_id}"


class RunnerRoutes:
    """Activity posts, and permission requests submitted, read and withdrawn."""

    def __init__(self, core: Core, waits: Waits) -> None:
        self._core = core
        self._waits = waits

    def routes(self) -> list[Route]:
        return [
            Route(_HOOKS, self.post, methods=["POST"]),
            Route(_ASKS, self.submit, methods=["POST"]),
            Route(_READ, self.read, methods=["GET"]),
            Route(_READ + "/withdraw", self.withdraw, methods=["POST"]),
        ]

    async def post(self, request: Request) -> Response:
        authorized = self._authorized(request)
        body = await read_body(request, LARGEST_BODY if authorized else 0)
        if not authorized:
            return respond(_unauthorized())
        if body is None:
            return respond(_bad("invalid_request", "The post is larger than 64 MiB."))
        try:
            return respond(seats.take_post(self._core, contract.parse_post(body)))
        except BadRequestError as exc:
            seats.tell_refused(self._core, exc.code, exc.message)
            return respond(_bad(exc.code, f"{exc.message} Nothing was recorded."))
        except Exception:  # the contract knows no failure of ours
            log.exception("an activity post could not be recorded")
            return respond(Reply(200, {"ok": True, "counted": False, "reason": "not_recorded"}))

    async def submit(self, request: Request) -> Response:
        authorized = self._authorized(request)
        body = await read_body(request, LARGEST_BODY if authorized else 0)
        if not authorized:
            self._note("activity_hook_unauthorized", _ASKS)
            return respond(_unauthorized())
        if body is None:
            return respond(asks.unkeepable("The request is larger than 64 MiB."))
        try:
            parse = contract.parse_submit
            parsed = await asyncio.to_thread(parse, body) if len(body) > _LARGE else parse(body)
            return respond(asks.submit(self._core, parsed))
        except BadRequestError as exc:
            self._note(exc.code, _ASKS, exc.message)
            return respond(_bad(exc.code, exc.message))
        except UnkeepableError as exc:
            return respond(asks.unkeepable(exc.message))
        except Exception:  # an unlisted status would permit; this one refuses
            log.exception("a permission request could not be judged")
            return respond(asks.unkeepable("The daemon failed; see its log."))

    async def read(self, request: Request) -> Response:
        ask_id = request.path_params["ask_id"]
        if not self._authorized(request):
            self._note("activity_hook_unauthorized", _READ)
            return respond(_unauthorized())
        try:
            ask = self._core.ask(ask_id)
            if ask is None:
                self._note("http_404", _READ, f"no ask {ask_id}")
                return respond(_unknown(ask_id))
            wait = contract.wait_seconds(request.query_params.get("waitSeconds"))
            return respond(await self._read(request, ask, wait))
        except Exception:  # an unlisted status would permit; pending never does
            log.exception("the ask %s could not be read", ask_id)
            return respond(asks.still_pending(ask_id))

    async def withdraw(self, request: Request) -> Response:
        ask_id = request.path_params["ask_id"]
        authorized = self._authorized(request)
        body = await read_body(request, LARGEST_BODY if authorized else 0) or b""
        if not authorized:
            return respond(_unauthorized())
        try:
            ask = self._core.ask(ask_id)
            if ask is None:
                return respond(_unknown(ask_id))
            return respond(asks.withdraw(self._core, ask, contract.parse_withdraw(body)))
        except Exception:  # as above; the ask waits on, which grants nothing
            log.exception("the ask %s could not be withdrawn", ask_id)
            return respond(asks.still_pending(ask_id))

    async def _read(self, request: Request, ask: Ask, wait: float) -> Reply:
        """Answer at once, or when the ask ends, or after `wait` seconds."""
        deadline = asyncio.get_running_loop().time() + wait
        gone = asyncio.ensure_future(_gone(request)) if ask.pending and wait else None
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
            if gone and gone.done():
                # Nobody is there to read it, so it must not count as read.
                return asks.still_pending(ask.ask_id)
        finally:
            if gone:
                gone.cancel()
        return asks.read(self._core, ask)

    def _authorized(self, request: Request) -> bool:
        return bears(request.headers, self._core.serving.hook_token)

    def _note(self, code: str, route: str, detail: str = "") -> None:
        permits.note_will_permit(self._core, code, route=route, detail=detail)


async def _gone(request: Request) -> None:
    """Return when the caller has hung up."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _unauthorized() -> Reply:
    return Reply(
        401,
        contract.refusal_body(
            "activity_hook_unauthorized",
            "This route needs the hook token: Authorization: Bearer <token>, from "
            "OPENRIG_ACTIVITY_HOOK_TOKEN or activity-endpoint.json. Nothing was recorded.",
        ),
    )


def _unknown(ask_id: str) -> Reply:
    return Reply(404, contract.refusal_body("ask_not_found", f"There is no ask {ask_id}."))


def _bad(code: str, message: str) -> Reply:
    return Reply(400, contract.refusal_body(code, message))
