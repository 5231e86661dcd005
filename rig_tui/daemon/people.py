"""The register of people, the default person, and what a change of them does to seats."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.daemon.core import DEFAULT_PERSON
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.domain.asked import who_is_asked
from rig_tui.domain.model import AskedMode, People, Person
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.daemon.core import Core, Effect
    from rig_tui.daemon.idempotency import Key
    from rig_tui.domain.model import JsonObject
    from rig_tui.wire.openrig import Change

_ENTITY_ID = re.compile(r"[^\W_][\w.-]{0,63}")


def register(core: Core, body: JsonObject, key: Key | None) -> Reply:
    """Register a person, or rename one; `default: true` makes them the default as well."""
    entity_id, display_name = body.get("entityId"), body.get("displayName")
    if not isinstance(entity_id, str) or not _ENTITY_ID.fullmatch(entity_id):
        raise RefusedError(
            400,
            "invalid_entity_id",
            "entityId must be 1 to 64 letters, digits, '.', '_' or '-', beginning with a letter "
            "or digit. Nobody was registered.",
        )
    name = display_name if isinstance(display_name, str) and display_name.strip() else entity_id
    person = Person(entity_id, name)
    people = core.people
    others = tuple(p for p in people.registered if p.entity_id != entity_id)
    known = people.find(entity_id)
    registered = (
        tuple(person if p.entity_id == entity_id else p for p in people.registered)
        if known
        else (*others, person)
    )
    default = entity_id if body.get("default") is True else people.default
    changed = replace(people, registered=registered, default=default)

    def write(fx: Effect) -> None:
        core.store.put_person(person, fx.now)
        if default != people.default:
            core.store.set_meta(DEFAULT_PERSON, default)

    return _change(core, changed, body, key, write, openrig.human_changed)


def remove(core: Core, entity_id: str, body: JsonObject, key: Key | None) -> Reply:
    """Take a person off the register; a default that named them dangles (A-25)."""
    if core.people.find(entity_id) is None:
        raise RefusedError(404, "person_not_found", f"{entity_id} isn't registered.")
    others = tuple(p for p in core.people.registered if p.entity_id != entity_id)
    return _change(
        core,
        replace(core.people, registered=others),
        body,
        key,
        lambda fx: core.store.drop_person(entity_id),
        openrig.human_changed,
    )


def choose_default(core: Core, body: JsonObject, key: Key | None) -> Reply:
    """Choose the default person, or with `entityId: null` none."""
    entity_id = body.get("entityId", "")
    if entity_id is not None and not (isinstance(entity_id, str) and core.people.find(entity_id)):
        raise RefusedError(
            400,
            "not_a_registered_person",
            "entityId must be a registered person, or null for no default. Nothing was changed.",
        )
    return _change(
        core,
        replace(core.people, default=entity_id),
        body,
        key,
        lambda fx: core.store.set_meta(DEFAULT_PERSON, entity_id),
        openrig.default_changed,
    )


def _change(
    core: Core,
    after: People,
    body: JsonObject,
    key: Key | None,
    write: Callable[[Effect], None],
    event: Callable[..., JsonObject],
) -> Reply:
    """Make a change of people, unless it would make seats permit and nobody confirmed that."""
    check_readable(core.people)
    changes = _changes(core, after)
    rows = openrig.encode_changes(changes)
    if body.get("dryRun") is True:
        return Reply(200, {"ok": True, "dryRun": True, "changes": list(rows)})
    permits = [
        change
        for change in changes
        if change[2].mode is AskedMode.PERMITS and change[1].mode is not AskedMode.PERMITS
    ]
    if permits and body.get("confirm") is not True:
        seats = ", ".join(ref for ref, _, _ in permits)
        raise RefusedError(
            409,
            "would_permit",
            f"After this nobody could be asked for {seats}: every request there would be "
            "PERMITTED without asking. Nothing was changed; choose a default person, or "
            "confirm with confirm: true.",
            changes=list(rows),
        )
    with core.effect() as fx:
        write(fx)
        fx.people = after
        fx.emit(lambda seq: event(after, seq=seq, at=fx.now))
        for ref, _, _ in changes:
            fx.save_seat(fx.seat(ref))
        reply = Reply(200, {"ok": True, **openrig.encode_people(after), "changes": list(rows)})
        fx.remember(key, reply)
    return reply


def _changes(core: Core, after: People) -> list[Change]:
    changes = []
    for ref, record in core.seats.items():
        was = who_is_asked(core.people, record.seat.override)
        becomes = who_is_asked(after, record.seat.override)
        if was != becomes:
            changes.append((ref, was, becomes))
    return changes


def check_readable(people: People) -> None:
    """Refuse a change that depends on people nobody can read.

    Raises:
        RefusedError: The register can't be read.
    """
    if not people.readable:
        raise RefusedError(
            503,
            "people_unreadable",
            "The register of people can't be read. Nothing was changed; see the daemon's log.",
        )
