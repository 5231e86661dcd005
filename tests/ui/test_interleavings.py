"""Keys, clicks, pastes, resizes, arrivals and lost links in any order answer what was meant."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from rig_tui.domain.commands import Rejected
from rig_tui.ui.arming import Arming
from rig_tui.ui.holding import Holding
from tests.builders import a_fleet, a_seat, an_ask, asking
from tests.rules import rule
from tests.ui.console import WIDE, console
from tests.ui.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = 6
PARTS = 2
"""Consoles that share the interleavings out: they can be lived through side by side."""
NEVER_BY_ITSELF = 1000.0
"""A hold that ends when its story says so."""


async def live(seeds: range) -> tuple[str, int]:
    """Live through interleavings in one console.

    Gives the first answer nobody meant, and how many were sent that somebody did.
    """
    fleet = a_fleet(asking(a_seat()), asking(a_seat("qa")), an_ask("q1"), an_ask("q2", "qa"))
    async with console(fleet, WIDE, hold=NEVER_BY_ITSELF) as c:
        c.backend.verdict = lambda _: Rejected("busy", "Not now.")
        dice = random.Random(0)
        story = Story(c, dice, dict(fleet.asks))
        for seed in seeds:
            dice.seed(seed)
            await story.begin()
            for _ in range(STEPS):
                if wrong := await story.step():
                    return f"interleaving {seed}: {wrong}", story.sent
        return "", story.sent


@rule("T7-01", "T7-06")
@pytest.mark.parametrize("part", range(PARTS))
async def test_no_interleaving_sends_what_was_not_meant(
    pytestconfig: pytest.Config, part: int
) -> None:
    seeds = range(part, pytestconfig.getoption("interleavings"), PARTS)
    wrong, sent = await live(seeds)
    assert not wrong
    assert sent >= len(seeds) // 10, "hardly any answer was sent: this proves little"


def forget_the_wait(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Arming, "_unarmed", lambda self, at: "")


def send_what_was_cancelled(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Holding, "let_go", lambda self: False)


@pytest.mark.parametrize("fault", [forget_the_wait, send_what_was_cancelled])
async def test_those_interleavings_find_a_fault(
    monkeypatch: pytest.MonkeyPatch, fault: Callable[[pytest.MonkeyPatch], None]
) -> None:
    fault(monkeypatch)
    wrong, _ = await live(range(200))
    assert wrong
