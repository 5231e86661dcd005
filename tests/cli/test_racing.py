"""Several who answer one ask at once: one of them does, and the others are told who."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rig_tui.cli import acts, argv
from rig_tui.cli.desk import Desk, desk_for
from rig_tui.cli.stop import Stop
from rig_tui.client.local import local_backend
from rig_tui.client.receipts import NAME, Journal
from rig_tui.domain.commands import AnswerAsk, Done, Rejected, WholeAsk
from rig_tui.settings import Overrides, Settings, state_folder
from tests.rules import rule

if TYPE_CHECKING:
    from argparse import Namespace

    from rig_tui.client.openrig import OpenRigBackend
    from tests.client.real_daemon import RealDaemon

pytestmark = pytest.mark.usefixtures("no_settings")
ROUNDS = 100


async def commands(desk: Desk, given: Namespace) -> tuple[int, str]:
    try:
        return await acts.on_ask(desk, given), ""
    except Stop as stop:
        return stop.code, str(stop)


async def keys(backend: OpenRigBackend, ask_id: str) -> tuple[int, str]:
    """What the console reads before a key counts, and sends for it."""
    await backend.fetch(WholeAsk(ask_id))
    verdict = await backend.send(AnswerAsk(ask_id, ask_id, "yes"), f"key {ask_id}")
    assert isinstance(verdict, Done | Rejected)
    return (0, "") if isinstance(verdict, Done) else (4, verdict.message)


@rule("D7-34")
async def test_of_all_who_answer_at_once_one_does_and_every_other_is_4_and_told_who(
    daemon: RealDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    for person in ("ana", "ben", "eve"):
        daemon.register(person, default=person == "ana")
    seat = daemon.seat("builder")
    won = {"ana": 0, "ben": 0, "eve": 0}
    async with AsyncExitStack() as stack:
        desks: list[tuple[str, Desk]] = []
        for person in ("ana", "ben"):
            at = Overrides(home=daemon.home, acting_as=f"{person}@external")
            desk = desk_for(at, os.environ)
            await stack.enter_async_context(aclosing(desk.backend))
            await desk.open()
            desks.append((person, desk))
        at = Overrides(home=daemon.home)
        backend = local_backend(
            at, Settings(), os.environ, program="tui", actor=lambda: "eve@external"
        )
        await stack.enter_async_context(aclosing(backend))
        await backend.open()
        for number in range(ROUNDS):
            ask = await asyncio.to_thread(daemon.ask, seat, f"Round {number}")
            given = argv.parse(["answer", ask, "no", "--json"])
            racing = {person: commands(desk, given) for person, desk in desks}
            racing["eve"] = keys(backend, ask)
            order = [*racing][number % 3 :] + [*racing][: number % 3]
            ends = await asyncio.gather(*(racing[person] for person in order))
            ended = dict(zip(order, ends, strict=True))
            (winner,) = [person for person, (code, _) in ended.items() if code == 0]
            won[winner] += 1
            for person, (code, words) in ended.items():
                assert person == winner or (code, f"{winner}@external" in words) == (4, True), words
    assert all(won.values()), won
    found, _ = Journal(Path(state_folder()) / NAME).read()
    yours = [receipt for receipt in found if receipt["verdict"] == "yours"]
    assert len(yours) == won["ana"] + won["ben"]
    assert capsys.readouterr().err == ""
