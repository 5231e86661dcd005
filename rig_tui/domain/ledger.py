"""What agents' harnesses have probably remembered, as far as the record tells.

Rule of this file: it counts what was given and claims no more. Whether a harness really
remembered it, for how long and for what, is nowhere recorded, and nothing here can take
any of it back.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from rig_tui.domain.model import REMEMBERED_KINDS, AskState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from rig_tui.domain.history import EndedAsk
    from rig_tui.domain.model import JsonValue, Permit

ENTRIES_HELD = 2000


@dataclass(frozen=True, slots=True)
class EntryKey:
    """What entries are told apart by."""

    session_name: str
    native_ref: str | None
    kind: str
    name: str
    subject: str
    """The title of the tool call, as the agent wrote it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing a harness has probably remembered."""

    key: EntryKey
    since: datetime
    """When it was first given, as far as the record was read."""
    last: datetime
    unchosen: int = 0
    """How often it was given though nobody chose it."""
    chosen: int = 0
    by: tuple[str, ...] = ()
    """Who chose it."""
    causes: tuple[str, ...] = ()
    """Why nobody was asked, or how it was closed without choosing."""

    @property
    def sort_key(self) -> str:
        return f"{self.last.isoformat()} {self.key}"


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything that was probably remembered, folded from the rows that say so."""

    entries: Mapping[EntryKey, Entry] = field(default_factory=lambda: MappingProxyType({}))
    read: int = 0
    """How many rows went into it."""
    oldest: datetime | None = None
    """The oldest row that went into it."""
    whole: bool = True
    """Whether every row on record went into it."""

    @property
    def newest_first(self) -> tuple[Entry, ...]:
        return tuple(sorted(self.entries.values(), key=lambda e: e.sort_key, reverse=True))

    def unchosen_by_seat(self) -> list[tuple[str, int]]:
        """How often each seat was given what nobody chose; the most often first."""
        counts: dict[str, int] = {}
        for entry in self.entries.values():
            if entry.unchosen:
                seat = entry.key.session_name
                counts[seat] = counts.get(seat, 0) + entry.unchosen
        return sorted(counts.items(), key=lambda item: (-item[1], item[0]))

    def in_part(self) -> Ledger:
        """The same, known not to rest on the whole record."""
        return replace(self, whole=False)

    def of_seat(self, session_name: str) -> tuple[Entry, ...]:
        """What is probably remembered at one seat, newest first."""
        return tuple(e for e in self.newest_first if e.key.session_name == session_name)


def fold(ledger: Ledger, permits: Iterable[Permit], asks: Iterable[EndedAsk]) -> Ledger:
    """Count rows in. Rows that no harness remembers add nothing but their number.

    An ask that was permitted by default is counted by its permit alone.
    """
    entries = dict(ledger.entries)
    read, oldest = ledger.read, ledger.oldest
    for at, entry in (*map(_of_permit, permits), *map(_of_ask, asks)):
        read += 1
        oldest = at if oldest is None else min(at, oldest)
        if entry is not None and (entry.key in entries or len(entries) < ENTRIES_HELD):
            held = entries.get(entry.key)
            entries[entry.key] = entry if held is None else _both(held, entry)
    whole = ledger.whole and len(entries) < ENTRIES_HELD
    return Ledger(MappingProxyType(entries), read, oldest, whole)


def remembered(permit: Permit) -> bool:
    """Whether a permit's option is one that the agent's harness remembers."""
    return permit.remembered is True or permit.option_kind in REMEMBERED_KINDS


def subject_of(tool_call: JsonValue) -> str:
    """What a tool call is about: its title, else its kind, else nothing."""
    call = tool_call if isinstance(tool_call, dict) else {}
    for key in ("title", "kind"):
        if isinstance(text := call.get(key), str) and text.strip():
            return text
    return ""


def _of_permit(permit: Permit) -> tuple[datetime, Entry | None]:
    if not remembered(permit):
        return permit.at, None
    name = permit.option_name or permit.option_id
    key = EntryKey(
        permit.session_name,
        permit.native_ref,
        permit.option_kind or "",
        name,
        subject_of(permit.tool_call),
    )
    return permit.at, Entry(key, permit.at, permit.at, unchosen=1, causes=(permit.cause,))


def _of_ask(ended: EndedAsk) -> tuple[datetime, Entry | None]:
    ask, at = ended.ask, ended.at
    outcome = ask.outcome
    kept = outcome.remembered is True or outcome.kind in REMEMBERED_KINDS
    if outcome.state is not AskState.ANSWERED or not kept or outcome.option_id is None:
        return at, None
    option = ask.option(outcome.option_id)
    name = option.name if option is not None else outcome.option_id
    key = EntryKey(
        ask.session_name, ask.native_ref, outcome.kind or "", name, subject_of(ask.tool_call)
    )
    by = (ask.decided_by,) if ask.decided_by else ()
    return at, Entry(key, at, at, chosen=1, by=by)


def _both(held: Entry, more: Entry) -> Entry:
    return replace(
        held,
        since=min(held.since, more.since),
        last=max(held.last, more.last),
        unchosen=held.unchosen + more.unchosen,
        chosen=held.chosen + more.chosen,
        by=tuple(dict.fromkeys((*held.by, *more.by))),
        causes=tuple(dict.fromkeys((*held.causes, *more.causes))),
    )
