"""Guests and the daemon's process: what a start refuses, and what a served home holds."""

from __future__ import annotations

import json
import socket
import stat
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from rig_tui.__main__ import main
from rig_tui.daemon.guest import HOST_VARIABLE, PORT_VARIABLE
from tests.daemon.test_guest_listener import free_port
from tests.rules import rule

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 30


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@rule("D4-39", "A-43")
@pytest.mark.parametrize("text", ["0", "-1", "http", "65536"])
def test_a_bad_port_for_guests_stops_the_start_before_it_begins(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], text: str
) -> None:
    monkeypatch.setenv(PORT_VARIABLE, text)
    assert main(["daemon", "--home", str(home)]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert PORT_VARIABLE in said.err
    assert len(said.err.splitlines()) == 1
    assert not home.exists()


@rule("D4-39", "A-43")
@pytest.mark.parametrize("why", ["equal", "taken", "no such address"])
def test_a_port_for_guests_that_cant_be_had_stops_the_start(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], why: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1] if why == "taken" else free_port()
        monkeypatch.setenv(PORT_VARIABLE, str(port))
        if why == "no such address":
            monkeypatch.setenv(HOST_VARIABLE, "192.0.2.1")
        main_port = port if why == "equal" else 0
        assert main(["daemon", "--home", str(home), "--port", str(main_port)]) == 6
    said = capfd.readouterr()
    assert said.out == ""
    assert str(port) in said.err
    assert "Nothing was started" in said.err
    assert len(said.err.splitlines()) == 1
    assert not (home / "operator-endpoint.json").exists()


@rule("D4-33", "D4-39", "D4-40", "D4-41")
def test_a_daemon_serves_guests_and_keeps_its_files_to_itself(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    monkeypatch.setenv(PORT_VARIABLE, str(port))
    with subprocess.Popen(
        [sys.executable, "-m", "rig_tui", "daemon", "--home", home],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout is not None
            ready = json.loads(process.stdout.readline())
            env = _launched(home)
            assert env["OPENRIG_URL"] == f"http://127.0.0.1:{port}" != ready["baseUrl"]
            post = {"sessionName": "builder@my-rig", "hookEvent": "active", "subtype": "x"}
            with _client(env["OPENRIG_URL"], env["OPENRIG_ACTIVITY_HOOK_TOKEN"]) as runner:
                reply = runner.post("/api/activity/hooks", json=post)
                assert reply.json() == {"ok": True, "counted": True}
                assert runner.get("/healthz").status_code == 404
            _assert_private(home)
        finally:
            process.terminate()
            assert process.wait(PATIENCE) == 143
    _assert_private(home)


def _launched(home: Path) -> dict[str, str]:
    endpoint = json.loads((home / "operator-endpoint.json").read_text())
    body = {"rig": "my-rig", "name": "builder", "runner": True, "launchResult": True, "grant": True}
    with _client(endpoint["baseUrl"], endpoint["token"]) as operator:
        env: dict[str, str] = operator.post("/api/seats", json=body).json()["env"]
        return env


def _assert_private(home: Path) -> None:
    """Nobody else may read or enter anything of a home."""
    places: dict[str, Any] = {
        str(path.relative_to(home.parent)): stat.S_IMODE(path.stat().st_mode)
        for path in (home, *home.rglob("*"))
    }
    assert {"home/operator-endpoint.json", "home/daemon.sqlite", "home/daemon.log"} <= set(places)
    folders = {str(p.relative_to(home.parent)) for p in (home, *home.rglob("*")) if p.is_dir()}
    assert {name: mode for name, mode in places.items() if mode & 0o077} == {}
    assert {places[name] for name in folders} == {0o700}
    assert {mode for name, mode in places.items() if name not in folders} == {0o600}


def _client(base_url: str, token: str) -> httpx.Client:
    return httpx.Client(
        base_url=base_url,
        headers={"Authorization": f"Bearer {token}"},
        trust_env=False,
        verify=False,
        timeout=PATIENCE,
    )
