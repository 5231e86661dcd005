"""A runner process against the daemon process: what the agent gets, end to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from rig_tui.demo.supervisor import child_environment
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

FAKE_RUNNER = Path(__file__).parents[1] / "journeys" / "fake_runner.py"
ALLOW = {"optionId": "o", "name": "Allow", "kind": "allow_once"}
ALWAYS = {"optionId": "a", "name": "Always", "kind": "allow_always"}
REJECT = {"optionId": "r", "name": "Reject", "kind": "reject_once"}


class Daemon:
    """A daemon process with a person registered, and seats on demand."""

    def __init__(self, http: httpx.Client, folder: Path) -> None:
        self._http = http
        self._folder = folder
        self._seats = 0

    def post(self, route: str, **body: Any) -> Any:
        return self._http.post(route, json=body).raise_for_status().json()

    def get(self, route: str) -> Any:
        return self._http.get(route).raise_for_status().json()

    @contextmanager
    def runner(self, *options: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
        """Start a runner in a new seat whose agent offers these options."""
        self._seats += 1
        name = f"seat-{self._seats}"
        seat = self.post("/api/seats", rig="r", name=name, runner=True, launchResult=True)
        (self._folder / f"{name}.json").write_text(json.dumps(seat))
        asked = {"requestId": 0, "toolCall": {"title": "t"}, "options": options}
        (self._folder / f"{name}-request.json").write_text(json.dumps(asked))
        with subprocess.Popen(
            [sys.executable, str(FAKE_RUNNER), f"{name}.json", f"{name}-request.json"],
            cwd=self._folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    folder = tmp_path_factory.mktemp("runner")
    home = folder / "home"
    with subprocess.Popen(
        [sys.executable, "-m", "rig_tui", "daemon", "--home", str(home), "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        env=child_environment(os.environ, folder),
    ) as process:
        assert process.stdout is not None
        try:
            base_url = json.loads(process.stdout.readline())["baseUrl"]
            token = json.loads((home / "operator-endpoint.json").read_bytes())["token"]
            with httpx.Client(
                base_url=base_url,
                headers={
                    "Authorization": f"Bearer {token}",
                    "X-OpenRig-Session": "human@host",
                },
                trust_env=False,
            ) as http:
                served = Daemon(http, folder)
                served.post("/api/gateway/humans", entityId="ana", displayName="Ana")
                yield served
        finally:
            process.kill()


def line(stream: Any) -> str:
    read = stream.readline()
    assert isinstance(read, str)
    return read.rstrip("\n")


def ask_of(process: subprocess.Popen[str]) -> str:
    said = line(process.stderr)
    assert said.startswith("asked ")
    return said.removeprefix("asked ")


@rule("D7-22", "R7-03")
@pytest.mark.parametrize("option_id", ["o", "a", "r"])
def test_the_runner_gets_the_option_that_was_clicked(daemon: Daemon, option_id: str) -> None:
    with daemon.runner(ALWAYS, ALLOW, REJECT) as process:
        ask = ask_of(process)
        daemon.post(f"/api/queue/{ask}/answer", questionId="permission", optionId=option_id)
        assert line(process.stdout) == f"optionId={option_id}"
        assert process.wait() == 0


@rule("D7-24")
@pytest.mark.parametrize(
    ("options", "printed"),
    [((ALLOW, REJECT), "optionId=r"), ((ALLOW, ALWAYS), "cancelled (said_no)")],
)
def test_a_deny_is_the_reject_or_cancelled(
    daemon: Daemon, options: tuple[dict[str, str], ...], printed: str
) -> None:
    with daemon.runner(*options) as process:
        ask = ask_of(process)
        daemon.post("/api/mission-control/action", verb="deny", qitemId=ask)
        assert line(process.stdout) == printed


@rule("D7-25")
def test_a_drop_is_a_permit(daemon: Daemon) -> None:
    with daemon.runner(ALLOW, REJECT) as process:
        ask = ask_of(process)
        daemon.post("/api/mission-control/action", verb="drop", qitemId=ask, reason="not needed")
        assert line(process.stdout) == "optionId=o"


@rule("R7-07", "D7-46")
def test_a_runner_that_is_stopped_withdraws(daemon: Daemon) -> None:
    with daemon.runner(ALLOW, REJECT) as process:
        ask = ask_of(process)
        process.send_signal(signal.SIGTERM)
        assert line(process.stdout) == "cancelled (turn_cancelled)"
        assert process.wait() == 0
        assert daemon.get(f"/api/queue/{ask}")["permission"]["state"] == "withdrawn"


@rule("R7-09", "D7-11")
def test_nothing_to_show_and_nothing_to_permit_is_refused_and_held(daemon: Daemon) -> None:
    with daemon.runner(REJECT) as process:
        assert line(process.stdout) == "cancelled (options_unsupported)"
        assert process.wait() == 0
    [rig] = daemon.get("/api/rigs/summary")
    rows = daemon.get(f"/api/rigs/{rig['id']}/nodes")
    assert rows[-1]["runner"]["evidence"] == "prompt"
