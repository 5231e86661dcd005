"""Who acted on an ask (`/api/mission-control/audit`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.wire.openrig.asks import encode_item

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask, JsonObject

_KEYS = (
    "qitemId",
    "state",
    "sourceSession",
    "destinationSession",
    "priority",
    "tier",
    "closureReason",
    "closureTarget",
    "handedOffTo",
    "blockedOn",
    "tsUpdated",
)


def audit_state(ask: Ask) -> JsonObject:
    """An ask's row as an act found or left it."""
    item = encode_item(ask)
    return {key: item[key] for key in _KEYS}
