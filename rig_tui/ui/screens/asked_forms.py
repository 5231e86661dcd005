"""The dialogs of handing over, and of who is asked.

Each names its consequence before there is a command; a change of people lists the
seats it would touch, and one that makes seats permit unasked offers the safe way first.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rich.text import Text

from rig_tui.actions.action import Confirm
from rig_tui.domain import mapping, people_changes
from rig_tui.domain.commands import (
    ChooseDefault,
    HandToSeat,
    RegisterPerson,
    RemovePerson,
    RouteAsk,
    SetOverride,
)
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import AskedMode, Override, OverrideMode, Person
from rig_tui.ui.present.asked_map import asked_text, change_lines
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.roles import DANGER_STRONG, DIM, PLAIN
from rig_tui.ui.present.seat import badge
from rig_tui.ui.screens.form import Form, Meaning
from rig_tui.ui.screens.picker import Pick, Picker
from rig_tui.ui.screens.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.actions.action import Context
    from rig_tui.domain.model import Ask, Fleet, People, Seat
    from rig_tui.ui.arming import Arming


NO_OPTIONS: Final = "It sees no options; done, dropped or failed PERMITS"
_ENTITY = re.compile(r"[a-z0-9][a-z0-9._-]*")


def route_person(context: Context, arming: Arming) -> Form:
    """Pick a registered person to hand the shown ask to (T7-14)."""
    ask = _ask(context)
    words = mapping.consequence(ask.options, Act.ROUTE_TO_PERSON)
    picks = [
        Pick(person.address, "person", _named(person), f"{words}. {_last(context.fleet, person)}")
        for person in context.fleet.people.registered
        if person.address != ask.holder.id
    ]
    empty = "Nobody else is registered. Register a person first."

    def meant(pick: Pick) -> Meaning:
        command = RouteAsk(ask.ask_id, ask.row_id, pick.value)
        return Confirm(command, f"Hand it to {pick.name}", words)

    return Form(Picker("Hand the ask to a person", picks, arming, empty=empty), meant)


def route_seat(context: Context, arming: Arming) -> Form:
    """Pick an agent seat to hand the shown ask to, with the whole warning (T7-15)."""
    ask, fleet = _ask(context), context.fleet
    words = mapping.consequence(ask.options, Act.HAND_TO_SEAT)
    if "deliver" not in fleet.link.capabilities:
        words += ". This daemon doesn't deliver rows to agents: someone must close it"
    picks = [
        Pick(seat.session_name, "seat", seat.seat_ref, f"{_reads(seat)}. {NO_OPTIONS}")
        for seat in sorted(fleet.seats.values(), key=lambda seat: seat.seat_ref)
        if seat.session_name not in (ask.session_name, ask.holder.id)
    ]

    def meant(pick: Pick) -> Meaning:
        command = HandToSeat(ask.ask_id, ask.row_id, pick.value)
        return Confirm(command, f"Hand it to the agent seat {pick.name}", words)

    empty = "There is no other seat."
    return Form(Picker("Hand the ask to an agent seat", picks, arming, empty=empty), meant)


def _reads(seat: Seat) -> str:
    """What a seat that may be handed an ask is at: one that has exited closes nothing."""
    word, _ = badge(seat.reading)
    return f"It reads {word}: its agent has exited" if seat.exited else f"It reads {word}"


def ask_person(context: Context, arming: Arming) -> Form:
    """Pick who is asked for the selected seat from its next request on (T7-26)."""
    seat, people = _seat(context), context.fleet.people
    picks = [
        Pick(person.entity_id, "person", _named(person), "is asked for this seat's next requests")
        for person in people.registered
    ]

    def meant(pick: Pick) -> Meaning:
        override = Override(OverrideMode.TO, pick.value)
        return _with_reason(context, seat, override, f"Ask {pick.name} for {seat.seat_ref}", arming)

    empty = "Nobody is registered. Register a person first."
    return Form(Picker(f"Who is asked for {seat.seat_ref}", picks, arming, empty=empty), meant)


def refuse_all(context: Context, arming: Arming) -> Form:
    """Refuse every request of the selected seat (T7-26)."""
    seat = _seat(context)
    override = Override(OverrideMode.DENY)
    return _with_reason(context, seat, override, f"Refuse all requests of {seat.seat_ref}", arming)


def back_to_default(context: Context, arming: Arming) -> Form:
    """Drop the selected seat's own choice."""
    seat = _seat(context)
    return _with_reason(
        context, seat, Override(), f"Back to the default person for {seat.seat_ref}", arming
    )


def _with_reason(
    context: Context, seat: Seat, override: Override, title: str, arming: Arming
) -> Form:
    """Ask for the reason a change of override needs; Y too, where it makes a seat permit."""
    fleet = context.fleet
    change = people_changes.override_change(fleet, seat, override)
    explain: list[Line | Text] = [
        Line(join("then: ", asked_text(change.then, fleet.people))),
    ]
    if override.mode is OverrideMode.DENY:
        words = "Every request is refused and the seat needs input until its next prompt."
        explain.append(Line(join((words, PLAIN))))
    explain.append(
        Line(join(("It counts from the next request on; asks already open stay as they are.", DIM)))
    )
    command = SetOverride(seat.seat_id, seat.seat_ref, override.mode, override.person, "")
    final = "go on: the seat PERMITS unasked" if change.permits else None
    screen = Words(title, explain, placeholder="why", final=final, arming=arming)
    return Form(screen, lambda reason: (replace(command, reason=reason), title))


def name_dialog(login: str, arming: Arming, *, first_run: bool = False) -> Words:
    """Ask for the name of somebody to register."""
    explain: list[Line | Text] = []
    if first_run:
        explain += [
            join(("Nobody is registered here.", DANGER_STRONG)),
            Line(join(("Until somebody is, every seat PERMITS without asking.", PLAIN))),
            Text(),
            Line(join(("The first person is the default, and is asked for every seat.", DIM))),
        ]
    else:
        explain.append(Line(join(("Who can be asked from now on, by a short name.", DIM))))
    return Words(
        "Register yourself" if first_run else "Register a person",
        explain,
        prefilled=login if _ENTITY.fullmatch(login) else "",
        placeholder="a short name: a-z 0-9 . _ -",
        accept=_bad_entity,
        arming=arming,
    )


def _bad_entity(text: str) -> str | None:
    if _ENTITY.fullmatch(text.strip()):
        return None
    return "A name is lower-case letters, digits, . _ and -, and starts with a letter or digit."


def register(context: Context, arming: Arming) -> Form:
    """Register a person, after saying which seats that changes (T7-22)."""

    def meant(entity: str) -> Meaning:
        people = context.fleet.people
        if not people.registered:
            return RegisterPerson(entity, entity, make_default=True), f"register {entity}"
        after = people_changes.with_person(people, Person(entity, entity))
        command = RegisterPerson(entity, entity)
        return _people_step(context, after, command, f"Register {entity}", arming)

    return Form(name_dialog("", arming), meant)


def remove_person(context: Context, arming: Arming) -> Form:
    """Pick whom to remove, after saying which seats that changes (T7-22)."""

    def meant(pick: Pick) -> Meaning:
        people = people_changes.without_person(context.fleet.people, pick.value)
        command = RemovePerson(pick.value)
        return _people_step(context, people, command, f"Remove {pick.name}", arming)

    return Form(_people_picker("Remove a person", context, arming), meant)


def default_person(context: Context, arming: Arming) -> Form:
    """Pick the default person, after saying which seats that changes."""

    def meant(pick: Pick) -> Meaning:
        people = people_changes.with_default(context.fleet.people, pick.value)
        command = ChooseDefault(pick.value)
        return _people_step(context, people, command, f"Make {pick.name} the default", arming)

    return Form(_people_picker("The default person", context, arming), meant)


def _people_step(
    context: Context,
    after: People,
    command: RegisterPerson | RemovePerson | ChooseDefault,
    title: str,
    arming: Arming,
) -> Meaning:
    """Show what a change of people does before it is done; it needs Y either way."""
    fleet = context.fleet
    changes = people_changes.changes(fleet, after)
    permits = [change for change in changes if change.permits]
    explain: list[Line | Text] = []
    if permits:
        count = f"{len(permits)} seat{'' if len(permits) == 1 else 's'}"
        explain += [Line(join((f"{count} would PERMIT without asking anyone.", DANGER_STRONG)))]
        explain += [Line(join((_safer(fleet, after), PLAIN))), Text()]
    explain += change_lines(changes, after)
    final = "do it all the same: seats PERMIT" if permits else "do it"
    screen = Words(title, explain, prefilled="", final=final, wordless=True, arming=arming)
    return Form(screen, lambda _: (replace(command, confirm=bool(permits)), title))


def _safer(fleet: Fleet, after: People) -> str:
    """The way round that makes no seat permit, in words."""
    kept = fleet.people.default or next(
        (s.asked.person for s in fleet.seats.values() if s.asked.mode is AskedMode.PERSON), None
    )
    if kept is not None and after.find(kept) is not None:
        return f"Safer: go back, choose {kept} as the default person first, then do this."
    return "Safer: go back, register somebody and choose them as the default person first."


def _people_picker(title: str, context: Context, arming: Arming) -> Picker:
    people = context.fleet.people
    picks = [
        Pick(person.entity_id, "person", _named(person),
             "the default person" if person.entity_id == people.default else "registered")
        for person in people.registered
    ]  # fmt: skip
    return Picker(title, picks, arming, empty="Nobody is registered.")


def _named(person: Person) -> str:
    if person.display_name.casefold() in ("", person.entity_id.casefold()):
        return person.entity_id
    return f"{person.display_name} ({person.entity_id})"


def _last(fleet: Fleet, person: Person) -> str:
    """When this person last decided an ask, as far as it is known here."""
    times = [
        ask.decided_at
        for ask in fleet.asks.values()
        if ask.decided_by == person.address and ask.decided_at is not None
    ]
    if not times:
        return "No answer of theirs is known here."
    return f"Last answered at {max(times).astimezone():%H:%M}."


def _ask(context: Context) -> Ask:
    if context.ask is None:
        raise ValueError("handing over needs a shown ask")
    return context.ask


def _seat(context: Context) -> Seat:
    if context.seat is None:
        raise ValueError("an override needs a seat")
    return context.seat


FORMS: Final[dict[str, Callable[[Context, Arming], Form]]] = {
    "route-person": route_person,
    "route-seat": route_seat,
    "ask-person": ask_person,
    "refuse-all": refuse_all,
    "back-to-default": back_to_default,
    "register": register,
    "remove-person": remove_person,
    "default-person": default_person,
}
"""The dialogs of this module by the name an action gives them."""
