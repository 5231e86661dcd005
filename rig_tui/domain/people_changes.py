"""What a change of people or of a seat's override would do, before it is done (T7-22)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rig_tui.domain.asked import who_is_asked
from rig_tui.domain.model import AskedMode

if TYPE_CHECKING:
    from rig_tui.domain.model import Asked, Fleet, Override, People, Person, Seat


@dataclass(frozen=True, slots=True)
class Change:
    """Who is asked for one seat, now and then."""

    seat_ref: str
    now: Asked
    then: Asked

    @property
    def permits(self) -> bool:
        """Whether the seat's requests would newly be permitted without asking."""
        return self.then.mode is AskedMode.PERMITS and self.now.mode is not AskedMode.PERMITS


def with_person(people: People, person: Person) -> People:
    """Everyone, with this person registered too."""
    others = tuple(p for p in people.registered if p.entity_id != person.entity_id)
    return replace(people, registered=(*others, person))


def without_person(people: People, entity_id: str) -> People:
    """Everyone but this person; a default that named them is gone with them."""
    kept = tuple(p for p in people.registered if p.entity_id != entity_id)
    default = None if people.default == entity_id else people.default
    return replace(people, registered=kept, default=default)


def with_default(people: People, entity_id: str | None) -> People:
    """Everyone, with this default."""
    return replace(people, default=entity_id)


def changes(fleet: Fleet, people: People) -> list[Change]:
    """The seats for which others would be asked if these were the people."""
    found = []
    for seat in sorted(fleet.seats.values(), key=lambda seat: (seat.rig_name, seat.name)):
        then = who_is_asked(people, seat.override)
        if (then.mode, then.person) != (seat.asked.mode, seat.asked.person):
            found.append(Change(seat.seat_ref, seat.asked, then))
    return found


def override_change(fleet: Fleet, seat: Seat, override: Override) -> Change:
    """Who would be asked for a seat with this override."""
    return Change(seat.seat_ref, seat.asked, who_is_asked(fleet.people, override))
