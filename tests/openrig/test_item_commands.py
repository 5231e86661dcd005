"""Commands on what waits for a person at a published OpenRig."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.__main__ import main
from tests.cli.shell import misfits
from tests.openrig.fake import FakeOpenRig, fake_openrig

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

GATE = "qitem-20261130183051-27564dfa"


@pytest.fixture
async def openrig(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[FakeOpenRig]:
    monkeypatch.setenv("RIG_TUI_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("OPENRIG_HOME", str(tmp_path))
    async with fake_openrig() as daemon:
        yield daemon


async def typed(daemon: FakeOpenRig, *arguments: str) -> int:
    return await asyncio.to_thread(main, [*arguments, "--url", daemon.base_url])


async def test_items_are_listed_shown_and_acted_on_and_never_take_an_answer(
    openrig: FakeOpenRig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await typed(openrig, "asks", "--json") == 0
    rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    assert not [*misfits(rows, "[ask]")]
    assert {row["kind"] for row in rows} == {"gate", "blocked"}
    assert GATE in {row["id"] for row in rows}
    assert await typed(openrig, "show", GATE) == 0
    assert "item --do approve: closes it as approved" in capsys.readouterr().out
    for words in (("deny", GATE), ("close", GATE, "--how", "drop", "--permit")):
        assert await typed(openrig, *words) == 6
        assert "no permission request" in capsys.readouterr().err
    assert await typed(openrig, "item", GATE, "--do", "hold") == 2
    assert await typed(openrig, "item", GATE, "--do", "route") == 2
    assert await typed(openrig, "item", GATE, "--do", "approve", "--dry-run") == 0
    assert openrig.acted == []
    capsys.readouterr()
    assert await typed(openrig, "item", GATE, "--do", "deny", "--text", "not now", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert not [*misfits(told, "act")]
    ((_, body),) = openrig.acted
    assert (body["verb"], body["reason"]) == ("deny", "not now")
    assert await typed(openrig, "item", GATE, "--do", "deny") == 3
    assert "nothing was sent" in capsys.readouterr().err
