"""Finding one's way: what the list shows, what may wait, what is copied.

None of it reaches the daemon or an agent.
"""

from __future__ import annotations

from rig_tui.actions.action import Action, Context, Family, Show
from rig_tui.domain import view


def _why_no_needing(context: Context) -> str | None:
    if view.next_needing(context.fleet, context.view, None) is None:
        narrowed = " in this filter" if context.view.narrowed else ""
        return f"nobody needs a person{narrowed}"
    return None


def _why_not_snooze(context: Context) -> str | None:
    if context.ask is None:
        return "no ask is shown"
    if not context.ask.pending:
        return "only a waiting ask can be snoozed"
    return None


def _snoozing(context: Context) -> str:
    if context.ask is not None and context.ask.ask_id in context.view.snoozed:
        return "brings the ask back; nothing is sent"
    return "the ask waits on and its agent with it; nothing is sent, nothing is permitted"


def _why_not_copy(context: Context) -> str | None:
    if context.ask is None:
        return "no ask is shown"
    if context.ask.elided:
        return "the whole request hasn't been read yet"
    return None


def _why_not_copy_id(context: Context) -> str | None:
    return None if context.ask is not None else "no ask is shown"


FINDING = Family(
    "Finding",
    (
        Action(
            "view.filter", ("slash",), "filter",
            "Show only rows that hold these words: names, rigs, tool kinds, states. "
            "Esc clears, then leaves; nothing typed there answers.",
            lambda _: Show("filter"),
        ),
        Action(
            "view.states", ("s",), "states",
            "Show one state only: those who need a person, working, idle, unknown, then all.",
            lambda _: Show("states"), footer=False,
        ),
        Action(
            "view.mine", ("m",), "only mine",
            "Show only what you are asked for, or all again.",
            lambda _: Show("mine"), footer=False,
        ),
        Action(
            "view.flat", ("v",), "one list",
            "List seats by name in one list, or by rig again.",
            lambda _: Show("flat"), footer=False,
        ),
        Action(
            "view.needing", ("J",), "next in need",
            "Go to the next seat that needs a person, with or without an ask.",
            lambda _: Show("needing"), _why_no_needing, footer=False,
        ),
        Action(
            "view.snooze", ("z",), "snooze…",
            "Let the shown ask wait: for later, for 10 minutes, or until its turn changes. "
            "Again brings it back. It changes nothing at the daemon.",
            lambda _: Show("snooze"), _why_not_snooze, _snoozing,
        ),
        Action(
            "view.copy", ("y",), "copy",
            "Copy the shown ask's whole tool call, to the clipboard or, when it is too "
            "large, to a file.",
            lambda _: Show("copy"), _why_not_copy, footer=False,
        ),
        Action(
            "view.copy_id", ("ctrl+y",), "copy id",
            "Copy the shown ask's id.",
            lambda _: Show("copy_id"), _why_not_copy_id, footer=False,
        ),
        Action(
            "view.mouse", ("M",), "mouse",
            "Give the mouse to the terminal, to select text with it, or take it back.",
            lambda _: Show("mouse"), footer=False,
        ),
        Action(
            "view.density", (), "density",
            "Draw with less whitespace, or with more again.",
            lambda _: Show("density"), footer=False,
        ),
        Action(
            "view.theme", (), "theme",
            "Draw in the next theme: dark, light, high contrast, without colour.",
            lambda _: Show("theme"), footer=False,
        ),
    ),
)  # fmt: skip
