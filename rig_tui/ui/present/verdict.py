"""How a command that has no ask to show it on went, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, assert_never

from rig_tui.actions.told import done_words
from rig_tui.domain.commands import Done, Rejected, Unconfirmed, Unsent
from rig_tui.ui.present.inert import inert

if TYPE_CHECKING:
    from rig_tui.domain.commands import PeopleCommand, SeatCommand, Verdict
    from rig_tui.domain.model import Fleet

Severity: TypeAlias = Literal["information", "warning"]


def verdict_words(
    command: PeopleCommand | SeatCommand, verdict: Verdict, fleet: Fleet
) -> tuple[str, Severity]:
    """What became of it, and how grave that is."""
    match verdict:
        case Done():
            return inert(done_words(command, verdict, fleet)).plain, "information"
        case Rejected(message=words):
            return inert(words).plain, "warning"
        case Unsent(cause):
            return inert(f"Nothing was sent: {cause}").plain, "warning"
        case Unconfirmed(cause):
            return inert(f"Not known whether it arrived: {cause}").plain, "warning"
        case _:
            assert_never(verdict)
