"""How long to wait before trying again."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def delays(
    jitter: Callable[[], float], *, first: float = 0.25, most: float = 10.0
) -> Iterator[float]:
    """Yield growing waits in seconds, for ever.

    Args:
        jitter: Gives a number in [0, 1); half of each wait is left to it, so that
            consoles that lost a daemon together don't return together.
        first: The longest first wait.
        most: The longest wait of all.
    """
    for attempt in count():
        whole = min(most, first * 2 ** min(attempt, 30))
        yield whole / 2 + whole / 2 * jitter()
