"""Looking at what has been: the record, and one seat's story. Nothing here acts."""

from __future__ import annotations

from rig_tui.actions.action import Action, Context, Family, Show


def _why_no_seat(context: Context) -> str | None:
    return "no seat is selected" if context.seat is None else None


HISTORY = Family(
    "What has been",
    (
        Action(
            "view.history",
            ("H",),
            "history",
            "What was permitted by default, answered and probably remembered, newest first. "
            "Permits that a runner makes by itself appear only in its pane.",
            lambda _: Show("history"),
        ),
        Action(
            "view.seat",
            ("i",),
            "seat",
            "The selected seat in full: why it reads what it reads, how it was launched, "
            "and what happened at it.",
            lambda _: Show("seat"),
            _why_no_seat,
            footer=False,
        ),
    ),
)
