"""The operator's reads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.daemon import list_query, presets
from rig_tui.daemon.act_checks import must_find
from rig_tui.daemon.http_operator import operator_route
from rig_tui.daemon.idempotency import Replay
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.domain.model import HolderType
from rig_tui.wire import json as wire_json
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.routing import Route

    from rig_tui.daemon.core import Core
    from rig_tui.domain.model import Ask, JsonObject

_LARGE = 1024 * 1024


class ReadRoutes:
    """Rigs, seats, asks, permits, people and operations."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def routes(self) -> list[Route]:
        reads = {
            "/api/rigs/summary": self.rigs,
            "/api/rigs/{rig_id}/nodes": self.nodes,
            "/api/queue/list": self.queue,
            "/api/queue/{row_id}": self.item,
            "/api/queue/{row_id}/transitions": self.transitions,
            "/api/gateway/connections": self.connections,
            "/api/stream/list": self.stream,
            "/api/runner-permits": self.runner_permits,
            "/api/operations/{key}": self.operation,
        }
        return [operator_route(self._core, path, "GET", read) for path, read in reads.items()]

    async def rigs(self, request: Request) -> Reply:
        seats = [record.seat.seat_id.rig_id for record in self._core.seats.values()]
        return Reply(
            200,
            [
                openrig.encode_rig(rig, node_count=seats.count(rig.rig_id))
                for rig in self._core.rigs.values()
            ],
        )

    async def nodes(self, request: Request) -> Reply:
        rig_id = request.path_params["rig_id"]
        if rig_id not in self._core.rigs:
            raise RefusedError(404, "rig_not_found", f"There is no rig {rig_id}.")
        presets.refresh(self._core)
        now = self._core.clock()
        return Reply(
            200,
            [
                openrig.encode_seat(self._core.seat_view(record, now))
                for record in self._core.seats.values()
                if record.seat.seat_id.rig_id == rig_id
            ],
        )

    async def queue(self, request: Request) -> Reply:
        if request.query_params.get("asks") == "closed":
            rows = self._core.store.asks.closed(
                list_query.filters(request), list_query.limit(request)
            )
            return Reply(200, [{**openrig.encode_item(a), "sortKey": k} for k, a in rows])
        query = request.query_params
        pending = sorted(self._core.pending.values(), key=lambda ask: ask.opened_at)
        if query.get("attention") in ("1", "true"):
            pending = [ask for ask in pending if ask.holder.type is HolderType.PERSON]
        if (source := query.get("sourceSession")) is not None:
            pending = [ask for ask in pending if ask.session_name == source]
        if (holder := query.get("destinationSession")) is not None:
            pending = [ask for ask in pending if ask.holder.id == holder]
        by_seat = self._is_for_a_seat(request)
        return Reply(200, [openrig.encode_item(ask, options=not by_seat) for ask in pending])

    async def item(self, request: Request) -> Reply | Replay:
        ask, options = self._ask(request), not self._is_for_a_seat(request)
        if ask.tool_call_bytes > _LARGE:
            return self._large_item(ask, options)
        return Reply(200, openrig.encode_item(ask, whole=True, options=options))

    def _large_item(self, ask: Ask, options: bool) -> Replay:
        """Put a large tool call in as the text it is kept as; building it would take seconds."""
        hole: JsonObject = {"title": openrig.title_of(ask.tool_call), "x": self._core.ids.secret()}
        item = openrig.encode_item(replace(ask, tool_call=hole), whole=True, options=options)
        before, after = wire_json.dumps(item).split(wire_json.dumps(hole))
        return Replay(200, f"{before}{self._core.store.asks.tool_call(ask.ask_id)}{after}")

    async def transitions(self, request: Request) -> Reply:
        rows = self._core.store.asks.transitions(self._ask(request).ask_id)
        names = (
            "transitionId",
            "qitemId",
            "ts",
            "state",
            "transitionNote",
            "actorSession",
            "closureReason",
            "closureTarget",
        )
        return Reply(
            200,
            [
                {**dict(zip(names, row, strict=True)), "ts": list_query.shown(row[2])}
                for row in rows
            ],
        )

    async def connections(self, request: Request) -> Reply:
        return Reply(200, openrig.encode_people(self._core.people))

    async def stream(self, request: Request) -> Reply:
        query = request.query_params
        direction = query.get("direction", "chronological")
        if direction not in ("chronological", "latest"):
            raise RefusedError(400, "invalid_direction", "direction is chronological or latest.")
        latest = direction == "latest"
        if latest and "afterSortKey" in query:
            raise RefusedError(
                400, "invalid_direction", "afterSortKey pages forwards; use beforeSortKey."
            )
        if query.get("hintTag", openrig.PERMIT_TAG) != openrig.PERMIT_TAG:
            return Reply(200, [])
        rows = self._core.store.permits.recorded(
            list_query.filters(request), list_query.limit(request), latest=latest
        )
        return Reply(200, [openrig.encode_permit(permit) for permit in rows])

    async def runner_permits(self, request: Request) -> Reply:
        rows = self._core.store.permits.causes(
            list_query.filters(request), list_query.limit(request)
        )
        return Reply(200, [openrig.encode_runner_permit(cause) for cause in rows])

    async def operation(self, request: Request) -> Reply:
        known = self._core.store.operations(request.path_params["key"])
        if not known:
            return Reply(200, {"state": "unknown"})
        method, path, status, response, at = known[0]
        body: JsonObject = {
            "state": "done",
            "method": method,
            "path": path,
            "status": status,
            "at": list_query.shown(at),
            "response": wire_json.loads(response),
        }
        return Reply(200, body)

    def _is_for_a_seat(self, request: Request) -> bool:
        """Say whether an agent seat reads its rows, which hold no options (D7-28)."""
        readers = (
            request.query_params.get("destinationSession"),
            request.query_params.get("as"),
            request.headers.get("x-openrig-session"),
        )
        return any(reader in self._core.by_session for reader in readers)

    def _ask(self, request: Request) -> Ask:
        return must_find(self._core, request.path_params["row_id"])
