from datetime import timedelta, timezone

import pytest

from rig_tui.ui.present.age import age_text, age_words, clock
from tests.builders import NOON, ago


@pytest.mark.parametrize(
    ("seconds", "short", "words"),
    [
        (0, "0s", "0s"), (9.9, "9s", "9s"), (60, "1m", "1m"), (134, "2m", "2m 14s"),
        (3600, "1h", "1h"), (3700, "1h", "1h 1m"), (14 * 3600, "14h", "14h"),
        (90000, "1d", "1d 1h"), (3 * 86400, "3d", "3d"),
    ],
)  # fmt: skip
def test_an_age_is_told_in_its_largest_units(seconds: float, short: str, words: str) -> None:
    assert age_text(ago(seconds), NOON) == short
    assert age_words(ago(seconds), NOON) == words


def test_an_age_is_never_negative_and_a_skew_is_said() -> None:
    assert age_text(ago(-3), NOON) == "0s"
    assert age_text(ago(-300), NOON) == "skew"
    assert age_words(ago(-300), NOON) == "clock skew: dated 5m ahead of the daemon's clock"


def test_ages_are_counted_on_the_daemons_clock() -> None:
    assert age_text(ago(-300), NOON, timedelta(minutes=5)) == "0s"
    assert age_text(ago(10), NOON, timedelta(seconds=-8)) == "2s"


def test_no_instant_is_no_age() -> None:
    assert age_text(None, NOON) == ""
    assert age_words(None, NOON) == "at an unknown time"


def test_a_short_age_fits_its_column() -> None:
    for seconds in (0, 59, 3599, 86399, 86400 * 999, 86400 * 5000):
        assert len(age_text(ago(seconds), NOON)) <= 4


def test_times_of_day_are_the_readers() -> None:
    east = NOON.astimezone(timezone(timedelta(hours=2)))
    assert clock(ago(60), east) == "13:59:00"
    assert clock(ago(86400), NOON) == "2026-10-28 12:00:00"
    assert clock(None, NOON) == "--:--:--"
