"""Reading the record for what was remembered, page by page, keeping only the ledger."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rig_tui.domain.commands import EndedAsks, Page, PermitsBefore, Query
from rig_tui.domain.ledger import Ledger, fold
from rig_tui.domain.model import ALLOW_ALWAYS, REJECT_ALWAYS

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.domain.history import Filters
    from rig_tui.ui.listing import Fetch

PAGE: Final = 400
PAGES_OF_EACH: Final = 5


class Remembering:
    """Folds the record's rows of remembered kinds into a ledger, the newest first."""

    def __init__(self, fetch: Fetch, changed: Callable[[], None]) -> None:
        self._fetch = fetch
        self._changed = changed
        self._turn = 0
        self.ledger = Ledger()
        self.trouble = ""
        self.reading = False

    def begin(self, filters: Filters) -> None:
        """Read it anew; what was folded before stays until that is done."""
        self._turn += 1
        self.reading = True
        kept = [kind for kind in (ALLOW_ALWAYS, REJECT_ALWAYS) if filters.kind in (None, kind)]
        queries: list[Query] = []
        for kind in kept:
            chosen = replace(filters, kind=kind)
            if kind == ALLOW_ALWAYS:
                queries.append(PermitsBefore(None, limit=PAGE, filters=chosen))
            queries.append(EndedAsks(None, chosen, PAGE))
        self._go_on(self._turn, Ledger(), queries, 1)

    def _go_on(self, turn: int, ledger: Ledger, queries: list[Query], page: int) -> None:
        if not queries:
            self.ledger, self.trouble, self.reading = ledger, "", False
            self._changed()
            return
        first, *rest = queries

        def deliver(read: Page | str) -> None:
            if turn != self._turn:
                return
            if isinstance(read, str):
                self.trouble, self.reading = read, False
                self._changed()
                return
            folded = fold(ledger, read.permits, read.ended)
            then = _next(first, read)
            if then is None:
                self._go_on(turn, folded, rest, 1)
            elif page < PAGES_OF_EACH:
                self._go_on(turn, folded, [then, *rest], page + 1)
            else:
                self._go_on(turn, folded.in_part(), rest, 1)

        self._fetch(first, deliver)


def _next(query: Query, page: Page) -> Query | None:
    """The query for the page below, where there is one."""
    match query:
        case PermitsBefore(filters=filters) if page.more and page.permits:
            return PermitsBefore(page.permits[-1].sort_key, limit=PAGE, filters=filters)
        case EndedAsks(filters=filters) if page.more and page.ended:
            return EndedAsks(page.ended[-1].sort_key, filters, PAGE)
        case _:
            return None
