"""Each operator action once: its keys, its words, and what it plans."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import pytest

from rig_tui.actions.action import Action, Choose, Confirm, Context, Fill, Send, Show
from rig_tui.actions.registry import ACTIONS, FAMILIES, key_words
from rig_tui.domain import mapping
from rig_tui.domain.commands import AnswerAsk, DenyAsk
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import (
    AskState,
    Holder,
    HolderType,
    LinkState,
    Option,
    Reading,
    Sent,
)
from tests.builders import (
    ALLOW,
    ALWAYS,
    NEVER,
    NOON,
    REJECT,
    a_fleet,
    a_seat,
    an_ask,
    ended,
    live_link,
)
from tests.rules import rule

KEYED = {
    "answer.allow_once": ALLOW,
    "answer.allow_always": ALWAYS,
    "answer.reject_once": REJECT,
    "answer.reject_always": NEVER,
}


def context(*options: Option, **changes: object) -> Context:
    ask = an_ask(options=options or (ALLOW, ALWAYS, REJECT, NEVER))
    given: dict[str, object] = {"fleet": a_fleet(a_seat(), ask), "ask": ask, "seat": a_seat()}
    return Context(**{**given, **changes})  # type: ignore[arg-type]


def test_every_id_and_key_is_unique_and_every_action_explains_itself() -> None:
    actions = [action for family in FAMILIES for action in family.actions]
    assert len({action.id for action in actions}) == len(actions) == len(ACTIONS)
    keys = [key for action in actions for key in action.keys]
    assert len(set(keys)) == len(keys)
    assert all(action.help.endswith(".") and action.label for action in actions)


def test_digits_and_the_second_key_are_bound_to_nothing() -> None:
    keys = {key for action in ACTIONS.values() for key in action.keys}
    assert not keys & {"Y", *"0123456789"}


@rule("T7-04")
def test_keys_follow_the_kind_whatever_the_order() -> None:
    for order in permutations((ALLOW, ALWAYS, REJECT, NEVER)):
        for identifier, option in KEYED.items():
            plan = ACTIONS[identifier].plan(context(*order))
            assert isinstance(plan, Send | Confirm)
            assert isinstance(plan.command, AnswerAsk)
            assert plan.command.option_id == option.option_id


@rule("T7-05")
def test_a_remembered_kind_never_goes_out_on_one_key() -> None:
    for identifier in ("answer.allow_always", "answer.reject_always"):
        plan = ACTIONS[identifier].plan(context())
        assert isinstance(plan, Confirm)
        assert "remembered" in plan.consequence
    for identifier in ("answer.allow_once", "answer.reject_once"):
        assert isinstance(ACTIONS[identifier].plan(context()), Send)


def test_two_options_of_one_kind_are_chosen_by_label() -> None:
    twin = Option("other", "Allow elsewhere", "allow_once")
    plan = ACTIONS["answer.allow_once"].plan(context(ALLOW, twin, REJECT))
    assert plan == Choose("Which “allow once”?", (ALLOW, twin))


def test_two_ways_to_reject_are_chosen_by_label_when_denying() -> None:
    abort = Option("cancel", "Abort the turn", "reject_once")
    plan = ACTIONS["answer.deny"].plan(context(ALLOW, REJECT, abort))
    assert plan == Choose("Which “reject once”?", (REJECT, abort))


def test_an_absent_kind_says_it_is_not_offered() -> None:
    why = ACTIONS["answer.reject_always"].why_not(context(ALLOW, REJECT))
    assert why == "reject always: not offered by this agent"


@rule("T7-08")
def test_deny_says_what_it_resolves_to_for_every_set_of_kinds() -> None:
    for picks in product((True, False), repeat=4):
        options = [o for o, pick in zip(KEYED.values(), picks, strict=True) if pick]
        plan = ACTIONS["answer.deny"].plan(context(*options or [Option("u", "U", "odd")]))
        only_remembered = NEVER in options and REJECT not in options
        assert isinstance(plan, Confirm if only_remembered else Send)
        assert isinstance(plan, Confirm | Send)
        assert isinstance(plan.command, DenyAsk)
        shown = plan.label
        if REJECT in options:
            assert "‘Reject’" in shown
        elif not only_remembered:
            assert shown == "Reject (cancels: no reject option offered)"


@rule("T7-08")
def test_closing_and_approving_are_labelled_by_what_the_agent_gets() -> None:
    for identifier in ("answer.close", "answer.approve"):
        words = ACTIONS[identifier].consequence(context(ALLOW, REJECT))
        assert words.startswith("PERMITS with ‘Allow’")
        refused = ACTIONS[identifier].consequence(context(REJECT, NEVER))
        assert refused.startswith("closes as refused")
        assert isinstance(ACTIONS[identifier].plan(context()), Fill)


def test_approve_has_no_key() -> None:
    assert ACTIONS["answer.approve"].keys == ()


@pytest.mark.parametrize("identifier", [i for i in ACTIONS if i.startswith("answer.")])
def test_no_answer_without_a_live_pending_whole_person_held_armed_ask(identifier: str) -> None:
    action = ACTIONS[identifier]
    ask = an_ask(options=(ALLOW, ALWAYS, REJECT, NEVER))
    fleet = a_fleet(a_seat(), ask)
    held = replace(ask, holder=Holder(HolderType.SEAT, "review@my-rig", "review@my-rig"))
    lost = a_fleet(a_seat(), ask, link=live_link(state=LinkState.LOST))
    sending = a_fleet(a_seat(), ask, sent={ask.ask_id: Sent("k", "x", NOON)})
    blocked = [
        (Context(fleet), "no ask"),
        (Context(fleet, ended(ask)), "already answered"),
        (Context(fleet, ended(ask, AskState.WITHDRAWN)), "withdrawn"),
        (Context(fleet, ended(ask, AskState.STALE)), "stale"),
        (Context(fleet, ask, barred="inside a seat"), "inside a seat"),
        (Context(fleet, held), "review@my-rig holds it"),
        (Context(lost, ask), "can't be reached"),
        (Context(sending, ask), "on its way"),
        (Context(fleet, replace(ask, elided=True)), "hasn't been read"),
        (Context(fleet, ask, unarmed="just appeared"), "just appeared"),
    ]
    assert action.why_not(Context(fleet, ask)) is None
    for blocked_context, words in blocked:
        why = action.why_not(blocked_context)
        assert why is not None
        assert words in why


@rule("T4-05")
def test_attention_is_cleared_only_where_there_is_some() -> None:
    action = ACTIONS["seat.clear_attention"]
    needy = a_seat(reading=Reading.NEEDS_INPUT)
    assert action.why_not(Context(a_fleet(), seat=needy)) is None
    assert "no attention" in (action.why_not(Context(a_fleet(), seat=a_seat())) or "")
    assert "no seat" in (action.why_not(Context(a_fleet())) or "")
    lost = a_fleet(link=live_link(state=LinkState.LOST))
    assert "can't be reached" in (action.why_not(Context(lost, seat=needy)) or "")


def test_views_never_make_a_command() -> None:
    for action in ACTIONS.values():
        if action.family == "view":
            assert isinstance(action.plan(context()), Show)


ACTS = {
    "answer.deny": Act.DENY,
    "answer.close": Act.DROP,
    "answer.approve": Act.APPROVE,
    "route.person": Act.ROUTE_TO_PERSON,
    "route.seat": Act.HAND_TO_SEAT,
    "route.deny_row": Act.ROW_DENIED,
    "route.cancel_row": Act.ROW_CANCELED,
}
SETTLES_NOTHING = {"answer.choose", "answer.reply", "route.take_back"}
OFFERS = [
    tuple(option for option, pick in zip(KEYED.values(), picks, strict=True) if pick)
    for picks in product((True, False), repeat=4)
]


@pytest.mark.parametrize(
    "options", OFFERS, ids=lambda options: "+".join(str(o.kind) for o in options) or "none"
)
@pytest.mark.parametrize(
    "action", [a for a in ACTIONS.values() if a.family in ("answer", "route")], ids=lambda a: a.id
)
def test_what_a_key_comes_to_is_the_mapping_s_word_for_every_set_of_kinds(
    action: Action, options: tuple[Option, ...]
) -> None:
    ask = an_ask(options=options)
    words = action.consequence(Context(a_fleet(ask), ask))
    if action.id in ACTS:
        assert words == mapping.consequence(options, ACTS[action.id])
    elif action.id in KEYED:
        given = KEYED[action.id]
        chosen = mapping.consequence(options, mapping.Choose(given.option_id))
        assert words == (chosen if given in options else "not offered by this agent")
    else:
        assert action.id in SETTLES_NOTHING
        assert "PERMITS" not in words


def test_keys_are_printed_as_people_write_them() -> None:
    assert [key_words(k) for k in ("question_mark", "A", "escape", "colon")] == [
        "?",
        "A",
        "esc",
        ":",
    ]
