"""Waiting until the console has nothing left to do, without letting time pass."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.message_pump import MessagePump

    from rig_tui.ui.app import RigApp

QUIET_TURNS = 8
"""Turns of the loop in a row without a message: what awaits another task takes a few."""


async def quiet(app: RigApp) -> None:
    """Let messages, frames, and what they cause, come until none is left."""
    due = True
    while due and await _without_messages(app):
        screen = app.screen
        due = bool(screen._layout_required or screen._dirty_widgets or screen._callbacks)
        screen._on_timer_update()


async def _without_messages(app: RigApp) -> bool:
    """Let messages be handled until none is left; False when the console has ended."""
    turns = 0
    while turns < QUIET_TURNS:
        await asyncio.sleep(0)
        if app._exception is not None or not app.is_running:
            return False
        turns = 0 if any(map(_busy, _pumps(app))) else turns + 1
    return True


async def connecting(app: RigApp) -> None:
    """Wait for the backend, which is made in a thread."""
    while app.backend is None and any(  # noqa: ASYNC110 (nothing else tells of it)
        not worker.is_finished for worker in app.workers
    ):
        await asyncio.sleep(0.001)


def _pumps(app: RigApp) -> Iterator[MessagePump]:
    yield app
    for screen in app.screen_stack:
        yield from screen.walk_children(with_self=True)


def _busy(pump: MessagePump) -> bool:
    return bool(pump._pending_message or pump._next_callbacks or not pump._message_queue.empty())
