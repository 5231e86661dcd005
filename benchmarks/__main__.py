"""How fast the console is, as ratios of things measured in the same run.

    python -m benchmarks [--quick] [--smoke] [--only BAR,…] [--json PATH] [--check]

Everything is measured through a real pseudo-terminal against a paced server: a probe's
time runs from before its event is written until its token can be read. Programs take
turns, so that what else the machine does falls on all. Quote the ratios; absolute
numbers are this machine's.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks import runs
from benchmarks.bars import BARS, Pair, Verdict, judged, p99
from benchmarks.terminal import Slow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.runs import Run

SLOW = Slow(bytes_per_second=50_000, delay=0.2)
SLOW_BYTES_MOST = 15_000
KEYS_P99_MOST_MS = 50.0


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    repetitions: int
    painting: float
    """Seconds of one painting run; 300 probes come in 25."""
    idle: float
    keys: int
    burst: int
    paced: int


FULL = Scale(3, 27.0, 20.0, 300, 100_000, 10_000)
QUICK = Scale(1, 27.0, 10.0, 300, 50_000, 5_000)
SMOKE = Scale(1, 1.5, 1.0, 5, 2_000, 500)


def main() -> int:
    """Measure, print, and say with `--check` whether every bar is met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one repetition instead of three")
    parser.add_argument("--smoke", action="store_true", help="only see that it works")
    parser.add_argument("--only", default="", help="bars to measure, with commas between")
    parser.add_argument("--json", type=Path, help="write the samples here as well")
    parser.add_argument("--check", action="store_true", help="fail when a bar isn't met")
    arguments = parser.parse_args()
    scale = SMOKE if arguments.smoke else QUICK if arguments.quick else FULL
    names = {bar.name for bar in BARS}
    only = set(filter(None, arguments.only.split(","))) or names
    if only - names:
        parser.error(f"there is no bar {', '.join(sorted(only - names))}")
    pairs: list[Pair] = []
    for number in range(scale.repetitions):
        for measure in MEASURES:
            pairs += [pair for pair in measure(scale, number, only) if pair.bar in only]
    found = judged(pairs)
    _print(found)
    if arguments.json:
        rows = [asdict(pair) | {"ratio": pair.ratio} for pair in pairs]
        arguments.json.write_text(json.dumps(rows) + "\n")
    return 1 if arguments.check and not all(verdict.met for verdict in found) else 0


def _painting(scale: Scale, number: int, only: set[str]) -> Iterator[Pair]:
    """Latency, CPU, bytes and memory, with every program in turn."""
    done: dict[tuple[str, str], Run] = {}

    def run(program: str, load: str, seats: int = 1000) -> Run:
        key = (program, f"{load} {seats}")
        if key not in done:
            _say(f"{program}, {load}, {seats:,} seats")
            done[key] = runs.painting(program, load, seats, scale.painting)
        return done[key]

    def pair(bar: str, load: str, ours: Run, theirs: Run, of: Callable[[Run], float]) -> Pair:
        return Pair(
            bar,
            load,
            number,
            of(ours),
            of(theirs),
            ours.samples_ns,
            theirs.samples_ns,
            len(ours.samples_ns),
            ours.sent,
            ours.fault,
        )

    def late(run: Run) -> float:
        return p99(run.samples_ns)

    plans: dict[str, tuple[str, tuple[str, int], Callable[[Run], float]]] = {
        "p99-vs-naive": ("uniform", ("naive", 1000), late),
        "p99-vs-floor-uniform": ("uniform", ("floor", 1000), late),
        "p99-vs-floor-hot": ("hot", ("floor", 1000), late),
        "cpu-vs-naive": ("uniform", ("naive", 1000), lambda run: run.cpu),
        "cpu-vs-floor": ("uniform", ("floor", 1000), lambda run: run.cpu),
        "bytes-vs-naive-uniform": ("uniform", ("naive", 1000), lambda run: run.bytes_per_second),
        "bytes-vs-naive-hot": ("hot", ("naive", 1000), lambda run: run.bytes_per_second),
        "rss": ("uniform", ("naive", 1000), lambda run: run.memory),
    }
    for bar, (load, (program, seats), of) in plans.items():
        if bar in only:
            yield pair(bar, load, run("console", load), run(program, load, seats), of)
    scales: dict[str, Callable[[Run], float]] = {
        "scale-5000": late,
        "scale-5000-cpu": lambda run: run.cpu,
        "scale-5000-first-frame": lambda run: run.first_frame,
    }
    for bar, of in scales.items():
        if bar in only:
            ours = run("console", "uniform", 5000)
            yield pair(bar, "uniform", ours, run("console", "uniform"), of)


def _starting(scale: Scale, number: int, only: set[str]) -> Iterator[Pair]:
    if "first-frame" in only:
        _say("first frames")
        ours = runs.starting("console", 1000)
        yield Pair("first-frame", "start", number, ours, runs.starting("minimal", 1000))


def _idling(scale: Scale, number: int, only: set[str]) -> Iterator[Pair]:
    if "idle" in only:
        _say("idle")
        ours = runs.idling("console", 1000, scale.idle)
        theirs = runs.idling("statics", 1000, scale.idle)
        yield Pair("idle", "idle", number, ours.cpu, theirs.cpu)


def _pressing(scale: Scale, number: int, only: set[str]) -> Iterator[Pair]:
    if "keys-under-load" not in only:
        return
    _say("keys")
    quiet = runs.pressing("idle", scale.keys)
    busy = runs.pressing("uniform", scale.keys)
    late = p99(busy.samples_ns)
    yield Pair(
        "keys-under-load",
        "uniform",
        number,
        late,
        p99(quiet.samples_ns),
        busy.samples_ns,
        quiet.samples_ns,
        len(busy.samples_ns),
        busy.sent,
    )
    print(f"  p99 {late:.1f} ms under load; under {KEYS_P99_MOST_MS:g} ms is promised")
    slow = runs.pressing("uniform", max(5, scale.keys // 5), SLOW)
    print(
        f"  over 50 kB/s and 200 ms: {slow.bytes_per_second / 1000:.1f} kB/s"
        f" (under {SLOW_BYTES_MOST / 1000:g} is promised), keys p99 {p99(slow.samples_ns):.0f} ms"
    )


def _ingesting(scale: Scale, number: int, only: set[str]) -> Iterator[Pair]:
    if "ingest-vs-curl" in only:
        _say("burst")
        ours = runs.ingesting("ours", 1000, scale.burst, 0)
        curl = runs.ingesting("curl", 1000, scale.burst, 0)
        rate, most = (each["events"] / each["seconds"] for each in (ours, curl))
        yield Pair("ingest-vs-curl", "burst", number, rate, most)
    if "ingest-cpu-vs-httpx-sse" in only:
        _say("paced reading")
        ours = runs.ingesting("ours", 1000, scale.paced, runs.RATE)
        theirs = runs.ingesting("httpx-sse", 1000, scale.paced, runs.RATE)
        cost, usual = (each["cpu"] / each["events"] * 1e6 for each in (ours, theirs))
        yield Pair("ingest-cpu-vs-httpx-sse", "paced", number, cost, usual)


MEASURES = (_starting, _painting, _idling, _pressing, _ingesting)


def _say(what: str) -> None:
    print(f"  measuring {what}", file=sys.stderr, flush=True)


def _print(found: list[Verdict]) -> None:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("bar")
    for heading in ("ours", "theirs", "ratio", "bar is"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for verdict in found:
        bar, pair = verdict.bar, verdict.pair
        table.add_row(
            bar.name,
            f"{pair.ours:,.3g}",
            f"{pair.theirs:,.3g}",
            f"{pair.ratio:.2f}",
            f"{'≥' if bar.at_least else '≤'} {bar.limit:.2f}",
            "met" if verdict.met else "missed",
        )
    Console().print(table)
    for fault in sorted({verdict.pair.fault for verdict in found} - {""}):
        print(fault)


if __name__ == "__main__":
    sys.exit(main())
