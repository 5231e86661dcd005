"""The views of the history: what each reads, and by what it can be narrowed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rig_tui.domain.commands import EndedAsks, PermitsBefore, RunnerPermitsBefore
from rig_tui.domain.model import ALLOW_ALWAYS
from rig_tui.domain.window import PAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rig_tui.domain.commands import Page, Query
    from rig_tui.domain.history import Filters
    from rig_tui.domain.model import Fleet
    from rig_tui.domain.window import Wanted
    from rig_tui.ui.present.record import Record

_ALL: Final = frozenset({"seat", "rig", "person", "cause", "kind", "text", "since", "until"})


@dataclass(frozen=True, slots=True)
class View:
    """One list of the history."""

    name: str
    title: str
    nothing: str
    """What is said where the list is empty."""
    source: Callable[[Fleet], object]
    """What of the fleet changes when the list may have."""
    query: Callable[[Wanted, Filters], Query]
    rows: Callable[[Page], Sequence[Record]]
    takes: frozenset[str] = _ALL
    """By which filters it can be narrowed."""


def _permits(wanted: Wanted, filters: Filters) -> Query:
    return PermitsBefore(wanted.before, limit=PAGE, filters=filters)


def _remembered(wanted: Wanted, filters: Filters) -> Query:
    return _permits(wanted, replace(filters, kind=ALLOW_ALWAYS))


def _ended(wanted: Wanted, filters: Filters) -> Query:
    return EndedAsks(wanted.before, filters, PAGE)


def _causes(wanted: Wanted, filters: Filters) -> Query:
    return RunnerPermitsBefore(wanted.before, filters, PAGE)


VIEWS: Final = (
    View(
        "permits",
        "Permitted by default",
        "Nothing was permitted without a choice.",
        lambda fleet: fleet.permits,
        _permits,
        lambda page: page.permits,
    ),
    View(
        "remembered",
        "Remembered though nobody chose it",
        "No harness was given anything for good that nobody chose.",
        lambda fleet: fleet.permits,
        _remembered,
        lambda page: page.permits,
        _ALL - {"kind"},
    ),
    View(
        "asks",
        "Asks that have ended",
        "No ask has ended.",
        lambda fleet: fleet.asks,
        _ended,
        lambda page: page.ended,
    ),
    View(
        "runners",
        "What runners will have permitted by themselves",
        "No daemon's reply made a runner permit by itself.",
        lambda fleet: fleet.runner_permits,
        _causes,
        lambda page: page.runner_permits,
        _ALL - {"person", "kind"},
    ),
    View(
        "ledger",
        "Probably remembered by agents' harnesses",
        "Nothing on record was given for good.",
        lambda fleet: (fleet.permits, fleet.asks),
        # Its rows are folded from several lists; it has none of its own.
        _remembered,
        lambda _: (),
    ),
)
REMEMBERED: Final = 1
LEDGER: Final = 4
