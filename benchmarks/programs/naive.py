"""The console as one would first write it: a DataTable, one update per event.

python -m benchmarks.programs.naive URL
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import httpx
from httpx_sse import aconnect_sse
from textual.app import App, ComposeResult
from textual.widgets import DataTable


class Naive(App[None]):
    """Every seat a row, every event a cell, every second every age."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        self.heard: dict[str, float] = {}

    def compose(self) -> ComposeResult:
        yield DataTable(cursor_type="row")

    async def on_mount(self) -> None:
        table = self.query_one(DataTable)
        for column in ("badge", "seat", "what", "age"):
            table.add_column(column, key=column, width=20)
        self.set_interval(1.0, self.tick)
        self.run_worker(self.follow())

    async def follow(self) -> None:
        table = self.query_one(DataTable)
        async with (
            httpx.AsyncClient(base_url=self.url, timeout=None) as client,
            aconnect_sse(client, "GET", "/api/events") as source,
        ):
            for rig in (await client.get("/api/rigs/summary")).json():
                for row in (await client.get(f"/api/rigs/{rig['id']}/nodes")).json():
                    self.add(table, row)
            async for event in source.aiter_sse():
                change = json.loads(event.data)
                if change["type"] == "seat.activity_changed":
                    self.change(table, change)

    def add(self, table: DataTable[Any], row: dict[str, Any]) -> None:
        self.heard[row["logicalId"]] = time.monotonic()
        state = row["activityState"]["display"]
        what = row["runner"]["evidenceDetail"]
        table.add_row(state, row["logicalId"], what, "0s", key=row["logicalId"])

    def change(self, table: DataTable[Any], row: dict[str, Any]) -> None:
        key = row["logicalId"]
        self.heard[key] = time.monotonic()
        table.update_cell(key, "badge", row["activityState"]["display"])
        table.update_cell(key, "what", row["runner"]["evidenceDetail"])

    def tick(self) -> None:
        table = self.query_one(DataTable)
        now = time.monotonic()
        for key, heard in self.heard.items():
            table.update_cell(key, "age", f"{now - heard:.0f}s")


if __name__ == "__main__":
    Naive(sys.argv[1]).run()
