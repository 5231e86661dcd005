"""What every action on the shown ask, or on the selected seat, asks first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rig_tui.domain import mapping
from rig_tui.domain.model import AskState

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.actions.action import Context
    from rig_tui.domain.mapping import Act
    from rig_tui.domain.model import Ask, Link

STATE_WORDS: Final = {
    AskState.ANSWERED: "already answered",
    AskState.PERMITTED: "already permitted",
    AskState.REFUSED: "already refused",
    AskState.WITHDRAWN: "withdrawn by its runner",
    AskState.STALE: "stale: its seat was relaunched or stopped",
    AskState.CLOSED: "already closed",
}
NO_REQUEST: Final = "it is no permission request: no option of an agent can be given"
UNREACHABLE: Final = "the daemon can't be reached; nothing can be sent"


def daemon_words(link: Link) -> str:
    """The daemon in a sentence: by its name where it isn't one of ours."""
    return "this daemon" if link.takes_requests else link.version


def shown_ask(context: Context) -> Ask:
    """The shown ask, for a plan that is only made while there is one."""
    if context.ask is None:
        raise ValueError("planned without a shown ask")
    return context.ask


def what_it_gives(act: Act) -> Callable[[Context], str]:
    """What an act on the shown ask comes to, in the words of `domain.mapping`."""

    def consequence(context: Context) -> str:
        return mapping.consequence(context.ask.options, act) if context.ask is not None else ""

    return consequence


def why_not_waiting(context: Context) -> str | None:
    """Why nothing can be done about the shown ask at all: none, ended, or barred here."""
    ask = context.ask
    if ask is None:
        return "no ask is shown"
    if not ask.pending:
        return f"{STATE_WORDS[ask.outcome.state]}; nothing was sent"
    if ask.item is not None:
        return NO_REQUEST
    return context.barred or None


def why_not_seat(context: Context) -> str | None:
    """Why nothing can be sent about the selected seat: none, barred here, or no link."""
    if context.seat is None:
        return "no seat is selected"
    if context.barred:
        return context.barred
    return None if context.fleet.link.live else UNREACHABLE
