"""The operator's reads."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rig_tui.daemon import presets
from rig_tui.daemon.act_checks import must_find
from rig_tui.daemon.ask_tables import Filters
from rig_tui.daemon.http_operator import operator_route
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.wire import json as wire_json
from rig_tui.wire import openrig
from rig_tui.wire.errors import UnreadableError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.routing import Route

    from rig_tui.daemon.core import Core
    from rig_tui.domain.model import Ask, JsonObject

_LIMIT = 100
_LARGEST_LIMIT = 500


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
            rows = self._core.store.asks.closed(_filters(request), _limit(request))
            return Reply(200, [{**openrig.encode_item(a), "sortKey": k} for k, a in rows])
        pending = sorted(self._core.pending.values(), key=lambda ask: ask.opened_at)
        return Reply(200, [openrig.encode_item(ask) for ask in pending])

    async def item(self, request: Request) -> Reply:
        return Reply(200, openrig.encode_item(self._ask(request), whole=True))

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
            200, [{**dict(zip(names, row, strict=True)), "ts": _shown(row[2])} for row in rows]
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
        rows = self._core.store.permits.recorded(_filters(request), _limit(request), latest=latest)
        return Reply(200, [openrig.encode_permit(permit) for permit in rows])

    async def runner_permits(self, request: Request) -> Reply:
        rows = self._core.store.permits.causes(_filters(request), _limit(request))
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
            "at": _shown(at),
            "response": wire_json.loads(response),
        }
        return Reply(200, body)

    def _ask(self, request: Request) -> Ask:
        return must_find(self._core, request.path_params["row_id"])


def _filters(request: Request) -> Filters:
    query = request.query_params
    person = query.get("person")
    text = query.get("q")
    return Filters(
        after=query.get("afterSortKey"),
        before=query.get("beforeSortKey"),
        seat=query.get("seat"),
        session=query.get("sourceSession") or query.get("seat"),
        rig=query.get("rig"),
        person=person and (person if "@" in person else f"{person}@external"),
        cause=query.get("cause"),
        kind=query.get("kind"),
        since=_instant(query.get("since")),
        until=_instant(query.get("until")),
        text=text and text.lower(),
    )


def _instant(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return openrig.decode_instant(text).astimezone(UTC).isoformat()
    except UnreadableError:
        raise RefusedError(
            400, "invalid_time", f"{text} isn't a time like 2026-01-31T12:00:00Z."
        ) from None


def _shown(stored: str) -> str:
    return openrig.encode_instant(datetime.fromisoformat(stored))


def _limit(request: Request) -> int:
    text = request.query_params.get("limit", str(_LIMIT))
    if not text.isascii() or not text.isdigit() or not int(text):
        raise RefusedError(400, "invalid_limit", "limit is a whole number from 1 to 500.")
    return min(int(text), _LARGEST_LIMIT)
