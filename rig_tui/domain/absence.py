"""A time without the daemon, and what changed in it.

Rule of this file: what was held when the daemon went is compared with what it lists
when it is back. Whatever came and went between leaves a record there, or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from rig_tui.domain.model import Permit, RunnerPermit

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.events import LinkMade
    from rig_tui.domain.model import Ask, Fleet

ABSENCES_KEPT: Final = 20

_Record = TypeVar("_Record", Permit, RunnerPermit)


@dataclass(frozen=True, slots=True)
class Absence:
    """What changed while nothing was heard."""

    since: datetime
    until: datetime
    anew: bool = False
    """Whether the daemon came back with another database, or with an older one."""
    opened: tuple[Ask, ...] = ()
    """Asks that came and wait."""
    ended: tuple[Ask, ...] = ()
    """Asks that ended, whether they waited before or not."""
    gone: tuple[Ask, ...] = ()
    """Asks that waited and that the daemon doesn't list any more."""
    permits: tuple[Permit, ...] = ()
    runner_permits: tuple[RunnerPermit, ...] = ()
    seats_come: tuple[str, ...] = ()
    """Seat refs."""
    seats_gone: tuple[str, ...] = ()
    people: bool = False
    """Whether other people are registered, or another is the default."""
    read: bool = False
    """Whether the operator has seen the list."""

    @property
    def changed(self) -> bool:
        """Whether there is anything to tell."""
        return bool(
            self.anew or self.opened or self.ended or self.gone or self.permits
            or self.runner_permits or self.seats_come or self.seats_gone or self.people
        )  # fmt: skip


def absence(before: Fleet, after: Fleet, made: LinkMade) -> Absence:
    """What the daemon's lists tell of the time since the link stood."""
    waited = {ask.ask_id for ask in before.asks.values() if ask.pending}
    over = before.asks.keys() - waited
    asks = sorted(after.asks.values(), key=lambda ask: (ask.opened_at, ask.ask_id))
    were = {seat.seat_id: seat.seat_ref for seat in before.seats.values()}
    are = {seat.seat_id: seat.seat_ref for seat in after.seats.values()}
    return Absence(
        since=before.link.since or made.at,
        until=made.at,
        anew=made.renumbered or before.link.epoch != made.epoch,
        opened=tuple(ask for ask in asks if ask.pending and ask.ask_id not in waited),
        ended=tuple(ask for ask in asks if not ask.pending and ask.ask_id not in over),
        gone=tuple(before.asks[ask_id] for ask_id in sorted(waited - after.asks.keys())),
        permits=_newer(before.permits, after.permits),
        runner_permits=_newer(before.runner_permits, after.runner_permits),
        seats_come=tuple(sorted(are[key] for key in are.keys() - were.keys())),
        seats_gone=tuple(sorted(were[key] for key in were.keys() - are.keys())),
        people=_people(before) != _people(after),
    )


def _newer(held: tuple[_Record, ...], found: tuple[_Record, ...]) -> tuple[_Record, ...]:
    """The records that weren't there; both are newest first, and the oldest may be cut."""
    newest = held[0].sort_key if held else ""
    return tuple(record for record in found if record.sort_key > newest)


def _people(fleet: Fleet) -> object:
    return (fleet.people.registered, fleet.people.default, fleet.people.readable)
