"""Ended asks, what was probably remembered, and a seat's timeline, in words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.activity import Why
from rig_tui.domain.history import EndedAsk
from rig_tui.domain.ledger import Ledger, fold
from rig_tui.domain.model import (
    AskState,
    Cause,
    Holder,
    HolderType,
    Option,
    Origin,
    Outcome,
    People,
    Permit,
    Row,
)
from rig_tui.domain.timeline import SeatEvent, SeatEventKind
from rig_tui.ui.present.ended import ended_lines, ended_row
from rig_tui.ui.present.glyphs import ASCII
from rig_tui.ui.present.ledger import (
    counts_line,
    ledger_line,
    ledger_lines,
    ledger_note,
    ledger_row,
    stop_lines,
)
from rig_tui.ui.present.timeline import no_timeline, timeline_lines, timeline_row
from tests.builders import ALWAYS, ANA, NOON, REJECT, a_permit, a_seat, ago, an_ask, ended
from tests.domain.test_ledger import answered, unchosen
from tests.present.oracle import check_row, check_safe, hostile, plain, roles_of
from tests.rules import rule

PEOPLE = People((ANA,), "ana")
ZERO = ago(0) - ago(0)


def ended_row_of(ask: EndedAsk, width: int = 140) -> str:
    return ended_row(ask, NOON, width, PEOPLE).plain.rstrip()


def test_an_ended_ask_is_one_line_with_who_what_and_how() -> None:
    assert ended_row_of(EndedAsk("1", ended(an_ask()))) == (
        "11:59:59  answered   builder@my-rig  “Edit src/app.ts” → "
        "Allow (allow once) by Ana (chosen)"
    )
    always = answered(an_ask(options=(ALWAYS, REJECT)), "always", "allow_always")
    assert "Always allow (allow always) remembered by Ana" in ended_row_of(always)
    text = ended_row(always, NOON, 140, PEOPLE)
    assert roles_of(text, " remembered") == {"danger"}
    assert '"Edit src/app.ts" -> ' in ended_row(always, NOON, 140, PEOPLE, ASCII).plain


@pytest.mark.parametrize("state", [s for s in AskState if s is not AskState.PENDING])
def test_every_end_has_its_word(state: AskState) -> None:
    row = ended_row_of(EndedAsk("1", ended(an_ask(), state)))
    assert row.startswith(f"11:59:59  {state}")


def test_an_ended_ask_in_full_says_its_words_its_chain_and_its_origin() -> None:
    said = Outcome(AskState.PERMITTED, "allow", "allow_once", False, said="looks\nfine")
    rows = (
        Row("q1", Holder(HolderType.PERSON, "ana@external", "Ana"), "handed-off", "ana@external",
            "route", ago(60)),
        Row("q2", Holder(HolderType.SEAT, "qa@my-rig", "qa@my-rig"), "done", "qa@my-rig", "done",
            ago(5)),
    )  # fmt: skip
    ask = ended(an_ask(rows=rows, asked_reason="on call"), outcome=said, decided_how="words",
                origin=Origin("tui", 42, "/dev/pts/3"))  # fmt: skip
    text = plain(ended_lines(EndedAsk("1", ask), NOON, ZERO, PEOPLE))
    for words in (
        "permitted by default at 11:59:59 with Allow (allow once)",
        "typed words that were neither a yes nor a no",
        "looks\n",
        "sent from tui on /dev/pts/3, process 42",
        "asked         default person: on call",
        "held by       Ana, handed-off by Ana, routed at 11:59:00",
        "held by       qa@my-rig, done by qa@my-rig at 11:59:55",
        "conversation  7f3a9c21",
        "Edit src/app.ts   edit",
    ):
        assert words in text
    gaps = plain(ended_lines(EndedAsk("1", ended(an_ask(native_ref=None))), NOON, ZERO, PEOPLE))
    assert "conversation  not recorded" in gaps


def kept(*permits: Permit) -> Ledger:
    return fold(Ledger(), permits, [])


@rule("T7-20")
def test_remembered_permits_nobody_chose_are_counted_per_seat_loudly() -> None:
    ledger = kept(unchosen(1), unchosen(2), unchosen(3, session_name="qa@my-rig"))
    text = counts_line(ledger, NOON)
    assert text.plain == (
        "Nobody chose, remembered: impl@my-rig 2, qa@my-rig 1, of everything on record."
    )
    assert roles_of(text, " 2") == {"danger.strong"}
    assert counts_line(Ledger(), NOON).plain.startswith("Nothing was remembered that nobody chose")


@pytest.mark.parametrize("cause", Cause)
def test_each_cause_says_how_to_stop_it(cause: Cause) -> None:
    text = plain(stop_lines([cause, cause, "a later cause"]))
    assert text.count("to stop it") == 1
    assert "or set the seat to refuse every request" in text
    assert "only the agent's own harness can forget it" in text
    assert "to stop it    set the seat to refuse" in plain(stop_lines(["a later cause"]))


def test_an_entry_says_what_where_since_when_and_that_it_stays() -> None:
    chosen = answered(an_ask(options=(ALWAYS, REJECT)), "always", "allow_always")
    permit = unchosen(1, session_name="builder@my-rig", tool_call=an_ask().tool_call)
    (entry,) = fold(Ledger(), [permit], [chosen]).newest_first
    row = ledger_row(entry, NOON, 160, PEOPLE).plain
    assert "since 11:50:01  builder@my-rig  Always allow (allow always) “Edit src/app.ts”" in row
    text = plain(ledger_lines(entry, a_seat(preset="dsh"), NOON, PEOPLE))
    for words in (
        "Probably remembered",
        "what          Always allow (allow always)",
        "where         builder@my-rig, harness dsh, conversation 7f3a9c21",
        "since         11:50:01",
        "last given    11:59:59",
        "1× though nobody chose it: no registered person when it asked; 1× chosen by Ana",
        "Nothing here can take it back",
        "register a person",
    ):
        assert words in text
    assert "conversation not recorded" in plain(
        ledger_lines(kept(unchosen(1, native_ref=None)).newest_first[0], None, NOON, PEOPLE)
    )


def test_what_a_person_chose_needs_no_stopping() -> None:
    chosen = answered(an_ask(options=(ALWAYS, REJECT)), "always", "allow_always")
    (entry,) = fold(Ledger(), [], [chosen]).newest_first
    assert "to stop it" not in plain(ledger_lines(entry, None, NOON, PEOPLE))


def test_the_ledger_says_how_much_of_the_record_it_rests_on() -> None:
    whole = kept(unchosen(1))
    assert ledger_line(whole, NOON).plain == (
        "1 thing is probably remembered, of everything on record."
    )
    part = Ledger(whole.entries, 2000, ago(60), whole=False)
    assert ledger_line(part, NOON).plain == (
        "1 thing is probably remembered, of the newest 2000 that may be, back to 11:59:00."
    )
    assert ledger_line(Ledger(), NOON).plain.startswith("No things are probably remembered")


def test_no_word_of_the_ledger_offers_to_take_anything_back() -> None:
    entry = kept(unchosen(1)).newest_first[0]
    words = [
        plain([*ledger_lines(entry, a_seat(), NOON, PEOPLE), ledger_note(), *stop_lines([*Cause])]),
        ledger_row(entry, NOON, 160, PEOPLE).plain,
        counts_line(kept(unchosen(1)), NOON).plain,
    ]
    assert "revoke" not in "".join(words).lower()


def an_event(kind: str, what: str = "x", **changes: str | None) -> SeatEvent:
    return SeatEvent("1", ago(5), kind, what, **changes)


@pytest.mark.parametrize(
    ("event", "row"),
    [
        (an_event("post", "PreToolUse/edit"), "posted               PreToolUse/edit"),
        (an_event("refused", "active/liveness", reason="beat_outside_turn"),
         "not counted          active/liveness: a beat outside its turn"),
        (an_event("error", "RuntimeError/provider", reason="not_activity"),
         "error                RuntimeError/provider: recorded only"),
        (an_event("cleared", "permission", by="ana@external", reason="seen"),
         "attention cleared    permission by Ana: seen"),
        (an_event("override", "deny", by="ana@external", reason="frozen"),
         "who is asked         deny by Ana: frozen"),
        (an_event("launch", "resume"), "launch               resume"),
        (an_event("ask", "Edit a"), "asked                Edit a"),
        (an_event("handoff", "qa@my-rig", by="ana@external"),
         "handed over          qa@my-rig by Ana"),
        (an_event("ended", "answered", by="ana@external", reason="click"),
         "ask ended            answered by Ana: click"),
        (an_event("permit", "Allow", reason="no_registered_person"),
         "permitted by default Allow: nobody is registered"),
        (an_event("exit", "Stop/dsh_exited"), "agent exited         Stop/dsh_exited"),
        (an_event("stopped", ""), "stopped"),
        (an_event("a later kind", "y"), "a later kind         y"),
    ],
)  # fmt: skip
def test_each_entry_of_a_timeline_is_one_line(event: SeatEvent, row: str) -> None:
    drawn = timeline_row(event, NOON, 120, PEOPLE).plain.rstrip()
    assert drawn.startswith(f"11:59:55  {row}")


@rule("T4-06")
def test_an_error_is_in_the_timeline_and_changes_no_reading() -> None:
    event = an_event("error", "RuntimeError/provider", reason="not_activity")
    assert roles_of(timeline_row(event, NOON, 120, PEOPLE), "error") == {"danger"}
    text = plain(timeline_lines(event, NOON, PEOPLE))
    assert "what          RuntimeError/provider" in text
    assert "changes nothing of what the seat reads" in text


@pytest.mark.parametrize("why", Why)
def test_every_reason_a_post_didnt_count_has_words(why: Why) -> None:
    event = an_event("refused", "Stop/end_turn", reason=why)
    assert not timeline_row(event, NOON, 120, PEOPLE).plain.rstrip().endswith(f": {why}")


@pytest.mark.parametrize("kind", SeatEventKind)
def test_an_entry_in_full_has_every_field(kind: SeatEventKind) -> None:
    event = SeatEvent("1", ago(5), kind, "what it was", "ana@external", "because", "qitem-1")
    text = plain(timeline_lines(event, NOON, PEOPLE))
    for words in ("11:59:55", "what it was", "Ana", "because", "qitem-1"):
        assert words in text


def test_a_daemon_without_timelines_is_said_and_what_else_there_is() -> None:
    assert "keeps no timeline" in plain(no_timeline())


@rule("T7-02")
@given(hostile, hostile, hostile, st.integers(20, 160))
@settings(max_examples=60, deadline=None)
def test_hostile_records_are_inert_and_fit(a: str, b: str, c: str, width: int) -> None:
    option = Option(a, b, c)
    holder = Holder(HolderType.SEAT, a, b)
    ask = an_ask(ask_id=a, seat=b, options=(option,), native_ref=c, request_id=a, turn_id=b,
                 asked_because=c, asked_reason=a, tool_call={"title": b, "kind": c},
                 rows=(Row(a, holder, b, c, a, NOON),))  # fmt: skip
    over = EndedAsk(a, ended(ask, outcome=Outcome(AskState.ANSWERED, a, c, True, said=b),
                             decided_by=b, decided_how=c))  # fmt: skip
    check_row(ended_row(over, NOON, width, PEOPLE), width)
    check_safe(ended_lines(over, NOON, ZERO, PEOPLE))
    permit = a_permit(option_id=a, option_name=b, option_kind=c, remembered=True, session_name=a,
                      native_ref=b, cause=c, tool_call={"title": a})  # fmt: skip
    ledger = fold(Ledger(), [permit], [over])
    for entry in ledger.newest_first:
        check_row(ledger_row(entry, NOON, width, PEOPLE), width)
        check_safe(ledger_lines(entry, a_seat(runtime=a, preset=b), NOON, PEOPLE))
    check_safe(counts_line(ledger, NOON))
    check_safe(ledger_line(ledger, NOON))
    event = SeatEvent(a, NOON, b, c, a, b, c)
    check_row(timeline_row(event, NOON, width, PEOPLE), width)
    check_safe(timeline_lines(event, NOON, PEOPLE))
