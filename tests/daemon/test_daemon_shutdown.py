"""How a daemon goes when asks wait: it says which, and tells every runner `pending`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.daemon.harness import OPTIONS
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ASKS = "/api/activity/permission-requests"
PATIENCE = 30


@dataclass
class Waited:
    """A daemon with two asks, each of which somebody reads."""

    process: subprocess.Popen[str]
    log: Path
    operator: httpx.Client
    asks: list[str]
    reads: list[HTTPConnection]

    def assert_told_pending(self) -> None:
        for ask_id, read in zip(self.asks, self.reads, strict=True):
            reply = read.getresponse()
            assert reply.status == 200
            assert json.loads(reply.read()) == {"ok": True, "askId": ask_id, "state": "pending"}


@pytest.fixture
def waited(tmp_path: Path) -> Iterator[Waited]:
    home = tmp_path / "home"
    with ExitStack() as cleanup:
        command: list[str | Path] = [
            sys.executable,
            "-m",
            "rig_tui",
            "daemon",
            "--home",
            home,
            "--json",
        ]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        cleanup.enter_context(process)
        cleanup.callback(process.kill)
        assert process.stdout is not None
        process.stdout.readline()
        operator, hooks = (
            cleanup.enter_context(_client(json.loads((home / name).read_text())))
            for name in ("operator-endpoint.json", "runners/activity-endpoint.json")
        )
        operator.post("/api/gateway/humans", json={"entityId": "ana"})
        seat = {"rig": "my-rig", "name": "builder", "runner": True, "launchResult": True}
        made = operator.post("/api/seats", json=seat).json()
        asks = [_ask(hooks, made, number) for number in range(2)]
        reads = [cleanup.enter_context(_reading(hooks, ask_id)) for ask_id in asks]
        # On accepted connections this is answered after the reads have begun.
        assert operator.get("/healthz").status_code == 200
        yield Waited(process, home / "daemon.log", operator, asks, reads)


@contextmanager
def _reading(hooks: httpx.Client, ask_id: str) -> Iterator[HTTPConnection]:
    """Send a read that waits, on a connection that was used before."""
    connection = HTTPConnection(hooks.base_url.host, hooks.base_url.port, timeout=PATIENCE)
    headers = {"Authorization": hooks.headers["Authorization"]}
    with closing(connection):
        connection.request("GET", f"{ASKS}/{ask_id}", headers=headers)
        connection.getresponse().read()
        connection.request("GET", f"{ASKS}/{ask_id}?waitSeconds=25", headers=headers)
        yield connection


def _client(endpoint: dict[str, str]) -> httpx.Client:
    return httpx.Client(
        base_url=endpoint["baseUrl"],
        headers={"Authorization": f"Bearer {endpoint['token']}"},
        trust_env=False,
        verify=False,
        timeout=PATIENCE,
    )


def _ask(hooks: httpx.Client, made: dict[str, Any], number: int) -> str:
    request = {
        "sessionName": made["sessionName"],
        "generation": made["generation"],
        "requestId": number,
        "toolCall": {"title": "Edit"},
        "options": OPTIONS,
    }
    return str(hooks.post(ASKS, json=request).json()["askId"])


@rule("D7-57", "D7-44")
def test_a_shutdown_is_refused_with_a_list_until_forced(waited: Waited) -> None:
    refused = waited.operator.post("/api/shutdown")
    assert refused.status_code == 409
    told = refused.json()
    assert told["error"] == "asks_pending"
    assert "PERMIT" in told["message"]
    assert [(a["askId"], a["seatRef"], a["requestId"]) for a in told["asks"]] == [
        (waited.asks[0], "builder@my-rig", "0"),
        (waited.asks[1], "builder@my-rig", "1"),
    ]
    forced = waited.operator.post("/api/shutdown", json={"force": True})
    assert forced.json() == {"ok": True, "pendingAsks": 2}
    waited.assert_told_pending()
    assert waited.process.wait(PATIENCE) == 0
    assert "Traceback" not in waited.log.read_text()


@rule("D7-57", "D7-44")
def test_a_termination_logs_what_waits_and_ends_reads_with_pending(waited: Waited) -> None:
    waited.process.send_signal(signal.SIGTERM)
    waited.assert_told_pending()
    assert waited.process.wait(PATIENCE) == 143
    log = waited.log.read_text()
    for ask_id in waited.asks:
        assert f"builder@my-rig, request {waited.asks.index(ask_id)}, {ask_id}" in log
    assert "Traceback" not in log
