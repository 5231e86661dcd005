"""Whom an ask can be handed to (`/api/mission-control/destinations`), in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, TypeAdapter

from rig_tui.domain.model import Destination, HolderType
from rig_tui.wire.openrig.shape import SHAPE, dump, read
from rig_tui.wire.openrig.sizes import elide

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rig_tui.domain.model import JsonObject
    from rig_tui.wire.openrig.shape import JsonInput

_PEOPLE = "people"
_SEATS = "topology"


class DestinationRow(BaseModel):
    """One destination."""

    model_config = SHAPE

    session_name: str
    label: str = ""
    source: str = _SEATS
    rig_name: str | None = None
    status: str | None = None
    type: HolderType | None = None
    """No public OpenRig has it."""

    @classmethod
    def of(cls, destination: Destination) -> DestinationRow:
        return cls(
            session_name=destination.address,
            label=destination.label,
            source=_PEOPLE if destination.type is HolderType.PERSON else _SEATS,
            rig_name=destination.rig_name,
            status=destination.status,
            type=destination.type,
        )

    def value(self) -> Destination:
        return Destination(
            self.type or self._by_address(),
            self.session_name,
            self.label or self.session_name,
            self.rig_name,
            self.status,
        )

    def _by_address(self) -> HolderType:
        name, _, place = self.session_name.partition("@")
        is_person = place == "external" or name == "human"
        return HolderType.PERSON if is_person else HolderType.SEAT


class DestinationsRow(BaseModel):
    """All of them."""

    model_config = SHAPE

    destinations: tuple[DestinationRow, ...]


_DESTINATIONS = TypeAdapter(DestinationsRow)


def encode_destinations(destinations: Iterable[Destination]) -> JsonObject:
    """The body of `/api/mission-control/destinations`."""
    # One by one: a list inside a row would be cut to its newest entries.
    rows = [elide(dump(DestinationRow.of(each)))[0] for each in destinations]
    return {"destinations": [*rows]}


def decode_destinations(data: JsonInput) -> tuple[Destination, ...]:
    """Everyone an ask can be handed to, also from daemons that don't say who is a person.

    Raises:
        UnreadableError: It isn't such a body.
    """
    rows = read(_DESTINATIONS, "The list of destinations", data).destinations
    return tuple(row.value() for row in rows)
