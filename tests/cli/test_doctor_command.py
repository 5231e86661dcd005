"""`rig-tui doctor`, against the real daemon."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.shell import run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.client.real_daemon import RealDaemon

pytestmark = pytest.mark.usefixtures("no_settings")


def test_a_problem_is_1_until_it_is_mended(
    daemon: RealDaemon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    daemon.seat("builder")
    at = ("doctor", "--home", str(daemon.home))

    def found(problems: int) -> dict[str, Any]:
        code, out, err = run(capsys, *at, "--json")
        assert (code, err) == (min(problems, 1), "")
        rows = {row["check"]: row for row in json.loads(out)}
        assert sum(row["level"] == "problem" for row in rows.values()) == problems
        return rows

    rows = found(2)
    assert "PERMITS without asking" in rows["people"]["words"]
    assert "builder@my-rig: nobody is registered" in rows["seats that permit"]["words"]
    daemon.register("ana")
    rows = found(0)
    assert rows["home"]["words"].endswith("mode 0700")
    assert rows["operator token"]["words"].endswith("mode 0600")
    assert daemon.token not in json.dumps(rows)
    (daemon.home / "operator-endpoint.json").chmod(0o644)
    assert found(1)["operator token"]["fix"].startswith("chmod 600")
    (daemon.home / "operator-endpoint.json").chmod(0o600)
    code, out, _ = run(capsys, *at)
    assert code == 0
    assert "seat belt, not a wall" in out


def test_every_daemon_of_the_settings_file_is_looked_at(
    daemon: RealDaemon,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text(
        f'[daemons.one]\nhome = "{daemon.home}"\n[daemons.two]\nurl = "http://127.0.0.1:9"\n'
    )
    monkeypatch.setenv("RIG_TUI_CONFIG", str(settings))
    code, out, _ = run(capsys, "doctor", "--json")
    assert code == 1
    reached = {r["subject"]: r["level"] for r in json.loads(out) if r["check"] == "reachable"}
    assert reached == {daemon.base_url.removeprefix("http://"): "ok", "127.0.0.1:9": "problem"}
