"""What was decided before about the same, for whoever decides now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain.again import before, decided
from rig_tui.ui.present.age import clock, short
from rig_tui.ui.present.lines import Line, line
from rig_tui.ui.present.roles import ACCENT
from rig_tui.ui.present.who import who

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import Ask, Fleet


def again_lines(ask: Ask, fleet: Fleet, now: datetime) -> list[Line]:
    """What this console saw of the same call of the same seat before."""
    was = before(fleet, ask)
    lines: list[Line] = []
    if was.refused is not None:
        by = who(was.refused.decided_by, fleet.people, fleet.operator)
        ago = short((now + fleet.link.clock_offset - decided(was.refused)).total_seconds())
        lines.append(line((f"{by.plain} said no to this {ago} ago", ACCENT)))
    if was.always is not None:
        at = clock(decided(was.always), now)
        lines.append(line((f"answered always at {at}, asked again", ACCENT)))
    if was.times > 1:
        lines.append(line((f"asked {was.times} times within an hour", ACCENT)))
    return lines
