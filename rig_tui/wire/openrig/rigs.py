"""Rig rows (`/api/rigs/summary`), in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, TypeAdapter

from rig_tui.domain.model import Rig
from rig_tui.wire.openrig.shape import SHAPE, dump, read

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject
    from rig_tui.wire.openrig.shape import JsonInput


class RigRow(BaseModel):
    """One rig."""

    model_config = SHAPE

    id: str
    name: str
    node_count: int = 0
    lifecycle_state: str | None = "running"
    archived_at: str | None = None


_RIGS = TypeAdapter(list[RigRow])


def encode_rig(rig: Rig, *, node_count: int = 0) -> JsonObject:
    """A rig's row in `/api/rigs/summary`."""
    return dump(RigRow(id=rig.rig_id, name=rig.name, node_count=node_count))


def decode_rigs(data: JsonInput) -> tuple[Rig, ...]:
    """Every rig.

    Raises:
        UnreadableError: It isn't a list of rig rows.
    """
    return tuple(Rig(row.id, row.name) for row in read(_RIGS, "The list of rigs", data))
