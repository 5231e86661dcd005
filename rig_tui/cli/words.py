"""Where an ask stands, and what its agent was given, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain import mapping
from rig_tui.domain.model import AskState

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask, Outcome


def given_words(ask: Ask, outcome: Outcome) -> str:
    """What the agent got, or that the ask still waits."""
    match outcome.state:
        case AskState.PENDING:
            return f"the ask waits, held by {ask.holder.name}; nothing was permitted"
        case AskState.ANSWERED:
            return f"the agent gets {option_words(ask, outcome)}"
        case AskState.PERMITTED:
            return f"the agent was PERMITTED {option_words(ask, outcome)}, which nobody chose"
        case AskState.REFUSED:
            return "the agent is refused; nothing was permitted"
        case AskState.WITHDRAWN:
            return "the request is cancelled; nothing was permitted"
        case AskState.CLOSED:
            return outcome.reason or "closed"
        case AskState.STALE:
            return "stale: its seat's occupant is gone"


def option_words(ask: Ask, outcome: Outcome) -> str:
    """The option an ask ended with: `‘Allow’ (allow once)`."""
    option = ask.option(outcome.option_id) if outcome.option_id is not None else None
    if option is None:
        return f"the option {outcome.option_id}"
    return f"‘{option.name or option.option_id}’ ({mapping.meaning(option.kind)})"


def state_words(ask: Ask) -> str:
    """Where the ask stands, and who decided."""
    if ask.pending:
        return f"waits for {ask.holder.name}"
    by = f", by {ask.decided_by}" if ask.decided_by else ""
    return f"{ask.outcome.state}{by}: {given_words(ask, ask.outcome)}"
