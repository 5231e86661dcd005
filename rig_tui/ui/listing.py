"""A list of the daemon's, read a page at a time as the operator moves.

Rule of this file: one read is on its way at a time, and an answer to a question that
nobody asks any more is dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from textual.message import Message

from rig_tui.domain.window import Keyed, Wanted, Window

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rig_tui.domain.commands import Page, Query

Deliver: TypeAlias = "Callable[[Page | str], None]"
"""Takes a page, or why it couldn't be read."""
Fetch: TypeAlias = "Callable[[Query, Deliver], None]"

Row = TypeVar("Row", bound=Keyed)


class PageWanted(Message):
    """A screen wants something read; what comes of it is handed back."""

    def __init__(self, query: Query, deliver: Deliver) -> None:
        super().__init__()
        self.query = query
        self.deliver = deliver


class Listing(Generic[Row]):
    """A window on a long list, and where its reading stands."""

    def __init__(
        self,
        ask: Callable[[Wanted], Query],
        rows: Callable[[Page], Sequence[Row]],
        fetch: Fetch,
        changed: Callable[[], None],
    ) -> None:
        self._ask = ask
        self._rows = rows
        self._fetch = fetch
        self._changed = changed
        self._on_its_way = False
        self._again = False
        self._turn = 0
        self.window: Window[Row] = Window()
        self.trouble = ""
        """Why the last read failed; empty after one that didn't."""
        self.behind = False
        """Whether newer rows have come than the window reaches up to."""

    @property
    def begun(self) -> bool:
        """Whether anything was read."""
        return bool(self.window.sizes)

    def begin(self) -> None:
        """Read the newest rows, whatever was held."""
        self._turn += 1
        self._on_its_way = self._again = self.behind = False
        self.window, self.trouble = Window(), ""
        self.older()

    def older(self) -> None:
        """Read on below."""
        self._read(self.window.older)

    def newer(self) -> None:
        """Read back above."""
        self._read(self.window.newer)

    def refresh(self) -> None:
        """Newer rows may have come, or rows that are held may have changed."""
        if not self.window.at_top:
            self.behind = True
            self._changed()
        elif not self.begun:
            self.older()
        elif self._on_its_way:
            self._again = True
        else:
            self._read(self.window.newest)

    def _read(self, wanted: Wanted | None) -> None:
        if wanted is None or self._on_its_way:
            return
        self._on_its_way = True
        turn = self._turn

        def deliver(page: Page | str) -> None:
            if turn == self._turn:
                self._take(wanted, page)

        self._fetch(self._ask(wanted), deliver)

    def _take(self, wanted: Wanted, page: Page | str) -> None:
        self._on_its_way = False
        if isinstance(page, str):
            self.trouble = page
        else:
            self.trouble = ""
            self.window = self.window.take(wanted, self._rows(page), more=page.more)
            self.behind = self.behind and not self.window.at_top
        if self._again:
            self._again = False
            self.refresh()
        self._changed()
