"""The way out: what the operator meant, sent once, and what became of it.

Rule of this file: nothing is sent twice by itself, and every act ends in words, on the
ask it was about or as a notice.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from rig_tui.domain import drafts, select
from rig_tui.domain.commands import AskCommand, SendMessage, Unconfirmed, Unsent
from rig_tui.domain.events import AskActSent, AskActSettled, MessageSent, MessageSettled
from rig_tui.domain.model import Sent
from rig_tui.domain.receipt import Seen
from rig_tui.domain.sending import unclear
from rig_tui.ui.accounts import Accounts
from rig_tui.ui.present.verdict import verdict_words

if TYPE_CHECKING:
    from rig_tui.domain.commands import Command, Verdict
    from rig_tui.ui.app import RigApp


class Outbox:
    """Sends commands, one worker each."""

    def __init__(self, app: RigApp) -> None:
        self._app = app
        self._accounts = Accounts(app, app.setup.journal)

    def do(self, command: Command, label: str, seen: Seen = Seen("key")) -> None:  # noqa: B008 (a value)
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
        app.run_worker(self._send(command, key, label, seen), group="commands", exit_on_error=False)

    async def _send(self, command: Command, key: str, label: str, seen: Seen) -> None:
        await self._accounts.sent(key, command, label, seen)
        backend = self._app.backend
        verdict: Verdict = Unsent("There is no connection yet.")
        if backend is not None:
            try:
                verdict = await backend.send(command, key)
            except Exception as error:  # noqa: BLE001 (a worker's boundary)
                # Whatever went wrong, the act must not stay on its way for ever.
                verdict = Unconfirmed(f"the console failed while sending it: {error!r}")
        self._settle(command, key, verdict)
        await self._accounts.settled(key, verdict)

    def _settle(self, command: Command, key: str, verdict: Verdict) -> None:
        app = self._app
        if isinstance(command, AskCommand):
            settled = AskActSettled(command.ask_id, key, verdict)
            app.apply((settled, *drafts.after(app.fleet, command, verdict)))
            if unclear(verdict):
                app.fetch_whole(command.ask_id)
            return
        if isinstance(command, SendMessage) and (draft := drafts.holding(app.fleet, command)):
            app.apply((MessageSettled(draft, key, verdict),))
        words, severity = verdict_words(command, verdict, app.fleet)
        app.notify(words, severity=severity)
