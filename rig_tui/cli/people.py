"""`rig-tui people` and `rig-tui who-is-asked`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rig_tui.actions.people import asked_words
from rig_tui.actions.registry import ACTIONS
from rig_tui.cli.acting import Meant, carry_out, check
from rig_tui.cli.printing import age, instant, print_json, print_table
from rig_tui.cli.seats import asked_json, asked_line
from rig_tui.cli.stop import USAGE, Stop
from rig_tui.domain import people_changes
from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.commands import ChooseDefault, RegisterPerson, RemovePerson, SetOverride
from rig_tui.domain.inert import inert
from rig_tui.domain.model import AskedMode, Override, OverrideMode, Person

if TYPE_CHECKING:
    import argparse

    from rig_tui.cli.desk import Desk
    from rig_tui.domain.commands import PeopleCommand
    from rig_tui.domain.model import Asked, JsonObject, People, Seat
    from rig_tui.domain.people_changes import Change

_ORDER = (AskedMode.PERMITS, AskedMode.REFUSES, AskedMode.PERSON)
NOBODY = "none"


async def people(desk: Desk, given: argparse.Namespace) -> int:
    """Print who is registered; gives the exit code."""
    everyone = desk.fleet.people
    if given.as_json:
        print_json(
            [
                {
                    "daemon": desk.daemon,
                    "entityId": person.entity_id,
                    "displayName": person.display_name,
                    "default": person.entity_id == everyone.default,
                }
                for person in everyone.registered
            ]
        )
        return 0
    print_table(
        ("PERSON", "NAME", ""),
        (
            (p.entity_id, p.display_name, "default" if p.entity_id == everyone.default else "")
            for p in everyone.registered
        ),
        "Nobody is registered: every seat PERMITS without asking.",
    )
    return 0


async def change_people(desk: Desk, given: argparse.Namespace) -> int:
    """Change who is registered or the default; gives the exit code.

    Raises:
        Stop: It can't be done, or wasn't.
    """
    command, action, label, then = _change(desk.fleet.people, given)
    check(desk, ACTIONS[action])
    changes = people_changes.changes(desk.fleet, then)
    permitting = [change for change in changes if change.permits]
    words = "; ".join(f"{change.seat_ref} {_then(change)}" for change in permitting)
    return await carry_out(
        desk,
        given,
        Meant(
            command, label,
            "; ".join(f"{change.seat_ref} {_then(change)}" for change in changes)
            or "no seat's requests reach anybody else",
            needs="--confirm" if permitting else "",
            because=f"{words}. Choose a default person first, or with --default",
        ),
    )  # fmt: skip


def _change(people: People, given: argparse.Namespace) -> tuple[PeopleCommand, str, str, People]:
    """The command, its action, what is meant in words, and the people there are then."""
    entity = given.entity
    match given.command:
        case "people add":
            name = given.name or entity
            then = people_changes.with_person(people, Person(entity, name))
            if given.default:
                then = people_changes.with_default(then, entity)
            register = RegisterPerson(entity, name, given.default, given.confirm)
            return register, "people.register", f"Register {entity}", then
        case "people remove":
            _registered(people, entity)
            remove = RemovePerson(entity, given.confirm)
            then = people_changes.without_person(people, entity)
            return remove, "people.remove", f"Remove {entity}", then
        case _:
            chosen = None if entity == NOBODY else entity
            if chosen is not None:
                _registered(people, entity)
            choose = ChooseDefault(chosen, given.confirm)
            label = f"Make {entity} the default person" if chosen else "Have no default person"
            return choose, "people.default", label, people_changes.with_default(people, chosen)


def _registered(people: People, entity: str) -> None:
    if people.find(entity) is None:
        known = ", ".join(person.entity_id for person in people.registered) or "nobody"
        raise Stop(USAGE, f"{entity} isn't registered; registered: {known}")


def _then(change: Change) -> str:
    return f"would then {_asks(change.then)}"


def _asks(asked: Asked) -> str:
    match asked.mode:
        case AskedMode.PERSON:
            return f"ask {asked.person}"
        case AskedMode.REFUSES:
            return "refuse all"
        case AskedMode.ELSEWHERE:
            return "ask where it runs"
        case AskedMode.PERMITS:
            return f"permit: {cause_in_words(asked.because)}"


async def who_is_asked(desk: Desk, given: argparse.Namespace) -> int:
    """Print whom requests reach, or set that for a seat; gives the exit code.

    Raises:
        Stop: It can't be done, or wasn't.
    """
    wanted = [bool(given.to), given.deny, given.default]
    if not any(wanted):
        return _print_asked(desk, given)
    desk.may_act()
    if sum(wanted) > 1 or given.seat is None or not given.reason.strip():
        raise Stop(USAGE, "give one SEAT, one of --to, --deny and --default, and a --reason")
    return await carry_out(desk, given, _override(desk, given, desk.seat(given.seat)))


def _override(desk: Desk, given: argparse.Namespace, seat: Seat) -> Meant:
    if given.to:
        override = Override(OverrideMode.TO, desk.entity(given.to))
        action, label = "people.ask_person", f"Ask {override.person} for {seat.seat_ref}"
    elif given.deny:
        override = Override(OverrideMode.DENY)
        action, label = "people.refuse_all", f"Refuse all requests of {seat.seat_ref}"
    else:
        override = Override()
        action = "people.back_to_default"
        label = f"Back to the default person for {seat.seat_ref}"
    check(desk, ACTIONS[action], seat=seat)
    change = people_changes.override_change(desk.fleet, seat, override)
    words = f"from its next request on {seat.seat_ref} would {_asks(change.then)}; open asks stay"
    return Meant(
        SetOverride(seat.seat_id, seat.seat_ref, override.mode, override.person, given.reason),
        label, words, seat=seat, needs="--permit" if change.permits else "",
    )  # fmt: skip


def _print_asked(desk: Desk, given: argparse.Namespace) -> int:
    if given.seat is not None:
        seats = [desk.seat(given.seat)]
    else:
        seats = sorted(
            desk.fleet.seats.values(), key=lambda s: (_ORDER.index(s.asked.mode), s.seat_ref)
        )
    if given.as_json:
        print_json([asked_row(seat, desk.daemon) for seat in seats])
    elif given.seat is not None:
        sys.stdout.write(f"{inert(seats[0].seat_ref)} {inert(asked_words(seats[0]))}\n")
    else:
        print_table(
            ("SEAT", "WHO IS ASKED", "SET BY", "WHY"),
            (
                (
                    seat.seat_ref,
                    asked_line(seat.asked),
                    _set_by(seat, desk),
                    seat.override.reason or "",
                )
                for seat in seats
            ),
            "No seats.",
        )
    return 0


def _set_by(seat: Seat, desk: Desk) -> str:
    override = seat.override
    if override.mode is OverrideMode.NONE:
        return ""
    return f"{override.by or 'somebody'}, {age(override.at, desk.now())} ago"


def asked_row(seat: Seat, daemon: str) -> JsonObject:
    """Who is asked for a seat and who set that, as the documented row."""
    override = seat.override
    return {
        "daemon": daemon,
        "seatRef": seat.seat_ref,
        "asked": asked_json(seat.asked),
        "override": {
            "mode": override.mode.value,
            "person": override.person,
            "reason": override.reason,
            "by": override.by,
            "at": instant(override.at),
        },
    }
