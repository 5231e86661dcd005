"""A bounded window on a long list shows each row in its place, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.window import PAGE, PAGES_HELD, Wanted, Window


@dataclass(frozen=True)
class Row:
    sort_key: str


@dataclass
class List:
    """A long list, as a daemon would page it."""

    newest: int
    reads: list[Wanted] = field(default_factory=list)

    def read(self, wanted: Wanted) -> tuple[tuple[Row, ...], bool]:
        self.reads.append(wanted)
        top = self.newest if wanted.before is None else int(wanted.before) - 1
        numbers = range(top, max(0, top - PAGE), -1)
        rows = tuple(Row(f"{number:09}") for number in numbers)
        return rows, top > PAGE

    def feed(self, window: Window[Row], wanted: Wanted | None) -> Window[Row]:
        if wanted is None:
            return window
        rows, more = self.read(wanted)
        return window.take(wanted, rows, more=more)


def numbers(window: Window[Row]) -> list[int]:
    return [int(row.sort_key) for row in window.rows]


def opened(many: List) -> Window[Row]:
    window: Window[Row] = Window()
    return many.feed(window, window.older)


def test_a_hundred_thousand_rows_are_paged_through_and_never_held() -> None:
    many = List(100_000)
    window = opened(many)
    seen = set(numbers(window))
    while window.older is not None:
        window = many.feed(window, window.older)
        assert len(window.rows) <= PAGE * PAGES_HELD
        seen.update(numbers(window))
    assert len(seen) == 100_000
    assert len(many.reads) == 100_000 // PAGE
    assert window.above == 100_000 - PAGE * PAGES_HELD
    while window.newer is not None:
        window = many.feed(window, window.newer)
    assert numbers(window)[0] == 100_000
    assert window.at_top
    assert window.above == 0


def test_a_short_list_is_one_page_and_its_end_is_known() -> None:
    many = List(3)
    window = opened(many)
    assert numbers(window) == [3, 2, 1]
    assert window.older is None
    assert window.newer is None


def test_more_rows_than_a_page_that_came_above_are_all_read_on_the_way_up() -> None:
    many = List(PAGE * (PAGES_HELD + 1))
    window = opened(many)
    while window.older is not None:
        window = many.feed(window, window.older)
    assert not window.at_top
    many.newest += 2 * PAGE + 50
    bottom = numbers(window)[-1]
    while window.newer is not None:
        window = many.feed(window, window.newer)
        held = numbers(window)
        assert held == list(range(held[0], held[-1] - 1, -1))
    assert numbers(window)[0] == many.newest
    while window.older is not None:
        window = many.feed(window, window.older)
        held = numbers(window)
        assert held == list(range(held[0], held[-1] - 1, -1))
    assert numbers(window)[-1] == bottom == 1


def test_an_empty_list_takes_its_first_rows_when_they_come() -> None:
    many = List(0)
    window = opened(many)
    assert window.rows == ()
    many.newest = 2
    assert numbers(many.feed(window, window.newest)) == [2, 1]


def test_a_page_that_was_asked_for_before_the_window_moved_changes_nothing() -> None:
    many = List(1000)
    window = opened(many)
    wanted = window.older
    assert wanted is not None
    rows, more = many.read(wanted)
    further = many.feed(window, wanted)
    assert further.take(wanted, rows, more=more) is further


def test_what_is_read_again_replaces_what_was_held() -> None:
    @dataclass(frozen=True)
    class Ended:
        sort_key: str
        read: bool

    window: Window[Ended] = Window()
    window = window.take(Wanted(0, None), (Ended("2", False), Ended("1", False)), more=False)
    window = window.take(window.newest, (Ended("2", True), Ended("1", False)), more=False)
    assert window.rows == (Ended("2", True), Ended("1", False))


@given(
    st.integers(0, 1500),
    st.lists(
        st.one_of(st.sampled_from(["older", "newer", "refresh"]), st.integers(0, 450)),
        max_size=12,
    ),
)
@settings(max_examples=60)
def test_whatever_comes_and_wherever_one_looks_no_row_is_missing(
    start: int, steps: list[str | int]
) -> None:
    many = List(start)
    window = opened(many)
    for step in steps:
        match step:
            case "older":
                window = many.feed(window, window.older)
            case "newer":
                window = many.feed(window, window.newer)
            case "refresh":
                window = many.feed(window, window.newest)
            case int():
                many.newest += step
        held = numbers(window)
        assert held == list(range(held[0], held[-1] - 1, -1)) if held else many.newest >= 0
        assert len(held) <= PAGE * PAGES_HELD
        assert all(len(page) <= PAGE for page in window.pages)
    for _ in range(30):
        window = many.feed(window, window.newer)
        window = many.feed(window, window.newest)
    assert (numbers(window) or [0])[0] == many.newest
    while window.older is not None:
        window = many.feed(window, window.older)
    assert many.newest == 0 or numbers(window)[-1] == 1
