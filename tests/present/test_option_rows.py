import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from rig_tui.domain.model import Option
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.options import OptionRow, option_notes, option_rows
from tests.builders import ALLOW, ALWAYS, NEVER, REJECT
from tests.fixtures import AcpRequest, acp_requests
from tests.present.oracle import check_safe, hostile, plain, roles_of
from tests.rules import rule

KEYS = {"allow": "a", "always": "A", "reject": "r", "never": "R"}
LONG = Option(
    "long", "Always allow every command that starts with curl, in every folder", "allow_always"
)


def draw(rows: list[OptionRow]) -> list[str]:
    return [line.plain.rstrip() for row in rows for line in row.lines]


@rule("T7-03", "D7-19")
def test_each_option_shows_key_name_kind_and_meaning_and_absent_kinds_are_named() -> None:
    rows = option_rows((ALLOW, ALWAYS, REJECT), KEYS, 86)
    assert draw(rows) == [
        "  a  Allow          allow once",
        "  A  Always allow   allow always, remembered by the agent's harness; nobody here can",
        "                    undo it",
        "  r  Reject         reject once",
        "     reject always  not offered by this agent",
    ]
    assert [row.option_id for row in rows] == ["allow", "always", "reject", None]
    assert all(row.whole for row in rows)


@rule("T7-03")
def test_a_narrow_row_is_one_line_with_the_kind_in_words() -> None:
    assert draw(option_rows((ALLOW, ALWAYS, REJECT), KEYS, 76, narrow=True)) == [
        " a  Allow         allow once",
        " A  Always allow  allow always, remembered",
        " r  Reject        reject once",
        "    not offered: reject always",
    ]
    assert draw(option_rows((ALLOW, ALWAYS, REJECT), KEYS, 36, narrow=True)) == [
        " a  Allow         allow once",
        " A  Always allow  allow always",
        " r  Reject        reject once",
        "    not offered: reject always",
    ]


@rule("T7-03")
def test_what_the_harness_remembers_is_drawn_as_irrevocable() -> None:
    rows = option_rows((ALLOW, ALWAYS, REJECT, NEVER), KEYS, 86)
    assert roles_of(rows[1].lines[0], "A  ") == set()
    assert [roles_of(row.lines[0], KEYS[str(row.option_id)] + " ") or
            {str(s.style) for s in row.lines[0].spans if s.start == 2} for row in rows] == [
        {"key"}, {"danger.strong"}, {"key"}, {"danger.strong"},
    ]  # fmt: skip
    off = option_rows((ALLOW, ALWAYS), KEYS, 86, enabled=False)
    assert {str(s.style) for row in off for s in row.lines[0].spans if s.start == 2} == {"faint"}


@rule("T7-03")
@pytest.mark.parametrize(
    ("option", "words"),
    [
        (Option("x", "Reject", "allow_once"), "named like a reject, but its kind is allow once"),
        (Option("x", "Allow", "reject_once"), "named like an allow, but its kind is reject once"),
    ],
)
@pytest.mark.parametrize("narrow", [False, True])
def test_a_name_that_contradicts_its_kind_is_flagged(
    option: Option, words: str, narrow: bool
) -> None:
    row = option_rows((option, ALWAYS), {}, 76, narrow=narrow)[0]
    assert words in plain(row.lines)
    assert any("danger" in {str(s.style) for s in line.spans} for line in row.lines)


@rule("T7-03")
def test_an_unknown_kind_says_its_meaning_is_unknown() -> None:
    weird = Option("x", "Maybe", "perhaps\x1b")
    assert r"meaning unknown (unknown kind ‘perhaps\x1b’)" in plain(
        option_rows((ALLOW, weird), KEYS, 100)[1].lines
    )
    missing = Option("y", "Maybe", None)
    assert "meaning unknown (no kind given)" in plain(
        option_rows((ALLOW, missing), KEYS, 100)[1].lines
    )


def test_a_name_that_isnt_wholly_visible_says_how_much_is_missing_until_expanded() -> None:
    options = (ALLOW, LONG, REJECT)
    keys = {**KEYS, "long": "A"}
    row = option_rows(options, keys, 36, narrow=True)[1]
    assert row.lines[0].plain == " A  Always allow e…+51  allow always"
    assert not row.whole
    row = option_rows(options, keys, 36, narrow=True, expanded={"long"})[1]
    assert row.whole
    assert LONG.name in "".join(line.plain[4:] for line in row.lines)
    assert option_rows(options, keys, 100)[1].whole


def test_even_in_a_wide_pane_a_very_long_name_leaves_the_others_their_room() -> None:
    endless = Option("long", "word " * 80, "reject_once")
    row = option_rows((ALLOW, endless), KEYS, 86)[1]
    assert not row.whole
    assert len(row.lines) <= 4
    assert "…+" in row.lines[-2].plain
    whole = option_rows((ALLOW, endless), KEYS, 86, expanded={"long"})[1]
    assert whole.whole
    assert plain(whole.lines).count("word") == 80


def test_a_nameless_option_shows_its_id() -> None:
    row = option_rows((Option("opt-1", "  ", "allow_once"), REJECT), KEYS, 80)[0]
    assert "no name, id opt-1" in row.lines[0].plain


@rule("T7-08")
def test_what_the_options_leave_no_choice_about_is_noted() -> None:
    assert option_notes((ALLOW, ALWAYS, REJECT)) == []
    assert "The only allow is remembered" in plain(option_notes((ALWAYS, REJECT)))
    assert "The only reject is remembered" in plain(option_notes((ALLOW, NEVER)))
    assert "a deny cancels the request" in plain(option_notes((ALLOW, ALWAYS)))
    assert "closing without choosing refuses" in plain(option_notes((REJECT, NEVER)))
    two = Option("b", "Always allow files", "allow_always")
    assert "2 options are “allow always”" in plain(option_notes((ALLOW, ALWAYS, two, REJECT)))
    weird = Option("x", "Maybe", "perhaps")
    assert "nobody here knows" in plain(option_notes((ALLOW, REJECT, weird)))


@rule("T7-04")
@pytest.mark.parametrize("request_", acp_requests(), ids=lambda each: each.name)
def test_the_options_real_agents_offer_keep_their_order_and_their_names(
    request_: AcpRequest,
) -> None:
    options = tuple(Option(o["optionId"], o["name"], o["kind"]) for o in request_.options)
    keys = dict.fromkeys((o.option_id for o in options), "a")
    for width, narrow in ((86, False), (76, True), (36, True)):
        rows = option_rows(options, keys, width, narrow=narrow)
        ids = [row.option_id for row in rows if row.option_id is not None]
        assert ids == [option.option_id for option in options]
        everything = option_rows(options, keys, width, narrow=narrow, expanded=ids)
        for option, row in zip(options, everything, strict=False):
            shown = " ".join(line.plain.strip() for line in row.lines)
            assert option.name.replace(" ", "") in shown.replace(" ", "")


@rule("T7-02", "T7-03")
@given(
    st.lists(
        st.builds(
            Option, hostile, hostile,
            st.one_of(st.none(), hostile, st.sampled_from(["allow_once", "allow_always"])),
        ),
        max_size=5,
    ),
    st.integers(34, 120),
    st.booleans(),
    st.booleans(),
)  # fmt: skip
@settings(max_examples=80)
def test_any_options_are_inert_fit_and_tell_whether_a_name_is_whole(
    options: list[Option], width: int, narrow: bool, expand: bool
) -> None:
    expanded = [option.option_id for option in options] if expand else []
    rows = option_rows(options, {}, width, narrow=narrow, expanded=expanded)
    for row, option in zip(rows, options, strict=False):
        check_safe(row.lines)
        assert all(cell_len(line.plain) <= width for line in row.lines)
        assert row.whole or not expand
        name = inert(option.name, rtl_tokens=True).plain.replace(" ", "")
        if row.whole and option.name.strip():
            drawn = "".join(line.plain for line in row.lines).replace(" ", "")
            assert name in drawn
    check_safe(option_notes(options))
