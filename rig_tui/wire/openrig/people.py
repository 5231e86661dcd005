"""Who is registered, the default person, and changes of who is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pydantic import BaseModel, Field, TypeAdapter

from rig_tui.domain.model import Asked, AskedBecause, Cause, People, Person
from rig_tui.wire.openrig.runner_row import AskedRow
from rig_tui.wire.openrig.shape import SHAPE, dump, read
from rig_tui.wire.openrig.sizes import elide

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rig_tui.domain.model import JsonObject
    from rig_tui.wire.openrig.shape import JsonInput

Change: TypeAlias = tuple[str, Asked, Asked]
"""Seat ref, who is asked now, who would be."""


class HumanRow(BaseModel):
    """A registered person."""

    model_config = SHAPE

    browser_key: str = ""
    entity_id: str
    address: str = ""
    display_name: str = ""
    class_: str = Field(default="human", serialization_alias="class", validation_alias="class")

    @classmethod
    def of(cls, person: Person) -> HumanRow:
        return cls(
            browser_key=person.entity_id,
            entity_id=person.entity_id,
            address=person.address,
            display_name=person.display_name,
        )

    def value(self) -> Person:
        return Person(self.entity_id, self.display_name or self.entity_id)


class DefaultRow(BaseModel):
    """The default person as set, registered or not."""

    model_config = SHAPE

    entity_id: str | None = None
    because: str = ""


class RegistryRow(BaseModel):
    """Whether the people could be read."""

    model_config = SHAPE

    state: str = "available"


class ConnectionsRow(BaseModel):
    """What of `/api/gateway/connections` concerns permission asks."""

    model_config = SHAPE

    humans: tuple[HumanRow, ...] = ()
    default: DefaultRow | None = None
    registry: RegistryRow = RegistryRow()

    @classmethod
    def of(cls, people: People) -> ConnectionsRow:
        return cls(
            humans=tuple(HumanRow.of(person) for person in people.registered),
            default=DefaultRow(entity_id=people.default, because=_because(people)),
            registry=RegistryRow(state="available" if people.readable else "unavailable"),
        )

    def value(self) -> People:
        return People(
            registered=tuple(human.value() for human in self.humans),
            default=self.default.entity_id if self.default else None,
            readable=self.registry.state != "unavailable",
        )


class ChangeRow(BaseModel):
    """Who is asked for one seat, before and after."""

    model_config = SHAPE

    seat_ref: str
    before: AskedRow = Field(serialization_alias="from", validation_alias="from")
    after: AskedRow = Field(serialization_alias="to", validation_alias="to")


_CONNECTIONS = TypeAdapter(ConnectionsRow)
_CHANGES = TypeAdapter(tuple[ChangeRow, ...])


def _because(people: People) -> str:
    """Why a seat without an override asks whom it asks."""
    if not people.readable:
        return Cause.PEOPLE_UNREADABLE
    if people.default is not None and people.find(people.default):
        return AskedBecause.DEFAULT_PERSON
    if len(people.registered) == 1:
        return AskedBecause.ONLY_PERSON
    if not people.registered:
        return Cause.NO_REGISTERED_PERSON
    return Cause.SEVERAL_AND_NO_DEFAULT


def encode_people(people: People) -> JsonObject:
    """The body of `/api/gateway/connections`."""
    return elide(dump(ConnectionsRow.of(people)))[0]


def decode_people(data: JsonInput) -> People:
    """Everyone registered, and the default.

    Raises:
        UnreadableError: It isn't a body of `/api/gateway/connections`.
    """
    return read(_CONNECTIONS, "The list of people", data).value()


def encode_changes(changes: Iterable[Change]) -> list[JsonObject]:
    """What a change of people or overrides does to seats."""
    return [
        dump(ChangeRow(seat_ref=ref, before=AskedRow.of(before), after=AskedRow.of(after)))
        for ref, before, after in changes
    ]


def decode_changes(data: JsonInput) -> tuple[Change, ...]:
    """What a change of people or overrides does to seats.

    Raises:
        UnreadableError: It isn't a list of changes.
    """
    rows = read(_CHANGES, "The list of changes", data)
    return tuple((row.seat_ref, row.before.value(), row.after.value()) for row in rows)
