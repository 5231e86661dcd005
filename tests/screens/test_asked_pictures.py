"""Pictures of handing over, and of who is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rig_tui.actions.keymap import keymap
from rig_tui.domain.model import (
    Asked,
    AskedMode,
    Cause,
    Fleet,
    Holder,
    HolderType,
    Override,
    OverrideMode,
    People,
    Row,
)
from tests.builders import ANA, CAPABILITIES, NOON, a_fleet, a_seat, live_link
from tests.rules import rule
from tests.screens.looks import SIZES, Compare
from tests.screens.scenes import day
from tests.ui.console import MIDDLE

ABLE = CAPABILITIES | {"handoff", "update", "permissions-to"}


def able(fleet: Fleet | None = None) -> Fleet:
    return replace(fleet or day(), link=live_link(capabilities=ABLE))


def held(holder: Holder) -> Fleet:
    fleet = able()
    ask = fleet.asks["q1"]
    rows = (
        Row("q1", ask.holder, "handed-off", "ana@external", "handoff", NOON),
        Row("row-2", holder, "pending"),
    )
    return replace(fleet, asks={"q1": replace(ask, holder=holder, row_id="row-2", rows=rows)})


@rule("T7-14")
@pytest.mark.parametrize("size", SIZES)
def test_picking_a_person(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(able(), size, ("o",))


@rule("T7-15")
@pytest.mark.parametrize("size", SIZES)
def test_the_warning_before_an_agent_seat(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(able(), size, ("g", "enter"))


@rule("T7-16")
@pytest.mark.parametrize("size", SIZES)
def test_an_agent_seat_holds_it(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(held(Holder(HolderType.SEAT, "review@my-rig", "review@my-rig")), size)


@rule("T7-16")
def test_another_host_holds_it(looks: Compare) -> None:
    assert looks(held(Holder(HolderType.HOST, "x@host:far", "far")), MIDDLE)


@rule("T7-21")
@pytest.mark.parametrize("size", SIZES)
def test_who_is_asked(looks: Compare, size: tuple[int, int]) -> None:
    fleet = able()
    override = Override(OverrideMode.DENY, None, "frozen", "ana@external", NOON)
    asked = Asked(AskedMode.REFUSES, None, "denied_by_seat")
    refuses = a_seat("audit", asked=asked, override=override)
    fleet = replace(fleet, seats={**fleet.seats, refuses.seat_id: refuses})
    assert looks(fleet, size, ("p", "down"))


@rule("T7-26")
@pytest.mark.parametrize("size", SIZES)
def test_refusing_all(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(able(), size, ("p", "d"))


@rule("T7-22")
@pytest.mark.parametrize("size", SIZES)
def test_a_second_person_without_a_default(looks: Compare, size: tuple[int, int]) -> None:
    asked = Asked(AskedMode.PERSON, "ana", "only_registered_person")
    seats = [a_seat(name, asked=asked) for name in ("builder", "docs", "qa")]
    gone = Override(OverrideMode.TO, "pat", "x", "ana@external", NOON)
    unasked = Asked(AskedMode.PERMITS, None, Cause.CHOSEN_PERSON_NOT_REGISTERED)
    permits = a_seat("old", asked=unasked, override=gone)
    fleet = able(a_fleet(*seats, permits, people=People((ANA,), None)))
    assert looks(fleet, size, ("p", "plus", *"ben", "enter"))


@rule("T9-02")
@pytest.mark.parametrize("size", SIZES)
def test_stopping_a_seat(looks: Compare, size: tuple[int, int]) -> None:
    link = live_link(capabilities=frozenset(ABLE | {"seats"}))
    stopping = keymap({"seat.stop": ["S"]})
    assert looks(replace(day(), link=link), size, ("S",), keymap=stopping)


@pytest.mark.parametrize("size", SIZES)
def test_cancelling_a_turn(looks: Compare, size: tuple[int, int]) -> None:
    cancelling = keymap({"seat.cancel_turn": ["S"]})
    assert looks(able(), size, ("S",), keymap=cancelling)


@pytest.mark.parametrize("size", SIZES)
def test_picking_a_seat(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(able(), size, ("g", "down", *"backup"))


@pytest.mark.parametrize("size", SIZES)
def test_registering_a_person(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(able(), size, ("p", "plus", *"Pat", "enter"))
