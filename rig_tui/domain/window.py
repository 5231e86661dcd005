"""A bounded part of a list that may be far too long to hold, newest first.

Rule of this file: a row is shown in its place or not at all. The window moves a page at
a time; what leaves it can be read again, because the key where each page begins is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE = 200
PAGES_HELD = 4


class Keyed(Protocol):
    """A row that has its place in a list."""

    @property
    def sort_key(self) -> str: ...


Row = TypeVar("Row", bound=Keyed)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page to be read."""

    number: int
    before: str | None
    """The sort key its rows lie below; None for the newest."""


@dataclass(frozen=True, slots=True)
class Window(Generic[Row]):
    """Some pages in a row of a list."""

    pages: tuple[tuple[Row, ...], ...] = ()
    first: int = 0
    """The number of the first page held."""
    starts: tuple[str | None, ...] = (None,)
    """For every page met so far, and the next one, the key its rows lie below."""
    complete: bool = False
    """Whether the last page met is the oldest of the list."""
    sizes: tuple[int, ...] = ()
    """How many rows every page met so far has."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is held, newest first."""
        return tuple(row for page in self.pages for row in page)

    @property
    def newest(self) -> Wanted:
        """The page of the newest rows."""
        return Wanted(0, None)

    @property
    def at_top(self) -> bool:
        """Whether the newest rows are held."""
        return self.first == 0

    @property
    def above(self) -> int:
        """How many newer rows were held before and aren't now."""
        return sum(self.sizes[: self.first])

    @property
    def older(self) -> Wanted | None:
        """The page below what is held; None at the end of the list."""
        number = self.first + len(self.pages)
        if number >= len(self.starts) or (self.complete and number >= len(self.sizes)):
            return None
        return Wanted(number, self.starts[number])

    @property
    def newer(self) -> Wanted | None:
        """The page above what is held; None at the top."""
        return Wanted(self.first - 1, self.starts[self.first - 1]) if self.first else None

    def take(self, wanted: Wanted, rows: Sequence[Row], *, more: bool) -> Window[Row]:
        """Take a page that was read; one that no longer fits changes nothing."""
        if wanted == self.older:
            return self._below(tuple(rows), more=more)
        if wanted == self.newer:
            return self._on_top(tuple(rows), more=more)
        if wanted == self.newest and self.at_top:
            return self._refreshed(tuple(rows), more=more)
        return self

    def _below(self, rows: tuple[Row, ...], *, more: bool) -> Window[Row]:
        number = self.first + len(self.pages)
        pages = (*self.pages, rows)
        dropped = max(0, len(pages) - PAGES_HELD)
        starts, sizes, complete = self.starts, self.sizes, self.complete
        if number == len(sizes):
            sizes = (*sizes, len(rows))
            complete = not more or not rows
            starts = starts if complete else (*starts, rows[-1].sort_key)
        return Window(pages[dropped:], self.first + dropped, starts, complete, sizes)

    def _on_top(self, rows: tuple[Row, ...], *, more: bool) -> Window[Row]:
        """Put a page that had left back above, or begin one more that lies between.

        More rows can have come than a page takes: then those read are a page of their
        own, and the page wanted next is the one below it.
        """
        place = self.first - 1
        bottom = self.starts[self.first]
        page = tuple(row for row in rows if bottom is None or row.sort_key >= bottom)
        if more and len(page) == len(rows) and page[-1].sort_key != bottom:
            starts = (*self.starts[: self.first], page[-1].sort_key, *self.starts[self.first :])
            sizes = (*self.sizes[:place], len(page), 0, *self.sizes[self.first :])
            return replace(self, first=self.first + 1, starts=starts, sizes=sizes)
        sizes = (*self.sizes[:place], len(page), *self.sizes[self.first :])
        return replace(self, pages=(page, *self.pages)[:PAGES_HELD], first=place, sizes=sizes)

    def _refreshed(self, rows: tuple[Row, ...], *, more: bool) -> Window[Row]:
        """Put what came since on top; a gap in between begins the window anew."""
        held = self.pages[0]
        fresh = tuple(row for row in rows if not held or row.sort_key > held[0].sort_key)
        if more and len(fresh) == len(rows):
            anew: Window[Row] = Window()
            return anew._below(rows, more=more)
        # What was read again may have changed: an ended ask that its runner read since.
        again = {row.sort_key: row for row in rows}
        top = (*fresh, *(again.get(row.sort_key, row) for row in held))
        split: list[tuple[Row, ...]] = []
        while len(top) > PAGE:
            top, full = top[:-PAGE], top[-PAGE:]
            split.insert(0, full)
        new = (top, *split)
        return replace(
            self,
            pages=(*new, *self.pages[1:])[:PAGES_HELD],
            starts=(None, *(page[-1].sort_key for page in new[:-1]), *self.starts[1:]),
            sizes=(*map(len, new), *self.sizes[1:]),
        )
