"""What was decided before about the same call of the same seat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from rig_tui.domain.model import REJECT_ALWAYS, REJECT_ONCE, REMEMBERED_KINDS, AskState

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from rig_tui.domain.model import Ask, Fleet, JsonValue

OFTEN = timedelta(hours=1)
_PASSING = frozenset(("toolCallId", "status"))
"""What differs between two requests for the same."""


@dataclass(frozen=True, slots=True)
class Before:
    """How the same was asked and answered before this ask, as far as this console saw."""

    times: int = 1
    """How often it was asked within the hour before this ask, this one among them."""
    refused: Ask | None = None
    """The last one that was refused."""
    always: Ask | None = None
    """The last one that was answered with an option the harness remembers."""


def same_call(one: JsonValue, other: JsonValue) -> bool:
    """Whether two tool calls ask for the same: only their ids and progress may differ."""
    return _kept(one) == _kept(other)


def before(fleet: Fleet, ask: Ask) -> Before:
    """Look back from an ask; asks that were cut can't be told to be the same."""
    if ask.elided:
        return Before()
    earlier = sorted(
        (
            each
            for each in fleet.asks.values()
            if each.seat_ref == ask.seat_ref
            and each.ask_id != ask.ask_id
            and each.opened_at <= ask.opened_at
            and not each.elided
            and same_call(each.tool_call, ask.tool_call)
        ),
        key=lambda each: each.opened_at,
    )
    return Before(
        times=1 + sum(ask.opened_at - each.opened_at < OFTEN for each in earlier),
        refused=_last(earlier, refused),
        always=_last(earlier, lambda each: each.outcome.kind in REMEMBERED_KINDS),
    )


def _kept(call: JsonValue) -> JsonValue:
    if not isinstance(call, dict):
        return call
    return {key: value for key, value in call.items() if key not in _PASSING}


def refused(ask: Ask) -> bool:
    """Whether somebody said no to it, or it was cancelled."""
    outcome = ask.outcome
    return outcome.state is AskState.REFUSED or outcome.kind in (REJECT_ONCE, REJECT_ALWAYS)


def _last(asks: list[Ask], wanted: Callable[[Ask], bool]) -> Ask | None:
    return next((each for each in reversed(asks) if wanted(each)), None)


def decided(ask: Ask) -> datetime:
    """When an ask was decided, or opened where that isn't known."""
    return ask.decided_at or ask.opened_at
