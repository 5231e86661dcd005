"""Words kept and not sent: when they may go, to whom, and when they are no draft any more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rig_tui.domain import drafts
from rig_tui.domain.commands import (
    DenyAsk,
    Done,
    Rejected,
    ReplyAsk,
    SendMessage,
    Unconfirmed,
    Unsent,
    Verdict,
)
from rig_tui.domain.drafts import ForAsk, ForOccupant
from rig_tui.domain.events import (
    DraftDropped,
    DraftKept,
    FleetRead,
    LinkMade,
    MessageSent,
    MessageSettled,
)
from rig_tui.domain.model import Fleet, LinkState, Reading, Seat, Sending, Sent
from rig_tui.domain.reduce import reduce
from rig_tui.domain.sending import unclear
from tests.builders import NOON, a_fleet, a_seat, an_ask, asking, ended, live_link
from tests.fakes import as_read
from tests.rules import rule

ASK = an_ask()
SENT = Sent("k1", "message to builder@my-rig", NOON)
CAN_SEND = live_link(capabilities=live_link().capabilities | {"send"})


def taker(**changes: Any) -> Seat:
    return a_seat(takes_messages=True, **changes)


def explained(seat: Seat | None = None, **changes: Any) -> Fleet:
    """A fleet whose ask was rejected, with the explanation kept."""
    fleet = a_fleet(seat or taker(), ended(ASK), link=CAN_SEND)
    kept = drafts.for_ask(ASK, "use staging", after_turn=True)
    return replace(reduce(fleet, (DraftKept(kept),)), **changes)


def test_words_are_kept_and_blank_ones_are_none() -> None:
    fleet = reduce(a_fleet(ASK), (DraftKept(drafts.for_ask(ASK, "use staging")),))
    assert drafts.kept_for(fleet, ASK) == drafts.for_ask(ASK, "use staging")
    assert drafts.unsent(fleet) == 1
    blank = reduce(fleet, (DraftKept(drafts.for_ask(ASK, " \n")),))
    assert not blank.drafts


def test_dropping_words_keeps_those_typed_since() -> None:
    fleet = reduce(a_fleet(ASK), (DraftKept(drafts.for_ask(ASK, "use staging")),))
    key = ForAsk(ASK.ask_id)
    assert reduce(fleet, (DraftDropped(key, "use stag"),)).drafts == fleet.drafts
    assert not reduce(fleet, (DraftDropped(key, "use staging"),)).drafts
    assert reduce(a_fleet(), (DraftDropped(key, "x"),)).drafts == {}


def test_drafts_outlive_lists_that_are_read_anew_and_another_database() -> None:
    fleet = explained()
    made, read = as_read(a_fleet(taker()))
    assert isinstance(made, LinkMade)
    assert isinstance(read, FleetRead)
    for batch in [(made, read), (replace(made, epoch="other"), read)]:
        assert reduce(fleet, batch).drafts == fleet.drafts


@rule("T7-13")
def test_words_are_offered_once_the_turn_of_the_same_agent_has_ended() -> None:
    [offer] = drafts.offered(explained())
    assert offer.text == "use staging"


@rule("T7-13")
@pytest.mark.parametrize(
    ("seat", "why"),
    [
        (taker(reading=Reading.WORKING), "hasn't ended yet"),
        (taker(reading=Reading.UNKNOWN), "hasn't ended yet"),
        (asking(taker()), "a message is never an answer"),
        (taker(generation="gen-2"), "relaunched or stopped"),
        (taker(generation=None), "relaunched or stopped"),
        (taker(exited=True), "has exited"),
        (a_seat(), "takes no messages"),
        (a_seat("other"), "isn't known any more"),
    ],
)
def test_words_are_not_offered_while_they_could_not_go_out(seat: Seat, why: str) -> None:
    fleet = explained(seat)
    assert drafts.offered(fleet) == []
    [draft] = fleet.drafts.values()
    assert why in (drafts.why_not_send(fleet, draft) or "")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"link": live_link()}, "sends no messages"),
        ({"link": replace(CAN_SEND, state=LinkState.LOST)}, "can't be reached"),
    ],
)
def test_words_stay_where_the_daemon_sends_none(changes: dict[str, Any], why: str) -> None:
    fleet = explained(**changes)
    assert drafts.offered(fleet) == []
    [draft] = fleet.drafts.values()
    assert why in (drafts.why_not_send(fleet, draft) or "")


@rule("T7-19")
def test_nothing_goes_to_a_seat_with_a_request_waiting_whatever_it_reads() -> None:
    other = an_ask("other", version=5)
    fleet = explained()
    waiting = replace(fleet, asks={**fleet.asks, other.ask_id: other})
    [draft] = waiting.drafts.values()
    assert "never an answer" in (drafts.why_not_send(waiting, draft) or "")


def test_words_that_explain_nothing_are_kept_and_not_offered() -> None:
    fleet = reduce(explained(), (DraftKept(drafts.for_ask(ASK, "use staging")),))
    assert drafts.offered(fleet) == []


def test_a_message_starts_with_what_is_kept_for_the_same_occupant() -> None:
    fleet = explained()
    assert drafts.message_to(fleet, taker()).text == "use staging"
    fresh = drafts.message_to(fleet, taker(generation="gen-2"))
    assert (fresh.text, fresh.key) == ("", ForOccupant("builder@my-rig", "gen-2"))
    kept = reduce(fleet, (DraftKept(replace(fresh, text="hello")),))
    assert drafts.message_to(kept, taker(generation="gen-2")).text == "hello"


@pytest.mark.parametrize(
    ("verdict", "state"),
    [
        (Rejected("target_needs_input", "it waits"), Sending.REJECTED),
        (Unsent("refused"), Sending.UNSENT),
        (Unconfirmed("no reply"), Sending.UNCONFIRMED),
    ],
)
def test_a_message_that_did_not_arrive_is_still_a_draft(verdict: Verdict, state: Sending) -> None:
    [key] = explained().drafts
    sent = reduce(explained(), (MessageSent(key, SENT),))
    assert sent.drafts[key].sending
    assert drafts.why_not_send(sent, sent.drafts[key]) == "it is on its way"
    typed = reduce(sent, (DraftKept(replace(sent.drafts[key], text="other", sent=None)),))
    assert typed.drafts == sent.drafts
    settled = reduce(sent, (MessageSettled(key, "k1", verdict),))
    held = settled.drafts[key]
    assert held.sent is not None
    assert (held.text, held.sent.state) == ("use staging", state)


def test_a_message_that_was_taken_is_no_draft_any_more() -> None:
    [key] = explained().drafts
    sent = reduce(explained(), (MessageSent(key, SENT),))
    assert reduce(sent, (MessageSettled(key, "another", Done()),)).drafts == sent.drafts
    assert not reduce(sent, (MessageSettled(key, "k1", Done()),)).drafts


def test_a_message_s_words_are_found_by_the_occupant_they_are_for() -> None:
    [key] = explained().drafts
    command = SendMessage("builder@my-rig", "use staging")
    assert drafts.holding(explained(), command) == key
    assert drafts.holding(explained(), replace(command, text="other")) is None
    assert drafts.holding(explained(taker(generation="gen-2")), command) is None
    assert drafts.holding(explained(), replace(command, session_name="nobody")) is None


def test_a_recorded_reply_drops_its_words_and_a_failed_reject_keeps_them_as_a_draft() -> None:
    reply = ReplyAsk(ASK.ask_id, ASK.row_id, "yes", "yes")
    assert drafts.after(explained(), reply, Done()) == (DraftDropped(ForAsk(ASK.ask_id), "yes"),)
    assert drafts.after(explained(), reply, Unconfirmed("?")) == ()
    deny = DenyAsk(ASK.ask_id, ASK.row_id)
    ordinary = (DraftKept(drafts.for_ask(ASK, "use staging")),)
    assert drafts.after(explained(), deny, Rejected("answered", "late")) == ordinary
    assert drafts.after(explained(), deny, Unsent("gone")) == ordinary
    assert drafts.after(explained(), deny, Done()) == ()
    assert drafts.after(explained(), deny, Unconfirmed("?")) == ()
    assert drafts.after(a_fleet(ASK), deny, Unsent("gone")) == ()


@pytest.mark.parametrize(
    ("verdict", "again"),
    [
        (Unconfirmed("no reply"), True),
        (Rejected("reply_class_changed", "it counts as words"), True),
        (Rejected("answered", "ben was first"), False),
        (Unsent("refused"), False),
        (Done(), False),
    ],
)
def test_an_ask_is_read_again_when_what_it_is_has_become_unclear(
    verdict: Verdict, again: bool
) -> None:
    assert unclear(verdict) is again
