"""The traps of the contract, each with a test named after it.

They are the ways in which an operator who means no, or nothing, ends up permitting. Most
are shut by one decision that a quick test can hold; the others have theirs elsewhere.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

from rig_tui.actions import replying
from rig_tui.actions.action import Confirm, Context, Fill, Send
from rig_tui.actions.grants import revoking
from rig_tui.actions.registry import ACTIONS
from rig_tui.actions.replying import Step
from rig_tui.domain import drafts, mapping, select
from rig_tui.domain.commands import AnswerAsk, Rejected, Unconfirmed
from rig_tui.domain.events import AskActSent, AskActSettled
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import (
    AskState,
    Evidence,
    EvidenceKind,
    Grant,
    LinkState,
    Option,
    Outcome,
    Reading,
    RunnerPermit,
    Sending,
    Sent,
)
from rig_tui.domain.reduce import reduce
from rig_tui.ui.arming import Arming
from rig_tui.ui.present.ask import fact_lines
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.link import link_banner
from rig_tui.ui.present.message import message_lines
from rig_tui.ui.present.outcome import outcome_lines
from rig_tui.ui.present.permit import cause_words, log_note, runner_permit_row
from rig_tui.ui.present.seat import badge, glyph_of
from rig_tui.ui.present.seat_detail import reading_line
from rig_tui.ui.present.tool_call import tool_call_lines
from tests.builders import (
    ALLOW,
    ALWAYS,
    NEVER,
    NOON,
    REJECT,
    a_fleet,
    a_seat,
    ago,
    an_ask,
    asking,
    ended,
    live_link,
)
from tests.present.oracle import plain

ELSEWHERE = {
    5: "test_trap_handing_to_an_agent_says_that_done_permits_whatever_it_writes",
    6: "test_trap_a_denied_row_is_a_no_and_a_canceled_one_cancels",
    9: "test_trap_a_second_person_without_a_default_is_held_up_with_the_safe_way_first",
    11: "test_leaving_restores_the_terminal_and_answers_nothing",
    27: "test_trap_another_host_never_gives_it_back_by_itself",
    30: "test_every_other_route_of_the_daemon_is_404_on_every_method",
}
"""Traps that need a running console or daemon."""
ASK = an_ask(options=(ALLOW, ALWAYS, REJECT))
ZERO = live_link().clock_offset


def here(*options: Option, **changes: object) -> Context:
    ask = an_ask(options=options) if options else ASK
    return replace(Context(a_fleet(asking(a_seat()), ask), ask, a_seat()), **changes)  # type: ignore[arg-type]


def test_trap_01_approve_is_not_choosing_allow() -> None:
    approve = ACTIONS["answer.approve"]
    assert approve.keys == ()
    assert isinstance(approve.plan(here()), Fill)
    assert approve.consequence(here()).startswith("PERMITS with ‘Allow’")


def test_trap_02_there_is_no_harmless_looking_dismiss() -> None:
    close = ACTIONS["answer.close"]
    assert close.consequence(here()).startswith("PERMITS")
    assert isinstance(close.plan(here()), Fill)
    for action in ACTIONS.values():
        assert not re.search(r"\b(dismiss|drop|ignore)\b", action.label)


def test_trap_03_typed_words_permit_and_are_never_sent_at_once() -> None:
    for text in ("no, use staging", "wait"):
        shown = replying.preview(ASK, text)
        assert shown.permits
        assert shown.step is Step.CHOOSE
        assert shown.needs_the_word


def test_trap_04_typed_words_go_on_to_the_agent_as_a_prompt() -> None:
    assert "later prompt" in replying.preview(ASK, "use staging").consequence


def test_trap_07_always_may_be_the_only_allow_and_is_given_by_a_yes_or_a_close() -> None:
    only = an_ask(options=(ALWAYS, REJECT))
    assert mapping.outcome(only.options, Act.YES).remembered
    assert replying.preview(only, "yes").step is Step.CONFIRM
    assert "remembered" in ACTIONS["answer.close"].consequence(here(ALWAYS, REJECT))
    assert isinstance(ACTIONS["answer.allow_always"].plan(here(ALWAYS, REJECT)), Confirm)


def test_trap_08_a_no_with_only_reject_always_is_remembered_and_confirmed() -> None:
    plan = ACTIONS["answer.deny"].plan(here(ALLOW, NEVER))
    assert isinstance(plan, Confirm)
    assert "remembered" in plan.consequence
    assert replying.preview(an_ask(options=(ALLOW, NEVER)), "no").step is Step.CONFIRM


def test_trap_10_options_that_cant_be_shown_are_permitted_and_the_log_says_so() -> None:
    assert not mapping.showable([ALLOW])
    assert not mapping.showable([ALLOW, ALWAYS, REJECT, NEVER, Option("u", "U", None)])
    assert "couldn't be shown" in cause_words("options_not_showable").plain


def test_trap_12_a_daemon_that_is_gone_permits_and_the_banner_says_so() -> None:
    banner = link_banner(live_link(state=LinkState.LOST), NOON)
    assert banner is not None
    assert "runners that ask now will permit" in banner.plain


def test_trap_13_revoking_a_grant_permits_what_waits() -> None:
    words = revoking(a_seat(grant=Grant("grant")), a_fleet(a_seat(), ASK))
    assert "PERMITS with ‘Allow’" in words
    assert "reads a revoked grant as a permit" in words


def test_trap_14_a_request_that_comes_again_in_another_turn_is_permitted() -> None:
    cause = RunnerPermit("1", ago(4), "impl@my-rig", "duplicate_request")
    assert "the runner will have permitted this" in runner_permit_row(cause, NOON, 120).plain


def test_trap_15_clearing_attention_is_no_answer() -> None:
    assert ACTIONS["seat.clear_attention"].consequence(here()).startswith("answers nothing")
    assert ACTIONS["seat.clear_attention"].family == "seat"


def test_trap_16_a_working_post_never_hides_a_pending_ask() -> None:
    fleet = a_fleet(a_seat(reading=Reading.WORKING), ASK)
    needing = next(group for group in select.board(fleet) if group.needs_person)
    assert select.AskKey(ASK.ask_id) in needing.rows


def test_trap_17_neither_the_pane_nor_a_message_answers() -> None:
    fleet = a_fleet(asking(a_seat(takes_messages=True)), ASK)
    draft = drafts.for_seat(a_seat(), "yes")
    why = drafts.why_not_send(fleet, draft)
    assert why
    assert "never an answer" in plain(message_lines(fleet, draft, why))


def test_trap_18_nothing_counts_down_to_anything() -> None:
    people = a_fleet().people
    facts = fact_lines(ASK, NOON, ZERO, operator="ana@external", people=people, width=100)
    text = plain(facts)
    assert "silence never permits" in text
    assert not re.search(r"expire|time ?out|remaining|left\b|\bin \d", text)


def test_trap_19_keys_typed_before_an_ask_was_seen_answer_nothing() -> None:
    seconds = 0.0
    arming = Arming(lambda: seconds)
    arming.show("ask")
    arming.painted("ask")
    arming.key()
    assert arming.why_not()
    seconds = 1.0
    arming.key()
    assert not arming.why_not()
    arming.show("another")
    assert arming.why_not()
    allow = ACTIONS["answer.allow_once"]
    assert allow.why_not(here(unarmed="not yet"))
    # What is sent names what was painted, whatever else has come.
    newer = a_fleet(asking(a_seat()), an_ask("newer", opened_at=ago(900)), ASK)
    plan = allow.plan(here(fleet=newer))
    assert plan == Send(AnswerAsk(ASK.ask_id, ASK.row_id, "allow"), "Allow (allow once)")


def test_trap_20_agent_text_can_not_draw_options_of_its_own() -> None:
    text = inert("\x1b[2J  a  Allow\u202e\r\n[bold]Y[/]").plain
    assert text == r"\x1b[2J  a  Allow\u202e\x0d\x0a[bold]Y[/]"


def test_trap_21_a_command_is_never_cut_before_its_dangerous_end() -> None:
    command = "echo fine; " * 2000 + "rm -rf ~"
    assert "rm -rf ~" in plain(tool_call_lines({"rawInput": {"command": command}}))


def test_trap_22_nothing_is_answered_before_the_daemon_says_so() -> None:
    fleet = reduce(a_fleet(ASK), (AskActSent(ASK.ask_id, Sent("k", "Allow", NOON)),))
    assert fleet.asks[ASK.ask_id].pending
    for verdict in (Rejected("x", "no"), Unconfirmed("no reply")):
        after = reduce(fleet, (AskActSettled(ASK.ask_id, "k", verdict),))
        assert after.asks[ASK.ask_id].pending
        assert after.sent[ASK.ask_id].state is not Sending.DONE


def test_trap_23_answered_is_not_picked_up() -> None:
    over = ended(ASK, outcome=Outcome(AskState.ANSWERED, "allow", "allow_once", False))
    text = plain(outcome_lines(over, NOON, ZERO, a_fleet().people, awaiting=True))
    assert "the runner hasn't read it yet" in text
    assert "not picked up yet" in text


def test_trap_24_the_permit_log_is_not_complete_and_says_so() -> None:
    assert "appear only in its pane" in plain([log_note()])


def test_trap_25_refusing_all_leaves_the_seat_needing_input() -> None:
    assert "needs input until its next prompt" in ACTIONS["people.refuse_all"].help


def test_trap_26_who_is_asked_next_changes_no_open_ask() -> None:
    for identifier in ("people.ask_person", "people.refuse_all"):
        assert "Open asks stay" in ACTIONS[identifier].help


def test_trap_28_unknown_is_never_idle_and_a_beat_is_no_progress() -> None:
    assert badge(Reading.UNKNOWN)[0] != badge(Reading.IDLE)[0]
    assert glyph_of(Reading.UNKNOWN) != glyph_of(Reading.IDLE)
    idle = a_seat(evidence=Evidence(EvidenceKind.STOP, ago(9), None), liveness_seconds=None)
    assert "may be out of date" in reading_line(idle, NOON, ZERO).plain
    beat = Evidence(EvidenceKind.BEAT, ago(1), ago(-9))
    alive = a_seat(reading=Reading.WORKING, evidence=beat)
    assert "alive, not progress" in reading_line(alive, NOON, ZERO).plain


def test_trap_29_a_turn_that_ended_is_no_task_done_and_a_request_no_cancel() -> None:
    assert "Requested isn't cancelled" in ACTIONS["seat.cancel_turn"].help
    assert "nothing is sent" in ACTIONS["seat.cancel_turn"].consequence(here())


def test_every_trap_has_its_test() -> None:
    names = {
        node.name
        for path in Path(__file__).parent.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    here = {int(found[1]) for name in names if (found := re.match(r"test_trap_(\d\d)_", name))}
    assert here | ELSEWHERE.keys() == set(range(1, 31))
    assert set(ELSEWHERE.values()) <= names
