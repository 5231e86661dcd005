"""Who acts: a registered person, or the primary user, who holds the operator token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rig_tui.daemon.reply import RefusedError
from rig_tui.domain.model import PRIMARY_USER

if TYPE_CHECKING:
    from collections.abc import Collection

    from rig_tui.domain.model import Ask, People

_PERSON = "@external"


@dataclass(frozen=True, slots=True)
class Actor:
    """An actor as claimed: the token proves an operator of this machine, not which one."""

    name: str
    is_seat: bool = False
    """An agent seat: it may close the row it holds, and nothing else."""

    @property
    def is_primary(self) -> bool:
        return self.name == PRIMARY_USER


def who(
    people: People,
    claimed: object,
    header: str | None,
    *,
    needed: bool,
    seats: Collection[str] = (),
) -> Actor:
    """Find the actor of a write; the body wins over the header.

    Args:
        people: Everyone registered.
        claimed: `actorSession` of the body, None when it has none.
        header: `X-OpenRig-Session`.
        needed: Whether nobody named is an error rather than the primary user.
        seats: The sessions of the seats that may do this write too.

    Raises:
        RefusedError: Nobody is named though somebody must be, or nobody we know.
    """
    name = header if claimed is None else claimed
    if name is None and not needed:
        return Actor(PRIMARY_USER)
    if not isinstance(name, str) or not name.strip():
        raise RefusedError(
            400,
            "actor_required",
            "Say who acts, as actorSession or X-OpenRig-Session: a registered person's "
            f"<entityId>@external, or {PRIMARY_USER}. Nothing was done.",
        )
    entity_id = name.removesuffix(_PERSON)
    if name == PRIMARY_USER or (name.endswith(_PERSON) and people.find(entity_id)):
        return Actor(name)
    if name in seats:
        return Actor(name, is_seat=True)
    raise RefusedError(
        403,
        "not_a_registered_person",
        f"{name} isn't a registered person, so it can't act. Nothing was done.",
    )


def holds(actor: Actor, ask: Ask) -> bool:
    """Say whether this actor's words and closings count for an ask (A-32)."""
    return actor.is_primary or actor.name == ask.holder.id
