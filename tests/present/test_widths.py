"""How many cells a text takes, held against what terminals go by."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from wcwidth import wcswidth

from rig_tui.domain.inert import inert
from rig_tui.ui.present.lines import graphemes
from tests.present.oracle import hostile

CLUSTERS = (
    "👩\u200d👩\u200d👧", "👨\u200d❤\ufe0f\u200d💋\u200d👨", "❤\ufe0f", "☂", "☂\ufe0f", "☀\ufe0e",
    "1\ufe0f\u20e3", "👍🏽", "👩🏽\u200d🚀", "🇫🇷", "🏳\ufe0f\u200d🌈", "e\u0301\u0302", "a\u20e3",
    "日", "日\u0301", "각", "\u1100\u1161\u11a8", "Ａ", "\u0e01\u0e33", "\ufdfa", "𝒳", "☰",
)  # fmt: skip


VARIED = (
    *range(0x20, 0x3400), *range(0xA000, 0xAC10), *range(0xF900, 0x10000),
    *range(0x1F000, 0x1FC00),
)  # fmt: skip
"""Where widths differ from one character to the next."""


def test_every_character_that_stays_takes_what_terminals_give_it() -> None:
    kept = map(chr, VARIED)
    odd = [
        ascii(char)
        for char in kept
        if (char.isascii() or unicodedata.category(char)[0] not in "CZ")
        and inert(char) == char
        and cell_len(char) != wcswidth(char)
    ]
    assert odd == []


@pytest.mark.parametrize("cluster", CLUSTERS, ids=ascii)
def test_a_cluster_takes_the_cells_it_is_counted_for(cluster: str) -> None:
    assert inert(cluster) == cluster
    assert cell_len(cluster) == wcswidth(cluster)
    assert sum(cells for _, _, cells in graphemes(cluster)) == wcswidth(cluster)


@given(st.lists(st.one_of(hostile, st.sampled_from(CLUSTERS)), max_size=6).map("".join))
@settings(max_examples=100)
def test_whatever_the_text_no_column_after_it_shifts(text: str) -> None:
    drawn = inert(text)
    assert cell_len(drawn) == wcswidth(drawn), ascii(drawn)
