"""What is asked of the record: which rows, and how a person writes that down.

Rule of this file: a word nobody knows as a filter is searched for, never dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask

_AGO = re.compile(r"(\d{1,6})([mhd])")
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days"}
_TIME_OF_DAY = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")
_TERM = re.compile(r'(\w+):("[^"]*"|\S*)|"([^"]*)"|(\S+)')

NAMES: Final = ("seat", "rig", "person", "cause", "kind")
TIMES: Final = ("since", "until")


class FilterError(ValueError):
    """A filter can't be understood; the message says which part and what would be."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which rows of a list are wanted; None is any."""

    seat: str | None = None
    """A seat ref; the daemon compares it with the session name too."""
    rig: str | None = None
    person: str | None = None
    """An entity id or a whole actor name: who decided or closed."""
    cause: str | None = None
    kind: str | None = None
    """The kind of the option that was given."""
    text: str | None = None
    since: datetime | None = None
    until: datetime | None = None


ANY: Final = Filters()


@dataclass(frozen=True, slots=True)
class EndedAsk:
    """An ask that has ended, and its place in the list of those."""

    sort_key: str
    ask: Ask

    @property
    def at(self) -> datetime:
        """When it ended."""
        return self.ask.decided_at or self.ask.withdrawn_at or self.ask.opened_at


def parse(text: str, now: datetime) -> Filters:
    """Read `seat:x rig:y since:2h words to find`; a name may be given in quotes.

    Args:
        text: What a person typed.
        now: The instant that `since:2h` counts back from, in the reader's zone.

    Raises:
        FilterError: A filter is empty or a time can't be read.
    """
    names: dict[str, str] = {}
    times: dict[str, datetime] = {}
    words: list[str] = []
    for term in _TERM.finditer(text):
        name, value = term.group(1), (term.group(2) or "").strip('"').strip()
        if name in NAMES or name in TIMES:
            if not value:
                raise FilterError(f"{name}: needs something after the colon")
            if name in NAMES:
                names[name] = value
            else:
                times[name] = _instant(name, value, now)
        else:
            words.append(term.group(3) if term.group(3) is not None else term.group(0))
    wanted = " ".join(word for word in words if word.strip())
    return Filters(
        seat=names.get("seat"),
        rig=names.get("rig"),
        person=names.get("person"),
        cause=names.get("cause"),
        kind=names.get("kind"),
        text=wanted or None,
        since=times.get("since"),
        until=times.get("until"),
    )


def write(filters: Filters) -> str:
    """Write filters as a person would type them; `parse` reads them back."""
    parts: list[str] = []
    for name in NAMES:
        value = getattr(filters, name)
        if value is not None:
            parts.append(f'{name}:"{value}"' if " " in value else f"{name}:{value}")
    for name in TIMES:
        at = getattr(filters, name)
        if at is not None:
            parts.append(f"{name}:{at.isoformat(timespec='seconds')}")
    return " ".join([*parts, *([filters.text] if filters.text else [])])


def set_names(filters: Filters) -> tuple[str, ...]:
    """Which filters are set, by the names they are typed under; `text` for words."""
    return tuple(f.name for f in fields(filters) if getattr(filters, f.name) is not None)


def _instant(name: str, value: str, now: datetime) -> datetime:
    if ago := _AGO.fullmatch(value):
        try:
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        except OverflowError:
            raise FilterError(f"{name}:{value} lies before all time") from None
    try:
        if of_day := _TIME_OF_DAY.fullmatch(value):
            hour, minute, second = (int(part or 0) for part in of_day.groups())
            return now.replace(hour=hour, minute=minute, second=second, microsecond=0)
        at = datetime.fromisoformat(value)
    except ValueError:
        raise FilterError(
            f"{name}:{value} isn't a time. Give 30m, 2h or 3d (ago), 14:05 (today), or a date "
            "like 2026-01-31"
        ) from None
    return at if at.tzinfo is not None else at.replace(tzinfo=now.tzinfo)
