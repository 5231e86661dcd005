"""The event streams of a published OpenRig, of which each event is only a hint.

They are out of order, lose events for good, replay everything that ever happened and
name no seat the way the lists do. So an event is never applied: it says which list to
read again.
"""

from __future__ import annotations

import re
from enum import Flag, auto
from typing import Final

_TYPE: Final = re.compile(r'\{"type":"([\w.]+)"')
_ASKS: Final = ("queue.", "qitem.", "mission_control.action", "inbox.")
_NOTHING: Final = (
    "view.", "stream.", "snapshot.", "chat.", "mission_control.", "watchdog.", "workflow.",
    "project", "classifier.", "package.", "bundle.", "proof.",
)  # fmt: skip


class Concerns(Flag):
    """Which lists an event makes old."""

    NOTHING = 0
    SEATS = auto()
    ASKS = auto()


def concerns(data: str) -> Concerns:
    """What to read again after an event; one nobody knows may be about seats.

    Only its type is looked at, without parsing: a first connect brings the whole history.
    """
    found = _TYPE.match(data)
    if found is None:
        return Concerns.SEATS | Concerns.ASKS
    kind = found[1]
    if kind.startswith(_ASKS):
        return Concerns.ASKS
    return Concerns.NOTHING if kind.startswith(_NOTHING) else Concerns.SEATS
