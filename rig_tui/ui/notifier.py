"""Calling the operator by the means they chose, when `domain.notify` says so."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from rig_tui.domain import notify
from rig_tui.domain.notify import Memory, Policy, Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.domain.model import Fleet
    from rig_tui.domain.notify import Notice, Sight
    from rig_tui.settings.values import Channel, Notifications

HEADING = "rig"
HOOK_SECONDS = 10.0
_SECRETS = ("RIG_TUI_TOKEN",)


class Calls(Protocol):
    """What a notifier needs of the terminal."""

    def ring(self) -> None: ...

    def notify(self, channel: Channel, heading: str, text: str) -> None: ...

    def entitle(self, text: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Means:
    """How to call."""

    bell: bool = True
    channel: Channel = "none"
    title: bool = True
    command: tuple[str, ...] = ()


def policy_of(chosen: Notifications) -> Policy:
    """What to call for, from the settings."""
    return Policy(
        reasons=frozenset(Reason(reason) for reason in chosen.reasons),
        quiet=tuple((span.start, span.end) for span in chosen.quiet),
        remind_after=tuple(timedelta(minutes=minutes) for minutes in chosen.remind_minutes),
    )


class Notifier:
    """Looks at the fleet now and then, and calls."""

    def __init__(
        self, policy: Policy, means: Means, calls: Calls, hook: Callable[[Notice], object]
    ) -> None:
        self._policy = policy
        self._means = means
        self._calls = calls
        self._hook = hook
        self._memory = Memory()
        self._title: str | None = None

    def look(self, fleet: Fleet, sight: Sight) -> None:
        """Call for what is new, and keep the title's count."""
        self._memory, notices = notify.decide(self._memory, fleet, sight, self._policy)
        if notices and self._means.bell:
            self._calls.ring()
        for notice in notices:
            self._calls.notify(self._means.channel, HEADING, notify.words(notice))
            if self._means.command:
                self._hook(notice)
        title = notify.title(fleet, sight.snoozed)
        if self._means.title and title != self._title:
            self._title = title
            self._calls.entitle(title)


async def run_hook(command: tuple[str, ...], notice: Notice) -> str:
    """Run the operator's program for a notice; what went wrong, in words.

    No shell reads anything: the facts are in its environment, without our secrets.
    """
    environ = {name: value for name, value in os.environ.items() if name not in _SECRETS}
    environ |= {
        "RIG_TUI_REASON": notice.reason.value,
        "RIG_TUI_COUNT": str(notice.count),
        "RIG_TUI_SEATS": "\n".join(map(_plain, notice.seats)),
        "RIG_TUI_TEXT": _plain(notify.words(notice)),
    }
    nowhere = asyncio.subprocess.DEVNULL
    try:
        process = await asyncio.create_subprocess_exec(
            *command, env=environ, stdin=nowhere, stdout=nowhere, stderr=nowhere
        )
    except (OSError, ValueError) as error:
        return f"The notification command couldn't be run: {error}"
    try:
        code = await asyncio.wait_for(process.wait(), HOOK_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        return f"The notification command took more than {HOOK_SECONDS:.0f} s and was ended."
    return f"The notification command ended with {code}." if code else ""


def _plain(text: str) -> str:
    from rig_tui.ui.sequences import safe

    return safe(text)
