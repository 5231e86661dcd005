"""When a key may answer.

An answer key counts only for what has been on screen, unchanged, long enough to
have been seen, and never inside a burst of keys: a paste without brackets arrives
as keys a millisecond apart, and a held key repeats (T7-06).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from textual.events import Key

ARMING_SECONDS = 0.4
"""How long the shown ask must have been painted unchanged."""
BURST_SECONDS = 0.08
"""A key this soon after one that isn't a move is part of a burst."""
MOVES = frozenset(
    ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "tab", "shift+tab")
)
"""Keys that no text is made of."""


class Arming:
    """Whether answer keys are live for the shown ask."""

    def __init__(self, clock: Callable[[], float], delay: float = ARMING_SECONDS) -> None:
        self._clock = clock
        self._delay = delay
        self._shown: Hashable = None
        self._painted_at: float | None = None
        self._last_key: float | None = None
        self._last_text = -math.inf
        self._burst = False
        self._factor = 1.0
        self._away_at = -math.inf
        self._outer: Arming | None = None
        self.hand = "key"
        """Which hand came last: `key` or `mouse`."""

    def inner(self, shown: Hashable) -> Arming:
        """Give the arming of something that opens over this, with a wait of its own.

        Its keys count here too, and keys just before it opened count there.
        """
        inner = Arming(self._clock, self._delay)
        inner._outer = self
        inner._last_text = self._last_text
        inner.show(shown)
        return inner

    def show(self, shown: Hashable) -> bool:
        """Tell what is about to be painted; True when it differs and must be armed anew."""
        if shown == self._shown:
            return False
        self._shown = shown
        self._painted_at = None
        self._factor = 1.0
        return True

    def painted(self, shown: Hashable) -> None:
        """Tell that this has reached the screen; the wait starts at the first time."""
        if shown == self._shown and self._painted_at is None:
            self._painted_at = self._clock()

    def disarm(self) -> None:
        """Start the wait again, as after an answer."""
        if self._painted_at is not None:
            self._painted_at = self._clock()

    def away(self) -> None:
        """Tell that another program had the terminal.

        All of it must be painted and seen anew, what lies over it too, and keys that were
        typed ahead are a burst.
        """
        self._painted_at = None
        self._away_at = self._clock()
        self.key()

    def linger(self, factor: float = 2.0) -> None:
        """Make the wait for what is shown now longer: it came without being asked for."""
        self._factor = factor

    def pressed(self, event: Key) -> None:
        """Tell of a key, by the time it was pressed at: it may be handled much later."""
        self.key(event.time, moves=event.key in MOVES)

    def clicked(self) -> None:
        """Tell of a click."""
        self.key(hand="mouse")

    def key(self, at: float | None = None, *, moves: bool = False, hand: str = "key") -> None:
        """Tell that a key or a click has arrived, whatever it means.

        Args:
            at: When, on the same clock; None for now.
            moves: Whether it only moves about, which no pasted text does.
            hand: `key` or `mouse`.
        """
        at = self._clock() if at is None else at
        self._burst = at - self._last_text < BURST_SECONDS
        self._last_key = at
        self.hand = hand
        if not moves:
            self._last_text = at
        if self._outer is not None:
            self._outer.key(at, moves=moves, hand=hand)

    @property
    def in_burst(self) -> bool:
        """Whether the last key came too soon after one that isn't a move."""
        return self._burst

    def quiet_for(self) -> float:
        """Seconds since the last key or click."""
        return math.inf if self._last_key is None else self._clock() - self._last_key

    def remaining(self) -> float:
        """Seconds until armed; 0 when it is, the whole delay when nothing is painted."""
        return self._remaining(self._clock())

    @property
    def unarmed(self) -> str:
        """Why answer keys are not live for what is shown; empty when they are."""
        return self._unarmed(self._clock())

    def why_not(self) -> str:
        """Why this key can't be an answer, in words; empty when it can.

        It is judged by when it was pressed: one that was handled late was meant for
        what was on screen then.
        """
        pressed = self._clock() if self._last_key is None else self._last_key
        if unarmed := self._unarmed(pressed):
            return unarmed
        if self._burst:
            return "that looked like pasted text or a repeating key; nothing was sent"
        return ""

    def _remaining(self, at: float) -> float:
        delay = self._delay * self._factor
        if self._painted_at is None:
            return delay
        return max(0.0, max(self._painted_at, self._back_since) + delay - at)

    @property
    def _back_since(self) -> float:
        """When another program last gave the terminal back."""
        return self._away_at if self._outer is None else self._outer._back_since

    def _unarmed(self, at: float) -> str:
        if self._painted_at is None or self._remaining(at) > 0:
            return "this has only just appeared; nothing was sent"
        return ""
