"""Which view of the record is read, under which filters, and what is held of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain.history import ANY, Filters, set_names
from rig_tui.ui.listing import Listing
from rig_tui.ui.remembering import Remembering
from rig_tui.ui.screens.record_views import LEDGER, REMEMBERED, VIEWS, View

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rig_tui.domain.ledger import Ledger
    from rig_tui.ui.listing import Fetch
    from rig_tui.ui.present.record import Record


class RecordReader:
    """One view at a time; what it holds is read anew when the view or a filter changes."""

    def __init__(self, fetch: Fetch, changed: Callable[[], None], filters: Filters = ANY) -> None:
        self._fetch = fetch
        self._changed = changed
        self._at = 0
        self._listing = self._listing_of(VIEWS[0], filters)
        self._remembering = Remembering(fetch, changed)
        self.filters = filters

    @property
    def place(self) -> int:
        """The current view's place among `VIEWS`."""
        return self._at

    @property
    def view(self) -> View:
        return VIEWS[self._at]

    @property
    def rows(self) -> Sequence[Record]:
        """The rows that are held of the current view."""
        if self.untaken:
            return ()
        if self._at == LEDGER:
            return self.ledger.newest_first
        return self._listing.window.rows

    @property
    def ledger(self) -> Ledger:
        """What was probably remembered, as far as it was read."""
        return self._remembering.ledger

    @property
    def untaken(self) -> tuple[str, ...]:
        """Filters that are set and mean nothing to the rows of this view."""
        return tuple(name for name in set_names(self.filters) if name not in self.view.takes)

    @property
    def trouble(self) -> str:
        """Why the last read failed; empty after one that didn't."""
        return self._remembering.trouble if self._at == LEDGER else self._listing.trouble

    @property
    def reading(self) -> bool:
        """Whether the first rows are still on their way."""
        if self.untaken or self.trouble:
            return False
        return self._remembering.reading if self._at == LEDGER else not self._listing.begun

    @property
    def behind(self) -> bool:
        """Whether newer rows have come than those held reach up to."""
        return self._paged and self._listing.behind

    @property
    def below_newest(self) -> bool:
        """Whether newer rows were held before and aren't now."""
        return self._paged and not self._listing.window.at_top

    def go(self, by: int) -> None:
        """To another view, narrowed by the same filters."""
        self._at = (self._at + by) % len(VIEWS)
        self.begin()

    def begin(self) -> None:
        """Read the current view from its newest rows."""
        if self.untaken:
            return
        if self._at != LEDGER:
            self._listing = self._listing_of(self.view, self.filters)
            self._listing.begin()
        if self._at in (LEDGER, REMEMBERED):
            self._remembering.begin(self.filters)

    def refresh(self) -> None:
        """Newer rows may have come."""
        if self.untaken:
            return
        if self._at != LEDGER:
            self._listing.refresh()
        if self._at in (LEDGER, REMEMBERED) and self.ledger.whole:
            self._remembering.begin(self.filters)

    def older(self) -> None:
        """Read on below."""
        if self._paged:
            self._listing.older()

    def newer(self) -> None:
        """Read back above."""
        if self._paged:
            self._listing.newer()

    @property
    def _paged(self) -> bool:
        """Whether the rows are a window on a list; the ledger's are folded from several."""
        return self._at != LEDGER and not self.untaken

    def _listing_of(self, view: View, filters: Filters) -> Listing[Record]:
        return Listing(
            lambda wanted: view.query(wanted, filters), view.rows, self._fetch, self._changed
        )
