"""What became of a command whose answer got lost.

Rule of this file: it only reads. Nothing is sent again, and what isn't known isn't claimed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.client.errors import ClientError
from rig_tui.domain.commands import AskCommand, Done, Operation, Rejected, WholeAsk
from rig_tui.domain.overtaken import why_not

if TYPE_CHECKING:
    from rig_tui.client.backend import Backend
    from rig_tui.domain.commands import Command, Unconfirmed, Verdict


async def look_up(
    backend: Backend, command: Command, key: str, lost: Unconfirmed, operator: str
) -> Verdict:
    """Ask the daemon what became of a command; what was lost where it doesn't say.

    Args:
        backend: The daemon it was sent to.
        command: What was sent.
        key: Its idempotency key.
        lost: How its answer got lost.
        operator: Who sent it.
    """
    try:
        done = await _done(backend, key)
        if not isinstance(command, AskCommand):
            return Done() if done else lost
        ask = (await backend.fetch(WholeAsk(command.ask_id))).ask
        if ask is not None and not ask.pending and not done:
            # It may have been ours that ended it, in between.
            done = await _done(backend, key)
    except ClientError as error:
        return replace(lost, cause=f"{lost.cause}; then {error}")
    if done:
        return Done(ask.outcome if ask is not None else None, ask=ask)
    if ask is None or ask.pending:
        return lost
    if done is None and ask.decided_by in (None, operator):
        return replace(lost, cause=f"{lost.cause}; it has ended since, perhaps by this")
    state = ask.outcome.state
    return Rejected(state, why_not(state, ask), ask)


async def _done(backend: Backend, key: str) -> bool | None:
    """Whether it was done; None where the daemon keeps no record of that."""
    if "operations" not in backend.capabilities:
        return None
    return (await backend.fetch(Operation(key))).operation_done is True
