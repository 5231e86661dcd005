"""Hypothesis strategies for domain values as they cross the wire."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TypeVar

from hypothesis import strategies as st

from rig_tui.domain.launching import Declaration, LaunchReport, Model, PresetFile
from rig_tui.domain.messages import Message
from rig_tui.domain.model import (
    Ask,
    Asked,
    AskedMode,
    AskState,
    ClosedBy,
    Destination,
    Evidence,
    EvidenceKind,
    Grant,
    Holder,
    HolderType,
    Identity,
    JsonValue,
    Launch,
    Option,
    Origin,
    Outcome,
    Override,
    OverrideMode,
    People,
    Permit,
    Person,
    Reading,
    Rig,
    Row,
    RunnerPermit,
    Seat,
    SeatId,
)
from rig_tui.domain.timeline import SeatEvent

T = TypeVar("T")

words = st.text(max_size=12)
names = st.text(min_size=1, max_size=12)
counts = st.integers(min_value=0, max_value=2**40)
moments = st.datetimes(
    min_value=datetime(2000, 1, 1),
    max_value=datetime(2100, 1, 1),
    timezones=st.just(UTC),
)
json_values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)


def maybe(strategy: st.SearchStrategy[T]) -> st.SearchStrategy[T | None]:
    return st.none() | strategy


options = st.builds(Option, names, words, maybe(words))
holders = st.builds(Holder, st.sampled_from(HolderType), names, words)
rows = st.builds(Row, names, holders, words, maybe(words), maybe(words), maybe(moments))
outcomes = st.builds(
    Outcome,
    st.sampled_from(AskState),
    maybe(words),
    maybe(words),
    maybe(st.booleans()),
    maybe(words),
    maybe(words),
)
asks = st.builds(
    Ask,
    ask_id=names,
    row_id=names,
    seat_ref=names,
    session_name=names,
    generation=names,
    native_ref=maybe(words),
    turn_id=maybe(words),
    request_id=names,
    tool_call=json_values,
    options=st.lists(options, max_size=4).map(tuple),
    asked_because=words,
    holder=holders,
    opened_at=moments,
    occurred_at=maybe(moments),
    asked_reason=maybe(words),
    tool_call_bytes=st.integers(min_value=1, max_value=2**40),
    elided=st.booleans(),
    rows=st.lists(rows, max_size=3).map(tuple),
    outcome=outcomes,
    decided_by=maybe(words),
    decided_how=maybe(words),
    decided_at=maybe(moments),
    origin=maybe(st.builds(Origin, words, maybe(counts), maybe(words))),
    read_at=maybe(moments),
    withdrawn_at=maybe(moments),
    notices=st.lists(words, max_size=2).map(tuple),
    version=counts,
)
askeds = st.builds(Asked, st.sampled_from(AskedMode), maybe(words), words)
overrides = st.builds(
    Override,
    st.sampled_from(OverrideMode),
    maybe(words),
    maybe(words),
    maybe(words),
    maybe(moments),
)


several_words = st.lists(words, max_size=2).map(tuple)
reports = st.builds(LaunchReport, moments, maybe(words), maybe(words), words, st.booleans())
launches = st.builds(
    Launch,
    words,
    words,
    words,
    maybe(moments),
    words,
    st.lists(reports, max_size=2).map(tuple),
)
declarations = st.builds(
    Declaration,
    runner=st.booleans(),
    launch_result=st.booleans(),
    resume=st.booleans(),
    first_input=st.booleans(),
    passes_model=st.booleans(),
    names_conversation=st.booleans(),
    command=words,
    maintainer=words,
    limits=several_words,
)


@st.composite
def seats(draw: st.DrawFn) -> Seat:
    name = draw(names)
    return Seat(
        seat_id=SeatId(draw(names), name),
        rig_name=draw(words),
        name=name,
        session_name=draw(words),
        node_id=draw(words),
        runtime=draw(words),
        runner=draw(st.booleans()),
        session_status=draw(words),
        generation=draw(maybe(words)),
        reading=draw(st.sampled_from(Reading)),
        evidence=draw(
            st.builds(
                Evidence, st.sampled_from(EvidenceKind), maybe(moments), maybe(moments), words
            )
        ),
        liveness_seconds=draw(maybe(counts)),
        turn_id=draw(maybe(words)),
        exited=draw(st.booleans()),
        last_error=draw(maybe(words)),
        clock_skew_seconds=draw(maybe(st.floats(-1e9, 1e9))),
        launch=draw(maybe(launches)),
        launch_attention=draw(st.booleans()),
        identity=draw(maybe(st.builds(Identity, words, words))),
        preset=draw(maybe(words)),
        declaration=draw(maybe(declarations)),
        preset_file=draw(st.sampled_from(PresetFile)),
        model=draw(st.builds(Model, maybe(words), words)),
        warnings=tuple(draw(st.lists(words, max_size=2))),
        takes_messages=draw(st.booleans()),
        limits=tuple(draw(st.lists(words, max_size=2))),
        grant=draw(st.builds(Grant, words, maybe(moments))),
        override=draw(overrides),
        asked=draw(askeds),
        notices=tuple(draw(st.lists(words, max_size=2))),
        version=draw(counts),
    )


messages = st.builds(Message, names, words, words, moments)
rigs = st.builds(Rig, names, words)
permits = st.builds(
    Permit,
    permit_id=names,
    sort_key=names,
    at=moments,
    session_name=names,
    cause=words,
    tool_call=json_values,
    option_id=words,
    option_name=maybe(words),
    option_kind=maybe(words),
    remembered=maybe(st.booleans()),
    ask_id=maybe(words),
    native_ref=maybe(words),
    request_id=maybe(words),
    turn_id=maybe(words),
    generation=maybe(words),
    closed_by=maybe(st.builds(ClosedBy, words, words, words)),
    elided=st.booleans(),
)
runner_permits = st.builds(RunnerPermit, names, moments, maybe(words), words, words, words)
destinations = st.builds(
    Destination,
    st.sampled_from(HolderType),
    names,
    names,
    maybe(words),
    maybe(words),
)
seat_events = st.builds(
    SeatEvent, names, moments, words, words, maybe(words), maybe(words), maybe(words)
)
people = st.builds(
    People,
    st.lists(st.builds(Person, names, names), max_size=3).map(tuple),
    maybe(words),
    st.booleans(),
)
