"""What was decided before about the same call."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rig_tui.domain.again import before, same_call
from rig_tui.domain.model import Ask, AskState, Outcome
from rig_tui.ui.present.again import again_lines
from tests.builders import NOON, a_fleet, a_seat, ago, an_ask

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject

NOW = an_ask("now", opened_at=ago(5))


def earlier(ask_id: str, seconds: float, kind: str | None = None, **changes: object) -> Ask:
    """An ask for the same, that many seconds before noon, ended by an option of this kind."""
    ask = an_ask(ask_id, opened_at=ago(seconds))
    if kind is not None:
        outcome = Outcome(AskState.ANSWERED, "x", kind, "always" in kind)
        ask = replace(ask, outcome=outcome, decided_by="ana@external", decided_at=ago(seconds - 1))
    return replace(ask, **changes)  # type: ignore[arg-type]


def words(*asks: Ask) -> list[str]:
    fleet = a_fleet(a_seat(), NOW, *asks, acting_as="ana@external")
    return [line.text.plain for line in again_lines(NOW, fleet, NOON)]


def test_a_first_request_says_nothing() -> None:
    assert words() == []


def test_what_was_said_no_to_is_told_with_who_and_when() -> None:
    assert words(earlier("a", 121, "reject_once"))[0] == "you said no to this 2m ago"
    by_ben = earlier("a", 121, "reject_always", decided_by="ben@external")
    assert "ben" in words(by_ben)[0].lower()


def test_a_cancelled_request_was_a_no_too() -> None:
    cancelled = earlier("a", 61, decided_by="ana@external", outcome=Outcome(AskState.REFUSED))
    assert "you said no to this" in words(cancelled)[0]


def test_what_was_answered_always_and_is_asked_again_is_told() -> None:
    assert "answered always at " in words(earlier("a", 300, "allow_always"))[0]
    assert "answered always" not in " ".join(words(earlier("a", 300, "allow_once")))


def test_requests_within_the_hour_are_counted() -> None:
    asked = [earlier(f"q{minutes}", minutes * 60, "allow_once") for minutes in (2, 20, 40, 59, 61)]
    assert words(*asked)[-1] == "asked 5 times within an hour"


@pytest.mark.parametrize(
    "other",
    [
        earlier("a", 60, "reject_once", seat_ref="qa@my-rig"),
        earlier("a", 60, "reject_once", tool_call={"title": "Edit src/app.ts", "kind": "delete"}),
        earlier("a", 60, "reject_once", elided=True),
        an_ask("later", opened_at=ago(1)),
    ],
)
def test_only_earlier_requests_of_that_seat_for_the_same_count(other: Ask) -> None:
    assert words(other) == []


def test_a_cut_request_is_never_taken_for_another() -> None:
    cut = replace(NOW, elided=True)
    assert before(a_fleet(cut, earlier("a", 60, "reject_once")), cut).refused is None


def test_an_id_or_progress_makes_no_other_request() -> None:
    call: JsonObject = {"title": "Run", "rawInput": {"command": "ls"}}
    assert same_call({**call, "toolCallId": "1"}, {**call, "toolCallId": "2", "status": "pending"})
    assert not same_call(call, {**call, "rawInput": {"command": "ls "}})
    assert not same_call(call, None)
