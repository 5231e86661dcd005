"""Acts whose answer got lost, until the daemon says what became of them.

Rule of this file: it asks, and never sends. It asks at once, after each new connection,
and whenever the ask has changed, which is when the answer can be another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rig_tui.domain.commands import Unconfirmed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from rig_tui.domain.commands import Command, Verdict
    from rig_tui.domain.model import Fleet
    from rig_tui.ui.app import RigApp


@dataclass(frozen=True, slots=True)
class Act:
    """Something the operator had sent."""

    command: Command
    key: str
    """Its idempotency key."""
    label: str
    """What it is in the operator's words."""


class Lost:
    """The acts that this console doesn't know the end of."""

    def __init__(self, app: RigApp, settle: Callable[[Act, Verdict], Awaitable[None]]) -> None:
        """Know of none yet.

        Args:
            app: The console.
            settle: Takes what is known of an act in the end.
        """
        self._app = app
        self._settle = settle
        self._acts: dict[str, tuple[Act, Unconfirmed]] = {}
        self._asked: dict[str, object] = {}

    def add(self, act: Act, lost: Unconfirmed) -> None:
        """Find out what became of this act."""
        self._acts[act.key] = (act, lost)
        self.meet(self._app.fleet)

    def meet(self, fleet: Fleet) -> None:
        """Ask about every act of which something new may be known."""
        if not fleet.link.live:
            return
        for key, (act, _) in self._acts.items():
            ask = fleet.asks.get(getattr(act.command, "ask_id", ""))
            moment = (fleet.link.since, ask.version if ask is not None else None)
            if self._asked.get(key) != moment:
                self._asked[key] = moment
                self._app.run_worker(self._ask(key), group="reads", exit_on_error=False)

    async def _ask(self, key: str) -> None:
        from rig_tui.client.lost import look_up

        backend = self._app.backend
        if backend is None or key not in self._acts:
            return
        act, lost = self._acts[key]
        verdict = await look_up(backend, act.command, key, lost, self._app.fleet.operator)
        if isinstance(verdict, Unconfirmed) or self._acts.pop(key, None) is None:
            return
        self._asked.pop(key, None)
        await self._settle(act, verdict)
