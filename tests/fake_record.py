"""A record that answers queries as a daemon would: filtered, newest first, page by page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from rig_tui.domain.commands import (
    EndedAsks,
    Page,
    PermitsBefore,
    Query,
    RunnerPermitsBefore,
    SeatEvents,
)
from rig_tui.domain.history import EndedAsk, Filters
from rig_tui.domain.window import Keyed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rig_tui.domain.model import Ask, Fleet, Permit, RunnerPermit
    from rig_tui.domain.timeline import SeatEvent

Row = TypeVar("Row", bound=Keyed)


@dataclass
class FakeRecord:
    """What is on record, in any order."""

    permits: list[Permit] = field(default_factory=list)
    ended: list[EndedAsk] = field(default_factory=list)
    runner_permits: list[RunnerPermit] = field(default_factory=list)
    seat_events: list[SeatEvent] = field(default_factory=list)

    @classmethod
    def of(cls, fleet: Fleet | None) -> FakeRecord:
        """What a daemon has on record whose lists bring this fleet."""
        if fleet is None:
            return cls()
        over = [as_ended(ask) for ask in fleet.asks.values() if not ask.pending]
        return cls([*fleet.permits], over, [*fleet.runner_permits])

    def answer(self, query: Query) -> Page | None:
        """The page a query asks for; None for what isn't about the record."""
        match query:
            case PermitsBefore(before=before, limit=limit, filters=wanted):
                permits = (p for p in self.permits if _permit_fits(p, wanted))
                page, more = _page(permits, before, limit)
                return Page(permits=tuple(page), more=more)
            case EndedAsks(before, wanted, limit):
                over = (ended for ended in self.ended if _ask_fits(ended.ask, wanted))
                asks, more = _page(over, before, limit)
                return Page(ended=tuple(asks), more=more)
            case RunnerPermitsBefore(before, wanted, limit):
                seat = wanted.seat
                causes = (c for c in self.runner_permits if seat in (None, c.session_name))
                found, more = _page(causes, before, limit)
                return Page(runner_permits=tuple(found), more=more)
            case SeatEvents(kinds=kinds, before=before, limit=limit):
                events = (e for e in self.seat_events if not kinds or e.kind in kinds)
                entries, more = _page(events, before, limit)
                return Page(seat_events=tuple(entries), more=more)
            case _:
                return None


def as_ended(ask: Ask) -> EndedAsk:
    """An ended ask at its place by when it ended."""
    at = ask.decided_at or ask.opened_at
    return EndedAsk(f"{at.isoformat()} {ask.ask_id}", ask)


def _page(rows: Iterable[Row], before: str | None, limit: int) -> tuple[Sequence[Row], bool]:
    below = [row for row in rows if before is None or row.sort_key < before]
    below.sort(key=lambda row: row.sort_key, reverse=True)
    return below[:limit], len(below) > limit


def _permit_fits(permit: Permit, wanted: Filters) -> bool:
    return (
        wanted.seat in (None, permit.session_name)
        and wanted.kind in (None, permit.option_kind)
        and wanted.cause in (None, permit.cause)
        and (wanted.text or "") in str(permit.tool_call)
        and (wanted.since is None or permit.at >= wanted.since)
        and (wanted.until is None or permit.at <= wanted.until)
    )


def _ask_fits(ask: Ask, wanted: Filters) -> bool:
    return (
        wanted.seat in (None, ask.seat_ref)
        and wanted.kind in (None, ask.outcome.kind)
        and wanted.person in (None, (ask.decided_by or "").removesuffix("@external"))
        and (wanted.text or "") in str(ask.tool_call)
    )
