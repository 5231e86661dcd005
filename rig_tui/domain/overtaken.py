"""Why an act on an ask comes too late: who did what before, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask


def what_changed(painted: Ask, found: Ask) -> str:
    """What became of a painted ask that reads otherwise now; "" when it reads the same."""
    if (painted.version, painted.outcome.state) == (found.version, found.outcome.state):
        return ""
    if not found.pending:
        return why_not(found.outcome.state.value, found)
    if found.row_id != painted.row_id or found.holder != painted.holder:
        return why_not("moved", found)
    return "it isn't any more what was on screen"


def why_not(reason: str, ask: Ask) -> str:
    """Why an act on an ask was refused: who did what before, or "" if that isn't known."""
    who = ask.decided_by or "somebody"
    match reason:
        case "answered":
            return f"{who} has already answered it: {_option(ask)}"
        case "permitted":
            return f"{who} has closed it without choosing: the agent was PERMITTED {_option(ask)}"
        case "refused":
            return f"{who} has already said no: the agent was refused"
        case "withdrawn":
            return "the agent has withdrawn it: there is nothing left to answer"
        case "stale":
            return "its seat was stopped or relaunched: there is nobody left to answer"
        case "moved":
            return f"it has been handed over: {ask.holder.name} holds it now"
        case "held_by_seat":
            return f"the seat {ask.holder.name} holds it: a person must take it back first"
        case "held_by_host":
            return f"the host {ask.holder.name} holds it: it can't be answered here"
        case "held_by_person":
            return f"{ask.holder.name} holds it: it is answered, not updated"
        case _:
            return ""


def _option(ask: Ask) -> str:
    option_id = ask.outcome.option_id
    option = ask.option(option_id) if option_id is not None else None
    return f"‘{option.name}’" if option is not None else f"option {option_id}"
