"""Which exit code each end and each refusal of an act comes to."""

from __future__ import annotations

import pytest

from rig_tui.cli.commands import EXIT_CODES
from rig_tui.cli.stop import GONE, REFUSED, TAKEN, code_of, over
from rig_tui.domain.model import AskState
from tests.builders import an_ask, ended

CODES = {
    AskState.ANSWERED: TAKEN,
    AskState.PERMITTED: TAKEN,
    AskState.REFUSED: TAKEN,
    AskState.WITHDRAWN: GONE,
    AskState.STALE: GONE,
    AskState.CLOSED: GONE,
}


@pytest.mark.parametrize(("state", "code"), CODES.items())
def test_an_ask_that_ended_is_taken_or_gone(state: AskState, code: int) -> None:
    stop = over(ended(an_ask(), state), "it is over")
    assert (stop.code, str(stop)) == (code, "it is over; nothing was sent")
    assert code_of(state.value) == code


def test_every_state_but_waiting_has_a_code() -> None:
    assert CODES.keys() == set(AskState) - {AskState.PENDING}
    assert (GONE, TAKEN, REFUSED) == (3, 4, 6)
    assert {GONE, TAKEN, REFUSED} <= EXIT_CODES.keys()


@pytest.mark.parametrize(
    "reason", ["moved", "held_by_seat", "held_by_host", "held_by_person", "pending", "whatever"]
)
def test_any_other_reason_is_a_refusal(reason: str) -> None:
    assert code_of(reason) == REFUSED
