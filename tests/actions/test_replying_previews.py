"""A reply's preview: what is shown, what it takes to send it, and the command it makes."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.actions import messaging, replying
from rig_tui.actions.action import Context
from rig_tui.actions.registry import ACTIONS
from rig_tui.actions.replying import Step
from rig_tui.domain import mapping
from rig_tui.domain.drafts import for_ask, for_seat
from rig_tui.domain.events import DraftKept
from rig_tui.domain.mapping import Act, Action, Choose, Words
from rig_tui.domain.model import KNOWN_KINDS, AskState, Option
from rig_tui.domain.reduce import reduce
from rig_tui.domain.replies import ReplyClass, classify
from rig_tui.domain.reply_words import NO_TEXTS, YES_TEXTS
from tests.builders import ALLOW, ALWAYS, NEVER, REJECT, a_fleet, a_seat, an_ask, ended, live_link
from tests.rules import rule

OFFERS = [
    tuple(o for o, pick in zip((ALLOW, ALWAYS, REJECT, NEVER), picks, strict=True) if pick)
    for picks in product((True, False), repeat=4)
]
TEXTS = st.one_of(
    st.text(max_size=30),
    st.sampled_from([*NO_TEXTS, *YES_TEXTS, "wait", "no, use staging", "Always allow", "x\ny"]),
)
OPTIONS = st.lists(
    st.builds(
        Option,
        st.sampled_from(["a", "b", "", "yes", "no"]),
        st.sampled_from(["Allow", "no", "ok", "Later", ""]),
        st.sampled_from([*KNOWN_KINDS, "custom", None]),
    ),
    max_size=4,
)


@rule("T7-09", "T7-12", "A-34")
@settings(max_examples=100)
@given(TEXTS, OPTIONS)
def test_the_daemon_takes_a_command_for_nothing_but_what_its_preview_says(
    text: str, options: list[Option]
) -> None:
    shown = replying.preview(an_ask(options=tuple(options)), text)
    command = replying.command_of(shown)
    taken = classify(command.text, options)
    assert command.text == text
    assert command.expect == taken.cls.value
    named = taken.option_id if taken.cls is ReplyClass.CHOICE else None
    assert command.option_id == named
    acts: dict[ReplyClass, Action] = {
        ReplyClass.EMPTY: Act.EMPTY_REPLY,
        ReplyClass.YES: Act.YES,
        ReplyClass.NO: Act.NO,
        ReplyClass.CHOICE: Choose(named or ""),
        ReplyClass.WORDS: Words(text),
    }
    action = acts[taken.cls]
    assert shown.outcome == mapping.outcome(options, action)
    assert shown.consequence == mapping.consequence(options, action)


@rule("T7-09", "T7-10", "T7-11")
@settings(max_examples=100)
@given(TEXTS, OPTIONS)
def test_what_permits_without_being_an_answer_is_never_one_key_away(
    text: str, options: list[Option]
) -> None:
    shown = replying.preview(an_ask(options=tuple(options)), text)
    command = replying.command_of(shown)
    permits = shown.outcome.state is AskState.PERMITTED
    assert command.confirm_permit is permits
    if permits or shown.reply.cls is ReplyClass.WORDS:
        assert shown.step is Step.CHOOSE
    if shown.step is Step.SEND:
        assert shown.outcome.remembered is not True
        assert shown.outcome.option_id is None or shown.outcome.kind in KNOWN_KINDS
    if shown.outcome.state is AskState.PENDING:
        assert shown.step in (Step.NOTHING, Step.CHOOSE)


@rule("T7-05")
@pytest.mark.parametrize("options", OFFERS)
def test_an_answer_the_harness_remembers_takes_a_second_key_for_every_set_of_kinds(
    options: tuple[Option, ...],
) -> None:
    ask = an_ask(options=options)
    lasting_yes = ALLOW not in options and ALWAYS in options
    lasting_no = REJECT not in options and NEVER in options
    yes, no = replying.preview(ask, "yes"), replying.preview(ask, "no")
    assert yes.step is (Step.CONFIRM if lasting_yes else Step.SEND)
    assert no.step is (Step.CONFIRM if lasting_no else Step.SEND)
    assert replying.reject_is_remembered(ask) is lasting_no


@rule("T7-10")
def test_the_word_is_asked_for_only_where_hesitant_words_would_permit() -> None:
    ask, refusing = an_ask(options=(ALLOW, REJECT)), an_ask(options=(REJECT, NEVER))
    assert replying.preview(ask, "wait").needs_the_word
    assert replying.preview(ask, "no problem, go ahead").needs_the_word
    assert not replying.preview(ask, "use staging").needs_the_word
    assert not replying.preview(refusing, "wait").needs_the_word


@rule("T7-13")
def test_reject_and_explain_is_a_reject_without_the_words() -> None:
    command, label = replying.reject_and_explain(an_ask(row_id="row-2"))
    assert (command.ask_id, command.row_id, command.reason) == ("qitem-1", "row-2", "")
    assert label == "Reject (‘Reject’)"


def test_a_receipt_names_the_reply_and_what_it_gave() -> None:
    ask = an_ask(options=(ALLOW, REJECT))
    assert replying.label_of(replying.preview(ask, "no")) == "reply “no”: Reject (‘Reject’)"
    long = replying.label_of(replying.preview(ask, "use the staging hosts first\n" * 3))
    assert long.startswith("reply “use the staging hosts first use the sta")
    assert long.endswith("…”: PERMITS with ‘Allow’ (allow once)")


def test_a_reply_can_be_looked_at_again_after_its_ask_has_ended() -> None:
    ask = ended(an_ask())
    action = ACTIONS["answer.reply"]
    fleet = a_fleet(a_seat(), ask)
    assert "already answered" in (action.why_not(Context(fleet, ask)) or "")
    kept = reduce(fleet, (DraftKept(for_ask(ask, "use staging")),))
    assert action.why_not(Context(kept, ask)) is None


@rule("T7-19")
def test_a_seat_with_a_request_waiting_is_not_written_to() -> None:
    link = live_link(capabilities=frozenset({"send"}))
    seat, action = a_seat(takes_messages=True), ACTIONS["seat.message"]
    assert action.why_not(Context(a_fleet(seat, link=link), seat=seat)) is None
    assert action.why_not(Context(a_fleet(seat, link=link))) == "no seat is selected"
    waiting = a_fleet(seat, an_ask(), link=link)
    assert "never an answer" in (action.why_not(Context(waiting, seat=seat)) or "")
    kept = reduce(waiting, (DraftKept(for_seat(seat, "hello")),))
    assert action.why_not(Context(kept, seat=seat)) is None
    barred = Context(kept, seat=seat, barred="inside a seat")
    assert messaging.why_not_send(barred, for_seat(seat, "hello")) == "inside a seat"


@rule("T5-02")
@pytest.mark.parametrize("text", ["/abort", " /abort\n", "/Abort"])
def test_abort_is_known_for_what_it_is_not(text: str) -> None:
    assert messaging.is_abort(text)
    assert not messaging.is_abort(f"{text} now")
