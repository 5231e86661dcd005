"""Pictures of a daemon that knows no permission requests."""

from __future__ import annotations

import pytest

from rig_tui.domain.model import Fleet
from tests.openrig.scenes import GATE, PARKED, an_item, openrig
from tests.screens.looks import SIZES, Compare
from tests.ui.console import MIDDLE, WIDE

PRIMARY = Fleet(acting_as="human@host")
DECISION = GATE | {
    "qitemId": "qitem-decision",
    "tsCreated": "2026-10-29T11:00:00.000Z",
    "summary": "Which database should the new service use?",
    "humanIntent": "decision",
    "humanQuestions": [
        {"id": "db", "question": "Which one?", "options": [
            {"id": "pg", "label": "PostgreSQL", "recommended": True},
            {"id": "lite", "label": "SQLite"}]},
    ],
}  # fmt: skip


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_an_item_waits(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(openrig(an_item(DECISION), an_item(PARKED)), size, ("N", "N"), fleet=PRIMARY)


def test_what_can_be_done_about_an_item(looks: Compare) -> None:
    assert looks(openrig(an_item(), lacks="drop"), MIDDLE, ("N", "e"), fleet=PRIMARY)


def test_a_daemon_s_abilities(looks: Compare) -> None:
    assert looks(openrig(), WIDE, ("L",), fleet=PRIMARY)
