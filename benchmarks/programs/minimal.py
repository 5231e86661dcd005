"""The least that Textual can show, and when told to, a seat per Static with its age.

python -m benchmarks.programs.minimal [SEATS]
"""

from __future__ import annotations

import sys

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static


class Minimal(App[None]):
    """One Static, or one per seat, all of which tick."""

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.seats = seats
        self.age = 0

    def compose(self) -> ComposeResult:
        if not self.seats:
            yield Static("s0029 ready")
            return
        with VerticalScroll():
            for number in range(self.seats):
                yield Static(f"● idle  s{number:04}  0s")

    def on_mount(self) -> None:
        if self.seats:
            self.set_interval(1.0, self.tick)

    def tick(self) -> None:
        self.age += 1
        for number, row in enumerate(self.query(Static)):
            row.update(f"● idle  s{number:04}  {self.age}s")


if __name__ == "__main__":
    Minimal(int(sys.argv[1]) if sys.argv[1:] else 0).run()
