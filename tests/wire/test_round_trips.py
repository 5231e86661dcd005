"""What the daemon encodes is what a client decodes, through real bytes."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.events import (
    AskChanged,
    AskClosed,
    AskOpened,
    AttentionCleared,
    LinkRemarked,
    PeopleRead,
    PermitRecorded,
    RigSeen,
    RunnerWillPermit,
    SeatRead,
)
from rig_tui.domain.messages import Message, Receipt
from rig_tui.domain.model import (
    Ask,
    Asked,
    Destination,
    JsonObject,
    Outcome,
    People,
    Permit,
    Rig,
    RunnerPermit,
    Seat,
)
from rig_tui.wire import openrig, sse
from rig_tui.wire.json import dump_bytes
from rig_tui.wire.openrig.seats import seat_text
from tests.wire import strategies as our

if TYPE_CHECKING:
    from rig_tui.domain.timeline import SeatEvent

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
modest = settings(max_examples=50, deadline=None)


def heard(event: JsonObject | str, seq: int = 7) -> tuple[openrig.Signal, ...]:
    (frame,) = sse.Decoder().feed(openrig.encode_frame(event, epoch="e1", seq=seq))
    assert isinstance(frame, sse.Frame)
    assert frame.id == f"e1.{seq}"
    return openrig.parse_event(frame.data)


@modest
@given(our.seats())
def test_a_seat_survives_its_row(seat: Seat) -> None:
    assert openrig.decode_seats(dump_bytes([openrig.encode_seat(seat)])) == (seat,)


@modest
@given(our.seats(), our.seats())
def test_a_row_as_text_is_that_row_after_every_post(seat: Seat, later: Seat) -> None:
    heard_since = replace(
        seat, reading=later.reading, evidence=later.evidence, turn_id=later.turn_id, version=9
    )
    for each in (seat, heard_since, replace(seat, exited=not seat.exited), later):
        assert json.loads(seat_text(each)) == openrig.encode_seat(each)


@given(our.seats(), our.words, our.words)
def test_a_seat_survives_each_of_its_events(seat: Seat, by: str, reason: str) -> None:
    changed = openrig.seat_changed(seat, seq=7, at=NOW)
    appeared = openrig.seat_changed(seat, seq=7, at=NOW, appeared=True)
    cleared = openrig.attention_cleared(seat, seq=7, at=NOW, by=by, reason=reason)
    chosen = openrig.permissions_to_changed(seat, seq=7, at=NOW, by=by, reason=reason)
    rig = Rig(seat.seat_id.rig_id, seat.rig_name)
    assert heard(changed) == (SeatRead(seat),)
    assert heard(appeared) == (RigSeen(rig, seat.version), SeatRead(seat))
    assert heard(cleared) == (SeatRead(seat), AttentionCleared(seat.seat_id, by, reason, NOW))
    assert heard(chosen) == (SeatRead(seat),)


@modest
@given(our.asks)
def test_an_ask_survives_its_item_whole_and_listed(ask: Ask) -> None:
    assert openrig.decode_item(dump_bytes(openrig.encode_item(ask, whole=True))) == ask
    assert openrig.decode_items(dump_bytes([openrig.encode_item(ask)])) == (ask,)
    assert openrig.decode_recorded(dump_bytes(openrig.encode_recorded(ask))) == ask


@modest
@given(our.asks)
def test_an_ask_survives_each_of_its_events(ask: Ask) -> None:
    ended = (AskClosed(ask),)
    assert heard(openrig.queue_created(ask, seq=7, at=NOW)) == (
        (AskOpened(ask),) if ask.pending else ended
    )
    for event in (
        openrig.queue_updated(ask, seq=7, at=NOW, actor="ana@external"),
        openrig.queue_handed_off(ask, seq=7, at=NOW, from_session="a", to_session="b"),
        openrig.action_executed(ask, seq=7, at=NOW, action_id="1", verb="hold", actor="a"),
    ):
        assert heard(event) == ((AskChanged(ask),) if ask.pending else ended)


@modest
@given(our.outcomes)
def test_an_outcome_survives(outcome: Outcome) -> None:
    encoded = openrig.encode_outcome(outcome)
    assert None not in encoded.values()
    assert openrig.decode_outcome(dump_bytes(encoded)) == outcome


@modest
@given(our.permits)
def test_a_permit_survives_its_stream_item_and_its_event(permit: Permit) -> None:
    whole = [openrig.encode_permit(permit, whole=True)]
    assert openrig.decode_permits(dump_bytes(whole)) == (permit,)
    assert openrig.decode_permits(dump_bytes([openrig.encode_permit(permit)])) == (permit,)
    assert heard(openrig.stream_emitted(permit, seq=7, at=NOW)) == (PermitRecorded(permit),)


@modest
@given(our.runner_permits)
def test_a_runners_own_permit_survives(cause: RunnerPermit) -> None:
    encoded = openrig.encode_runner_permit(cause)
    assert openrig.decode_runner_permits(dump_bytes([encoded])) == (cause,)
    assert heard(openrig.runner_will_permit(cause, seq=7, at=NOW)) == (RunnerWillPermit(cause),)


@modest
@given(our.words, our.words)
def test_a_refused_post_survives_as_a_remark(code: str, detail: str) -> None:
    (remark,) = heard(openrig.post_refused(code, detail, seq=7, at=NOW))
    assert isinstance(remark, LinkRemarked)
    assert remark.at == NOW
    assert (detail or code) in remark.remark


@modest
@given(our.people)
def test_people_survive_their_list_and_their_events(people: People) -> None:
    assert openrig.decode_people(dump_bytes(openrig.encode_people(people))) == people
    read = (PeopleRead(replace(people, version=7)),)
    assert heard(openrig.default_changed(people, seq=7, at=NOW)) == read
    assert heard(openrig.human_changed(people, seq=7, at=NOW)) == read


@modest
@given(st.lists(our.destinations, max_size=3))
def test_destinations_survive(destinations: list[Destination]) -> None:
    body = dump_bytes(openrig.encode_destinations(destinations))
    assert openrig.decode_destinations(body) == tuple(destinations)


@modest
@given(st.lists(our.seat_events, max_size=3))
def test_a_timeline_survives(events: list[SeatEvent]) -> None:
    body = dump_bytes([openrig.encode_seat_event(event) for event in events])
    assert openrig.decode_seat_events(body) == tuple(events)


@modest
@given(st.lists(our.messages, max_size=3), our.words, our.words)
def test_messages_and_their_receipts_survive(
    messages: list[Message], message_id: str, status: str
) -> None:
    body = dump_bytes(openrig.encode_messages(messages))
    assert openrig.decode_messages(body) == tuple(messages)
    receipt = Receipt(message_id, status)
    assert openrig.decode_receipt(dump_bytes(openrig.encode_receipt(receipt))) == receipt


@modest
@given(st.lists(our.rigs, max_size=3), st.integers(0, 9))
def test_rigs_survive(rigs: list[Rig], nodes: int) -> None:
    encoded = [openrig.encode_rig(rig, node_count=nodes) for rig in rigs]
    assert openrig.decode_rigs(dump_bytes(encoded)) == tuple(rigs)


@modest
@given(our.askeds, our.askeds, our.asks, our.words)
def test_a_refusal_survives_with_what_it_carries(
    before: Asked, after: Asked, ask: Ask, message: str
) -> None:
    changes = (("qa@rig", before, after),)
    body = openrig.encode_error(
        "would_permit",
        message or "no",
        ask=ask,
        reason="moved",
        changes=[*openrig.encode_changes(changes)],
    )
    refusal = openrig.decode_error(409, dump_bytes(body))
    assert refusal == openrig.Refusal(
        "would_permit", message or "no", "moved", ask, ask.outcome, changes
    )


@modest
@given(
    st.builds(
        openrig.Health,
        our.words,
        our.words,
        our.words,
        our.maybe(our.moments),
        st.frozensets(our.words, max_size=3),
        our.words,
        our.maybe(our.names),
        st.integers(min_value=4, max_value=9),
    )
)
def test_health_survives(health: openrig.Health) -> None:
    assert openrig.decode_health(dump_bytes(openrig.encode_health(health))) == health


@modest
@given(our.counts, our.words, st.booleans(), our.maybe(our.moments))
def test_the_streams_own_events_survive(
    seq: int, epoch: str, reset: bool, now: datetime | None
) -> None:
    opened = openrig.StreamOpened(seq, epoch, reset, now)
    assert heard(openrig.stream_opened(opened)) == (opened,)
    assert heard(openrig.stream_resync(seq, at=NOW)) == (openrig.Resync(seq),)
