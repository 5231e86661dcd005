"""People and seats by the names a reader knows them under."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from rig_tui.domain.mapping import kind_in_words
from rig_tui.domain.model import PRIMARY_USER, HolderType
from rig_tui.ui.present.inert import inert, inert_words
from rig_tui.ui.present.lines import join, paint
from rig_tui.ui.present.roles import DIM, NAME

if TYPE_CHECKING:
    from rig_tui.domain.model import Holder, Option, People

_SUFFIX = "@external"


def who(actor: str | None, people: People, operator: str | None = None) -> Text:
    """Name an actor: you, a person by display name, or a seat by its session name."""
    if not actor:
        return Text("somebody")
    if actor == operator:
        return Text("you")
    if actor == PRIMARY_USER:
        return Text("the primary user")
    if actor.endswith(_SUFFIX):
        person = people.find(actor.removesuffix(_SUFFIX))
        return inert(person.display_name if person else actor.removesuffix(_SUFFIX))
    return inert(actor)


def person(entity_id: str | None, people: People) -> Text:
    """A person by entity id, with the display name where it tells more."""
    if not entity_id:
        return Text("nobody")
    found = people.find(entity_id)
    if found is None or found.display_name.casefold() in ("", entity_id.casefold()):
        return inert(entity_id)
    return join(inert(found.display_name), " (", inert(entity_id), ")")


def holder_words(holder: Holder, operator: str) -> Text:
    """Who holds an ask, and what that means where it isn't a person."""
    name = inert(holder.name or holder.id)
    match holder.type:
        case HolderType.PERSON:
            return Text("you") if holder.id == operator else name
        case HolderType.SEAT:
            return join("agent seat ", name, ", which sees no options")
        case HolderType.HOST:
            return join("another host, ", name, ": it won't come back by itself")


def option_label(option: Option) -> Text:
    """The agent's name for an option, or its id where it has none."""
    if option.name.strip(" "):
        return inert(option.name, rtl_tokens=True)
    return join(("no name, id ", DIM), inert(option.option_id, rtl_tokens=True))


def option_words(name: str | None, kind: str | None) -> Text:
    """`Allow (allow once)` of an option that was given."""
    label = inert(name, rtl_tokens=True) if name else Text("an option")
    return join(paint(label, NAME), " (", inert_words(kind_in_words(kind)), ")")
