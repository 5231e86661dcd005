"""Many act on one ask at once, over real HTTP: one wins, everyone else is told the truth."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.domain.model import AskState
from tests.daemon.harness import HOOK_TOKEN, OPERATOR_TOKEN, Served
from tests.daemon.lean_http import Answer, send
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from tests.daemon.harness import Runner

    Act = Callable[[], Coroutine[Any, Any, Answer]]

ENDINGS = ("withdraw", "turn end", "relaunch")
"""What a runner, or a new occupant, does; the other acts are operators'."""


class Crowd:
    """Everybody who may act on one ask, on connections of their own."""

    def __init__(self, served: Served, runner: Runner, ask_id: str, chance: random.Random) -> None:
        self.runner, self.ask_id, self.chance = runner, ask_id, chance
        self.port = int(served.base_url.rpartition(":")[2])
        self.people = ("human@host", "ana@external", "ben@external")

    def acts(self, count: int, first: int) -> list[tuple[str, Act]]:
        """Every kind of act, shuffled; one of the kind numbered `first` is sent first."""
        kinds: list[tuple[str, Act]] = [
            *((f"click {o}", self._post("answer", optionId=o)) for o in "abc"),
            ("yes", self._post("reply", text="yes", expect="yes", by="human@host")),
            ("no", self._post("reply", text="no", expect="no", by="human@host")),
            ("words", self._words()),
            ("deny", self._verb("deny")),
            ("approve", self._verb("approve", by="human@host")),
            ("drop", self._verb("drop", by="human@host", reason="gone")),
        ]
        chosen = [kinds[n % len(kinds)] for n in range(count - len(ENDINGS))]
        chosen += zip(ENDINGS, (self._withdraw, self._stop, self._relaunch), strict=True)
        kinds = [*dict(chosen).items()]
        self.chance.shuffle(chosen)
        return [kinds[first % len(kinds)], *chosen[1:]]

    def _operate(self, path: str, by: str | None, body: dict[str, Any]) -> Act:
        async def act() -> Answer:
            actor = by or self.chance.choice(self.people)
            return await self._run(path, {"actorSession": actor, **body}, OPERATOR_TOKEN)

        return act

    def _post(self, what: str, by: str | None = None, **body: Any) -> Act:
        return self._operate(
            f"/api/queue/{self.ask_id}/{what}", by, {"questionId": "permission", **body}
        )

    def _words(self) -> Act:
        text = "use the staging database"
        return self._post("reply", "human@host", text=text, expect="words", confirmPermit=True)

    def _verb(self, verb: str, by: str | None = None, **body: Any) -> Act:
        return self._operate(
            "/api/mission-control/action", by, {"verb": verb, "qitemId": self.ask_id, **body}
        )

    async def _run(self, path: str, body: dict[str, Any], token: str) -> Answer:
        return await send(self.port, "POST", path, token, body)

    async def _withdraw(self) -> Answer:
        path = f"/api/activity/permission-requests/{self.ask_id}/withdraw"
        return await self._run(path, {"reason": "turn_cancelled"}, HOOK_TOKEN)

    async def _stop(self) -> Answer:
        body = self.runner.body(hookEvent="Stop", subtype="end_turn", turnId="7", sequence=9)
        return await self._run("/api/activity/hooks", body, HOOK_TOKEN)

    async def _relaunch(self) -> Answer:
        path = f"/api/seats/{self.runner.session_name}/relaunch"
        return await self._run(path, {}, OPERATOR_TOKEN)


@rule("D7-36", "D7-47", "D7-51", "D7-37")
@pytest.mark.parametrize("seed", range(3))
async def test_of_two_hundred_acts_on_one_ask_exactly_one_wins(served: Served, seed: int) -> None:
    chance = random.Random(seed)
    served.daemon.person(default=True)
    served.daemon.person("ben")
    runner = await served.seat()
    for number in range(4):
        runner.sequence = 0
        ask_id = runner.ask(requestId=f"{seed}.{number}")
        acts = Crowd(served, runner, ask_id, chance).acts(200, first=4 * seed + number)
        before = served.daemon.core.events.newest
        answers = await asyncio.gather(*(act() for _, act in acts))
        judge(served, ask_id, [(name, a) for (name, _), a in zip(acts, answers, strict=True)])
        assert_one_end(served, ask_id, before)
        generation = served.daemon.seat().generation
        assert generation is not None
        runner.generation = generation


def judge(served: Served, ask_id: str, answers: list[tuple[str, Answer]]) -> None:
    """At most one operator won, and every other was told how the ask really ended."""
    ask = served.daemon.ask(ask_id)
    state = ask.outcome.state
    by_operators = [(name, answer) for name, answer in answers if name not in ENDINGS]
    won = [name for name, answer in by_operators if answer.status == 200]
    decided = state not in (AskState.WITHDRAWN, AskState.STALE)
    assert len(won) == decided, won
    for name, answer in by_operators:
        if answer.status == 200:
            continue
        told = answer.body
        assert answer.status == 409, (name, answer.content)
        assert (told["error"], told["reason"]) == ("not_applicable", state.value)
        assert told["outcome"]["state"] == state.value
        assert told["outcome"].get("optionId") == ask.outcome.option_id
        assert told["item"]["permission"]["state"] == state.value
    for name, answer in answers:
        if name in ENDINGS:
            assert answer.status in (200, 201), (name, answer.content)


def assert_one_end(served: Served, ask_id: str, before: int) -> None:
    """One event, one row closed, and one permit record if that is how it ended."""
    ask = served.daemon.ask(ask_id)
    ends = [
        event
        for event in served.daemon.events(before)
        if event["type"] == "queue.updated"
        and event["item"]["permission"]["askId"] == ask_id
        and event["fromState"] == "pending"
    ]
    assert len(ends) == 1
    permits = [permit for permit in served.daemon.permits() if permit.ask_id == ask_id]
    assert len(permits) == (ask.outcome.state is AskState.PERMITTED)
    ends_in_table = list(served.daemon.store.asks.transitions(ask_id))[1:]
    assert len(ends_in_table) == 1
