"""A list that is read a page at a time: one read on its way, late answers dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain.commands import Page, PermitsBefore, Query
from rig_tui.ui.listing import Deliver, Listing
from tests.builders import a_permit

if TYPE_CHECKING:
    from rig_tui.domain.model import Permit


class Daemon:
    """Keeps what it is asked until the test has it answered."""

    def __init__(self) -> None:
        self.asked: list[tuple[Query, Deliver]] = []
        self.drawn = 0
        self.listing: Listing[Permit] = Listing(
            lambda wanted: PermitsBefore(wanted.before),
            lambda page: page.permits,
            lambda query, deliver: self.asked.append((query, deliver)),
            self._changed,
        )

    def answer(self, *numbers: int, number: int = -1, more: bool = False) -> None:
        _, deliver = self.asked[number]
        deliver(Page(permits=tuple(map(a_permit, numbers)), more=more))

    @property
    def rows(self) -> list[str]:
        return [row.sort_key.lstrip("0") for row in self.listing.window.rows]

    def _changed(self) -> None:
        self.drawn += 1


def test_an_answer_to_what_nobody_asks_any_more_is_dropped() -> None:
    daemon = Daemon()
    daemon.listing.begin()
    daemon.listing.begin()
    daemon.answer(9, 8, number=0)
    assert daemon.rows == []
    daemon.answer(5, 4)
    assert daemon.rows == ["5", "4"]


def test_one_read_is_on_its_way_at_a_time() -> None:
    daemon = Daemon()
    daemon.listing.begin()
    daemon.listing.older()
    daemon.listing.older()
    assert len(daemon.asked) == 1
    daemon.answer(5, 4, more=True)
    daemon.listing.older()
    daemon.listing.older()
    assert [query for query, _ in daemon.asked] == [PermitsBefore(None), PermitsBefore("000004")]


def test_news_that_come_during_a_read_are_read_once_after_it() -> None:
    daemon = Daemon()
    daemon.listing.begin()
    daemon.answer(5, 4)
    for _ in range(3):
        daemon.listing.refresh()
    assert len(daemon.asked) == 2
    daemon.answer(6, 5, 4)
    assert len(daemon.asked) == 3
    daemon.answer(7, 6, 5, 4)
    assert daemon.rows == ["7", "6", "5", "4"]
    assert len(daemon.asked) == 3


def test_a_read_that_failed_says_why_and_can_be_tried_again() -> None:
    daemon = Daemon()
    daemon.listing.begin()
    daemon.asked[0][1]("nothing answers")
    assert daemon.listing.trouble == "nothing answers"
    assert not daemon.listing.begun
    daemon.listing.refresh()
    daemon.answer(1)
    assert (daemon.listing.trouble, daemon.rows) == ("", ["1"])
    assert daemon.drawn == 2
