"""Moving about and looking: none of it reaches the daemon or an agent."""

from __future__ import annotations

from rig_tui.actions.action import Action, Context, Family, Show
from rig_tui.domain import view


def _why_no_next(context: Context) -> str | None:
    current = context.ask.ask_id if context.ask is not None else None
    if view.step_ask(context.fleet, context.view, current, 1) is None:
        narrowed = " in this filter" if context.view.narrowed else ""
        return f"no other ask is waiting{narrowed}"
    return None


def _show(
    name: str, keys: tuple[str, ...], label: str, text: str, *, footer: bool = False
) -> Action:
    return Action(f"view.{name}", keys, label, text, lambda _: Show(name), footer=footer)


MOVING = Family(
    "Moving",
    (
        Action(
            "view.next", ("n",), "next ask",
            "Show the next waiting ask, around the end.",
            lambda _: Show("next"), _why_no_next,
        ),
        Action(
            "view.previous", ("N",), "previous ask",
            "Show the previous waiting ask.",
            lambda _: Show("previous"), _why_no_next, footer=False,
        ),
        _show("down", ("down", "j"), "down", "Next row, or scroll the tool call down a line."),
        _show("up", ("up", "k"), "up", "Previous row, or scroll the tool call up a line."),
        _show("page_down", ("pagedown", "space"), "more", "Scroll on by a page."),
        _show("page_up", ("pageup",), "page up", "Scroll back by a page."),
        _show("first", ("home",), "to the top", "First row, or the top of the tool call."),
        _show("last", ("end",), "to the end", "Last row, or the end of the tool call."),
        _show("left", ("left", "h"), "seats", "To the seats."),
        _show("right", ("right", "l"), "ask", "To the ask."),
        _show("open", ("enter",), "open", "Open the selected row; on an ask, choose by label."),
        _show("back", ("escape",), "back", "Always back. Never an answer."),
    ),
)  # fmt: skip

LOOKING = Family(
    "Looking",
    (
        _show("link", ("L",), "link", "The connection: address, version, what it can do."),
        _show("help", ("question_mark",), "help", "Every key and what it does.", footer=True),
        _show(
            "palette", ("colon", "ctrl+p"), "palette",
            "Every action by name, and why one can't be done now.",
        ),
        _show("quit", ("q",), "quit", "Leave. Asks go on waiting; the daemon stays."),
        _show("interrupt", ("ctrl+c",), "copy, or quit", "Copy a selection; else quit."),
        _show("suspend", ("ctrl+z",), "suspend", "Back to the shell; fg brings it back."),
    ),
)  # fmt: skip
