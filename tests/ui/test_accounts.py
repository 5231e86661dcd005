"""Every act leaves a receipt."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.client.receipts import Journal
from rig_tui.domain.commands import Done, Rejected, Unconfirmed, Unsent
from rig_tui.domain.model import AskState, Outcome
from tests.builders import a_fleet, a_seat, an_ask, asking, ended
from tests.ui.console import MIDDLE, WIDE, Console, console

if TYPE_CHECKING:
    from pathlib import Path

    from rig_tui.domain.commands import Verdict

FLEET = a_fleet(asking(a_seat()), an_ask())


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "receipts.jsonl")


async def receipts(c: Console, journal: Journal, settled: int = 1) -> list[Any]:
    """What is written once that many acts are settled."""
    while True:
        found, damaged = journal.read()
        assert damaged == 0
        if sum("verdict" in each for each in found) >= settled:
            return found
        await c.pilot.pause(0.01)


async def test_a_receipt_says_what_was_meant_and_what_was_on_screen(journal: Journal) -> None:
    async with console(FLEET, MIDDLE, journal=journal) as c:
        text = c.board.pane.text
        await c.press("a")
        (receipt,) = await receipts(c, journal)
    assert receipt["command"] == "AnswerAsk"
    assert (receipt["askId"], receipt["rowId"]) == ("qitem-1", "qitem-1")
    assert (receipt["optionId"], receipt["kind"]) == ("allow", "allow_once")
    assert receipt["seat"] == "builder@my-rig"
    assert receipt["label"] == "Allow (allow once)"
    assert (receipt["how"], receipt["as"]) == ("key", "ana@external")
    assert (receipt["columns"], receipt["rows"]) == MIDDLE
    assert receipt["tailViewed"] is True
    assert receipt["shown"] == text
    assert "Edit src/app.ts" in text
    assert receipt["shownSha256"] == sha256(text.encode()).hexdigest()
    assert receipt["paintedAt"] < receipt["sentAt"] <= receipt["settledAt"]


async def test_a_click_is_told_from_a_key(journal: Journal) -> None:
    async with console(FLEET, WIDE, journal=journal) as c:
        await c.pilot.click("#ask-options", offset=(4, 0))
        (receipt,) = await receipts(c, journal)
    assert (receipt["how"], receipt["optionId"]) == ("mouse", "allow")


LOST = ended(an_ask(), AskState.ANSWERED)


@pytest.mark.parametrize(
    ("verdict", "words", "state"),
    [
        (Done(Outcome(AskState.ANSWERED, "allow", "allow_once", False)), "yours", "answered"),
        (Rejected("not_applicable", "Ben was first.", LOST), "someone else's", "answered"),
        (Rejected("unknown_option", "It isn't offered.", an_ask()), "not done", "pending"),
        (Unsent("No connection."), "not sent", None),
        (Unconfirmed("No answer came."), "not known", None),
    ],
)
async def test_a_receipt_says_whose_the_answer_is(
    journal: Journal, verdict: Verdict, words: str, state: str | None
) -> None:
    async with console(FLEET, MIDDLE, journal=journal) as c:
        c.backend.verdict = lambda _: verdict
        await c.press("a")
        (receipt,) = await receipts(c, journal)
    assert (receipt["verdict"], receipt.get("state")) == (words, state)


async def test_a_call_whose_end_was_not_viewed_is_told(journal: Journal) -> None:
    call = {"title": "Run", "rawInput": {"command": "\n".join(map(str, range(99)))}}
    fleet = a_fleet(asking(a_seat()), an_ask(tool_call=call))
    async with console(fleet, MIDDLE, journal=journal) as c:
        await c.press("r")
        (receipt,) = await receipts(c, journal)
    assert receipt["tailViewed"] is False
    assert "98" in receipt["shown"]


async def test_an_answer_goes_without_a_receipt_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    journal = Journal(tmp_path / "file" / "receipts.jsonl")
    async with console(FLEET, MIDDLE, journal=journal) as c:
        await c.press("a")
        while not any("No receipts are kept" in words for words in c.notices):
            await c.pilot.pause(0.01)
        assert len(c.commands) == 1
        assert len(c.notices) == 1
