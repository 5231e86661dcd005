"""What a daemon must come to after any sequence of posts, submits and acts.

Rule of this file: it decides with the pure functions of `rig_tui.domain` alone, and
knows nothing of HTTP, SQL or events.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rig_tui.domain import activity
from rig_tui.domain.activity import Activity, Post
from rig_tui.domain.asked import who_is_asked
from rig_tui.domain.mapping import Act, Action, outcome, showable
from rig_tui.domain.model import PENDING, AskedMode, Override, People, Person

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.activity import Intake
    from rig_tui.domain.model import Option, Outcome

HOST = "x@host:remote"


@dataclass
class Asking:
    """An ask."""

    seat: Sitting
    turn_id: str
    options: tuple[Option, ...]
    holder: str
    outcome: Outcome = PENDING

    @property
    def pending(self) -> bool:
        return self.outcome == PENDING

    @property
    def out_of_reach(self) -> str:
        """Why what is asked about options does nothing, while nobody sees them."""
        if self.holder == HOST:
            return "held_by_host"
        return "" if self.holder.endswith("@external") else "held_by_seat"


@dataclass
class Sitting:
    """A seat and its occupant."""

    name: str
    generation: str
    activity: Activity = field(default_factory=Activity)
    override: Override = field(default_factory=Override)
    requests: dict[tuple[str, str], tuple[str, Asking | str]] = field(default_factory=dict)
    """(conversation, request) -> its turn, and the ask or the permit's option it made."""
    asks: list[Asking] = field(default_factory=list)

    @property
    def pending(self) -> list[Asking]:
        return [ask for ask in self.asks if ask.pending]


@dataclass(frozen=True)
class Expected:
    """What a submit is answered with."""

    status: int
    code: str = ""
    option_id: str = ""
    ask: Asking | None = None
    created: bool = False


@dataclass
class FleetModel:
    """Everything a daemon knows, as it should be."""

    people: People = field(default_factory=People)
    seats: dict[str, Sitting] = field(default_factory=dict)
    permits: list[tuple[str, str]] = field(default_factory=list)
    """Each default permit: the seat's name and the option given, oldest first."""

    def register(self, entity_id: str) -> None:
        if self.people.find(entity_id) is None:
            person = Person(entity_id, entity_id)
            self.people = replace(self.people, registered=(*self.people.registered, person))

    def remove(self, entity_id: str) -> None:
        left = tuple(p for p in self.people.registered if p.entity_id != entity_id)
        self.people = replace(self.people, registered=left)

    def hand(self, ask: Asking, to: str) -> str:
        """Hand over a pending ask; gives why it couldn't be."""
        name, _, place = to.partition("@")
        if ask.holder == HOST:
            return "held_by_host"
        if place == "external" and self.people.find(name) is None:
            return "destination_not_registered"
        if to == f"{ask.seat.name}@my-rig":
            return "asks_itself"
        ask.holder = to
        return ""

    def post(self, seat: Sitting, post: Post) -> Intake:
        took = activity.intake(seat.activity, post, seat.generation, bool(seat.pending))
        seat.activity = took.activity
        for ask in seat.pending:
            ends = took.ends_turn is not None and ask.turn_id == took.ends_turn
            if took.is_exit or ends:
                reason = "exited" if took.is_exit else "turn_ended"
                ask.outcome = replace(outcome(ask.options, Act.WITHDRAW), reason=reason)
        return took

    def submit(
        self,
        seat: Sitting,
        *,
        generation: str,
        native_ref: str,
        turn_id: str,
        request_id: str,
        options: tuple[Option, ...],
        occurred_at: datetime | None,
        at: datetime,
    ) -> Expected:
        """Judge in the contract's order (A-19)."""
        if generation != seat.generation:
            return Expected(409, "stale_generation")
        earlier = seat.requests.get((native_ref, request_id))
        if earlier and earlier[0] == turn_id:
            made = earlier[1]
            if isinstance(made, Asking):
                return Expected(200, ask=made)
            return Expected(200, option_id=made)
        asked = who_is_asked(self.people, seat.override)
        if asked.mode is AskedMode.REFUSES:
            return Expected(409, "denied_by_seat")
        if earlier:
            return Expected(409, "duplicate_request")
        if asked.mode is AskedMode.PERMITS or not showable(options):
            permitted = outcome(options, Act.NOBODY_TO_ASK)
            if permitted.option_id is None:
                return Expected(422, "options_unsupported")
            seat.requests[native_ref, request_id] = (turn_id, permitted.option_id)
            self.permits.append((seat.name, permitted.option_id))
            return Expected(200, option_id=permitted.option_id)
        ask = Asking(seat, turn_id, options, f"{asked.person}@external")
        seat.requests[native_ref, request_id] = (turn_id, ask)
        seat.asks.append(ask)
        seat.activity = activity.ask_opened(seat.activity, at, occurred_at, "edit")
        return Expected(200, ask=ask, created=True)

    def end(self, ask: Asking, action: Action) -> Outcome:
        """End a pending ask as one act does."""
        ask.outcome = outcome(ask.options, action)
        if ask.outcome.state == "permitted":
            self.permits.append((ask.seat.name, ask.outcome.option_id or ""))
        return ask.outcome

    def relaunch(self, seat: Sitting, generation: str) -> None:
        for ask in seat.pending:
            ask.outcome = outcome(ask.options, Act.RELAUNCH)
        seat.generation = generation
        seat.activity = activity.relaunched(seat.activity)
        seat.requests = {}

    def restart(self) -> None:
        for seat in self.seats.values():
            seat.activity = activity.restarted(seat.activity)
