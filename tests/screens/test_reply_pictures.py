"""A picture of each thing the boxes for words can say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rig_tui.domain.drafts import for_ask, for_seat
from rig_tui.domain.events import (
    AskClosed,
    DraftKept,
    LinkLost,
    SeatRead,
)
from rig_tui.domain.model import AskState, Fleet, Option, Outcome, Reading
from rig_tui.domain.reduce import reduce
from tests.builders import (
    ALLOW,
    ALWAYS,
    NEVER,
    NOON,
    REJECT,
    a_fleet,
    a_seat,
    ago,
    an_ask,
    asking,
    ended,
    live_link,
)
from tests.rules import rule
from tests.screens.looks import SIZES, Compare
from tests.screens.scenes import RELEASE, day
from tests.ui.console import MIDDLE, WIDE

CAN_SEND = live_link(capabilities=live_link().capabilities | {"send"})
ASK = an_ask("q2", "qa", tool_call=RELEASE, options=(ALLOW, ALWAYS, REJECT), opened_at=ago(48))
QA = a_seat("qa", takes_messages=True)
MOCK_UP = (104, 18)


def with_words(text: str, *options: Option) -> Fleet:
    """A fleet whose ask has a draft, so that one key shows the box with it."""
    ask = replace(ASK, options=options or ASK.options)
    fleet = a_fleet(asking(QA), ask, link=CAN_SEND)
    return reduce(fleet, (DraftKept(for_ask(ask, text)),))


def box(fleet: Fleet) -> dict[str, Fleet]:
    """What the console starts with: drafts are its own, not the daemon's."""
    return {"fleet": replace(Fleet(acting_as="ana@external"), drafts=fleet.drafts)}


@rule("T7-09", "T7-10")
@pytest.mark.parametrize("size", [*SIZES, pytest.param(MOCK_UP, id="104x18")])
def test_words_that_read_like_a_no(looks: Compare, size: tuple[int, int]) -> None:
    fleet = with_words("no, use the staging hosts first")
    assert looks(fleet, size, ("t",), **box(fleet))


@rule("T7-09")
@pytest.mark.parametrize("size", SIZES)
def test_the_choices_start_on_back(looks: Compare, size: tuple[int, int]) -> None:
    fleet = with_words("use staging\nand the new keys")
    assert looks(fleet, size, ("t", "ctrl+s"), **box(fleet))


@rule("T7-10")
@pytest.mark.parametrize("size", SIZES)
def test_the_word_permit(looks: Compare, size: tuple[int, int]) -> None:
    fleet = with_words("no, use the staging hosts first")
    keys = ("t", "tab", "down", "enter", "ctrl+s")
    assert looks(fleet, size, keys, **box(fleet))


@pytest.mark.parametrize("size", SIZES)
def test_words_that_may_go_after_y(looks: Compare, size: tuple[int, int]) -> None:
    fleet = with_words("use staging")
    assert looks(fleet, size, ("t", "tab", "down", "enter"), **box(fleet))


@rule("T7-09")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "text", [pytest.param("no thanks", id="no"), pytest.param("Always allow", id="always")]
)
def test_a_plain_answer(looks: Compare, size: tuple[int, int], text: str) -> None:
    fleet = with_words(text)
    assert looks(fleet, size, ("t",), **box(fleet))


@pytest.mark.parametrize("size", SIZES)
def test_an_empty_box(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("t",))


@rule("T7-09")
def test_words_where_nothing_can_be_allowed(looks: Compare) -> None:
    fleet = with_words("use staging", REJECT, NEVER)
    assert looks(fleet, MIDDLE, ("t",), **box(fleet))


@rule("T7-13")
def test_words_for_a_seat_that_takes_no_messages(looks: Compare) -> None:
    fleet = with_words("use staging")
    assert looks(replace(fleet, link=live_link()), MIDDLE, ("t",), **box(fleet))


def test_words_while_the_daemon_is_gone(looks: Compare) -> None:
    fleet = with_words("use staging")
    lost = LinkLost("connection refused", NOON, ago(-8))
    assert looks(fleet, MIDDLE, ("t",), after=(lost,), **box(fleet))


def test_words_whose_ask_has_ended(looks: Compare) -> None:
    fleet = with_words("use staging")
    assert looks(fleet, MIDDLE, ("t",), after=(AskClosed(ended(ASK)),), **box(fleet))


@pytest.mark.parametrize("size", SIZES)
def test_a_kept_draft_on_the_board(looks: Compare, size: tuple[int, int]) -> None:
    fleet = with_words("use staging")
    assert looks(fleet, size, **box(fleet))


@pytest.mark.parametrize("size", SIZES)
def test_leaving_with_words_unsent(looks: Compare, size: tuple[int, int]) -> None:
    fleet = with_words("use staging")
    assert looks(fleet, size, ("q",), **box(fleet))


def rejected(*, reading: Reading = Reading.IDLE) -> Fleet:
    """A fleet whose ask was rejected, with words kept for after the turn."""
    fleet = a_fleet(replace(QA, reading=reading), ASK, link=CAN_SEND)
    return reduce(fleet, (DraftKept(for_ask(ASK, "use the staging hosts", after_turn=True)),))


REJECTED = ended(
    ASK,
    decided_how="deny",
    version=9,
    outcome=Outcome(AskState.ANSWERED, "reject", "reject_once", remembered=False),
)


@rule("T7-13")
@pytest.mark.parametrize("size", SIZES)
def test_words_offered_after_the_turn(looks: Compare, size: tuple[int, int]) -> None:
    fleet = rejected()
    assert looks(fleet, size, events=(AskClosed(REJECTED),), **box(fleet))


@rule("T7-13", "T5-01")
@pytest.mark.parametrize("size", SIZES)
def test_the_offered_words(looks: Compare, size: tuple[int, int]) -> None:
    fleet = rejected()
    assert looks(fleet, size, ("W",), (AskClosed(REJECTED),), **box(fleet))


@rule("T7-19")
@pytest.mark.parametrize("size", SIZES)
def test_writing_to_a_seat_that_waits(looks: Compare, size: tuple[int, int]) -> None:
    seat = a_seat(takes_messages=True)
    fleet = reduce(a_fleet(seat, link=CAN_SEND), (DraftKept(for_seat(seat, "yes, go ahead")),))
    waiting = SeatRead(asking(replace(seat, version=9)))
    assert looks(fleet, size, ("j", "w"), after=(waiting,), **box(fleet))


@rule("T5-01", "T5-02")
def test_an_abort_as_a_message(looks: Compare) -> None:
    seat = a_seat(takes_messages=True, reading=Reading.WORKING)
    fleet = reduce(a_fleet(seat, link=CAN_SEND), (DraftKept(for_seat(seat, "/abort")),))
    assert looks(fleet, WIDE, ("j", "w"), **box(fleet))
