"""The seam between this console and whatever serves it.

Nothing above this protocol knows HTTP, queue items or OpenRig.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from rig_tui.domain.commands import Command, Page, Query, Verdict
    from rig_tui.domain.events import EventBatch


class Backend(Protocol):
    """One daemon, as domain values."""

    @property
    def capabilities(self) -> frozenset[str]:
        """What the daemon said it can do, at the last connect."""

    def connect(self) -> AsyncIterator[EventBatch]:
        """Yield batches for ever: link events, the lists, then the stream.

        Losing the daemon is an event, never an end or an exception: it is tried
        again with growing pauses, the first attempt included.
        """

    async def send(self, command: Command, key: str) -> Verdict:
        """Do one command, once. `key` is its idempotency key; nothing is retried."""

    async def fetch(self, query: Query) -> Page:
        """Read something that isn't in the stream.

        Raises:
            ClientError: The daemon couldn't be read; the message says why.
        """

    def retry_now(self) -> None:
        """End the pause before the next connection attempt."""

    async def aclose(self) -> None:
        """Close every connection."""
