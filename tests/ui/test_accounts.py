"""Every act leaves a receipt."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.client.receipts import Journal
from rig_tui.domain.commands import AnswerAsk, Done, Page, Rejected, Unconfirmed, Unsent
from rig_tui.domain.events import AskClosed, LinkLost
from rig_tui.domain.model import AskState, Outcome, People
from tests.builders import NOON, a_fleet, a_seat, an_ask, asking, ended
from tests.fakes import as_read
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


LOST = ended(an_ask(), AskState.ANSWERED, decided_by="ben@external")
ELSEWHERE = ended(an_ask(), AskState.ANSWERED)
WITHDRAWN = ended(an_ask(), AskState.WITHDRAWN)


@pytest.mark.parametrize(
    ("verdict", "words", "state"),
    [
        (Done(Outcome(AskState.ANSWERED, "allow", "allow_once", False)), "yours", "answered"),
        (Rejected("not_applicable", "Ben was first.", LOST), "someone else's", "answered"),
        (
            Rejected("not_applicable", "You were first.", ELSEWHERE),
            "yours, sent elsewhere",
            "answered",
        ),
        (Rejected("not_applicable", "It's gone.", WITHDRAWN), "not done", "withdrawn"),
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


async def test_a_lost_answer_is_looked_up_until_it_is_known_whose_it_was(journal: Journal) -> None:
    async with console(FLEET, MIDDLE, journal=journal) as c:
        c.backend.verdict = lambda _: Unconfirmed("No answer came.")
        c.backend.capabilities = frozenset({"operations"})
        c.backend.page = Page(ask=an_ask(), operation_done=False)
        await c.press("a")
        (receipt,) = await receipts(c, journal)
        assert receipt["verdict"] == "not known"
        assert "not confirmed" in c.words("#ask-after")
        c.backend.page = Page(ask=LOST, operation_done=False)
        await c.bring(AskClosed(LOST))
        while receipt["verdict"] == "not known":
            (receipt,) = await receipts(c, journal)
        assert len(c.commands) == 1
        assert "not done" in c.words("#ask-after")
    assert (receipt["verdict"], receipt["state"]) == ("someone else's", "answered")
    assert "ben" in receipt["detail"]


async def test_a_lost_answer_that_was_done_is_found_on_the_next_connection(
    journal: Journal,
) -> None:
    async with console(FLEET, MIDDLE, journal=journal) as c:
        c.backend.verdict = lambda _: Unconfirmed("The connection broke.")
        await c.bring(LinkLost("gone", NOON, NOON))
        c.board.mean(AnswerAsk("qitem-1", "qitem-1", "allow"), "Allow")
        (receipt,) = await receipts(c, journal)
        c.backend.capabilities = frozenset({"operations"})
        c.backend.page = Page(ask=ELSEWHERE, operation_done=True)
        await c.bring(*as_read(FLEET))
        while receipt["verdict"] == "not known":
            (receipt,) = await receipts(c, journal)
        assert "recorded by the daemon" in c.words("#ask-after")
    assert (receipt["verdict"], receipt["gets"]) == ("yours", "allow")


async def test_a_key_after_a_click_is_told_as_a_key(journal: Journal) -> None:
    async with console(FLEET, WIDE, journal=journal) as c:
        await c.pilot.click("#ask-options", offset=(4, 1))
        await c.press("Y")
        (receipt,) = await receipts(c, journal)
    assert (receipt["how"], receipt["optionId"]) == ("key", "always")


async def test_the_first_person_is_registered_with_a_receipt_of_the_screen(
    journal: Journal,
) -> None:
    async with console(a_fleet(a_seat(), people=People()), MIDDLE, journal=journal) as c:
        await c.press("enter")
        (receipt,) = await receipts(c, journal)
    assert (receipt["command"], receipt["columns"]) == ("RegisterPerson", MIDDLE[0])


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
