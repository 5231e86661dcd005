"""What the daemon sustains, beside a bare Starlette echo route in the same run.

    python -m benchmarks.daemon [--seconds N] [--rate N] [--json PATH]

Two loads: *flat out*, where each of 50 seats posts again as soon as it is answered, and
*paced*, where together they post `--rate` times a second while 200 reads wait and 5
subscribers listen. Absolute numbers are this machine's; quote the ratios. It fails when
an event was lost or came out of order.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from benchmarks import daemon_load as load

if TYPE_CHECKING:
    from collections.abc import Iterator

SEATS, READS_PER_SEAT, SUBSCRIBERS = 50, 4, 5
OPTIONS = [
    {"optionId": "a", "name": "Allow", "kind": "allow_once"},
    {"optionId": "r", "name": "Reject", "kind": "reject_once"},
]


@dataclass(frozen=True)
class Target:
    """A server process under load."""

    pid: int
    port: int
    token: str = ""

    def cpu(self) -> float:
        """Seconds of CPU it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Its resident memory in MiB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@dataclass(frozen=True)
class Measured:
    """One load on one server."""

    per_second: float
    cpu_us: float
    p50_ms: float
    p99_ms: float


def main() -> int:
    """Measure, print, and say whether every event arrived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=int, default=1000, help="posts a second, paced")
    parser.add_argument("--json", type=Path, help="write the numbers here as well")
    arguments = parser.parse_args()
    results = asyncio.run(_run(arguments.seconds, arguments.rate))
    _print(results)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=2) + "\n")
    return 0 if results["lost"] == results["reordered"] == results["refused"] == 0 else 1


async def _run(seconds: float, rate: int) -> dict[str, Any]:
    flat_out = max(2.0, seconds / 10)
    with ExitStack() as stack:
        echo = stack.enter_context(_echo())
        daemon, operator_token = stack.enter_context(_daemon())
        seats, asks = _fleet(daemon, operator_token)
        echo_posts = [load.Posts(echo.port, "", load.ECHO, seat) for seat in seats]
        daemon_posts = [load.Posts(daemon.port, daemon.token, load.HOOKS, s) for s in seats]
        # Interleaved, so that what else the machine does falls on both.
        flat = [
            (
                await _measured(echo, echo_posts, flat_out, None),
                await _measured(daemon, daemon_posts, flat_out, None),
            )
            for _ in range(2)
        ]
        echo_paced = await _measured(echo, echo_posts, flat_out, rate)
        async with (
            load.subscribed(daemon.port, operator_token, SUBSCRIBERS) as readers,
            load.waiting(daemon.port, daemon.token, asks) as waits,
        ):
            before = [posts.sent for posts in daemon_posts]
            paced = await _measured(daemon, daemon_posts, seconds, rate)
            await load.caught_up(readers, sum(p.sent for p in daemon_posts) - sum(before))
        told = load.judge(readers, daemon_posts, before)
        return {
            "seconds": seconds,
            "rate": rate,
            "flat": {
                "echo": vars(max((e for e, _ in flat), key=lambda m: m.per_second)),
                "daemon": vars(max((d for _, d in flat), key=lambda m: m.per_second)),
            },
            "paced": {"echo": vars(echo_paced), "daemon": vars(paced)},
            "event_p50_ms": told.p50_ms,
            "event_p99_ms": told.p99_ms,
            "events": told.events,
            "lost": told.lost,
            "reordered": told.reordered,
            "refused": sum(posts.refused for posts in daemon_posts),
            "reads_answered": waits.answered,
            "daemon_memory_mib": daemon.memory(),
        }


async def _measured(
    target: Target, posts: list[load.Posts], seconds: float, rate: int | None
) -> Measured:
    cpu, began = target.cpu(), time.monotonic()
    took = await load.drive(posts, seconds, None if rate is None else len(posts) / rate)
    elapsed, used = time.monotonic() - began, target.cpu() - cpu
    return Measured(
        per_second=len(took) / elapsed,
        cpu_us=used / len(took) * 1e6,
        p50_ms=load.percentile(took, 50),
        p99_ms=load.percentile(took, 99),
    )


@contextmanager
def _echo() -> Iterator[Target]:
    with _started("benchmarks.daemon_load") as (process, ready):
        yield Target(process.pid, int(ready["port"]))


@contextmanager
def _daemon() -> Iterator[tuple[Target, str]]:
    with tempfile.TemporaryDirectory(prefix="rig-tui-bench-") as folder:
        home = Path(folder) / "home"
        with _started("rig_tui", "daemon", "--home", str(home), "--json") as (process, ready):
            port = int(ready["baseUrl"].rpartition(":")[2])
            hook = json.loads((home / "runners" / "activity-endpoint.json").read_text())
            operator = json.loads((home / "operator-endpoint.json").read_text())
            yield Target(process.pid, port, hook["token"]), operator["token"]


@contextmanager
def _started(*command: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    process = subprocess.Popen([sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True)
    with process:
        try:
            assert process.stdout is not None
            yield process, json.loads(process.stdout.readline())
        finally:
            process.terminate()


def _fleet(daemon: Target, operator_token: str) -> tuple[list[load.Seat], list[str]]:
    """Register a person, launch the seats, and leave asks pending on each."""
    base = f"http://127.0.0.1:{daemon.port}"
    client = httpx.Client(base_url=base, trust_env=False, timeout=30)
    seats, asks = [], []
    with client:
        operator = {"Authorization": f"Bearer {operator_token}"}
        runner = {"Authorization": f"Bearer {daemon.token}"}
        client.post("/api/gateway/humans", json={"entityId": "ana"}, headers=operator)
        for number in range(SEATS):
            body = {"rig": "bench", "name": f"s{number}", "runner": True, "launchResult": True}
            made = client.post("/api/seats", json=body, headers=operator).json()
            record = {"format": 1, "attempt": made["attempt"], "harness": "custom"}
            Path(made["launchResultPath"]).write_text(json.dumps({**record, "nativeRef": "x"}))
            seat = load.Seat(made["sessionName"], made["nodeId"], made["generation"])
            seats.append(seat)
            for request in range(READS_PER_SEAT):
                reply = client.post(
                    load.ASKS,
                    json={
                        "sessionName": seat.session_name,
                        "generation": seat.generation,
                        "nativeRef": "conversation",
                        "turnId": 1,
                        "requestId": request,
                        "toolCall": {"title": "Edit src/app.py", "kind": "edit"},
                        "options": OPTIONS,
                    },
                    headers=runner,
                )
                asks.append(reply.json()["askId"])
    return seats, asks


def _print(results: dict[str, Any]) -> None:
    rows = [("", "echo", "daemon", "daemon / echo")]
    for name in ("flat", "paced"):
        echo, daemon = results[name]["echo"], results[name]["daemon"]
        for what, unit in (
            ("per_second", "posts/s"),
            ("cpu_us", "CPU µs/post"),
            ("p50_ms", "reply p50 ms"),
            ("p99_ms", "reply p99 ms"),
        ):
            ratio = daemon[what] / echo[what] if echo[what] else float("nan")
            title = f"{'flat out' if name == 'flat' else 'paced'}: {unit}"
            rows.append((title, f"{echo[what]:,.1f}", f"{daemon[what]:,.1f}", f"{ratio:.2f}"))
    for title, key in (
        ("post → event p50 ms", "event_p50_ms"),
        ("post → event p99 ms", "event_p99_ms"),
        ("events read by each subscriber", "events"),
        ("events lost", "lost"),
        ("events out of order", "reordered"),
        ("posts refused", "refused"),
        ("daemon memory MiB", "daemon_memory_mib"),
    ):
        rows.append((f"paced: {title}", "", f"{results[key]:,.1f}", ""))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        first = row[0].ljust(widths[0])
        rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        print(first, *rest, sep="  ")


if __name__ == "__main__":
    sys.exit(main())
