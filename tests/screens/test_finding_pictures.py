"""A picture of each way to narrow, hold still, snooze and lay out the board."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rig_tui.domain.events import AskOpened
from rig_tui.domain.view import Shows, View
from rig_tui.ui import themes
from rig_tui.ui.present.glyphs import ASCII
from tests.builders import a_fleet, a_seat, ago, an_ask
from tests.screens.looks import SIZES
from tests.screens.scenes import day
from tests.ui.console import MIDDLE, WIDE

if TYPE_CHECKING:
    from tests.screens.looks import Compare


@pytest.mark.parametrize("size", SIZES)
def test_typing_a_filter(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("slash", *"ops"))


@pytest.mark.parametrize("size", SIZES)
def test_a_filter_that_is_kept(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("slash", *"ops", "enter"))


def test_one_state_of_only_mine(looks: Compare) -> None:
    assert looks(day(), WIDE, view=View(shows=Shows.WORKING, mine=True))


def test_one_list(looks: Compare) -> None:
    assert looks(day(), WIDE, view=View(flat=True))


@pytest.mark.parametrize("size", SIZES)
def test_rows_that_stand_still(looks: Compare, size: tuple[int, int]) -> None:
    older = an_ask("older", "docs", opened_at=ago(9000), version=9)
    newer = an_ask("newer", "triage", opened_at=ago(1), version=9)
    keys = ("escape", "j")
    assert looks(day(), size, keys, after=(AskOpened(older), AskOpened(newer)))


@pytest.mark.parametrize("size", SIZES)
def test_for_how_long_to_snooze(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("z",))


@pytest.mark.parametrize("size", SIZES)
def test_a_snoozed_ask(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("z", "m", "escape"))


def test_the_mouse_given_away(looks: Compare) -> None:
    assert looks(day(), WIDE, ("M",))


@pytest.mark.parametrize("size", [WIDE, MIDDLE], ids=["160x45", "80x24"])
def test_high_contrast(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, theme=themes.CONTRAST.name)


def test_compact(looks: Compare) -> None:
    assert looks(day(), WIDE, dense=True)


@pytest.mark.parametrize("size", [(80, 60), (100, 110)], ids=["80x60", "100x110"])
def test_very_tall(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size)


def test_very_tall_without_an_ask(looks: Compare) -> None:
    assert looks(a_fleet(a_seat(), a_seat("docs")), (80, 60), ("j",))


@pytest.mark.parametrize("keys", [("escape",), ("A",), ("z",)], ids=["board", "confirm", "dialog"])
def test_plain_characters(looks: Compare, keys: tuple[str, ...]) -> None:
    assert looks(day(), WIDE, keys, glyphs=ASCII)


def test_nothing_matches(looks: Compare) -> None:
    empty = replace(day(), asks={})
    assert looks(empty, MIDDLE, ("slash", *"nothing like it"))
