import pytest
from hypothesis import given, settings

from rig_tui.domain.host_notes import host_notes
from tests.present.oracle import hostile


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("https://github.com@evil.io/x",
         "goes to evil.io; github.com before the @ is only a user name"),
        ("curl https://g\u0456thub.com/x",
         "the name g\u0456thub.com mixes Cyrillic and Latin letters, looks like github.com, "
         "has \u0456 (U+0456)"),
        ("ping \u0430\u0440\u0440\u04cf\u0435.com",
         "the name \u0430\u0440\u0440\u04cf\u0435.com looks like apple.com"),
        ("http://xn--80ak6aa92e.com",
         "the name xn--80ak6aa92e.com stands for \u0430\u0440\u0440\u04cf\u0435.com, looks like "
         "apple.com, has \u0430 (U+0430), \u0440 (U+0440), \u04cf (U+04CF), \u0435 (U+0435)"),
        ("http://xn--.com", "the name xn--.com stands for nothing that can be read"),
        ("https://b\u00fccher.de",
         "the name b\u00fccher.de looks like bucher.de, has \u00fc (U+00FC)"),
        ("https://github.com\u2215evil.io",
         "the name github.com\u2215evil.io has \u2215 (U+2215)"),
        ("https://a\u200bb.io", r"the name a\u200bb.io has \u200b (U+200B)"),
        ("https://\u05d0.io", r"the name \u05d0.io has \u05d0 (U+05D0)"),
    ],
)  # fmt: skip
def test_a_name_that_may_be_taken_for_another_is_pointed_out(text: str, noted: str) -> None:
    assert host_notes(text) == (noted,)


@pytest.mark.parametrize(
    "text",
    [
        "https://github.com/a?b=c@d", "ssh git@github.com", "https://user:pw@h.io", "a.b.c",
        "see r\u00e9sum\u00e9.doc", "\u0444\u0430\u0439\u043b.txt", "\u65e5\u672c.txt",
    ],
)  # fmt: skip
def test_ordinary_names_are_not(text: str) -> None:
    assert host_notes(text) == ()


@given(hostile)
@settings(max_examples=100)
def test_no_text_breaks_it(text: str) -> None:
    for note in host_notes(f"{text}://{text}@{text}.xn--{text}"):
        assert "\x1b" not in note
