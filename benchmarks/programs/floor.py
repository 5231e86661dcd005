"""The least that shows the same: no Textual, dirty lines as raw ANSI 60 times a second.

python -m benchmarks.programs.floor URL
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from typing import Any

import httpx

from benchmarks.terminal import ROWS

FRAME = 1 / 60


class Floor:
    """The rows that fit, and which of them changed."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}
        self.places: dict[str, int] = {}
        self.dirty: set[str] = set()

    def put(self, row: dict[str, Any]) -> None:
        key = row["logicalId"]
        self.rows[key] = row
        if self.places.setdefault(key, len(self.places)) < ROWS - 1:
            self.dirty.add(key)

    def all_dirty(self) -> None:
        self.dirty.update(key for key, place in self.places.items() if place < ROWS - 1)

    async def draw(self) -> None:
        sys.stdout.write("\x1b[2J")
        while True:
            await asyncio.sleep(FRAME)
            if self.dirty:
                sys.stdout.write("".join(map(self.line, self.dirty)))
                sys.stdout.flush()
                self.dirty.clear()

    def line(self, key: str) -> str:
        row = self.rows[key]
        badge, what = row["activityState"]["display"], row["runner"]["evidenceDetail"]
        return (
            f"\x1b[{self.places[key] + 1};1H\x1b[32m● {badge:<12}\x1b[0m"
            f"{key:<20}\x1b[2m{what:<28}\x1b[0m\x1b[K"
        )


async def follow(floor: Floor, url: str) -> None:
    """Read the lists, then every change."""
    async with (
        httpx.AsyncClient(base_url=url, timeout=None) as client,
        client.stream("GET", "/api/events") as stream,
    ):
        for rig in (await client.get("/api/rigs/summary")).json():
            for row in (await client.get(f"/api/rigs/{rig['id']}/nodes")).json():
                floor.put(row)
        async for line in stream.aiter_lines():
            if line.startswith("data:"):
                change = json.loads(line[5:])
                if change["type"] == "seat.activity_changed":
                    floor.put(change)


async def main(url: str) -> None:
    """Follow and draw until terminated."""
    floor = Floor()
    asyncio.get_running_loop().add_signal_handler(signal.SIGWINCH, floor.all_dirty)
    drawing = asyncio.ensure_future(floor.draw())
    await follow(floor, url)
    drawing.cancel()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
