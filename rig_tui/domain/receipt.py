"""What is written down of an act: what was meant, about what, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from hashlib import sha256
from typing import TYPE_CHECKING

from rig_tui.domain.commands import Done, Rejected, Unsent
from rig_tui.domain.select import CLOSED_BY_SOMEBODY

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.commands import Command, Verdict
    from rig_tui.domain.model import Ask, JsonObject

MOST_TEXT = 16_384
"""Characters of the displayed text that are written down; the hash is of all of it."""
_NAMES = {
    "ask_id": "askId",
    "row_id": "rowId",
    "option_id": "optionId",
    "session_name": "session",
    "to_session": "to",
    "closure_reason": "reason",
    "expect": "class",
}


@dataclass(frozen=True, slots=True)
class Seen:
    """What was on screen when an act was meant, and by which hand it came."""

    how: str
    """`key`, `mouse` or `command`."""
    text: str = ""
    """The ask as it was displayed, from its title to its options."""
    painted_at: datetime | None = None
    columns: int = 0
    rows: int = 0
    tail_viewed: bool = True
    """Whether the end of the tool call had been on screen."""


def sent_facts(command: Command, label: str, ask: Ask | None, seen: Seen) -> JsonObject:
    """What is written before an act is sent."""
    option_id = getattr(command, "option_id", None)
    option = ask.option(option_id) if ask is not None and option_id else None
    facts: JsonObject = {"command": type(command).__name__, "label": label}
    for each in fields(command):
        value = getattr(command, each.name)
        if isinstance(value, str) and value:
            facts[_NAMES.get(each.name, each.name)] = value
    facts |= {
        "seat": ask.seat_ref if ask is not None else None,
        "kind": option.kind if option is not None else None,
        "how": seen.how,
        "paintedAt": seen.painted_at.isoformat() if seen.painted_at is not None else None,
        "shown": seen.text[:MOST_TEXT],
        "shownSha256": sha256(seen.text.encode("utf-8", "surrogatepass")).hexdigest(),
        "columns": seen.columns,
        "rows": seen.rows,
        "tailViewed": seen.tail_viewed,
    }
    return facts


def settled_facts(verdict: Verdict, operator: str) -> JsonObject:
    """What is written once it is known, or given up, what became of it.

    Args:
        verdict: What became of it.
        operator: Who sent it.
    """
    match verdict:
        case Done(outcome, _, ask):
            gets = outcome or (ask.outcome if ask is not None else None)
            facts: JsonObject = {"verdict": "yours", "detail": ""}
        case Rejected(reason, message, ask):
            gets = ask.outcome if ask is not None else None
            whose = _whose(ask, operator)
            facts = {"verdict": whose, "reason": reason, "detail": message}
        case Unsent(cause):
            gets, facts = None, {"verdict": "not sent", "detail": cause}
        case _:
            gets, facts = None, {"verdict": "not known", "detail": verdict.cause}
    if gets is not None:
        facts |= {"state": gets.state.value, "gets": gets.option_id}
    return facts


def _whose(ask: Ask | None, operator: str) -> str:
    """Who ended an ask on which an act was refused."""
    if ask is None or ask.outcome.state not in CLOSED_BY_SOMEBODY:
        return "not done"
    return "yours, sent elsewhere" if ask.decided_by == operator else "someone else's"
