"""What became of a decision."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rig_tui.domain.events import AskClosed, FleetRead, SeatRead
from rig_tui.domain.model import AskState, Evidence, EvidenceKind, Outcome, People, Reading
from rig_tui.domain.reduce import reduce
from rig_tui.domain.watching import overdue, tool_after_no
from tests.builders import NOON, a_fleet, a_seat, ago, an_ask, asking, ended

ASKING = asking(a_seat())
NO = Outcome(AskState.ANSWERED, "reject", "reject_once", False)
REFUSED = ended(an_ask(), outcome=NO, decided_at=ago(10), version=3)


def posting(detail: str, seconds: float = 5, **changes: object) -> SeatRead:
    """The seat after its runner posted that it uses a tool, that many seconds ago."""
    evidence = Evidence(EvidenceKind.POST, ago(seconds), None, detail)
    seat = replace(ASKING, reading=Reading.WORKING, evidence=evidence, version=9)
    return SeatRead(replace(seat, **changes))  # type: ignore[arg-type]


def flagged(*events: object) -> str:
    fleet = reduce(a_fleet(ASKING, an_ask()), tuple(events))  # type: ignore[arg-type]
    return tool_after_no(fleet, fleet.seats[ASKING.seat_id])


def test_the_tool_that_was_refused_is_flagged_when_the_turn_uses_it() -> None:
    assert flagged(AskClosed(REFUSED), posting("edit")) == "edit"


def test_the_flag_stays_for_the_rest_of_the_turn() -> None:
    later = posting("read", 2, version=10)
    assert flagged(AskClosed(REFUSED), posting("edit"), later) == "edit"
    next_turn = posting("read", 1, version=11, turn_id="8")
    assert flagged(AskClosed(REFUSED), posting("edit"), later, next_turn) == ""


@pytest.mark.parametrize(
    "post",
    [
        posting("read"),
        posting("edit", 11),
        posting("edit", turn_id="8"),
        posting("edit", generation="gen-2"),
        posting(""),
    ],
)
def test_nothing_else_is_flagged(post: SeatRead) -> None:
    assert flagged(AskClosed(REFUSED), post) == ""


def test_what_was_allowed_or_cancelled_by_nobody_is_not_flagged() -> None:
    assert flagged(AskClosed(ended(an_ask(), decided_at=ago(10))), posting("edit")) == ""
    withdrawn = ended(an_ask(), AskState.WITHDRAWN, decided_at=ago(10))
    assert flagged(AskClosed(withdrawn), posting("edit")) == ""


def test_a_no_from_before_this_console_counts_too() -> None:
    read = FleetRead((), (ASKING,), (REFUSED,), (), (), People(), 5)
    assert flagged(read, posting("edit")) == "edit"


def test_a_runner_has_fifteen_seconds_to_post() -> None:
    assert not overdue(replace(REFUSED, decided_at=ago(14.9)), NOON)
    assert overdue(replace(REFUSED, decided_at=ago(15)), NOON)
    assert not overdue(replace(REFUSED, decided_at=None), NOON)
