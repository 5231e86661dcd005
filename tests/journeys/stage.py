"""The processes of a journey, each with an environment that names nothing of ours."""

from __future__ import annotations

import itertools
import json
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import httpx

from tests.journeys.terminal import PATIENCE, Terminal, group_is_gone

ROOT = Path(__file__).parents[2]
FAKE_RUNNER = Path(__file__).with_name("fake_runner.py")
CONSOLE = [sys.executable, "-m", "rig_tui"]

ALLOW = {"optionId": "yes-1", "name": "Let it", "kind": "allow_once"}
ALWAYS = {"optionId": "yes-2", "name": "Let it for good", "kind": "allow_always"}
REJECT = {"optionId": "no-1", "name": "Stop it", "kind": "reject_once"}
NEVER = {"optionId": "no-2", "name": "Never again", "kind": "reject_always"}


def environment(folder: Path) -> dict[str, str]:
    """What a child gets: this checkout's code, and folders below `folder` for all else."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder),
        "USER": "ana",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "TMPDIR": str(folder),
        **{f"XDG_{kind}_HOME": str(folder / "xdg") for kind in ("CONFIG", "DATA", "STATE")},
    }


class Daemon:
    """A daemon process with a home of its own, in which ana is the default person."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self._numbers = itertools.count(1)
        self.start()
        self.post("/api/gateway/humans", entityId="ana", displayName="Ana", default=True)

    def start(self) -> None:
        """Start it, also again after its end, and wait until it is ready."""
        self.process = subprocess.Popen(
            [*CONSOLE, "daemon", "--home", str(self.home), "--port", "0", "--json"],
            stdout=subprocess.PIPE,
            start_new_session=True,
            env=environment(self.folder),
            cwd=self.folder,
            bufsize=0,
        )
        self.base_url = str(json.loads(line_of(self.process.stdout))["baseUrl"])
        endpoint = json.loads((self.home / "operator-endpoint.json").read_bytes())
        self.token = str(endpoint["token"])
        self._http = httpx.Client(
            base_url=self.base_url,
            headers={"Authorization": f"Bearer {self.token}"},
            trust_env=False,
            timeout=PATIENCE,
        )

    def end(self) -> None:
        """Kill the process; the home stays."""
        self._http.close()
        self.process.kill()
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        assert group_is_gone(self.process.pid)

    @property
    def address(self) -> str:
        return self.base_url.removeprefix("http://")

    def post(self, route: str, **body: Any) -> Any:
        return self._http.post(route, json=body).raise_for_status().json()

    def get(self, route: str) -> Any:
        return self._http.get(route).raise_for_status().json()

    def alive(self) -> bool:
        return self.process.poll() is None and self.get("/healthz")["status"] == "ok"

    def seat(self) -> dict[str, Any]:
        """Declare one more seat; what its runner is told."""
        name = f"seat-{next(self._numbers)}"
        seat = self.post("/api/seats", rig="my-rig", name=name, runner=True, launchResult=True)
        assert isinstance(seat, dict)
        return seat

    def ask(self, ask_id: str) -> dict[str, Any]:
        """What an operator reads of an ask."""
        ask = self.get(f"/api/queue/{ask_id}")["permission"]
        assert isinstance(ask, dict)
        return ask

    def permits(self, seat: dict[str, Any]) -> list[dict[str, Any]]:
        """The default permits on record that came from this seat."""
        items = self.get("/api/stream/list?hintTag=runner-permission-permit&limit=500")
        return [
            json.loads(item["body"])
            for item in items
            if item["sourceSession"] == seat["sessionName"]
        ]


class Runner:
    """A runner process in a seat of its own, whose agent offers these options."""

    def __init__(self, daemon: Daemon, *options: dict[str, str]) -> None:
        self.seat = daemon.seat()
        name = self.seat["seatRef"]
        told, asked = daemon.folder / f"{name}.json", daemon.folder / f"{name}-asks.json"
        told.write_text(json.dumps(self.seat))
        tool_call = {"toolCallId": "call-1", "title": "Run the tests", "kind": "execute"}
        asked.write_text(
            json.dumps({"requestId": 0, "toolCall": tool_call, "options": list(options)})
        )
        self.process = subprocess.Popen(
            [sys.executable, str(FAKE_RUNNER), str(told), str(asked)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=environment(daemon.folder),
            cwd=daemon.folder,
            bufsize=0,
        )
        said = line_of(self.process.stderr)
        assert said.startswith("asked "), said
        self.ask_id = said.removeprefix("asked ")

    def got(self) -> str:
        """What the agent was given, once it was given something and its turn is over."""
        out, err = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, err.decode()
        return str(out.decode().rstrip("\n"))

    def waits(self) -> bool:
        """Whether the agent was given nothing so far."""
        assert self.process.stdout is not None
        return self.process.poll() is None and not _readable(self.process.stdout, 0)

    def close(self) -> None:
        """Withdraw what still waits, and end."""
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)
        assert group_is_gone(self.process.pid)


def console(
    folder: Path,
    *arguments: str,
    environ: dict[str, str] | None = None,
    size: tuple[int, int] = (120, 40),
    stderr: int | None = None,
) -> Terminal:
    """The console on a terminal, with these arguments."""
    env = environment(folder) | (environ or {})
    return Terminal([*CONSOLE, *arguments], env, folder, size, stderr)


def line_of(stream: IO[bytes] | None) -> str:
    """The next line of an unbuffered pipe."""
    assert stream is not None
    assert _readable(stream, PATIENCE), "nothing was said"
    return stream.readline().decode().rstrip("\n")


def _readable(stream: IO[bytes], seconds: float) -> bool:
    return bool(select.select([stream], [], [], seconds)[0])
