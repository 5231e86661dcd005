import pytest
from hypothesis import given, settings

from rig_tui.domain.inert import inert, inert_block, seen
from rig_tui.ui.present.inert import inert as drawn
from tests.present.oracle import hostile
from tests.rules import rule


@rule("T7-02")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("é ✓ 日本", "é ✓ 日本"),
        ("a\x1b[2Jb\n\t", r"a\x1b[2Jb\x0a\x09"),
        ("\u202eevil\u200b", r"\u202eevil\u200b"),
        ("\U000e0041", r"\U000e0041"),
        ("a\ufe0f", r"a\ufe0f"),
        ("\u3164", r"\u3164"),
        ("\u2800", r"\u2800"),
        ("e" + "\u0301" * 5, "e" + "\u0301" * 4 + r"\u0301"),
    ],
)
def test_what_could_steer_or_hide_is_a_token(text: str, shown: str) -> None:
    assert inert(text) == shown


@given(hostile)
@settings(max_examples=100)
def test_what_is_printed_and_what_is_drawn_are_the_same_and_stay_so(text: str) -> None:
    assert inert(text) == drawn(text).plain
    assert inert(inert(text)) == inert(text)


def test_a_block_keeps_its_line_ends_and_nothing_else() -> None:
    assert inert_block("a\r\nb\tc\x9b\n") == "a\\x0d\nb\\x09c\\x9b\n"


def test_what_is_typed_here_keeps_only_what_can_be_seen() -> None:
    assert seen("a\x1b\u202e\u3164b\n\t") == "ab"
    assert seen("caf\u00e9\u200b\n\tb", multiline=True) == "caf\u00e9\n\tb"
