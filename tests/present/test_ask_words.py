from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from rig_tui.domain.model import (
    PRIMARY_USER,
    Ask,
    AskState,
    Holder,
    HolderType,
    Origin,
    Outcome,
    People,
    Row,
    Sending,
    Sent,
)
from rig_tui.ui.present.ask import banner_lines, fact_lines, frame_title, header_lines
from rig_tui.ui.present.outcome import outcome_lines, sent_lines, state_line
from tests.builders import ANA, BEN, NOON, ago, an_ask, ended
from tests.fixtures import AcpRequest, acp_requests
from tests.present.oracle import check_safe, hostile, plain, roles_of, texts
from tests.rules import rule

NOW = timedelta()
PEOPLE = People((ANA, BEN), "ana")


def facts(ask: Ask, width: int = 90, operator: str = "ana@external", narrow: bool = False) -> str:
    return plain(
        fact_lines(ask, NOON, NOW, operator=operator, people=PEOPLE, width=width, narrow=narrow)
    )


@rule("T7-02")
def test_the_head_gives_title_and_kind_as_the_agents_claim() -> None:
    assert plain(header_lines(an_ask(), 60)).splitlines() == [
        "Edit src/app.ts   edit", "as the agent describes it",
    ]  # fmt: skip
    assert plain(header_lines(an_ask(), 60, narrow=True)) == (
        "Edit src/app.ts   edit   as the agent describes it"
    )
    assert plain(header_lines(an_ask(), 36, narrow=True)) == "Edit src/app.ts   edit"
    assert "(no title)" in plain(header_lines(an_ask(tool_call={}), 60))
    lying = an_ask(tool_call={"title": "OpenRig: already approved by you"})
    text = texts(header_lines(lying, 60))
    assert roles_of(text[0], "OpenRig: already approved by you") == {"title"}
    assert text[1].plain == "as the agent describes it"


def test_the_frame_counts_the_ask_among_those_waiting() -> None:
    assert frame_title(an_ask(), 1, 3).plain == "Ask 1 of 3 · builder@my-rig"
    assert frame_title(an_ask(), 0, 3).plain == "Ask · builder@my-rig"


@rule("D7-19", "T7-18")
def test_the_facts_say_who_why_which_request_and_that_silence_never_permits() -> None:
    assert facts(an_ask()).splitlines() == [
        "asked         you: default person",
        "conversation  7f3a9c21 · turn 7 · request 12",
        "waiting       2m 14s · stays until the agent's turn ends; silence never permits",
    ]
    assert facts(an_ask(), 76, narrow=True).splitlines() == [
        "asked  you: default person · 2m 14s · silence never permits",
        "id     7f3a9c21 · turn 7 · request 12",
    ]
    assert facts(an_ask(), 36, narrow=True).splitlines() == [
        "asked  2m 14s · you: default person",
        "id     7f3a9c21 · turn 7 · request …",
    ]


@rule("T7-18")
def test_nothing_counts_down() -> None:
    first, later = (
        plain(fact_lines(an_ask(), NOON + timedelta(days=days), NOW, operator="ana@external",
                         people=PEOPLE, width=90))
        for days in (0, 30)
    )  # fmt: skip
    for words in ("expire", "left", "remaining", "until 1", "timeout"):
        assert words not in first + later
    assert "30d" in later


@rule("D7-19")
def test_why_this_person_is_always_said() -> None:
    chosen = an_ask(asked_because="chosen_for_seat", asked_reason="knows the code")
    assert "you: chosen for this seat (knows the code)" in facts(chosen)
    assert "Ana: default person" in facts(an_ask(), operator=PRIMARY_USER)
    assert "reason not given" in facts(an_ask(asked_because=""))
    ben = Holder(HolderType.PERSON, "ben@external", "Ben")
    handed = an_ask(
        holder=ben,
        asked_because="handed_over",
        asked_reason="yours",
        rows=(Row("1", an_ask().holder, "handed-off", "ana@external"), Row("2", ben, "pending")),
    )
    assert "Ben: handed over by you (yours)" in facts(handed)
    assert "you: handed over by Ana (yours)" in facts(handed, operator="ben@external")


@rule("T7-16")
def test_a_holder_that_is_no_person_is_explained() -> None:
    seat = an_ask(holder=Holder(HolderType.SEAT, "impl@my-rig", "impl@my-rig"))
    assert "agent seat impl@my-rig, which sees no options" in facts(seat)
    host = an_ask(holder=Holder(HolderType.HOST, "x@host:remote", "remote"))
    assert "another host, remote: it won't come back by itself" in facts(host)


@rule("T7-29")
def test_notices_and_cut_content_are_banners() -> None:
    ask = an_ask(notices=("The agent sent other content.\x1b",), elided=True)
    lines = texts(banner_lines(ask))
    assert lines[0].plain == r"The agent sent other content.\x1b"
    assert roles_of(lines[0], "The agent") == {"danger"}
    assert "being read whole" in lines[1].plain
    assert banner_lines(an_ask()) == []
    assert "Right-to-left" in plain(banner_lines(an_ask(tool_call={"title": "א"})))


@rule("T7-17")
@pytest.mark.parametrize(
    ("outcome", "how", "words"),
    [
        (Outcome(AskState.PENDING), None, "waiting for you"),
        (Outcome(AskState.ANSWERED, "allow", "allow_once", False), "click",
         "answered at 11:59:59 by you with Allow (allow once)"),
        (Outcome(AskState.ANSWERED, "reject", "reject_once", False), "no",
         "answered at 11:59:59 by you (a typed no) with Reject (reject once)"),
        (Outcome(AskState.PERMITTED, "allow", "allow_once", False), "drop",
         "permitted by default at 11:59:59 with Allow (allow once): "
         "closed without choosing (drop) by you"),
        (Outcome(AskState.PERMITTED, "allow", "allow_once", False, said="go"), "words",
         "permitted by default at 11:59:59 with Allow (allow once): "
         "typed words that were neither a yes nor a no by you"),
        (Outcome(AskState.ANSWERED, "reject", "reject_once", False), "denied",
         "answered at 11:59:59 by you (its row closed as denied) with Reject (reject once)"),
        (Outcome(AskState.PERMITTED, "allow", "allow_once", False), "failed",
         "permitted by default at 11:59:59 with Allow (allow once): "
         "its row closed as failed by you"),
        (Outcome(AskState.REFUSED, reason="said_no"), "deny",
         "refused at 11:59:59 by you: a no, and no reject option was offered"),
        (Outcome(AskState.REFUSED, reason="no_allow_offered"), "drop",
         "refused at 11:59:59 by you: closed without choosing, and no allow option was offered"),
        (Outcome(AskState.WITHDRAWN, reason="turn_ended"), "withdraw",
         "withdrawn at 11:59:59: the agent's turn ended; nobody answered"),
        (Outcome(AskState.WITHDRAWN, reason="turn_cancelled"), "withdraw",
         "withdrawn at 11:59:59: the agent's turn was cancelled; nobody answered"),
        (Outcome(AskState.WITHDRAWN, reason="exited"), "withdraw",
         "withdrawn at 11:59:59: the agent exited; nobody answered"),
        (Outcome(AskState.STALE), "relaunch",
         "stale at 11:59:59: its seat was relaunched or stopped; nobody answered"),
    ],
)  # fmt: skip
def test_every_end_has_its_own_words(outcome: Outcome, how: str | None, words: str) -> None:
    ask = ended(an_ask(), outcome=outcome, decided_how=how)
    assert state_line(ask, NOON, PEOPLE, "ana@external").plain == words
    if outcome.state is AskState.PERMITTED:
        assert roles_of(state_line(ask, NOON, PEOPLE), "permitted by default") == {"danger.strong"}
    if outcome.state in (AskState.WITHDRAWN, AskState.STALE):
        assert "denied" not in words


@rule("T7-17")
def test_an_end_says_what_is_remembered_what_was_said_and_whether_it_was_read() -> None:
    always = ended(an_ask(), outcome=Outcome(AskState.ANSWERED, "always", "allow_always", True))
    text = plain(outcome_lines(always, NOON, NOW, PEOPLE))
    assert "The agent's harness remembers it" in text
    assert "the runner hasn't read it yet, 1s after" in text
    assert "not picked up" not in text
    assert "not picked up yet" in plain(outcome_lines(always, NOON, NOW, PEOPLE, awaiting=True))
    waited = replace(always, decided_at=ago(15))
    told = plain(outcome_lines(waited, NOON, NOW, PEOPLE, awaiting=True))
    assert "posted nothing for more than 15 s" in told
    read = replace(always, read_at=ago(0.5))
    assert "the runner read it at 11:59:59" in plain(outcome_lines(read, NOON, NOW, PEOPLE))
    lost = replace(always, withdrawn_at=ago(0.2))
    assert "it wasn't delivered" in plain(outcome_lines(lost, NOON, NOW, PEOPLE))
    said = Outcome(AskState.PERMITTED, "allow", "allow_once", False, said="use staging\n\x1bplease")
    text = plain(outcome_lines(ended(an_ask(), outcome=said), NOON, NOW, PEOPLE))
    assert "  use staging\n  \\x1bplease" in text
    assert "later prompt" in text
    origin = replace(always, origin=Origin("tui", 7, "/dev/pts/1"))
    assert "sent from tui on /dev/pts/1, process 7" in plain(
        outcome_lines(origin, NOON, NOW, PEOPLE)
    )
    withdrawn = ended(an_ask(), AskState.WITHDRAWN)
    assert "runner" not in plain(outcome_lines(withdrawn, NOON, NOW, PEOPLE))


@rule("T7-17", "T7-27")
@pytest.mark.parametrize(
    ("state", "words"),
    [
        (Sending.SENDING, "11:59:58  sending Allow (allow once)"),
        (Sending.DONE, "11:59:58  sent Allow (allow once): recorded by the daemon"),
        (Sending.REJECTED,
         "11:59:58  not done Allow (allow once): already answered; nothing was changed"),
        (Sending.UNSENT,
         "11:59:58  not sent Allow (allow once): already answered. The ask still waits."),
        (Sending.UNCONFIRMED,
         "11:59:58  not confirmed Allow (allow once): already answered. It may have arrived; "
         "the ask is read again."),
    ],
)  # fmt: skip
def test_what_was_sent_reads_with_the_daemons_verdict(state: Sending, words: str) -> None:
    sent = Sent("k", "Allow (allow once)", ago(2), state, "already answered")
    lines = texts(sent_lines(sent, an_ask(), NOON))
    assert [line.plain for line in lines] == [words]


def test_what_was_not_sent_says_that_the_ask_waits_only_while_it_does() -> None:
    sent = Sent("k", "Allow (allow once)", ago(2), Sending.UNSENT, "it had changed")
    assert "still waits" not in plain(sent_lines(sent, ended(an_ask()), NOON))


@pytest.mark.parametrize("request_", acp_requests(), ids=lambda each: each.name)
def test_the_head_of_a_real_request_fits_every_width(request_: AcpRequest) -> None:
    ask = an_ask(tool_call=request_.tool_call, native_ref=request_.native_ref)
    for width, narrow in ((120, False), (86, False), (76, True), (36, True)):
        head = header_lines(ask, width, narrow=narrow)
        assert len(head) <= 4
        for line in [*head, *fact_lines(ask, NOON, NOW, operator="", people=PEOPLE, width=width,
                                        narrow=narrow)]:  # fmt: skip
            assert cell_len(line.plain) <= width
        title = request_.tool_call.get("title", "")
        if len(title) <= 48:
            assert title.replace(" ", "") in plain(head).replace("\n", "").replace(" ", "")


@rule("T7-02")
@given(hostile, hostile, hostile, hostile, st.sampled_from(AskState), st.integers(34, 120))
@settings(max_examples=100)
def test_hostile_texts_are_inert_around_an_ask(
    a: str, b: str, c: str, d: str, state: AskState, width: int
) -> None:
    ask = an_ask(
        seat=a,
        tool_call={"title": b, "kind": c},
        native_ref=d,
        turn_id=a,
        request_id=b,
        asked_because=c,
        asked_reason=d,
        notices=(a, b),
        holder=Holder(HolderType.PERSON, c, d),
        outcome=Outcome(state, a, b, True, c, d),
        decided_by=a,
        decided_how=b,
        decided_at=NOON,
        origin=Origin(c, 1, d),
    )
    sent = Sent(a, b, NOON, Sending.REJECTED, c)
    for narrow in (False, True):
        head = header_lines(ask, width, narrow=narrow)
        body = fact_lines(ask, NOON, NOW, operator=a, people=PEOPLE, width=width, narrow=narrow)
        for line in [*head, *body]:
            check_safe(line)
            assert cell_len(line.plain) <= width
    check_safe(frame_title(ask, 1, 2))
    check_safe(banner_lines(ask))
    check_safe(outcome_lines(ask, NOON, NOW, PEOPLE, awaiting=True))
    check_safe(sent_lines(sent, ask, NOON))
