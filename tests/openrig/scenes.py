"""A console's world at a daemon without permission requests."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rig_tui.domain.model import NO_CONTRACT, Fleet
from rig_tui.wire.published.items import decode_item
from rig_tui.wire.published.seats import decode_nodes
from tests.builders import a_fleet, live_link
from tests.openrig import recorded

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask

_DAY = json.loads(re.sub(r"2026-11-30T\d\d:", "2026-10-29T11:", json.dumps(recorded.ANSWERS)))
"""What was recorded, on the day the console's clock shows in tests."""
GATE = _DAY["attention"][-1]
PARKED = _DAY["attention"][1]
VERBS = frozenset(
    f"do:{verb}"
    for verb in ("approve", "deny", "route", "handoff", "hold", "drop", "annotate", "resolve")
)


def an_item(row: dict[str, Any] = GATE, **more: Any) -> Ask:
    return replace(decode_item(json.dumps(row | more)), version=1)


def openrig(*asks: Ask, lacks: str = "") -> Fleet:
    rows = _DAY["nodes"]["alpha"] + _DAY["nodes"]["beta"]
    link = live_link(
        version="OpenRig 0.4.6", contract=NO_CONTRACT, capabilities=VERBS - {f"do:{lacks}"}
    )
    return replace(
        a_fleet(*decode_nodes(json.dumps(rows)), *asks, link=link), acting_as="human@host"
    )
