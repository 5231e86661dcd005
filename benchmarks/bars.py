"""What is promised, as ratios of two things measured in the same run."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Bar:
    """One promise."""

    name: str
    what: str
    limit: float
    at_least: bool = False
    """Whether the ratio must reach the limit rather than stay under it."""

    def met(self, ratio: float) -> bool:
        return ratio >= self.limit if self.at_least else ratio <= self.limit


BARS = (
    Bar("p99-vs-naive", "event to painted, p99, uniform, against a DataTable", 0.35),
    Bar("p99-vs-floor-hot", "the same, every event on screen, against raw ANSI", 1.25),
    Bar("p99-vs-floor-uniform", "the same, uniform", 2.0),
    Bar("cpu-vs-naive", "CPU at 1,000 events/s against a DataTable", 0.20),
    Bar("cpu-vs-floor", "the same against raw ANSI", 1.25),
    Bar("bytes-vs-naive-uniform", "bytes to the terminal, uniform", 0.08),
    Bar("bytes-vs-naive-hot", "bytes to the terminal, every event on screen", 0.60),
    Bar("scale-5000", "event to painted, p99, 5,000 seats against 1,000", 1.25),
    Bar("scale-5000-cpu", "CPU, 5,000 seats against 1,000", 1.25),
    Bar("scale-5000-first-frame", "first frame with seats, 5,000 against 1,000", 1.25),
    Bar("ingest-vs-curl", "events/s of a burst, validated, against curl | wc", 0.35, at_least=True),
    Bar("ingest-cpu-vs-httpx-sse", "CPU an event, paced, against httpx-sse", 0.40),
    Bar("first-frame", "first frame against a Textual app of one Static", 1.25),
    Bar("idle", "CPU with nothing happening, against a Static a seat that ticks", 0.10),
    Bar("rss", "resident memory against a DataTable", 0.85),
    Bar("keys-under-load", "key to painted, p99, 1,000 events/s against none", 1.5),
)


@dataclass
class Pair:
    """One bar's two sides in one repetition."""

    bar: str
    load: str
    run: int
    ours: float
    theirs: float
    samples_ns: list[int] = field(default_factory=list)
    baseline_samples_ns: list[int] = field(default_factory=list)
    painted: int = 0
    sent: int = 0
    fault: str = ""
    """What the console showed less than it was told."""

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs if self.theirs else float("inf")


@dataclass(frozen=True)
class Verdict:
    """A bar, and the repetition whose ratio is the median."""

    bar: Bar
    pair: Pair
    met: bool
    """No promise is met by showing less than was told."""


def judged(pairs: list[Pair]) -> list[Verdict]:
    """Judge each bar that was measured."""
    found = []
    for bar in BARS:
        mine = sorted((p for p in pairs if p.bar == bar.name), key=lambda pair: pair.ratio)
        if mine:
            middle = mine[len(mine) // 2]
            faithful = not any(pair.fault for pair in mine)
            found.append(Verdict(bar, middle, faithful and bar.met(middle.ratio)))
    return found


def p99(samples_ns: list[int]) -> float:
    """The 99th percentile, in milliseconds."""
    ordered = sorted(samples_ns)
    return ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] / 1e6 if ordered else 0.0
