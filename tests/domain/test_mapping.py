"""Part 2 of the rules: every kind set against every act, and what must hold for any options."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.mapping import (
    Act,
    Action,
    Choose,
    Words,
    allow_of,
    outcome,
    records_permit,
    reject_of,
    showable,
    usable,
)
from rig_tui.domain.model import (
    ALLOW_ALWAYS,
    ALLOW_ONCE,
    KNOWN_KINDS,
    PENDING,
    REJECT_ALWAYS,
    REJECT_ONCE,
    AskState,
    Option,
    Outcome,
)
from tests.rules import rule

SHORT = {"AO": ALLOW_ONCE, "AA": ALLOW_ALWAYS, "RO": REJECT_ONCE, "RA": REJECT_ALWAYS}

# Kinds offered | a yes | a no, a deny, a denied row | approve, drop, a row done or failed,
# other words | at submit with nobody to ask
TABLE = """
AO AA RO RA | answered AO             | answered RO      | permitted AO             | permitted AO
AO AA RO    | answered AO             | answered RO      | permitted AO             | permitted AO
AO AA RA    | answered AO             | answered RA*     | permitted AO             | permitted AO
AO AA       | answered AO             | refused said_no  | permitted AO             | permitted AO
AO RO RA    | answered AO             | answered RO      | permitted AO             | permitted AO
AO RO       | answered AO             | answered RO      | permitted AO             | permitted AO
AO RA       | answered AO             | answered RA*     | permitted AO             | permitted AO
AO          | answered AO             | refused said_no  | permitted AO             | permitted AO
AA RO RA    | answered AA*            | answered RO      | permitted AA*            | permitted AA*
AA RO       | answered AA*            | answered RO      | permitted AA*            | permitted AA*
AA RA       | answered AA*            | answered RA*     | permitted AA*            | permitted AA*
AA          | answered AA*            | refused said_no  | permitted AA*            | permitted AA*
RO RA       | refused no_allow_offered | answered RO     | refused no_allow_offered | refused options_unsupported
RO          | refused no_allow_offered | answered RO     | refused no_allow_offered | refused options_unsupported
RA          | refused no_allow_offered | answered RA*    | refused no_allow_offered | refused options_unsupported
            | refused no_allow_offered | refused said_no | refused no_allow_offered | refused options_unsupported
"""  # noqa: E501
COLUMNS: dict[int, tuple[Act, ...]] = {
    1: (Act.YES,),
    2: (Act.NO, Act.DENY, Act.ROW_DENIED),
    3: (Act.APPROVE, Act.DROP, Act.ROW_DONE, Act.ROW_FAILED),
    4: (Act.NOBODY_TO_ASK,),
}
PENDING_ONLY = (
    *(Act.ROUTE_TO_PERSON, Act.HAND_TO_SEAT, Act.HAND_TO_HOST, Act.HOLD, Act.ANNOTATE),
    Act.EMPTY_REPLY,
)
ENDINGS = {
    Act.ROW_CANCELED: AskState.WITHDRAWN,
    Act.WITHDRAW: AskState.WITHDRAWN,
    Act.RELAUNCH: AskState.STALE,
    Act.STOP_SEAT: AskState.STALE,
}
ROWS = [tuple(cell.strip() for cell in line.split("|")) for line in TABLE.strip("\n").splitlines()]
UNKNOWN = Option("u", "Sandbox it", "allow_in_sandbox")


def offered(kinds: str) -> list[Option]:
    return [Option(short.lower(), f"Option {short}", SHORT[short]) for short in kinds.split()]


def expected(cell: str) -> Outcome:
    state, what = cell.split()
    if state == "refused":
        return Outcome(AskState.REFUSED, reason=what)
    short = what.rstrip("*")
    return Outcome(AskState(state), short.lower(), SHORT[short], remembered=what.endswith("*"))


def test_the_table_has_every_kind_set_once_and_every_act_has_its_place() -> None:
    assert len({row[0] for row in ROWS}) == 16
    placed = [act for acts in COLUMNS.values() for act in acts]
    assert sorted([*placed, *PENDING_ONLY, *ENDINGS]) == sorted(Act)


@rule("D7-23", "D7-24", "D7-25", "D7-15", "D7-11", "A-33")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0] or "none")
def test_every_kind_set_gives_the_tables_outcome_for_every_act(row: tuple[str, ...]) -> None:
    options = offered(row[0])
    for column, acts in COLUMNS.items():
        for act in acts:
            assert outcome(options, act) == expected(row[column]), act
            assert outcome(options[::-1], act) == expected(row[column]), act


@rule("D7-26", "D7-41")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0] or "none")
def test_other_words_close_without_choosing_and_carry_the_exact_words(row: tuple[str, ...]) -> None:
    text = "  use staging,\n\tnot prod  "
    assert outcome(offered(row[0]), Words(text)) == replace(expected(row[3]), said=text)


@rule("D7-22")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0] or "none")
def test_a_click_gives_that_option_whatever_its_kind(row: tuple[str, ...]) -> None:
    options = [*offered(row[0]), UNKNOWN]
    for option in options:
        result = outcome(options, Choose(option.option_id))
        assert (result.state, result.option_id) == (AskState.ANSWERED, option.option_id)
        assert result.kind == option.kind
        assert not records_permit(result)


@rule("D7-22")
def test_a_click_on_what_isnt_offered_changes_nothing() -> None:
    result = outcome(offered("AO RO"), Choose("zzz"))
    assert result == Outcome(AskState.PENDING, reason="unknown_option")


def test_nobody_claims_to_know_whether_an_unknown_kind_is_remembered() -> None:
    assert outcome([UNKNOWN], Choose("u")).remembered is None
    assert outcome(offered("AA"), Choose("aa")).remembered is True
    assert outcome(offered("RO"), Choose("ro")).remembered is False


@rule("A-37")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0] or "none")
@pytest.mark.parametrize("act", PENDING_ONLY)
def test_handing_over_and_holding_leave_every_kind_set_pending(
    row: tuple[str, ...], act: Act
) -> None:
    assert outcome(offered(row[0]), act).state is AskState.PENDING


@rule("A-35", "A-36")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0] or "none")
def test_a_canceled_row_cancels_where_a_drop_permits(row: tuple[str, ...]) -> None:
    options = offered(row[0])
    for act, state in ENDINGS.items():
        result = outcome(options, act)
        assert (result.state, result.option_id) == (state, None)
    assert outcome(options, Act.DROP).state is not AskState.WITHDRAWN


@rule("A-24")
def test_of_several_options_of_a_kind_the_first_offered_counts() -> None:
    options = [
        Option("r2", "Reject", REJECT_ONCE),
        Option("a2", "Allow here", ALLOW_ONCE),
        Option("a1", "Allow", ALLOW_ONCE),
        Option("r1", "Reject too", REJECT_ONCE),
    ]
    assert outcome(options, Act.YES).option_id == "a2"
    assert outcome(options, Act.DROP).option_id == "a2"
    assert outcome(options, Act.NO).option_id == "r2"
    assert outcome(list(reversed(options)), Act.NO).option_id == "r1"


def test_kinds_compare_exactly() -> None:
    options = [Option("a", "Allow", "Allow_Once"), Option("b", "Allow", "allow-once")]
    assert allow_of(options) is None
    assert reject_of([Option("r", "Reject", "reject"), Option("n", "No", None)]) is None


@rule("A-22", "A-23", "D7-11")
@pytest.mark.parametrize(
    ("options", "given_id"),
    [
        ([("x", ALLOW_ONCE), ("x", REJECT_ONCE)], None),
        ([("", ALLOW_ONCE), ("b", ALLOW_ALWAYS), ("c", REJECT_ONCE)], "b"),
        ([("a", ALLOW_ONCE), ("", REJECT_ONCE)], "a"),
        ([("a", ALLOW_ONCE), ("a", ALLOW_ONCE), ("b", ALLOW_ALWAYS)], "b"),
        ([(" \t", ALLOW_ONCE)], None),
        ([], None),
    ],
)
def test_with_bad_ids_only_an_allow_that_can_be_named_is_permitted(
    options: list[tuple[str, str]], given_id: str | None
) -> None:
    result = outcome([Option(i, "", kind) for i, kind in options], Act.NOBODY_TO_ASK)
    if given_id is None:
        assert result == Outcome(AskState.REFUSED, reason="options_unsupported")
    else:
        assert (result.state, result.option_id) == (AskState.PERMITTED, given_id)


@rule("A-22")
def test_a_shared_id_cant_be_chosen() -> None:
    options = [Option("x", "Allow", ALLOW_ONCE), Option("x", "Reject", REJECT_ONCE)]
    assert outcome(options, Choose("x")).reason == "unknown_option"


@rule("D7-13")
@pytest.mark.parametrize(
    ("ids", "kind", "shown"),
    [
        ([], ALLOW_ONCE, False),
        (["a"], ALLOW_ONCE, False),
        (["a", "b"], ALLOW_ONCE, True),
        (["a", "b", "c"], None, True),
        (["a", "b", "c", "d"], "kind of its own", True),
        (["a", "b", "c", "d", "e"], ALLOW_ONCE, False),
        (["a", "a"], ALLOW_ONCE, False),
        (["a", ""], ALLOW_ONCE, False),
        (["a", "  "], ALLOW_ONCE, False),
    ],
)
def test_two_to_four_options_with_ids_of_their_own_can_be_shown(
    ids: list[str], kind: str | None, shown: bool
) -> None:
    assert showable([Option(i, "", kind) for i in ids]) is shown


def test_a_daemon_may_show_more_options() -> None:
    assert showable([Option(i, "", None) for i in "abcdef"], most=6)


ids = st.sampled_from(["a", "b", "c", "d", "e", "f", "", " "])
kinds = st.sampled_from([*KNOWN_KINDS, "allow_in_sandbox", "ALLOW_ONCE", "", None])
option_lists = st.one_of(
    st.lists(
        st.builds(Option, st.sampled_from("abcdef"), st.text(max_size=8), kinds),
        max_size=6,
        unique_by=lambda option: option.option_id,
    ),
    st.lists(st.builds(Option, ids, st.text(max_size=8), kinds), max_size=6),
)
texts = st.text(min_size=1, max_size=20).filter(str.strip)
actions: st.SearchStrategy[Action] = st.one_of(
    st.sampled_from(Act), st.builds(Choose, ids), st.builds(Words, texts)
)
quick = settings(max_examples=100, deadline=None)


@rule("D7-24")
@quick
@given(option_lists, st.sampled_from([Act.NO, Act.DENY, Act.ROW_DENIED]))
def test_a_no_never_yields_an_allow_or_an_unknown_kind(options: list[Option], act: Act) -> None:
    result = outcome(options, act)
    assert result.kind in {None, REJECT_ONCE, REJECT_ALWAYS}
    assert result.state in {AskState.ANSWERED, AskState.REFUSED}


@quick
@given(option_lists, actions)
def test_a_permit_always_carries_an_allow_that_was_offered(
    options: list[Option], action: Action
) -> None:
    result = outcome(options, action)
    if result.state is AskState.PERMITTED:
        assert result.kind in {ALLOW_ONCE, ALLOW_ALWAYS}
        assert any((o.option_id, o.kind) == (result.option_id, result.kind) for o in options)


@rule("D7-15")
@quick
@given(option_lists, actions)
def test_allow_always_is_given_only_if_chosen_or_alone(
    options: list[Option], action: Action
) -> None:
    result = outcome(options, action)
    if result.kind == ALLOW_ALWAYS and not isinstance(action, Choose):
        assert all(o.kind != ALLOW_ONCE for o in usable(options))


@rule("D7-41")
@quick
@given(option_lists, actions)
def test_only_other_words_are_said_and_only_where_the_contract_has_them(
    options: list[Option], action: Action
) -> None:
    result = outcome(options, action)
    if result.said is None:
        assert not isinstance(action, Words)
    else:
        assert isinstance(action, Words)
        assert result.said == action.text
        assert result.state is AskState.PERMITTED or result.reason == "no_allow_offered"


@quick
@given(option_lists, actions)
def test_a_permit_is_recorded_exactly_when_it_is_one(options: list[Option], action: Action) -> None:
    result = outcome(options, action)
    assert records_permit(result) is (result.state is AskState.PERMITTED)


@quick
@given(st.sets(st.sampled_from(sorted(SHORT)), min_size=1, max_size=3), st.data())
def test_unknown_kinds_change_no_outcome_but_a_click(names: set[str], data: st.DataObject) -> None:
    options = offered(" ".join(sorted(names)))
    place = data.draw(st.integers(0, len(options)))
    more = [*options[:place], UNKNOWN, *options[place:]]
    for action in (*Act, Words("other words")):
        assert outcome(more, action) == outcome(options, action)


@quick
@given(option_lists, st.sampled_from([*Act, Words("other words")]), st.data())
def test_the_order_offered_only_decides_among_options_of_one_kind(
    options: list[Option], action: Action, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(options))
    before, after = outcome(options, action), outcome(shuffled, action)
    assert (before.state, before.kind, before.reason) == (after.state, after.kind, after.reason)


@quick
@given(option_lists, st.sampled_from([*PENDING_ONLY, Choose("zzz"), Words(" \n")]))
def test_what_settles_nothing_leaves_no_trace_so_any_number_of_it_leaves_an_ask_pending(
    options: list[Option], action: Action
) -> None:
    result = outcome(options, action)
    assert replace(result, reason=None) == PENDING
