import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.ui.present.diff import changes, diff_lines, parse, unified_lines
from tests.present.oracle import check_safe, hostile, plain, roles_of, texts

OLD = "def total(self):\n    return sum(self.lines)\n\ndef send(self):\n    self.deliver()\n"
NEW = (
    "def total(self):\n    kept = [a for a in self.lines]\n    return sum(kept)\n\n"
    "def send(self):\n    self.deliver()\n"
)


def test_a_change_is_a_unified_diff_with_line_numbers() -> None:
    lines = texts(diff_lines("src/invoice.py", OLD, NEW))
    assert [line.plain for line in lines] == [
        "src/invoice.py  +2  -1",
        "1   def total(self):",
        "2 -     return sum(self.lines)",
        "2 +     kept = [a for a in self.lines]",
        "3 +     return sum(kept)",
        "4   ",
        "5   def send(self):",
        "6       self.deliver()",
    ]
    assert "remove" in roles_of(lines[2], "return sum")
    assert "add" in roles_of(lines[3], "kept")
    assert "context" in roles_of(lines[1], "def total")


@pytest.mark.parametrize("old", [None, ""])
def test_no_text_before_is_a_new_file(old: str | None) -> None:
    assert plain(diff_lines("a", old, "x\n")).splitlines() == ["a  new file  +1", "1 + x"]


def test_removing_everything_and_changing_nothing_are_said() -> None:
    assert plain(diff_lines("a", "x\n", "")).splitlines()[0] == "a  everything removed  -1"
    assert plain(diff_lines("a", "x\n", "x\n")).splitlines()[0] == "a  no change"


def test_far_unchanged_lines_are_counted_unless_all_are_wanted() -> None:
    old = "".join(f"{n}\n" for n in range(40))
    new = old.replace("20\n", "twenty\n")
    folded = plain(diff_lines("a", old, new)).splitlines()
    assert folded[1] == "   ⋯ 17 unchanged lines"
    assert folded[-1] == "   ⋯ 16 unchanged lines"
    assert len(plain(diff_lines("a", old, new, context=None)).splitlines()) == 42


def test_a_missing_last_line_feed_is_a_change_and_said() -> None:
    assert plain(diff_lines("a", "x", "x\n")).splitlines() == [
        "a  +1  -1", "1 - x", "    no line feed at its end", "1 + x",
    ]  # fmt: skip


def test_a_carriage_return_is_seen() -> None:
    assert r"1 + x\x0d" in plain(diff_lines("a", "x\n", "x\r\n"))


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
@settings(max_examples=100)
def test_both_texts_can_be_read_back(old: list[str], new: list[str]) -> None:
    found = changes("\n".join(old), "\n".join(new))
    before = [c for c in found if c.sign != "+"]
    after = [c for c in found if c.sign != "-"]
    joined = "".join(c.text + "\n" * c.ended for c in after)
    assert joined == "\n".join(new)
    assert "".join(c.text + "\n" * c.ended for c in before if c.sign == "-" or c.ended) in (
        "\n".join(old), "\n".join(old) + "\n",
    ) or before[-1].sign == " "  # fmt: skip
    numbers = [c.number for c in after]
    assert numbers == list(range(1, len(after) + 1))


@given(hostile, hostile, hostile)
@settings(max_examples=100)
def test_hostile_texts_are_inert_in_a_diff(path: str, old: str, new: str) -> None:
    check_safe(diff_lines(path, old, new))
    check_safe(unified_lines(parse(f"{path}\n@@ -1 +1 @@\n-{old}\n+{new}")))


def test_a_diff_that_came_as_text_keeps_every_line_and_gets_numbers() -> None:
    text = "--- a\n+++ b\n@@ -3,2 +3,2 @@ def f():\n x\n-y\n+z\n--- c\n+++ d\n@@ -1 +1 @@\n-q\n+r\n"
    assert plain(unified_lines(parse(text))).splitlines() == [
        "--- a", "+++ b", "@@ -3,2 +3,2 @@ def f():", "3   x", "4 - y", "4 + z",
        "--- c", "+++ d", "@@ -1 +1 @@", "1 - q", "1 + r",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a\nb\n" * 300, "b\na\na\n" * 300),
        ("".join(f"{n}\n" for n in range(3000)), "".join(f"{n * 2}\n" for n in range(3000))),
    ],
    ids=["many equal lines", "many lines"],
)
def test_texts_too_costly_to_line_up_are_drawn_one_after_the_other(old: str, new: str) -> None:
    signs = "".join(change.sign for change in changes(old, new))
    assert signs.strip().rstrip("+").strip("-") == ""
    assert len(signs.replace("+", "")) == old.count("\n")
