"""One program under one load, measured from outside."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import httpx

from benchmarks import fleet
from benchmarks.terminal import Slow, Terminal, python

if TYPE_CHECKING:
    from collections.abc import Iterator

RATE = 1000
SETTLED = 1.5
"""Seconds a program gets between its first rows and the load."""
WARM = 2.0
"""Seconds of load before anything is measured."""
PATIENCE = 60.0
LATE = 20.0
"""How long the last probe is waited for: a program may be far behind."""
LOOKS = 10
"""How often the rows are looked at until they are right."""
PAINTED = 0.98
"""The part of the probes that the console must have painted, each by itself."""
_LAST_ROW = re.compile(b"s%04d" % fleet.LAST_SHOWN)


@dataclass
class Run:
    """What one program did under one load."""

    samples_ns: list[int] = field(default_factory=list)
    sent: int = 0
    first_frame: float = 0.0
    """Seconds from its start until its rows could be read."""
    cpu: float = 0.0
    """Seconds of CPU a second."""
    bytes_per_second: float = 0.0
    memory: float = 0.0
    """MiB."""
    fault: str = ""
    """What it showed less than it was told: then its speed means nothing."""


class Server:
    """The paced server of one run."""

    def __init__(self, home: Path, base_url: str) -> None:
        self.home = home
        self.base_url = base_url
        self._client = httpx.Client(base_url=base_url, trust_env=False, timeout=600)

    def load(self, load: str, rate: int, seconds: float, *, probing: bool) -> list[Any]:
        """Have changes told for a while; gives (token number, nanosecond) of each probe."""
        wanted = {"load": load, "rate": rate, "seconds": seconds, "probing": probing}
        probes: list[Any] = self._client.post("/load", json=wanted).json()["probes"]
        return probes

    def shown(self) -> list[str]:
        details: list[str] = self._client.get("/shown").json()
        return details

    def close(self) -> None:
        self._client.close()


@contextmanager
def serving(seats: int) -> Iterator[Server]:
    """A paced server with so many seats."""
    with tempfile.TemporaryDirectory(prefix="rig-tui-bench-") as folder:
        home = Path(folder) / "home"
        command = python("-m", "benchmarks.server", "--home", str(home), "--seats", str(seats))
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            server = Server(home, json.loads(process.stdout.readline())["baseUrl"])
            try:
                yield server
            finally:
                server.close()
                process.terminate()


def command_of(program: str, server: Server) -> list[str]:
    """How a program is started on that server."""
    match program:
        case "console":
            return python("-m", "rig_tui", "--home", str(server.home))
        case "minimal":
            return python("-m", "benchmarks.programs.minimal")
        case "statics":
            return python("-m", "benchmarks.programs.minimal", "1000")
        case _:
            return python("-m", f"benchmarks.programs.{program}", server.base_url)


@contextmanager
def running(
    program: str, server: Server, slow: Slow | None = None
) -> Iterator[tuple[Terminal, float]]:
    """A program that shows its rows, and after how many seconds it did."""
    folder = server.home.parent
    private = {name: str(folder / name) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    terminal = Terminal(command_of(program, server), private, slow)
    terminal.note(_LAST_ROW)
    try:
        shown = terminal.wait_for(b"s%04d" % fleet.LAST_SHOWN, PATIENCE)
        if shown is None:
            raise RuntimeError(f"{program} never showed its rows")
        yield terminal, (shown - terminal.began) / 1e9
    finally:
        terminal.close()


def painting(program: str, load: str, seats: int, seconds: float) -> Run:
    """Measure from an event's writing to its painting, with CPU, bytes and memory."""
    with serving(seats) as server, running(program, server) as (terminal, first_frame):
        terminal.note(fleet.TOKEN)
        time.sleep(SETTLED)
        server.load(load, RATE, min(WARM, seconds), probing=False)
        cpu, read, began = terminal.cpu(), terminal.read, time.monotonic()
        probes = server.load(load, RATE, seconds, probing=True)
        elapsed = time.monotonic() - began
        run = Run(
            sent=len(probes),
            first_frame=first_frame,
            cpu=(terminal.cpu() - cpu) / elapsed,
            bytes_per_second=(terminal.read - read) / elapsed,
            memory=terminal.memory(),
        )
        terminal.wait_for(fleet.token(len(probes) - 1).encode(), LATE)
        for number, at in probes:
            seen = terminal.wait_for(fleet.token(number).encode(), 0)
            if seen is not None:
                run.samples_ns.append(seen - at)
        if len(run.samples_ns) < PAINTED * run.sent:
            run.fault = f"{program} painted {len(run.samples_ns)} of {run.sent} probes"
        elif wrong := _wrong_rows(terminal, server.shown()):
            run.fault = f"{program} doesn't show {', '.join(wrong)}"
        return run


def _wrong_rows(terminal: Terminal, shown: list[str]) -> list[str]:
    """The rows that don't say in the end what they must, however often they are looked at."""
    wrong = {f"s{number:04}": detail for number, detail in enumerate(shown)}
    for _ in range(LOOKS):
        screen = terminal.screen()
        wrong = {
            name: detail
            for name, detail in wrong.items()
            if not any(name in line and detail in line for line in screen)
        }
        if not wrong:
            break
    return [f"{name} as {detail}" for name, detail in wrong.items()]


def idling(program: str, seats: int, seconds: float) -> Run:
    """Measure a program that is left alone."""
    with serving(seats) as server, running(program, server) as (terminal, first_frame):
        time.sleep(2 * SETTLED)
        cpu, began = terminal.cpu(), time.monotonic()
        time.sleep(seconds)
        used = (terminal.cpu() - cpu) / (time.monotonic() - began)
        return Run(first_frame=first_frame, cpu=used, memory=terminal.memory())


def starting(program: str, seats: int) -> float:
    """Seconds from a program's start until its rows are on screen."""
    with serving(seats) as server, running(program, server) as (_, first_frame):
        return first_frame


def pressing(load: str, keys: int, slow: Slow | None = None) -> Run:
    """Measure from a key that moves the selection until the seat it reached is described."""
    rate, seconds = (0 if load == "idle" else RATE), keys * 0.2
    with serving(1000) as server, running("console", server, slow) as (terminal, first_frame):
        terminal.note(fleet.SESSION)
        time.sleep(SETTLED)
        terminal.press("j")
        terminal.wait_for(b"q0000q", PATIENCE)
        driving = Thread(target=lambda: server.load(load, rate, seconds, probing=False))
        driving.start()
        cpu, read, began = terminal.cpu(), terminal.read, time.monotonic()
        run = Run(sent=keys, first_frame=first_frame)
        for number in range(keys):
            key, place = _step(number)
            mark = b"q%04dq" % place
            terminal.forget(mark)
            at = terminal.press(key)
            seen = terminal.wait_for(mark, 5.0)
            if seen is not None:
                run.samples_ns.append(seen - at)
            time.sleep(0.08 + 0.03 * (number % 3))
        elapsed = time.monotonic() - began
        run.cpu = (terminal.cpu() - cpu) / elapsed
        run.bytes_per_second = (terminal.read - read) / elapsed
        driving.join()
        return run


def _step(number: int) -> tuple[str, int]:
    """Down over the rows on screen and up again: the key, and the row it reaches."""
    turn = fleet.HOT - 1
    step = number % (2 * turn)
    return ("j", step + 1) if step < turn else ("k", 2 * turn - step - 1)


def ingesting(way: str, seats: int, events: int, rate: int) -> dict[str, float]:
    """Have a burst (`rate` 0) or a paced stream read without being drawn."""
    with serving(seats) as server:
        path = "/api/events" if rate else f"/burst?events={events}"
        url = f"{server.base_url}{path}"
        if way == "curl":
            shell = (
                f"curl -sN -w '%{{stderr}}%{{time_starttransfer}} %{{time_total}}' '{url}' | wc -c"
            )
            done = subprocess.run(["sh", "-c", shell], check=True, capture_output=True, text=True)
            began, ended = map(float, done.stderr.split())
            return {"events": events, "seconds": ended - began, "cpu": 0.0}
        command = python("-m", "benchmarks.ingest", way, url, str(events))
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            process.stdout.readline()
            if rate:
                time.sleep(1.0)
                server.load("uniform", rate, events / rate + 1, probing=False)
            found: dict[str, float] = json.loads(process.stdout.readline())
            return found
