"""Instants in words: how old, and at what time of day.

`now` is an aware datetime in the reader's zone; `offset` is the daemon's clock minus
ours, so ages are counted on the daemon's clock. An age is never negative.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

SKEW_SHOWN: Final = 5.0
"""Seconds an instant may lie ahead before that is said (A-02)."""
_NO_OFFSET = timedelta()
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def _seconds_since(at: datetime, now: datetime, offset: timedelta = _NO_OFFSET) -> float:
    """Seconds since `at` on the daemon's clock; negative when it lies ahead."""
    return (now - at + offset).total_seconds()


def age_text(at: datetime | None, now: datetime, offset: timedelta = _NO_OFFSET) -> str:
    """The age in one unit: `9s`, `2m`, `1h`, `3d`, or `skew`; at most four cells."""
    if at is None:
        return ""
    seconds = _seconds_since(at, now, offset)
    if seconds < -SKEW_SHOWN:
        return "skew"
    return short(seconds)


def short(seconds: float) -> str:
    """A length of time in its largest unit."""
    whole = max(0, int(seconds))
    if whole < _MINUTE:
        return f"{whole}s"
    if whole < _HOUR:
        return f"{whole // _MINUTE}m"
    if whole < _DAY:
        return f"{whole // _HOUR}h"
    return f"{whole // _DAY}d" if whole < 1000 * _DAY else ">2y"


def age_words(at: datetime | None, now: datetime, offset: timedelta = _NO_OFFSET) -> str:
    """The age in two units, or the note that the clocks disagree."""
    if at is None:
        return "at an unknown time"
    seconds = _seconds_since(at, now, offset)
    if seconds < -SKEW_SHOWN:
        return f"clock skew: dated {short(-seconds)} ahead of the daemon's clock"
    whole = max(0, int(seconds))
    for unit, below, large, small in (
        (_DAY, _HOUR, "d", "h"),
        (_HOUR, _MINUTE, "h", "m"),
        (_MINUTE, 1, "m", "s"),
    ):
        if whole >= unit:
            rest = whole % unit // below
            return f"{whole // unit}{large} {rest}{small}" if rest else f"{whole // unit}{large}"
    return f"{whole}s"


def clock(at: datetime | None, now: datetime) -> str:
    """The time of day in the reader's zone, with the date when it isn't today's."""
    if at is None:
        return "--:--:--"
    local = at.astimezone(now.tzinfo)
    return local.strftime("%H:%M:%S" if local.date() == now.date() else "%Y-%m-%d %H:%M:%S")
