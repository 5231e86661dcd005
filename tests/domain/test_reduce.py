"""What a batch of events makes of a fleet."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from rig_tui.domain.commands import Done, Rejected, Unconfirmed, Unsent
from rig_tui.domain.events import (
    AskActSent,
    AskActSettled,
    AskChanged,
    AskClosed,
    AskFetched,
    AskOpened,
    AttentionCleared,
    FleetRead,
    LinkDoubted,
    LinkLost,
    LinkMade,
    LinkRefused,
    LinkRemarked,
    LinkTried,
    PeopleRead,
    PermitRecorded,
    RigSeen,
    RunnerWillPermit,
    SeatRead,
)
from rig_tui.domain.linking import REMARKS_KEPT
from rig_tui.domain.model import (
    AskState,
    Fleet,
    LinkState,
    People,
    Reading,
    Rig,
    RunnerPermit,
    Sending,
    Sent,
)
from rig_tui.domain.reduce import PERMITS_KEPT, reduce
from tests.builders import (
    ALLOW,
    ANA,
    BEN,
    CAPABILITIES,
    NOON,
    REJECT,
    a_fleet,
    a_permit,
    a_seat,
    ago,
    an_ask,
    ended,
)


def read(fleet_version: int = 10, **parts: object) -> FleetRead:
    given = {
        "rigs": (Rig("rig-my-rig", "my-rig"),),
        "seats": (),
        "asks": (),
        "permits": (),
        "runner_permits": (),
        "people": People((ANA,), "ana"),
        "version": fleet_version,
    }
    return FleetRead(**{**given, **parts})  # type: ignore[arg-type]


def made(epoch: str = "e1") -> LinkMade:
    return LinkMade("127.0.0.1:1", NOON, "0.1.0", "0.7.9", epoch, CAPABILITIES, timedelta(0))


def test_a_newer_seat_replaces_the_held_one() -> None:
    seat = a_seat(version=3)
    fleet = reduce(a_fleet(seat), (SeatRead(replace(seat, reading=Reading.WORKING, version=4)),))
    assert fleet.seats[seat.seat_id].reading is Reading.WORKING


@pytest.mark.parametrize("version", [2, 3])
def test_a_seat_that_is_not_newer_changes_nothing(version: int) -> None:
    seat = a_seat(version=3)
    late = SeatRead(replace(seat, reading=Reading.WORKING, version=version))
    assert reduce(a_fleet(seat), (late,)).seats[seat.seat_id] is seat


def test_a_batch_shares_what_it_does_not_touch() -> None:
    seat, other = a_seat("qa"), a_seat("docs")
    ask = an_ask()
    before = a_fleet(seat, other, ask)
    after = reduce(before, (SeatRead(replace(seat, version=9)),))
    assert after.seats[other.seat_id] is other
    assert after.asks is before.asks
    assert reduce(before, ()) is before


def test_an_ended_ask_never_becomes_pending_again_by_a_late_event() -> None:
    ask = an_ask(version=5)
    over = ended(ask)
    fleet = reduce(a_fleet(ask), (AskClosed(over), AskOpened(ask), AskChanged(ask)))
    assert fleet.asks[ask.ask_id].outcome.state is AskState.ANSWERED


def test_content_fetched_whole_stays_whole_when_the_stream_cuts_it() -> None:
    cut = an_ask(elided=True, tool_call={"title": "cu"}, version=2)
    whole = replace(cut, elided=False, tool_call={"title": "cut and pasted"})
    fleet = reduce(a_fleet(cut), (AskFetched(whole),))
    assert fleet.asks[cut.ask_id].tool_call == {"title": "cut and pasted"}
    later = replace(cut, version=3)
    fleet = reduce(fleet, (AskChanged(later),))
    assert not fleet.asks[cut.ask_id].elided
    assert fleet.asks[cut.ask_id].tool_call == {"title": "cut and pasted"}
    assert fleet.asks[cut.ask_id].version == 3


def test_the_lists_replace_the_picture_but_not_newer_values() -> None:
    gone, kept, fresh = a_seat("gone"), a_seat("kept", version=3), a_seat("fresh", version=12)
    listed = (replace(kept, version=9), replace(fresh, version=8, reading=Reading.UNKNOWN))
    fleet = reduce(a_fleet(gone, kept, fresh), (read(10, seats=listed),))
    assert gone.seat_id not in fleet.seats
    assert fleet.seats[kept.seat_id].version == 9
    assert fleet.seats[fresh.seat_id] is fresh


def test_an_ask_missing_from_the_lists_is_gone_unless_it_is_newer() -> None:
    lost, new = an_ask("lost", version=4), an_ask("new", version=11)
    fleet = reduce(a_fleet(lost, new), (read(10),))
    assert set(fleet.asks) == {"new"}


def test_an_ended_ask_survives_a_list_that_no_longer_names_it() -> None:
    over = ended(an_ask(version=3))
    assert over.ask_id in reduce(a_fleet(over), (read(10),)).asks


def test_another_database_forgets_every_version_held() -> None:
    ask, seat = an_ask(version=900), a_seat(version=900)
    fleet = a_fleet(seat, ask, a_permit())
    listed = read(3, seats=(replace(seat, version=1),))
    fleet = reduce(fleet, (made("e2"), listed))
    assert fleet.asks == {}
    assert fleet.permits == ()
    assert fleet.seats[seat.seat_id].version == 1


def test_the_same_database_keeps_what_is_held() -> None:
    fleet = reduce(a_fleet(a_seat(), an_ask(version=900)), (made("e1"),))
    assert "qitem-1" in fleet.asks
    assert fleet.link.live


def test_permits_are_newest_first_once_each_and_bounded() -> None:
    fleet = Fleet()
    for number in (2, 1, 3, 2):
        fleet = reduce(fleet, (PermitRecorded(a_permit(number)),))
    assert [p.permit_id for p in fleet.permits] == ["permit-3", "permit-2", "permit-1"]
    many = tuple(PermitRecorded(a_permit(n)) for n in range(10, 10 + PERMITS_KEPT))
    fleet = reduce(fleet, many)
    assert len(fleet.permits) == PERMITS_KEPT
    assert fleet.permits[0].permit_id == f"permit-{9 + PERMITS_KEPT}"


def test_what_made_a_runner_permit_is_kept_newest_first() -> None:
    causes = [RunnerPermit(f"{n}", ago(n), "qa@my-rig", "duplicate_request") for n in (1, 2)]
    fleet = reduce(Fleet(), tuple(RunnerWillPermit(cause) for cause in causes))
    assert [c.sort_key for c in fleet.runner_permits] == ["2", "1"]


def test_an_act_is_on_its_way_until_its_verdict() -> None:
    ask = an_ask()
    sent = Sent("k1", "Allow (allow once)", NOON)
    fleet = reduce(a_fleet(ask), (AskActSent(ask.ask_id, sent),))
    assert fleet.sent[ask.ask_id].state is Sending.SENDING
    over = ended(ask)
    fleet = reduce(fleet, (AskActSettled(ask.ask_id, "k1", Done(over.outcome, 3, over)),))
    assert fleet.sent[ask.ask_id].state is Sending.DONE
    assert not fleet.asks[ask.ask_id].pending


@pytest.mark.parametrize(
    ("verdict", "state", "detail"),
    [
        (Rejected("not_applicable", "already answered by ben"), Sending.REJECTED, "by ben"),
        (Unsent("refused"), Sending.UNSENT, "refused"),
        (Unconfirmed("timed out"), Sending.UNCONFIRMED, "timed out"),
    ],
)
def test_a_verdict_is_told_apart_and_leaves_the_ask_pending(
    verdict: Rejected | Unsent | Unconfirmed, state: Sending, detail: str
) -> None:
    ask = an_ask()
    fleet = reduce(
        a_fleet(ask),
        (AskActSent(ask.ask_id, Sent("k1", "x", NOON)), AskActSettled(ask.ask_id, "k1", verdict)),
    )
    assert fleet.sent[ask.ask_id].state is state
    assert detail in fleet.sent[ask.ask_id].detail
    assert fleet.asks[ask.ask_id].pending


def test_a_refusal_that_brings_the_ask_shows_the_truth() -> None:
    ask = an_ask()
    verdict = Rejected("not_applicable", "already answered", ended(ask))
    fleet = reduce(a_fleet(ask), (AskActSettled(ask.ask_id, "k1", verdict),))
    assert not fleet.asks[ask.ask_id].pending


def test_a_verdict_on_another_act_leaves_the_receipt_alone() -> None:
    ask = an_ask()
    sent = Sent("k2", "x", NOON)
    fleet = reduce(
        a_fleet(ask, sent={ask.ask_id: sent}), (AskActSettled(ask.ask_id, "k1", Unsent("x")),)
    )
    assert fleet.sent[ask.ask_id] is sent


def test_the_link_says_why_it_is_down_and_since_when() -> None:
    fleet = reduce(Fleet(), (LinkTried("127.0.0.1:1", "--home"),))
    assert fleet.link.state is LinkState.CONNECTING
    fleet = reduce(fleet, (LinkLost("refused", ago(9), ago(8)),))
    assert (fleet.link.state, fleet.link.cause, fleet.link.since) == (
        LinkState.LOST,
        "refused",
        ago(9),
    )
    fleet = reduce(fleet, (LinkTried("127.0.0.1:1", "--home"),))
    assert fleet.link.state is LinkState.RETRYING
    fleet = reduce(fleet, (LinkLost("refused", ago(5), ago(1)),))
    assert (fleet.link.since, fleet.link.attempts) == (ago(9), 2)
    fleet = reduce(fleet, (made(),))
    assert (fleet.link.live, fleet.link.cause, fleet.link.attempts) == (True, "", 0)


def test_a_link_in_doubt_is_stale_since_it_was_last_known_until_it_is_made_anew() -> None:
    doubted = LinkDoubted("it was silent for 20 s", ago(20))
    stale = reduce(a_fleet(), (doubted,)).link
    assert (stale.state, stale.since, stale.live) == (LinkState.STALE, ago(20), False)
    trying = reduce(a_fleet(link=stale), (LinkTried("a", "b"),)).link
    assert trying.state is LinkState.STALE
    lost = reduce(a_fleet(link=stale), (LinkLost("gone", NOON, NOON),)).link
    assert (lost.state, lost.since) == (LinkState.LOST, ago(20))
    again = reduce(a_fleet(link=stale), (made(),)).link
    assert (again.live, again.since, again.cause) == (True, NOON, "")


def test_a_link_that_was_lost_is_retried_from_the_first_attempt_on() -> None:
    """Only before there was one is it connecting: meanwhile, runners permit."""
    lost = reduce(a_fleet(), (LinkLost("gone", NOON, NOON),))
    assert reduce(lost, (LinkTried("a", "b"),)).link.state is LinkState.RETRYING
    searching = (LinkTried("a", "rule 1"), LinkTried("b", "rule 2"))
    assert reduce(Fleet(), searching).link.state is LinkState.CONNECTING


def test_a_refusal_stays_a_refusal_while_it_is_tried_again() -> None:
    fleet = reduce(Fleet(), (LinkRefused("wrong token", ago(9), ago(1)), LinkTried("a", "b")))
    assert fleet.link.state is LinkState.REFUSED


def test_remarks_on_the_stream_are_kept_and_bounded() -> None:
    batch = tuple(LinkRemarked(f"remark {n}", NOON) for n in range(REMARKS_KEPT + 5))
    remarks = reduce(Fleet(), batch).link.remarks
    assert len(remarks) == REMARKS_KEPT
    assert remarks[-1] == f"remark {REMARKS_KEPT + 4}"


def test_a_rig_is_seen_once_and_kept_by_name() -> None:
    fleet = reduce(
        Fleet(), (RigSeen(Rig("2", "b"), 1), RigSeen(Rig("1", "a"), 2), RigSeen(Rig("2", "b"), 1))
    )
    assert [rig.name for rig in fleet.rigs] == ["a", "b"]


def test_people_change_who_answers_here_unless_the_settings_say() -> None:
    fleet = reduce(Fleet(), (PeopleRead(People((ANA,), "ana")),))
    assert fleet.operator == "ana@external"
    fleet = reduce(fleet, (PeopleRead(People((ANA, BEN), "ana")),))
    assert fleet.operator == "human@host"
    assert replace(fleet, acting_as="ben@external").operator == "ben@external"


def test_clearing_attention_alone_changes_no_reading() -> None:
    before = a_fleet(a_seat())
    event = AttentionCleared(a_seat().seat_id, "ana@external", "fine", NOON)
    assert reduce(before, (event,)) is before


def test_a_handed_on_ask_keeps_its_options() -> None:
    ask = an_ask(options=(ALLOW, REJECT))
    moved = replace(ask, row_id="qitem-2", version=3)
    fleet = reduce(a_fleet(ask), (AskChanged(moved),))
    assert fleet.asks[ask.ask_id].row_id == "qitem-2"
    assert fleet.asks[ask.ask_id].options == (ALLOW, REJECT)
