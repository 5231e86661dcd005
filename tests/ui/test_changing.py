"""An ask that changes under its operator: the keys disarm, and it is said what changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rig_tui.domain.events import AskChanged, AskClosed
from rig_tui.domain.model import AskState, Holder, HolderType, Row
from tests.builders import ALLOW, BEN, REJECT, a_fleet, a_seat, ago, an_ask, asking, ended
from tests.rules import rule
from tests.ui.console import MIDDLE, TINY, WIDE, console

ASK = an_ask()
HANDED = replace(
    ASK,
    row_id="row-2",
    holder=Holder(HolderType.PERSON, BEN.address, "Ben"),
    rows=(
        replace(ASK.rows[0], state="handed-off", closed_by="human@host", how="route", at=ago(1)),
        Row("row-2", Holder(HolderType.PERSON, BEN.address, "Ben"), "pending"),
    ),
    version=9,
)
AGAIN = replace(ASK, notices=("The agent sent this request again with other content.",), version=9)
CHANGES = {
    "its content": (replace(ASK, tool_call={"title": "Remove src"}, version=9), "something else"),
    "sent again": (AGAIN, "sent this request again"),
    "its options": (replace(ASK, options=(ALLOW, REJECT), version=9), "‘Always allow’ is gone"),
    "its holder": (HANDED, "the primary user handed it to Ben"),
}


@rule("T7-02", "T7-06")
@pytest.mark.parametrize("what", CHANGES)
async def test_a_change_under_the_operator_disarms_and_says_what_and_who(what: str) -> None:
    changed, words = CHANGES[what]
    fleet = a_fleet(asking(a_seat()), ASK, acting_as="human@host")
    async with console(fleet, (120, 40)) as c:
        assert not c.board.arming.unarmed
        await c.bring(AskChanged(changed))
        said = " ".join(c.words("#ask-after").split())
        assert said.startswith("changed since you opened it: ")
        assert words in said
        await c.press("a", apart=0.3)
        await c.press("A", apart=0.05)
        assert c.commands == []
        assert c.app.screen is c.board
        await c.rest()
        assert not c.board.arming.unarmed


@pytest.mark.parametrize("size", [MIDDLE, TINY])
async def test_a_small_window_says_it_too(size: tuple[int, int]) -> None:
    async with console(a_fleet(asking(a_seat()), ASK), size) as c:
        await c.press("enter")
        await c.bring(AskChanged(AGAIN))
        assert "changed since you opened it" in c.words()


@rule("T7-02")
async def test_an_open_dialog_goes_and_says_who_was_first() -> None:
    async with console(a_fleet(asking(a_seat()), ASK), WIDE) as c:
        await c.press("A")
        await c.bring(
            AskClosed(ended(ASK, AskState.ANSWERED, decided_by="ben@external", version=9))
        )
        assert c.app.screen is c.board
        assert "while you were deciding: answered at" in c.notices[-1]
        assert "by ben with Allow" in c.notices[-1]
        assert c.notices[-1].endswith("Nothing was sent.")
        await c.press("Y", "a")
        assert c.commands == []
