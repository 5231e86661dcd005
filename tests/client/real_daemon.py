"""The real daemon as a process, and a runner's side of it in plain HTTP."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OPTIONS = [
    {"optionId": "yes", "name": "Allow", "kind": "allow_once"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]


@dataclass
class RealDaemon:
    home: Path
    base_url: str
    token: str
    process: subprocess.Popen[str]
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self._http = httpx.Client(
            base_url=self.base_url,
            trust_env=False,
            timeout=20,
            # Certificates take tens of milliseconds to load, which loopback needn't spend.
            verify=False,
            # The daemon closes an idle connection after 5 s.
            limits=httpx.Limits(keepalive_expiry=2),
        )

    def post(self, path: str, body: dict[str, object], token: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {token or self.token}"}
        response = self._http.post(path, json=body, headers=headers)
        assert response.is_success, response.text
        return response.json()

    def get(self, path: str) -> Any:
        return self._http.get(path, headers={"Authorization": f"Bearer {self.token}"}).json()

    def register(self, entity: str, *, default: bool = False) -> None:
        body: dict[str, object] = {"entityId": entity, "confirm": True, "default": default}
        self.post("/api/gateway/humans", body)

    def seat(self, name: str) -> dict[str, Any]:
        """Declare and register a seat; gives what its runner is told."""
        told: dict[str, Any] = self.post(
            "/api/seats",
            {
                "rig": "my-rig",
                "name": name,
                "runner": True,
                "launchResult": True,
                "registered": True,
            },
        )
        return told

    def ask(
        self,
        seat: dict[str, Any],
        title: str = "Run tests",
        options: list[dict[str, str]] | None = None,
    ) -> str:
        """Submit a permission request as the seat's runner; gives the ask's id."""
        return str(self._submit(seat, title, options or OPTIONS)["askId"])

    def withdraw(self, seat: dict[str, Any], ask_id: str) -> None:
        """Withdraw a request as the seat's runner."""
        self.post(
            f"/api/activity/permission-requests/{ask_id}/withdraw",
            {"reason": "turn_ended"},
            seat["env"]["OPENRIG_ACTIVITY_HOOK_TOKEN"],
        )

    def permit(
        self,
        seat: dict[str, Any],
        title: str,
        options: list[dict[str, str]] | None = None,
    ) -> str:
        """Submit a request that nobody is asked for; gives the option that is permitted."""
        return str(self._submit(seat, title, options or OPTIONS)["optionId"])

    def _submit(
        self, seat: dict[str, Any], title: str, options: list[dict[str, str]]
    ) -> dict[str, Any]:
        answer: dict[str, Any] = self.post(
            "/api/activity/permission-requests",
            {
                "sessionName": seat["sessionName"],
                "nodeId": seat["nodeId"],
                "generation": seat["generation"],
                "nativeRef": "conversation",
                "turnId": 1,
                "requestId": next(self._numbers),
                "toolCall": {"toolCallId": "t1", "title": title},
                "options": options,
            },
            seat["env"]["OPENRIG_ACTIVITY_HOOK_TOKEN"],
        )
        return answer

    def stop(self) -> None:
        self._http.close()
        self.process.terminate()
        self.process.communicate(timeout=20)


def start(home: Path) -> RealDaemon:
    process = subprocess.Popen(
        [sys.executable, "-m", "rig_tui", "daemon", "--home", str(home), "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={name: value for name, value in os.environ.items() if "OPENRIG" not in name},
    )
    assert process.stdout is not None
    ready = json.loads(process.stdout.readline())
    endpoint = json.loads((home / "operator-endpoint.json").read_text())
    assert endpoint["baseUrl"] == ready["baseUrl"]
    return RealDaemon(home, ready["baseUrl"], endpoint["token"], process)


@contextmanager
def real_daemon(home: Path) -> Iterator[RealDaemon]:
    daemon = start(home)
    try:
        yield daemon
    finally:
        daemon.stop()
