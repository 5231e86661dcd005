"""The daemon in the background: started, asked after, stopped, and its log.

These run in the operator's own process. They talk to the daemon only after it has
proved that it knows the operator token.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import os
import secrets
import subprocess
import sys
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rig_tui.daemon.home import Home, HomeError
from rig_tui.domain.inert import inert, inert_block

if TYPE_CHECKING:
    from pathlib import Path

EXIT_DONE, EXIT_FAILED, EXIT_NOT_RUNNING, EXIT_REFUSED = 0, 1, 5, 6

_TIMEOUT = 5.0
_STOPS_WITHIN = 15.0


@dataclass(frozen=True, slots=True)
class Running:
    """A daemon that answers and has proved itself."""

    base_url: str
    token: str
    pid: int | None
    version: str

    def line(self, home: Path) -> str:
        """The ready line a daemon in the foreground prints."""
        return json.dumps(
            {
                "baseUrl": self.base_url,
                "home": str(home),
                "pid": self.pid,
                "version": self.version,
            }
        )


def start(home: Path, port: int = 0, *flags: str, as_json: bool = False) -> int:
    """Start a daemon in a session of its own, or find the one that runs.

    Args:
        home: What it serves.
        port: Where; 0 as `DaemonOptions` has it.
        flags: What else to give `rig-tui daemon`.
        as_json: Whether to print its ready line instead of words.
    """
    running = find(home)
    if running is None:
        try:
            failed = _spawn(home, port, flags)
        except (OSError, HomeError) as exc:
            _complain(f"Can't start a daemon for {home}: {exc}.")
            return EXIT_FAILED
        running = find(home)
        if failed or running is None:
            return failed or EXIT_FAILED
    print(running.line(home) if as_json else _in_words(running, home))  # noqa: T201
    return EXIT_DONE


def status(home: Path, *, as_json: bool = False) -> int:
    """Say whether a daemon serves this home."""
    running = find(home)
    if running is None:
        _complain(f"No daemon serves {home}.")
        return EXIT_NOT_RUNNING
    print(running.line(home) if as_json else _in_words(running, home))  # noqa: T201
    return EXIT_DONE


def stop(home: Path, *, force: bool = False) -> int:
    """Stop the daemon, unless asks wait: without it their runners permit (D7-57)."""
    running = find(home)
    if running is None:
        _complain(f"No daemon serves {home}. Nothing was stopped.")
        return EXIT_NOT_RUNNING
    try:
        code, answer = _call(running, "POST", "/api/shutdown", {"force": force})
    except OSError as exc:
        _complain(f"The daemon at {running.base_url} didn't answer: {exc}.")
        return EXIT_FAILED
    if code != 200:
        _complain(answer.get("message") or f"The daemon answered {code}.")
        for ask in answer.get("asks", ()):
            _complain(f"  {ask['seatRef']}  request {ask['requestId']}  {ask['askId']}")
        return EXIT_REFUSED
    deadline = time.monotonic() + _STOPS_WITHIN
    while Home(home).owner() is not None:
        if time.monotonic() > deadline:
            _complain(f"The daemon at {running.base_url} is still shutting down.")
            return EXIT_FAILED
        time.sleep(0.05)
    print(f"Stopped the daemon of {home}.")  # noqa: T201
    return EXIT_DONE


def logs(home: Path, *, lines: int = 100) -> int:
    """Print the end of the daemon's log."""
    try:
        with Home(home).log.open(encoding="utf-8", errors="replace") as file:
            for line in deque(file, maxlen=lines):
                sys.stdout.write(inert(line.removesuffix("\n")) + "\n")
    except FileNotFoundError:
        _complain(f"{home} has no daemon log yet.")
        return EXIT_FAILED
    return EXIT_DONE


def find(home: Path) -> Running | None:
    """Find the daemon of a home; None when nothing answers with proof."""
    place = Home(home)
    endpoint = place.read_endpoint()
    if endpoint is None:
        return None
    base_url, token = endpoint
    unproved = Running(base_url, token, place.owner(), "")
    nonce = secrets.token_hex(16)
    try:
        code, health = _call(unproved, "GET", f"/healthz?nonce={nonce}", None)
    except OSError:
        return None
    message = f"{nonce}\n{_authority(base_url)}"
    expected = hmac.new(token.encode(), message.encode(), hashlib.sha256).hexdigest()
    if code != 200 or not hmac.compare_digest(str(health.get("proof")), expected):
        return None
    return Running(base_url, token, place.owner(), str(health.get("version")))


def _spawn(home: Path, port: int, flags: tuple[str, ...]) -> int:
    """Start the process and wait for its ready line; 0, or the exit code it failed with."""
    command = [sys.executable, "-m", "rig_tui", "daemon"]
    command += ["--home", str(home), "--port", str(port), "--json", *flags]
    place = Home(home)
    place.make()
    place.log.touch(mode=0o600)
    with place.log.open("a+", encoding="utf-8", errors="replace") as log:
        before = log.seek(0, os.SEEK_END)
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
        assert process.stdout is not None
        with process.stdout:
            if process.stdout.readline():
                # It lives on by itself; nobody waits for it here.
                process.returncode = 0
                return EXIT_DONE
        code = process.wait() or EXIT_FAILED
        log.seek(before)
        _complain(log.read().strip() or f"The daemon didn't start: exit {code}.")
        return code


def _call(
    running: Running, method: str, path: str, body: dict[str, Any] | None
) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection(_authority(running.base_url), timeout=_TIMEOUT)
    headers = {"Content-Type": "application/json"}
    if body is not None:
        headers["Authorization"] = f"Bearer {running.token}"
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        answer = json.loads(response.read())
    except (http.client.HTTPException, ValueError) as exc:
        raise OSError(f"it sent no answer of ours ({exc})") from exc
    finally:
        connection.close()
    return response.status, answer if isinstance(answer, dict) else {}


def _authority(base_url: str) -> str:
    return base_url.partition("://")[2]


def _in_words(running: Running, home: Path) -> str:
    return f"A daemon serves {home} at {running.base_url} (process {running.pid})."


def _complain(text: str) -> None:
    print(inert_block(text), file=sys.stderr)  # noqa: T201
