"""`rig-tui config`: what is in force, and where it came from."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

import pytest

from rig_tui.__main__ import main
from rig_tui.actions.registry import ACTIONS
from rig_tui.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "config.toml"
    monkeypatch.setenv("RIG_TUI_CONFIG", str(path))
    for name in ("RIG_TUI_AS", "RIG_TUI_TOKEN", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return path


def printed(capsys: pytest.CaptureFixture[str], *flags: str) -> dict[str, dict[str, object]]:
    assert main(["config", "--json", *flags]) == 0
    found: dict[str, dict[str, object]] = json.loads(capsys.readouterr().out)["settings"]
    return found


def test_every_setting_is_printed_with_its_default(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = printed(capsys)
    assert {row["from"] for row in rows.values()} == {"default"}
    for each in fields(Settings):
        value = getattr(Settings(), each.name)
        if is_dataclass(value):
            assert {f"{each.name}.{part.name}" for part in fields(value)} <= rows.keys()
        elif each.name not in ("keys", "daemons", "path", "origins", "acting_as"):
            assert each.name in rows
    assert rows["as"]["value"] is None
    for action in ACTIONS.values():
        assert rows[f"keys.{action.id}"]["value"] == list(action.keys)


def test_what_was_set_says_where(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text(
        'theme = "light"\n[keys]\n"answer.deny" = "D"\n[notifications]\nquiet = ["22:00-07:00"]\n'
        '[daemons.work]\nurl = "http://127.0.0.1:7433"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("RIG_TUI_TOKEN", "very-secret")
    rows = printed(capsys, "--as", "ben")
    assert rows["theme"] == {"value": "light", "from": f"{config}, line 1"}
    assert rows["keys.answer.deny"] == {"value": ["D"], "from": f"{config}, line 3"}
    quiet = {"value": ["22:00-07:00"], "from": f"{config}, line 5"}
    assert rows["notifications.quiet"] == quiet
    assert rows["daemons.work.url"]["from"] == f"{config}, line 7"
    assert rows["as"] == {"value": "ben@external", "from": "--as"}
    assert rows["token"] == {"value": "set", "from": "RIG_TUI_TOKEN"}


def test_the_token_is_never_printed(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIG_TUI_TOKEN", "very-secret")
    for flags in ([], ["--json"]):
        assert main(["config", *flags]) == 0
        out, err = capsys.readouterr()
        assert "very-secret" not in out + err


def test_people_get_a_table(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config"]) == 0
    out = capsys.readouterr().out
    assert str(config) in out
    assert "notifications.bell" in out
    assert "keys.answer.allow_once" in out


@pytest.mark.parametrize("command", [["config"], ["config", "--json"]])
def test_a_key_that_cannot_be_given_is_refused_with_its_line(
    config: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    config.write_text("[keys]\n\nanswer.allow_once = '1'\n", encoding="utf-8")
    assert main(command) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{config}, line 3, keys.answer.allow_once: '1' may never act" in err
