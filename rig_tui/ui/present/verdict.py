"""How a command that has no ask to show it on went, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, assert_never

from rig_tui.actions.told import done_words, would_permit_words
from rig_tui.domain.commands import Done, Rejected, Unconfirmed, Unsent
from rig_tui.ui.present.inert import inert

if TYPE_CHECKING:
    from rig_tui.domain.commands import PeopleCommand, SeatCommand, Verdict
    from rig_tui.domain.model import Fleet

Severity: TypeAlias = Literal["information", "warning"]


def verdict_words(
    command: PeopleCommand | SeatCommand, label: str, verdict: Verdict, fleet: Fleet
) -> tuple[str, Severity]:
    """What became of it, what to do now, and how grave that is.

    Args:
        command: What was wanted.
        label: That in the operator's words: its dialog is gone by now.
        verdict: How it went.
        fleet: The world to name seats from.
    """
    match verdict:
        case Done():
            return inert(done_words(command, verdict, fleet)).plain, "information"
        case Rejected(reason="would_permit"):
            said = f"Not done: {label}: {would_permit_words(verdict)}"
            now = "Nothing was changed. Do it again to see every such seat first."
        case Rejected(message=words):
            said, now = f"Not done: {label}: {words}", "Nothing was changed."
        case Unsent(cause):
            said, now = f"Not sent: {label}: {cause}", "Nothing was changed."
        case Unconfirmed(cause):
            said = f"Not confirmed: {label}: {cause}"
            now = "It may have been done: look before you do it again."
        case _:
            assert_never(verdict)
    return inert(f"{said.rstrip('.')}. {now}").plain, "warning"
