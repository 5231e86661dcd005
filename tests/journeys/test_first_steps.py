"""The first things anybody does with it: the demo, and a fresh home of their own."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import httpx

from tests.journeys import stage
from tests.journeys.stage import CONSOLE, environment
from tests.journeys.terminal import PATIENCE
from tests.rules import rule

if TYPE_CHECKING:
    from pathlib import Path


def test_the_demo_heeds_nothing_around_it_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("as = \n")
    around = {
        "RIG_TUI_CONFIG": str(tmp_path / "config.toml"),
        "RIG_TUI_AS": "ben",
        "OPENRIG_URL": "http://127.0.0.1:9",
        "OPENRIG_OCCUPANT_GENERATION": "gen-1",
    }
    screen = stage.console(tmp_path, "demo", environ=around)
    try:
        screen.wait_for("demo", "● live", "ana@external", "armed ·")
        assert list(tmp_path.glob("rig-tui-demo-*"))
        screen.press("d")
        screen.wait_for("recorded by the daemon")
        screen.press("q")
        assert screen.ended() == 0
        assert not list(tmp_path.glob("rig-tui-demo-*"))
    finally:
        print(screen.picture())
        screen.close()


@rule("T7-23", "T7-25")
def test_a_fresh_home_gets_a_daemon_and_its_operator(tmp_path: Path) -> None:
    home = tmp_path / "home"
    screen = stage.console(tmp_path, "--home", str(home))
    try:
        screen.wait_for(f"{home / 'operator-endpoint.json'} isn't there", "start a daemon")
        screen.press("s")
        screen.wait_for("Nobody is registered here", "every seat PERMITS without asking")
        screen.press("enter")
        screen.wait_for("ana is registered", "● live", "answering as ana@external")
        screen.press("q")
        assert screen.ended() == 0
        people = connections(home)
        assert [human["entityId"] for human in people["humans"]] == ["ana"]
        assert people["default"]["entityId"] == "ana"
    finally:
        print(screen.picture())
        screen.close()
        stopped = subprocess.run(
            [*CONSOLE, "daemon", "stop", "--force", "--home", str(home)],
            env=environment(tmp_path),
            cwd=tmp_path,
            timeout=PATIENCE,
            check=False,
        )
    assert stopped.returncode == 0, "it outlived the console, and could be stopped"


def connections(home: Path) -> dict[str, Any]:
    endpoint = json.loads((home / "operator-endpoint.json").read_bytes())
    reply = httpx.get(
        f"{endpoint['baseUrl']}/api/gateway/connections",
        headers={"Authorization": f"Bearer {endpoint['token']}"},
        trust_env=False,
        timeout=PATIENCE,
    )
    value = reply.raise_for_status().json()
    assert isinstance(value, dict)
    return value
