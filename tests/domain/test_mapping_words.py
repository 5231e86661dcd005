"""What an operator reads before a key is pressed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.mapping import (
    Act,
    Action,
    Choose,
    Words,
    consequence,
    contradicts,
    kind_in_words,
    meaning,
    outcome,
)
from rig_tui.domain.model import (
    ALLOW_ALWAYS,
    ALLOW_ONCE,
    REJECT_ALWAYS,
    REJECT_ONCE,
    AskState,
    Option,
)
from tests.domain.test_mapping import PENDING_ONLY, ROWS, actions, offered, option_lists
from tests.rules import rule

FOREVER = "remembered by the agent's harness; nobody here can undo it"


@rule("T7-08")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0] or "none")
@pytest.mark.parametrize("act", [Act.APPROVE, Act.DROP])
def test_closing_without_choosing_is_named_by_what_it_gives(row: tuple[str, ...], act: Act) -> None:
    kinds = row[0].split()
    if "AO" in kinds:
        words = "PERMITS with ‘Option AO’ (allow once)"
    elif "AA" in kinds:
        words = f"PERMITS with ‘Option AA’ (allow always, {FOREVER})"
    else:
        words = "closes as refused: no allow option offered"
    assert consequence(offered(row[0]), act) == words


@rule("T7-08")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0] or "none")
def test_a_deny_is_named_by_the_reject_it_gives(row: tuple[str, ...]) -> None:
    kinds = row[0].split()
    if "RO" in kinds:
        words = "Reject (‘Option RO’)"
    elif "RA" in kinds:
        words = f"Reject (‘Option RA’): reject always, {FOREVER}"
    else:
        words = "Reject (cancels: no reject option offered)"
    for act in (Act.DENY, Act.NO, Act.ROW_DENIED):
        assert consequence(offered(row[0]), act) == words


def test_a_choice_is_named_with_its_meaning() -> None:
    options = [*offered("AO AA RO RA"), Option("u", "Sandbox it", "sandboxed")]
    assert consequence(options, Choose("ao")) == "answers with ‘Option AO’ (allow once)"
    assert consequence(options, Choose("aa")).endswith(f"(allow always, {FOREVER})")
    assert consequence(options, Choose("ra")).endswith(f"(reject always, {FOREVER})")
    assert consequence(options, Choose("u")) == (
        "answers with ‘Sandbox it’ (meaning unknown (unknown kind ‘sandboxed’))"
    )
    assert consequence(options, Choose("zz")) == "does nothing: that option isn't offered"


def test_an_option_without_a_name_is_named_by_its_id() -> None:
    assert consequence([Option("go", " ", ALLOW_ONCE)], Act.YES) == (
        "answers with ‘go’ (allow once)"
    )


def test_other_words_say_that_they_permit_and_what_may_become_of_them() -> None:
    words = consequence(offered("AO RO"), Words("no, use staging"))
    assert words.startswith("PERMITS with ‘Option AO’ (allow once). Your words are not an answer")
    assert "as a later prompt, after this turn and behind anything queued, or drop them" in words
    refused = consequence(offered("RO RA"), Words("no, use staging"))
    assert refused.startswith("closes as refused: no allow option offered. Your words are not")


def test_handing_to_a_seat_says_what_its_closing_gives() -> None:
    words = consequence(offered("AO RO"), Act.HAND_TO_SEAT)
    assert "PERMITS with ‘Option AO’ (allow once)" in words
    assert "sees no options" in words


@settings(max_examples=100, deadline=None)
@given(option_lists, actions)
def test_permits_is_said_exactly_where_an_allow_comes_without_a_choice(
    options: list[Option], action: Action
) -> None:
    options = [Option(o.option_id, f"option {o.option_id}", o.kind) for o in options]
    words = consequence(options, action)
    if action is not Act.HAND_TO_SEAT:
        permitted = outcome(options, action).state is AskState.PERMITTED
        assert ("PERMITS" in words) is permitted


@settings(max_examples=100, deadline=None)
@given(option_lists, actions)
def test_what_the_harness_remembers_is_always_said(options: list[Option], action: Action) -> None:
    if outcome(options, action).remembered:
        assert FOREVER in consequence(options, action)


@given(option_lists, st.sampled_from(PENDING_ONLY))
@settings(max_examples=50, deadline=None)
def test_every_act_that_settles_nothing_says_so(options: list[Option], act: Act) -> None:
    words = consequence(options, act)
    assert words.split()[0] in {"waits", "stays", "does"}


def test_meanings_are_told_in_words() -> None:
    assert meaning(ALLOW_ONCE) == "allow once"
    assert meaning(REJECT_ONCE) == "reject once"
    assert meaning(ALLOW_ALWAYS) == f"allow always, {FOREVER}"
    assert meaning(REJECT_ALWAYS) == f"reject always, {FOREVER}"
    assert meaning("sandboxed") == "meaning unknown (unknown kind ‘sandboxed’)"
    assert meaning(None) == meaning("") == "meaning unknown (no kind given)"
    assert kind_in_words(ALLOW_ALWAYS) == "allow always"


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("Reject", ALLOW_ONCE, "named like a reject, but its kind is allow once"),
        ("Don’t allow", ALLOW_ALWAYS, "named like a reject, but its kind is allow always"),
        ("No, keep planning", ALLOW_ONCE, "named like a reject, but its kind is allow once"),
        ("Allow", REJECT_ONCE, "named like an allow, but its kind is reject once"),
        ("Yes, proceed", REJECT_ALWAYS, "named like an allow, but its kind is reject always"),
        ("Always allow", ALLOW_ONCE, "named as if remembered, but its kind is allow once"),
        ("Yes, don't ask again", ALLOW_ONCE, "named as if remembered, but its kind is allow once"),
        ("Allow once", ALLOW_ALWAYS, "named as if for once, but its kind is allow always"),
        (
            "Deny just this time",
            REJECT_ALWAYS,
            "named as if for once, but its kind is reject always",
        ),
    ],
)
def test_a_name_that_contradicts_its_kind_is_flagged(name: str, kind: str, words: str) -> None:
    assert contradicts(Option("x", name, kind)) == words


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Always Allow Bash(touch out.txt), Bash(curl -s http://127.0.0.1:8899/v1)", ALLOW_ALWAYS),
        ("Yes, and don't ask again for commands that start with `curl -s`", ALLOW_ALWAYS),
        ('Yes, and use "auto" mode', ALLOW_ALWAYS),
        ("Yes, and manually approve edits", ALLOW_ONCE),
        ("No, and tell Codex what to do differently", REJECT_ONCE),
        ("No, keep planning (esc)", REJECT_ONCE),
        ("Allow for this session", ALLOW_ALWAYS),
        ("Deny always", REJECT_ALWAYS),
        ("Always allow, not just once", ALLOW_ALWAYS),
        ("Allow this file only for this session", ALLOW_ALWAYS),
        ("Skip this change", REJECT_ONCE),
        ("Don't allow", REJECT_ONCE),
        ("Notify me", ALLOW_ONCE),
        ("", ALLOW_ONCE),
        ("Reject", "sandboxed"),
        ("Reject", None),
    ],
)
def test_names_of_real_agents_and_unknown_kinds_arent_flagged(name: str, kind: str | None) -> None:
    assert contradicts(Option("x", name, kind)) is None
