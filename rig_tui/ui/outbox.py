"""The way out: what the operator meant, sent once, and what became of it.

Rule of this file: nothing is sent twice by itself, and every act ends in words, on the
ask it was about or as a notice.
"""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING

from rig_tui.client.errors import ClientError
from rig_tui.domain import drafts, select
from rig_tui.domain.commands import AskCommand, SendMessage, Unconfirmed, Unsent, WholeAsk
from rig_tui.domain.events import (
    AskActSent,
    AskActSettled,
    AskFetched,
    MessageSent,
    MessageSettled,
)
from rig_tui.domain.model import LinkState, Sent
from rig_tui.domain.overtaken import what_changed
from rig_tui.domain.sending import unclear
from rig_tui.ui.accounts import Accounts
from rig_tui.ui.lost import Act, Lost
from rig_tui.ui.present.verdict import verdict_words

if TYPE_CHECKING:
    from rig_tui.client.backend import Backend
    from rig_tui.domain.commands import Command, Verdict
    from rig_tui.domain.model import Ask, Fleet
    from rig_tui.domain.receipt import Seen
    from rig_tui.ui.app import RigApp

REREAD_SECONDS = 3.0
"""How long an ask may take to be read again before an answer over a stale link."""


class Outbox:
    """Sends commands, one worker each."""

    def __init__(self, app: RigApp) -> None:
        self._app = app
        self._accounts = Accounts(app, app.setup.journal)
        self._lost = Lost(app, self._settled)

    def do(self, command: Command, label: str, seen: Seen) -> None:
        """Send a command once; what has a place to show it is marked as on its way first."""
        app = self._app
        key = uuid.uuid4().hex
        sent = Sent(key, label, app.setup.now() + app.fleet.link.clock_offset)
        if isinstance(command, AskCommand):
            if select.sending(app.fleet, command.ask_id):
                return
            app.apply((AskActSent(command.ask_id, sent),))
        elif isinstance(command, SendMessage) and (draft := drafts.holding(app.fleet, command)):
            app.apply((MessageSent(draft, sent),))
        act = Act(command, key, label)
        app.run_worker(self._send(act, seen), group="commands", exit_on_error=False)

    async def _send(self, act: Act, seen: Seen) -> None:
        painted = self._painted(act.command)
        await self._accounts.sent(act.key, act.command, act.label, seen)
        verdict: Verdict
        try:
            verdict = await self._verdict(act, painted)
        except Exception as error:  # noqa: BLE001 (a worker's boundary)
            # Whatever went wrong, the act must not stay on its way for ever.
            verdict = Unconfirmed(f"the console failed while sending it: {error!r}")
        await self._settled(act, verdict)
        if isinstance(verdict, Unconfirmed):
            self._lost.add(act, verdict)

    def meet(self, fleet: Fleet) -> None:
        """Find out what became of acts whose answer got lost, where this fleet may tell."""
        self._lost.meet(fleet)

    async def _settled(self, act: Act, verdict: Verdict) -> None:
        self._settle(act, verdict)
        await self._accounts.settled(act.key, verdict)

    def _painted(self, command: Command) -> Ask | None:
        """The ask as the operator saw it, for an act on one."""
        asks = self._app.fleet.asks
        return asks.get(command.ask_id) if isinstance(command, AskCommand) else None

    async def _verdict(self, act: Act, painted: Ask | None) -> Verdict:
        backend = self._app.backend
        if backend is None:
            return Unsent("There is no connection yet.")
        if painted is not None and self._app.fleet.link.state is LinkState.STALE:
            changed = await self._changed(backend, painted)
            if changed:
                return Unsent(changed)
        return await backend.send(act.command, act.key)

    async def _changed(self, backend: Backend, painted: Ask) -> str:
        """Read an ask again; how it isn't what was painted, in words, or "" when it is."""
        try:
            async with asyncio.timeout(REREAD_SECONDS):
                found = (await backend.fetch(WholeAsk(painted.ask_id))).ask
        except TimeoutError:
            return f"the link is stale, and the ask couldn't be read within {REREAD_SECONDS:.0f} s"
        except ClientError as error:
            return f"the link is stale, and the ask couldn't be read: {error}"
        if found is None:
            return "the link is stale, and the daemon doesn't know the ask"
        self._app.apply((AskFetched(found),))
        changed = what_changed(painted, found)
        return changed and f"the link was stale, and it had changed: {changed}"

    def _settle(self, act: Act, verdict: Verdict) -> None:
        app, command, key = self._app, act.command, act.key
        if isinstance(command, AskCommand):
            settled = AskActSettled(command.ask_id, key, verdict)
            app.apply((settled, *drafts.after(app.fleet, command, verdict)))
            if unclear(verdict):
                app.fetch_whole(command.ask_id)
            return
        if isinstance(command, SendMessage) and (draft := drafts.holding(app.fleet, command)):
            app.apply((MessageSettled(draft, key, verdict),))
        words, severity = verdict_words(command, act.label, verdict, app.fleet)
        app.notify(words, severity=severity)
