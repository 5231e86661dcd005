"""What a person types to narrow the record, read as filters."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.history import ANY, NAMES, FilterError, Filters, parse, set_names, write

ZONE = timezone(timedelta(hours=2))
NOW = datetime(2026, 10, 29, 14, 0, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("typed", "filters"),
    [
        ("", ANY),
        ("   ", ANY),
        ("run tests", Filters(text="run tests")),
        ("seat:impl@my-rig", Filters(seat="impl@my-rig")),
        ("rig:ops person:ana tests", Filters(rig="ops", person="ana", text="tests")),
        ("cause:no_registered_person", Filters(cause="no_registered_person")),
        ("kind:allow_always", Filters(kind="allow_always")),
        ('person:"Ana Maria" "a  b"', Filters(person="Ana Maria", text="a  b")),
        ("https://example.com/x seet:x", Filters(text="https://example.com/x seet:x")),
        ("since:2h", Filters(since=NOW - timedelta(hours=2))),
        ("since:3d until:30m", Filters(since=NOW - timedelta(days=3),
                                       until=NOW - timedelta(minutes=30))),
        ("since:09:05", Filters(since=NOW.replace(hour=9, minute=5))),
        ("until:2026-01-31", Filters(until=datetime(2026, 1, 31, tzinfo=ZONE))),
        ("since:2026-01-31T10:00:00Z", Filters(since=datetime.fromisoformat("2026-01-31T10:00Z"))),
    ],
)  # fmt: skip
def test_filters_are_read_and_the_rest_is_searched_for(typed: str, filters: Filters) -> None:
    assert parse(typed, NOW) == filters


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("seat:", "seat: needs something after the colon"),
        ('rig:""', "rig: needs something"),
        ("since:yesterday", "since:yesterday isn't a time"),
        ("until:25:00", "until:25:00 isn't a time"),
        ("since:999999d", "before all time"),
    ],
)
def test_what_cant_be_understood_is_said(typed: str, words: str) -> None:
    with pytest.raises(FilterError, match=words.replace("(", r"\(")):
        parse(typed, NOW)


@given(st.text(max_size=40))
@settings(max_examples=80)
def test_any_text_is_filters_or_a_sentence(typed: str) -> None:
    with suppress(FilterError):
        filters = parse(typed, NOW)
        assert all(getattr(filters, name) != "" for name in (*NAMES, "text"))


@given(
    st.builds(
        Filters,
        *[st.none() | st.text("ab@.-_ 9", min_size=1).map(str.strip).filter(bool)] * 5,
        st.none() | st.sampled_from(["run tests", "https://x", "a"]),
        *[st.none() | st.datetimes(datetime(2020, 1, 1), timezones=st.just(ZONE))
          .map(lambda at: at.replace(microsecond=0))] * 2,
    )
)  # fmt: skip
@settings(max_examples=100)
def test_filters_that_are_written_are_read_back(filters: Filters) -> None:
    assert parse(write(filters), NOW) == filters


def test_which_filters_are_set_is_told_by_name() -> None:
    assert set_names(ANY) == ()
    assert set_names(Filters(seat="x", text="y", since=NOW)) == ("seat", "text", "since")
