"""The daemon as a process: its ready line, its end, and what survives a kill."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from rig_tui.__main__ import main
from rig_tui.daemon import detached
from rig_tui.daemon.home import Home
from tests.daemon.harness import OPTIONS
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ASKS = "/api/activity/permission-requests"
PATIENCE = 30


@dataclass
class Started:
    process: subprocess.Popen[str]
    ready: dict[str, Any]
    operator: httpx.Client
    hooks: httpx.Client

    def wait(self) -> int:
        return self.process.wait(PATIENCE)

    def ask(self, name: str = "builder") -> tuple[str, dict[str, str]]:
        """Register ana, declare a seat, submit a request; give its id and the seat's env."""
        self.operator.post("/api/gateway/humans", json={"entityId": "ana"})
        body = {"rig": "my-rig", "name": name, "runner": True, "launchResult": True}
        env = self.operator.post("/api/seats", json=body).json()["env"]
        request = {
            "sessionName": f"{name}@my-rig",
            "generation": env["OPENRIG_OCCUPANT_GENERATION"],
            "requestId": 1,
            "toolCall": {"title": "Edit"},
            "options": OPTIONS,
        }
        return self.hooks.post(ASKS, json=request).json()["askId"], env


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def start(home: Path) -> Iterator[Callable[..., Started]]:
    with contextlib.ExitStack() as cleanup:

        def start(*arguments: str) -> Started:
            process = subprocess.Popen(
                [sys.executable, "-m", "rig_tui", "daemon", "--home", home, *arguments],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            cleanup.enter_context(process)
            cleanup.callback(process.kill)
            assert process.stdout is not None
            ready = json.loads(process.stdout.readline())
            operator = json.loads((home / "operator-endpoint.json").read_text())
            hooks = json.loads((home / "runners" / "activity-endpoint.json").read_text())
            assert operator["baseUrl"] == hooks["baseUrl"] == ready["baseUrl"]
            return Started(
                process,
                ready,
                cleanup.enter_context(_client(operator)),
                cleanup.enter_context(_client(hooks)),
            )

        yield start


def _client(endpoint: dict[str, str]) -> httpx.Client:
    return httpx.Client(
        base_url=endpoint["baseUrl"],
        headers={"Authorization": f"Bearer {endpoint['token']}"},
        trust_env=False,
        verify=False,
        timeout=PATIENCE,
    )


@rule("D7-13")
def test_how_many_options_are_shown_is_chosen_at_the_start(start: Callable[..., Started]) -> None:
    assert start().operator.get("/healthz").json()["optionsMax"] == 4


@rule("D7-17", "D7-42", "D4-02", "D7-37")
def test_an_ask_survives_a_kill_and_so_do_port_and_tokens(start: Callable[..., Started]) -> None:
    first = start("--port", "0", "--json")
    assert first.ready["home"]
    assert first.ready["version"]
    assert first.ready["pid"] == first.process.pid
    ask_id, _ = first.ask()
    first.process.kill()
    first.wait()

    second = start()

    assert second.ready["baseUrl"] == first.ready["baseUrl"], "runners know no other address"
    assert second.hooks.headers == first.hooks.headers
    read = second.hooks.get(f"{ASKS}/{ask_id}")
    assert read.json() == {"ok": True, "askId": ask_id, "state": "pending"}
    body = {"questionId": "permission", "optionId": "c", "actorSession": "ana@external"}
    second.operator.post(f"/api/queue/{ask_id}/answer", json=body)
    second.process.kill()
    second.wait()
    assert start().hooks.get(f"{ASKS}/{ask_id}").json()["optionId"] == "c"


@rule("D7-57", "D7-44")
def test_a_shutdown_is_refused_while_asks_wait_and_forced_ends_reads_with_pending(
    start: Callable[..., Started],
) -> None:
    daemon = start()
    ask_id, _ = daemon.ask()
    assert daemon.operator.post("/api/shutdown").status_code == 409
    assert daemon.operator.get("/healthz").status_code == 200
    assert daemon.operator.post("/api/shutdown", json={"force": True}).json()["pendingAsks"] == 1
    assert daemon.wait() == 0
    assert daemon.process.stdout is not None
    assert daemon.process.stdout.read() == "", "nothing but the ready line"
    assert ask_id


@rule("D7-57")
def test_a_termination_logs_the_asks_that_wait(home: Path, start: Callable[..., Started]) -> None:
    daemon = start()
    ask_id, _ = daemon.ask()
    daemon.process.send_signal(signal.SIGTERM)
    assert daemon.wait() == 143
    log = (home / "daemon.log").read_text()
    assert ask_id in log
    assert (home / "daemon.log").stat().st_mode & 0o777 == 0o600
    assert daemon.operator.headers["Authorization"].split()[1] not in log


@rule("D7-57")
def test_one_interrupt_isnt_enough_while_asks_wait(start: Callable[..., Started]) -> None:
    daemon = start()
    ask_id, _ = daemon.ask()
    daemon.process.send_signal(signal.SIGHUP)
    daemon.process.send_signal(signal.SIGINT)
    assert daemon.process.stderr is not None
    warned = [daemon.process.stderr.readline() for _ in range(3)]
    assert "PERMIT" in warned[0]
    assert ask_id in warned[1]
    assert daemon.operator.get("/healthz").status_code == 200
    daemon.process.send_signal(signal.SIGINT)
    assert daemon.wait() == 0


def test_a_second_daemon_is_refused_naming_the_first(
    home: Path, start: Callable[..., Started]
) -> None:
    daemon = start()
    second = _run(home)
    assert second.returncode == 6
    assert second.stdout == ""
    assert str(daemon.process.pid) in second.stderr
    assert daemon.ready["baseUrl"] in second.stderr


def test_a_taken_port_and_an_unusable_home_are_one_clear_line(home: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = _run(home, "--port", port)
    assert refused.returncode == 6
    assert len(refused.stderr.splitlines()) == 1
    assert f"127.0.0.1:{port}" in refused.stderr

    (tmp_path / "file").write_text("x")
    unusable = _run(tmp_path / "file" / "home")
    assert unusable.returncode == 1
    assert len(unusable.stderr.splitlines()) == 1


def test_in_the_background_it_is_started_found_and_stopped(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert detached.status(home) == 5
    assert detached.stop(home) == 5
    assert detached.logs(home) == 1
    capfd.readouterr()

    given = ["--options-max", "6", "--allow-host", "console.example"]
    assert main(["daemon", "start", "--home", str(home), "--json", *given]) == 0
    ready = json.loads(capfd.readouterr().out)
    try:
        assert os.getsid(ready["pid"]) == ready["pid"], "a session of its own"
        assert detached.start(home, as_json=True) == 0
        assert json.loads(capfd.readouterr().out) == ready
        assert detached.status(home) == 0
        running = detached.find(home)
        assert running is not None
        assert running.base_url == ready["baseUrl"]
        assert detached.logs(home) == 0
        assert "serving" in capfd.readouterr().out

        endpoint = json.loads((home / "operator-endpoint.json").read_text())
        with _client(endpoint) as operator, _client({**endpoint, "token": _hook(home)}) as hooks:
            ask_id, _ = Started(None, ready, operator, hooks).ask()  # type: ignore[arg-type]
            called_otherwise = {"Host": "console.example"}
            assert operator.get("/healthz", headers=called_otherwise).json()["optionsMax"] == 6
        assert detached.stop(home) == 6
        assert ask_id in capfd.readouterr().err
    finally:
        assert detached.stop(home, force=True) == 0
    assert Home(home).owner() is None
    assert detached.find(home) is None


def test_what_else_listens_on_the_port_isnt_taken_for_the_daemon(home: Path) -> None:
    place = Home(home)
    place.make()
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        place.write_endpoints(f"http://127.0.0.1:{stranger.getsockname()[1]}", "secret", "hook")
        answering = _answer_once(stranger)
        assert detached.find(home) is None
    assert b"secret" not in answering()


def test_a_daemon_that_cant_start_in_the_background_says_why(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert detached.start(home, taken.getsockname()[1]) == 6
    assert "Can't listen on" in capfd.readouterr().err


def _answer_once(server: socket.socket) -> Callable[[], bytes]:
    """Answer one request as some other program would; give what was received."""
    from threading import Thread

    received = bytearray()

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            received.extend(connection.recv(65536))
            body = b'{"status":"ok","proof":"guess"}'
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
            )

    thread = Thread(target=serve)
    thread.start()

    def result() -> bytes:
        thread.join(PATIENCE)
        return bytes(received)

    return result


def _hook(home: Path) -> str:
    return str(json.loads((home / "runners" / "activity-endpoint.json").read_text())["token"])


def _run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rig_tui", "daemon", "--home", home, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
