"""What a command works with: one daemon, the fleet as it read it, and who acts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rig_tui.actions.action import Context
from rig_tui.cli.stop import REFUSED, USAGE, Stop
from rig_tui.client.errors import MissingError
from rig_tui.client.local import local_backend, now
from rig_tui.domain import select
from rig_tui.domain.commands import WholeAsk
from rig_tui.domain.model import PRIMARY_USER, Fleet
from rig_tui.domain.reduce import reduce
from rig_tui.settings import inside_seat, load

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from rig_tui.client.openrig import OpenRigBackend
    from rig_tui.domain.events import EventBatch
    from rig_tui.domain.model import Ask, Seat
    from rig_tui.settings import Overrides, Settings


@dataclass
class Desk:
    """One command's place to work at."""

    backend: OpenRigBackend
    settings: Settings
    environ: Mapping[str, str]
    fleet: Fleet

    async def open(self) -> None:
        """Connect and read the lists.

        Raises:
            ClientError: No daemon could be used.
        """
        self.apply(await self.backend.open())

    def apply(self, batch: EventBatch) -> None:
        """Take in what the daemon said."""
        self.fleet = reduce(self.fleet, batch)

    def forget(self) -> None:
        """Know nothing again but who acts."""
        self.fleet = Fleet(acting_as=self.settings.acting_as)

    @property
    def daemon(self) -> str:
        """The daemon's address, as rows name it."""
        return self.backend.base_url

    def now(self) -> datetime:
        """The time on the daemon's clock."""
        return now() + self.backend.clock_offset

    def may_act(self) -> None:
        """Pass whoever may act from here.

        Raises:
            Stop: This runs inside a seat.
        """
        variable = inside_seat(self.environ)
        if variable is not None:
            raise Stop(REFUSED, inside_words(variable))

    def seat(self, named: str) -> Seat:
        """The seat of this name@rig or session name.

        Raises:
            Stop: There is none, or more than one.
        """
        found = [s for s in self.fleet.seats.values() if named in (s.seat_ref, s.session_name)]
        if len(found) == 1:
            return found[0]
        known = ", ".join(sorted(s.seat_ref for s in self.fleet.seats.values())) or "none"
        raise Stop(USAGE, f"there is no seat {named}; the seats are: {known}")

    async def ask(self, named: str) -> Ask:
        """The ask of this id, or of this row's id, whole.

        Raises:
            Stop: There is none.
            ClientError: It couldn't be read.
        """
        try:
            page = await self.backend.fetch(WholeAsk(named))
        except MissingError as error:
            raise Stop(USAGE, f"there is no ask {named}; rig-tui asks lists those that wait") from (
                error
            )
        if page.ask is None:
            raise Stop(USAGE, f"{named} is no permission request")
        self.fleet = replace(self.fleet, asks={**self.fleet.asks, page.ask.ask_id: page.ask})
        return page.ask

    def context(self, *, ask: Ask | None = None, seat: Seat | None = None) -> Context:
        """What an action of the registry is asked about."""
        if ask is not None and seat is None:
            seat = select.seat_of(self.fleet, ask)
        return Context(self.fleet, ask, seat)

    def address(self, person: str) -> str:
        """The actor name of a registered person, or of the primary user.

        Raises:
            Stop: Nobody of this name is registered.
        """
        if person == PRIMARY_USER:
            return person
        return f"{self.entity(person)}@external"

    def entity(self, person: str) -> str:
        """The entity id of a registered person, who may be named by actor name.

        Raises:
            Stop: Nobody of this name is registered.
        """
        entity = person.removesuffix("@external")
        people = self.fleet.people
        if people.find(entity) is None:
            known = ", ".join(p.entity_id for p in people.registered) or "nobody"
            raise Stop(USAGE, f"{person} isn't registered; registered: {known}")
        return entity


def desk_for(overrides: Overrides, environ: Mapping[str, str]) -> Desk:
    """A desk at the daemon that flags, settings and environment name; nothing is read yet.

    Raises:
        SettingsError: A setting can't be used.
    """
    settings = load(overrides, environ)
    backend = local_backend(
        overrides, settings, environ, program="cli", actor=lambda: desk.fleet.operator
    )
    desk = Desk(backend, settings, environ, Fleet(acting_as=settings.acting_as))
    return desk


def inside_words(variable: str) -> str:
    """Why nothing is done inside a seat."""
    return f"this runs inside a seat ({variable} is set): nothing was done"
