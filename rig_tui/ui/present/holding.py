"""Who holds an ask that isn't with a person, what can be done, and how it got there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain import mapping
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import HolderType
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.roles import ACCENT, DANGER, DIM, KEY, NAME

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask


def held_briefly(ask: Ask) -> list[Line]:
    """The same where there is hardly room: who holds it, and the way back."""
    name = inert(ask.holder.name or ask.holder.id).plain
    line = Line(join((name, NAME), (" holds it", DIM)))
    if ask.holder.type is HolderType.HOST:
        return [line]
    return [line, Line(join(("b", KEY), (" take back  ", DIM), (":", KEY), (" its row", DIM)))]


def held_lines(ask: Ask) -> list[Line]:
    """In place of the options, while an agent seat or another host holds the ask (T7-16)."""
    name = inert(ask.holder.name or ask.holder.id).plain
    if ask.holder.type is HolderType.HOST:
        return [
            Line(
                join((f"{name} holds it, on another host. It won't come back by itself.", ACCENT))
            ),
            Line(join(("It waits until the agent's turn ends; silence never permits.", DIM))),
        ]
    done = inert(mapping.consequence(ask.options, Act.ROW_DONE)).plain
    denied = inert(mapping.consequence(ask.options, Act.ROW_DENIED)).plain
    canceled = mapping.consequence(ask.options, Act.ROW_CANCELED)
    return [
        Line(join(("agent seat ", DIM), (name, NAME), (" holds it and sees no options", DIM))),
        Line(join(("closed as done, dropped or failed: ", DIM), (done, DANGER)), 2),
        Line(join((" b ", KEY), "take it back  ", ("its options come back with it", DIM)), 4),
        Line(join((" : ", KEY), "close it as denied  ", (denied, DIM)), 4),
        Line(join((" : ", KEY), "cancel the request  ", (canceled, DIM)), 4),
    ]


def chain_lines(ask: Ask) -> list[Line]:
    """How the ask was handed on, oldest first; nothing for one that never was."""
    if len(ask.rows) < 2:
        return []
    parts: list[str | tuple[str, str]] = [("handed on: ", DIM)]
    for index, row in enumerate(ask.rows):
        parts.append((" → ", DIM) if index else "")
        parts.append(inert(row.holder.name or row.holder.id).plain)
        if row.closed_by is not None and row.closed_by != row.holder.id:
            parts.append((f" (by {inert(row.closed_by).plain})", DIM))
    return [Line(join(*parts), 2)]
