"""Accounting for what is sent: a receipt before it leaves, and one for what became of it.

Rule of this file: a journal that can't be written is said once and stops nothing.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rig_tui.domain.receipt import sent_facts, settled_facts

if TYPE_CHECKING:
    from rig_tui.client.receipts import Journal
    from rig_tui.domain.commands import Command, Verdict
    from rig_tui.domain.model import JsonObject
    from rig_tui.domain.receipt import Seen
    from rig_tui.ui.app import RigApp

PATIENCE = 1.0
"""Seconds a journal may take before an act goes without it."""


class Accounts:
    """Writes receipts."""

    def __init__(self, app: RigApp, journal: Journal | None) -> None:
        self._app = app
        self._journal = journal
        self._trouble = ""

    async def sent(self, key: str, command: Command, label: str, seen: Seen) -> None:
        """Write down what is about to be sent."""
        fleet = self._app.fleet
        ask = fleet.asks.get(getattr(command, "ask_id", ""))
        facts = sent_facts(command, label, ask, seen)
        whom: JsonObject = {"daemon": fleet.link.address, "as": fleet.operator}
        await self._write(key, "sentAt", whom | facts)

    async def settled(self, key: str, verdict: Verdict) -> None:
        """Write down what became of it."""
        await self._write(key, "settledAt", settled_facts(verdict, self._app.fleet.operator))

    async def _write(self, key: str, when: str, facts: JsonObject) -> None:
        if self._journal is None:
            return
        line: JsonObject = {"id": key, when: self._app.setup.now().isoformat(), **facts}
        try:
            await asyncio.wait_for(asyncio.to_thread(self._journal.write, line), PATIENCE)
        except OSError as error:  # a time-out too
            self._say(f"No receipts are kept: {str(error) or 'the disk takes too long'}.")
        else:
            self._trouble = ""

    def _say(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._app.notify(f"{trouble} Acts are sent all the same.", severity="warning")
