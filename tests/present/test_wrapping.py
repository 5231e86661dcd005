import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, clip, cut, graphemes, join, pad
from rig_tui.ui.present.wrap import wrap
from tests.present.oracle import check_safe, hostile
from tests.rules import rule


def test_words_are_kept_whole() -> None:
    lines = wrap([Text("the quick brown fox jumps")], 12)
    assert [line.plain for line in lines] == ["the quick ", "brown fox ", "jumps"]


def test_a_token_longer_than_a_line_is_cut_where_lines_end() -> None:
    lines = wrap([Text("x" * 2000)], 38)
    assert {len(line.plain) for line in lines[:-1]} == {38}
    assert "".join(line.plain for line in lines) == "x" * 2000


def test_a_long_word_after_a_short_one_doesnt_leave_a_line_nearly_empty() -> None:
    assert wrap([Text("go " + "y" * 20)], 10)[0].plain == "go yyyyyyy"


def test_continuations_hang() -> None:
    lines = wrap([Line(Text("41 + one two three"), hang=5)], 12)
    assert [line.plain for line in lines] == ["41 + one ", "     two ", "     three"]


def test_roles_stay_on_their_words() -> None:
    lines = wrap([join("aaaa ", ("bbbb cccc", "danger"))], 6)
    assert [(t.plain, [(s.start, s.end) for s in t.spans]) for t in lines] == [
        ("aaaa ", []), ("bbbb ", [(0, 5)]), ("cccc", [(0, 4)]),
    ]  # fmt: skip


@pytest.mark.parametrize("cluster", ["🇫🇷", "👩\u200d👩\u200d👧", "e\u0301", "❤\ufe0f", "日"])
def test_a_cluster_is_never_cut(cluster: str) -> None:
    for width in (2, 3, 5, 8):
        for line in wrap([Text(cluster * 9)], width):
            assert line.plain.count(cluster) * len(cluster) == len(line.plain)
            assert cell_len(line.plain) <= width


@rule("T7-01")
@given(st.lists(hostile, max_size=6).map(" ".join), st.integers(2, 40), st.integers(0, 30))
@settings(max_examples=100)
def test_wrapping_loses_nothing_and_overflows_nowhere(text: str, width: int, hang: int) -> None:
    line = Line(inert(text), hang)
    wrapped = wrap([line], width)
    check_safe(wrapped)
    indent = " " * min(hang, width // 2)
    assert all(each.plain.startswith(indent) for each in wrapped[1:])
    pieces = [wrapped[0].plain, *(each.plain[len(indent) :] for each in wrapped[1:])]
    assert "".join(pieces) == line.text.plain
    for each in wrapped:
        assert cell_len(each.plain) <= width or len(graphemes(each.plain.strip())) == 1


@given(hostile, st.integers(0, 30))
@settings(max_examples=100)
def test_clipping_and_padding_hit_the_width(text: str, width: int) -> None:
    drawn = inert(text)
    for short in (clip(drawn, width), cut(drawn, width)):
        check_safe(short)
        assert cell_len(short.plain) <= width
    assert cell_len(pad(cut(drawn, width), width).plain) == width


@given(st.text("ab  ", max_size=90), st.integers(2, 20), st.integers(0, 9))
@settings(max_examples=100)
def test_text_of_one_cell_characters_wraps_like_any_other(text: str, width: int, hang: int) -> None:
    """A trailing accent makes the line take the general way; it adds no cell."""
    plain = wrap([Line(Text(text + "e"), hang)], width)
    accented = wrap([Line(Text(text + "e\u0301"), hang)], width)
    assert [t.plain.rstrip("e") for t in plain] == [t.plain.rstrip("e\u0301") for t in accented]


def test_what_is_cut_off_is_counted() -> None:
    assert clip(Text("Allow for this command"), 14).plain == "Allow for …+12"
    assert clip(Text("Allow"), 5).plain == "Allow"
