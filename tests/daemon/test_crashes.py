"""Killed at any moment, the daemon has lost nothing it acknowledged and done nothing twice."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.daemon.crash_workload import Workload
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SEATS = 4


@contextmanager
def daemon(home: Path, workload: Workload) -> Iterator[subprocess.Popen[str]]:
    """Start a daemon on the home and let the workload know where it is."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rig_tui", "daemon", "--home", home, "--json"],
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            ready = json.loads(process.stdout.readline())
            workload.port = int(ready["baseUrl"].rpartition(":")[2])
            workload.operator = _token(home / "operator-endpoint.json")
            workload.hooks = _token(home / "runners" / "activity-endpoint.json")
            yield process
        finally:
            process.kill()


def _token(path: Path) -> str:
    return str(json.loads(path.read_text())["token"])


async def crash_and_check(home: Path, kills: int, seed: int) -> Workload:
    chance = random.Random(seed)
    workload = Workload(chance)
    with daemon(home, workload):
        await workload.begin(SEATS)
    since, killed_at = 0, time.monotonic()
    for kill in range(kills):
        with daemon(home, workload) as process:
            await workload.check(killed_at, since)
            since = len(workload.asks)
            # Mostly while it is busy with its first requests, at times after a while.
            after = 1.5 if kill % 10 == 9 else chance.uniform(0.005, 0.3)
            working = asyncio.ensure_future(workload.run())
            await asyncio.wait({working}, timeout=after)
            process.kill()
            killed_at = time.monotonic()
            await working
    with daemon(home, workload):
        await workload.check(killed_at, since)
        await workload.check_all()
    assert "Traceback" not in (home / "daemon.log").read_text()
    assert len(workload.asks) > kills
    return workload


@rule("D7-17", "D7-51", "D7-42", "D7-36")
async def test_a_few_kills_lose_nothing_and_do_nothing_twice(tmp_path: Path) -> None:
    await crash_and_check(tmp_path / "home", kills=8, seed=1)


@rule("D7-17", "D7-51")
@pytest.mark.crash
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(2, 6))
async def test_two_hundred_kills_lose_nothing_and_do_nothing_twice(
    tmp_path: Path, seed: int
) -> None:
    await crash_and_check(tmp_path / "home", kills=55, seed=seed)
