"""The operator's writes."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from rig_tui.daemon import (
    actors,
    acts,
    grants,
    idempotency,
    launch_records,
    launches,
    messages,
    overrides,
    people,
    row_updates,
    seats,
)
from rig_tui.daemon.acting import Request as ActRequest
from rig_tui.daemon.body import parse_object, read_body
from rig_tui.daemon.http_operator import operator_route
from rig_tui.daemon.idempotency import Key
from rig_tui.daemon.reply import RefusedError, Reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.routing import Route

    from rig_tui.daemon.actors import Actor
    from rig_tui.daemon.core import Core
    from rig_tui.daemon.idempotency import Replay
    from rig_tui.daemon.seat_state import SeatRecord
    from rig_tui.domain.model import JsonObject

log = logging.getLogger(__name__)

_LARGEST_BODY = 1024 * 1024


class WriteRoutes:
    """Acts on asks, attention, people, seats, sends and the end of the daemon."""

    def __init__(self, core: Core, shut_down: Callable[[], None]) -> None:
        self._core = core
        self._shut_down = shut_down

    def routes(self) -> list[Route]:
        writes = {
            ("POST", "/api/queue/{row_id}/answer"): self.answer,
            ("POST", "/api/queue/{row_id}/reply"): self.reply,
            ("POST", "/api/queue/{row_id}/update"): self.update,
            ("POST", "/api/mission-control/action"): self.action,
            ("POST", "/api/sessions/{session}/clear-attention"): self.clear_attention,
            ("POST", "/api/seat/set-permissions-to/{seat_ref}"): self.set_permissions_to,
            ("POST", "/api/gateway/humans"): self.register_person,
            ("DELETE", "/api/gateway/humans/{entity_id}"): self.remove_person,
            ("POST", "/api/gateway/default"): self.choose_default,
            ("POST", "/api/seats"): self.declare_seat,
            ("POST", "/api/seats/{seat_ref}/register"): self.register_seat,
            ("POST", "/api/seats/{seat_ref}/relaunch"): self.relaunch_seat,
            ("POST", "/api/seats/{seat_ref}/stop"): self.stop_seat,
            ("POST", "/api/seats/{seat_ref}/recheck-launch"): self.recheck_launch,
            ("POST", "/api/seats/{seat_ref}/grants"): self.change_grant,
            ("POST", "/api/transport/send"): self.send,
            ("POST", "/api/shutdown"): self.shut_down,
        }
        return [
            operator_route(self._core, path, method, write)
            for (method, path), write in writes.items()
        ]

    async def answer(self, request: Request) -> Reply | Replay:
        return acts.answer(self._core, await self._act(request))

    async def reply(self, request: Request) -> Reply | Replay:
        return acts.reply(self._core, await self._act(request))

    async def action(self, request: Request) -> Reply | Replay:
        return acts.act(self._core, await self._act(request))

    async def update(self, request: Request) -> Reply | Replay:
        return row_updates.update(self._core, await self._act(request, seats=True))

    async def clear_attention(self, request: Request) -> Reply | Replay:
        body, actor, key = await self._write(request)
        if replay := idempotency.earlier(self._core, key):
            return replay
        reason = body.get("reason")
        if not isinstance(reason, str) or not reason.strip():
            raise RefusedError(
                400, "reason_required", "Clearing attention needs a reason. Nothing was cleared."
            )
        session = request.path_params["session"]
        return seats.clear_attention(
            self._core, session, by=actor.name, reason=reason.strip(), key=key
        )

    async def set_permissions_to(self, request: Request) -> Reply | Replay:
        body, actor, key = await self._write(request)
        seat = self._seat(request)
        replay = idempotency.earlier(self._core, key)
        return replay or overrides.set_permissions_to(
            self._core, seat, body, by=actor.name, key=key
        )

    async def register_person(self, request: Request) -> Reply | Replay:
        body, _, key = await self._write(request)
        replay = idempotency.earlier(self._core, key)
        return replay or people.register(self._core, body, key)

    async def remove_person(self, request: Request) -> Reply | Replay:
        body, _, key = await self._write(request)
        for flag in ("dryRun", "confirm"):
            if request.query_params.get(flag) in ("1", "true"):
                body[flag] = True
        replay = idempotency.earlier(self._core, key)
        return replay or people.remove(self._core, request.path_params["entity_id"], body, key)

    async def choose_default(self, request: Request) -> Reply | Replay:
        body, _, key = await self._write(request)
        replay = idempotency.earlier(self._core, key)
        return replay or people.choose_default(self._core, body, key)

    async def declare_seat(self, request: Request) -> Reply | Replay:
        body, _, key = await self._write(request)
        replay = idempotency.earlier(self._core, key)
        return replay or launches.declare(self._core, body, key)

    async def register_seat(self, request: Request) -> Reply | Replay:
        _, _, key = await self._write(request)
        seat = self._seat(request)
        replay = idempotency.earlier(self._core, key)
        return replay or launches.register(self._core, seat, key)

    async def relaunch_seat(self, request: Request) -> Reply | Replay:
        body, _, key = await self._write(request)
        seat = self._seat(request)
        replay = idempotency.earlier(self._core, key)
        return replay or launches.relaunch(self._core, seat, body, key)

    async def stop_seat(self, request: Request) -> Reply | Replay:
        _, _, key = await self._write(request)
        seat = self._seat(request)
        replay = idempotency.earlier(self._core, key)
        return replay or launches.stop(self._core, seat, key)

    async def recheck_launch(self, request: Request) -> Reply | Replay:
        _, actor, key = await self._write(request)
        seat = self._seat(request)
        replay = idempotency.earlier(self._core, key)
        return replay or launch_records.recheck(self._core, seat, actor.name, key)

    async def change_grant(self, request: Request) -> Reply | Replay:
        body, actor, key = await self._write(request)
        seat = self._seat(request)
        replay = idempotency.earlier(self._core, key)
        return replay or grants.change(self._core, seat, body, by=actor.name, key=key)

    async def send(self, request: Request) -> Reply | Replay:
        body, actor, key = await self._write(request)
        replay = idempotency.earlier(self._core, key)
        return replay or messages.send(self._core, body, actor.name, key)

    async def shut_down(self, request: Request) -> Reply | Replay:
        body, actor, _ = await self._write(request)
        pending = list(self._core.pending.values())
        if pending and body.get("force") is not True:
            raise RefusedError(
                409,
                "asks_pending",
                f"{len(pending)} permission asks wait: without a daemon their runners PERMIT. "
                "The daemon goes on; answer them, or stop it anyway with force: true.",
                asks=[
                    {"askId": ask.ask_id, "seatRef": ask.seat_ref, "requestId": ask.request_id}
                    for ask in pending
                ],
            )
        log.warning("shut down by %s with %d pending asks", actor.name, len(pending))
        self._shut_down()
        return Reply(200, {"ok": True, "pendingAsks": len(pending)})

    async def _act(self, request: Request, *, seats: bool = False) -> ActRequest:
        body, actor, key = await self._write(request, actor_needed=True, seats=seats)
        row_id = request.path_params.get("row_id", body.get("qitemId"))
        if not isinstance(row_id, str):
            raise RefusedError(400, "qitem_required", "qitemId is required. Nothing was done.")
        return ActRequest(row_id, actor, body, key)

    async def _write(
        self, request: Request, *, actor_needed: bool = False, seats: bool = False
    ) -> tuple[JsonObject, Actor, Key | None]:
        raw = await read_body(request, _LARGEST_BODY)
        body = parse_object(raw)
        actor = actors.who(
            self._core.people,
            body.get("actorSession"),
            request.headers.get("x-openrig-session"),
            needed=actor_needed,
            seats=self._core.by_session if seats else (),
        )
        text = request.headers.get("idempotency-key")
        key = Key.of(text, request.method, request.url.path, raw or b"") if text else None
        return body, actor, key

    def _seat(self, request: Request) -> SeatRecord:
        seat_ref = request.path_params["seat_ref"]
        record = self._core.seats.get(seat_ref)
        if record is None:
            raise RefusedError(404, "seat_not_found", f"There is no seat {seat_ref}.")
        return record
