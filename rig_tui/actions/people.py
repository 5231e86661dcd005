"""Who can be asked."""

from __future__ import annotations

from rig_tui.actions.action import Action, Context, Family, Fill


def _why_not_register(context: Context) -> str | None:
    if context.barred:
        return context.barred
    if not context.fleet.link.live:
        return "the daemon can't be reached; nobody can be registered"
    return None


PEOPLE = Family(
    "People",
    (
        Action(
            "people.register",
            (),
            "register yourself…",
            "Register a person who can be asked. "
            "While nobody is registered every seat PERMITS without asking.",
            lambda _: Fill("register"),
            _why_not_register,
            footer=False,
        ),
    ),
)
