"""Reads of what was done: seats' timelines, acts on asks, and whom an ask can go to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.daemon import list_query
from rig_tui.daemon.ask_tables import Filters
from rig_tui.daemon.handing import destinations
from rig_tui.daemon.http_operator import operator_route
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.domain.timeline import SeatEventKind
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.routing import Route

    from rig_tui.daemon.core import Core
    from rig_tui.daemon.log_tables import Audited
    from rig_tui.domain.model import JsonObject

_KINDS = frozenset(SeatEventKind)


class LogRoutes:
    """Timelines, the audit of acts, and destinations."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def routes(self) -> list[Route]:
        reads = {
            "/api/seats/{seat_ref}/events": self.timeline,
            "/api/mission-control/destinations": self.destinations,
            "/api/mission-control/audit": self.audit,
        }
        return [operator_route(self._core, path, "GET", read) for path, read in reads.items()]

    async def timeline(self, request: Request) -> Reply:
        seat_ref = request.path_params["seat_ref"]
        if seat_ref not in self._core.seats:
            raise RefusedError(404, "seat_not_found", f"There is no seat {seat_ref}.")
        text = request.query_params.get("kinds", "")
        kinds = tuple(kind for kind in text.split(",") if kind)
        if unknown := [kind for kind in kinds if kind not in _KINDS]:
            raise RefusedError(
                400,
                "invalid_kind",
                f"A timeline has no {', '.join(unknown)}; it has {', '.join(sorted(_KINDS))}.",
            )
        if not self._core.timelines.saved:
            self._core.save()
        events = self._core.store.timeline.of(
            seat_ref, kinds, list_query.filters(request), list_query.limit(request)
        )
        return Reply(200, [openrig.encode_seat_event(event) for event in events])

    async def destinations(self, request: Request) -> Reply:
        return Reply(200, openrig.encode_destinations(destinations(self._core)))

    async def audit(self, request: Request) -> Reply:
        query = request.query_params
        row_id = query.get("qitem_id")
        filters = Filters(
            before_act=query.get("before_id"),
            # An ask that was handed over has several rows; whoever acted on any is told.
            ask=row_id and (self._core.store.asks.of_row(row_id) or row_id),
            verb=query.get("action_verb"),
            actor=query.get("actor_session"),
            since=list_query.instant(query.get("since")),
            until=list_query.instant(query.get("until")),
        )
        limit = list_query.limit(request)
        acts = self._core.store.audit.acts(filters, limit + 1)
        more = len(acts) > limit
        rows: list[JsonObject] = [_audited(act) for act in acts[:limit]]
        return Reply(
            200,
            {
                "rows": [*rows],
                "hasMore": more,
                "nextBeforeId": acts[limit - 1].action_id if more else None,
            },
        )


def _audited(act: Audited) -> JsonObject:
    return {
        "actionId": act.action_id,
        "actionVerb": act.verb,
        "qitemId": act.row_id,
        "actorSession": act.actor,
        "actedAt": openrig.encode_instant(act.at),
        "beforeState": act.before,
        "afterState": act.after,
        "reason": act.reason,
        "annotation": act.annotation,
        "notifyAttempted": False,
        "notifyResult": None,
        "auditNotes": None,
    }
