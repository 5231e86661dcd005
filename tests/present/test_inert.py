import re

import pytest
from hypothesis import given, settings
from rich.cells import cell_len

from rig_tui.domain.inert import has_rtl
from rig_tui.ui.present.glyphs import ASCII
from rig_tui.ui.present.inert import inert, inert_lines
from rig_tui.ui.present.roles import DATA
from tests.present.oracle import NASTY, check_safe, hostile, plain, roles_of
from tests.rules import rule

TOKENS = re.compile(r"\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}")


@rule("T7-02")
@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("Read a\x1b[2J\x1b[HAllow? (safe)", r"Read a\x1b[2J\x1b[HAllow? (safe)"),
        ("\u009b2J", r"\x9b2J"),
        ("\u009d0;x\x07", r"\x9d0;x\x07"),
        ("a\u202eb", r"a\u202eb"),
        ("rm\u200b -rf", r"rm\u200b -rf"),
        ("tag\U000e0041", r"tag\U000e0041"),
        ("\ud800", r"\ud800"),
        ("\ue000", r"\ue000"),
        ("\u0378", r"\u0378"),
        ("a\u2028b", r"a\u2028b"),
        ("a\nb\tc\r", r"a\x0ab\x09c\x0d"),
        ("x\u200dy", r"x\u200dy"),
        ("1\ufe0f", r"1\ufe0f"),
        ("a\ufe0f", r"a\ufe0f"),
        ("\u3164", r"\u3164"),
        ("\u0301 first", r"\u0301 first"),
        ("[red]not markup[/red] [0] [/", "[red]not markup[/red] [0] [/"),
        ("two  spaces", "two  spaces"),
        (r"literal \x1b", r"literal \x1b"),
    ],
)
def test_what_could_steer_or_hide_is_drawn_as_a_token(text: str, drawn: str) -> None:
    assert inert(text).plain == drawn


@pytest.mark.parametrize(
    "text",
    [
        "👩\u200d👩\u200d👧", "❤\ufe0f", "1\ufe0f\u20e3", "👍🏽", "🇫🇷", "🏳\ufe0f\u200d🌈",
        "e\u0301", "ᄀ\u1161", "日本",
    ],
)  # fmt: skip
def test_emoji_clusters_accents_and_scripts_stay(text: str) -> None:
    assert inert(text).plain == text


def test_a_token_has_a_role_that_typed_text_of_the_same_letters_lacks() -> None:
    assert roles_of(inert("a\x1bb"), r"\x1b") == {"token"}
    assert inert(r"a\x1bb").spans == []


def test_each_dangerous_character_is_counted_as_its_own_cells() -> None:
    assert cell_len(inert("a\u202eb").plain) == len(r"a\u202eb")


def test_line_feeds_break_lines_and_tabs_are_marked_only_where_lines_are_many() -> None:
    assert inert("a\tb\n\tc", multiline=True).plain == "a⇥  b\n⇥   c"
    assert inert("a\tb\r\n", multiline=True).plain == "a⇥  b\\x0d\n"
    assert inert("a\tb", multiline=True, glyphs=ASCII).plain == "a>  b"
    assert [line.plain for line in inert_lines("a\n\nb\n")] == ["a", "", "b"]


def test_a_tall_stack_of_marks_is_cut_into_tokens() -> None:
    assert inert("e" + "\u0301" * 6).plain == "e" + "\u0301" * 4 + r"\u0301\u0301"


def test_right_to_left_letters_are_noticed_and_can_be_tokens() -> None:
    assert has_rtl("abc א")
    assert not has_rtl("abc é 日")
    assert inert("aא", rtl_tokens=True).plain == r"a\u05d0"
    assert inert("aא").plain == "aא"


@rule("T7-02")
@given(hostile)
@settings(max_examples=100)
def test_no_text_at_all_gets_through_raw(text: str) -> None:
    check_safe(inert(text))
    check_safe(inert_lines(text))
    check_safe(inert(text, rtl_tokens=True))
    assert "\n" not in inert(text).plain


@given(hostile)
@settings(max_examples=100)
def test_nothing_is_dropped(text: str) -> None:
    drawn = inert(text)
    restored, at = "", 0
    for span in (span for span in drawn.spans if span.style != DATA):
        restored += drawn.plain[at : span.start]
        tokens = TOKENS.findall(drawn.plain[span.start : span.end])
        restored += "".join(chr(int(token[2:], 16)) for token in tokens)
        at = span.end
    assert restored + drawn.plain[at:] == text


def test_a_skin_tone_belongs_to_the_emoji_right_before_it() -> None:
    assert inert("\U0001f469\U0001f3fd").plain == "\U0001f469\U0001f3fd"
    assert inert("\U0001f469\u0301\U0001f3fd").plain == "\U0001f469\u0301\\U0001f3fd"


def test_every_nasty_character_alone_is_a_token() -> None:
    for character in NASTY:
        assert plain(inert(character)).startswith("\\"), character.encode("unicode_escape")
