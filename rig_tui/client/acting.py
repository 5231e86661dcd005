"""Who answers at this keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain.model import PRIMARY_USER

if TYPE_CHECKING:
    from rig_tui.domain.model import People


def operator_for(acting_as: str | None, people: People) -> str:
    """The actor name to act as: the one set, else the only registered person.

    With several registered it is the primary user, never the default person: who is
    asked by default needn't be who sits here.
    """
    if acting_as is not None:
        return acting_as
    if len(people.registered) == 1:
        return people.registered[0].address
    return PRIMARY_USER
