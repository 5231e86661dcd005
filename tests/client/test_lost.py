"""What became of a command whose answer got lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.client.errors import LostError
from rig_tui.client.lost import look_up
from rig_tui.domain.commands import (
    AnswerAsk,
    Done,
    Operation,
    Page,
    RegisterPerson,
    Rejected,
    Unconfirmed,
)
from rig_tui.domain.model import AskState
from tests.builders import an_ask, ended

if TYPE_CHECKING:
    from rig_tui.domain.commands import Command, Query, Verdict
    from rig_tui.domain.model import Ask

ANSWER = AnswerAsk("qitem-1", "qitem-1", "allow")
REGISTER = RegisterPerson("ana", "Ana")
LOST = Unconfirmed("no answer came")
BY_ANA = ended(an_ask())
BY_BEN = ended(an_ask(), decided_by="ben@external")
GONE = ended(an_ask(), AskState.WITHDRAWN, decided_by=None)


@dataclass
class Daemon:
    """Says of an operation, each time it is asked, what it is told to."""

    ask: Ask | None
    done: list[bool]
    keeps: bool = True
    gone: bool = False

    @property
    def capabilities(self) -> frozenset[str]:
        return frozenset({"operations"} if self.keeps else ())

    async def fetch(self, query: Query) -> Page:
        if self.gone:
            raise LostError("gone")
        if isinstance(query, Operation):
            return Page(operation_done=self.done.pop(0))
        return Page(ask=self.ask)


async def found(command: Command, daemon: Any) -> Verdict:
    return await look_up(daemon, command, "key", LOST, "ana@external")


async def test_what_the_daemon_has_on_record_was_done() -> None:
    verdict = await found(ANSWER, Daemon(BY_ANA, [True]))
    assert verdict == Done(BY_ANA.outcome, ask=BY_ANA)
    assert await found(REGISTER, Daemon(None, [True])) == Done()


async def test_an_ask_that_ended_in_between_may_have_ended_by_it() -> None:
    assert isinstance(await found(ANSWER, Daemon(BY_ANA, [False, True])), Done)


@pytest.mark.parametrize("ask", [BY_BEN, BY_ANA, GONE])
async def test_what_is_not_on_record_of_an_ask_that_ended_was_not_done(ask: Ask) -> None:
    verdict = await found(ANSWER, Daemon(ask, [False, False]))
    assert isinstance(verdict, Rejected)
    assert verdict.ask is ask


async def test_who_else_ended_it_is_known_without_a_record_too() -> None:
    assert isinstance(await found(ANSWER, Daemon(BY_BEN, [], keeps=False)), Rejected)


@pytest.mark.parametrize(
    ("command", "daemon"),
    [
        (ANSWER, Daemon(an_ask(), [False])),
        (ANSWER, Daemon(None, [False])),
        (ANSWER, Daemon(BY_ANA, [], keeps=False)),
        (REGISTER, Daemon(None, [False])),
        (ANSWER, Daemon(None, [], gone=True)),
    ],
)
async def test_nothing_else_is_claimed(command: Command, daemon: Daemon) -> None:
    verdict = await found(command, daemon)
    assert isinstance(verdict, Unconfirmed)
    assert verdict.cause.startswith(LOST.cause)
