"""What is stored comes back as it was, also from an older or a newer build."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import records
from rig_tui.daemon.seat_state import LaunchWatch, SeatRecord
from rig_tui.domain.model import (
    Ask,
    ClosedBy,
    Holder,
    HolderType,
    Identity,
    Launch,
    Option,
    Origin,
    Permit,
    Row,
    Seat,
    SeatId,
)
from tests.daemon.harness import START
from tests.rules import rule

if TYPE_CHECKING:
    from tests.daemon.harness import Daemon

PERSON = Holder(HolderType.PERSON, "ana@external", "Ana")
ASK = Ask(
    ask_id="q",
    row_id="q",
    seat_ref="builder@my-rig",
    session_name="builder@my-rig",
    generation="g",
    native_ref=None,
    turn_id="7",
    request_id="\ud800\u202e\x00",
    tool_call={"a": [1, 2.5, None, True, {"b": "\udfff"}]},
    options=(Option("a", "Allow", "allow_once"), Option("x", "", None)),
    asked_because="default_person",
    holder=PERSON,
    opened_at=START + timedelta(microseconds=1),
    rows=(Row("q", PERSON, "pending"),),
    origin=Origin("tui", 1, None),
)
PERMIT = Permit("p", "01", START, "s", "c", [1], "a", closed_by=ClosedBy("x", "q", "drop"))
SEAT = SeatRecord(
    Seat(
        SeatId("r", "builder"),
        "my-rig",
        "builder",
        "builder@my-rig",
        launch=Launch("a", "new", "pending", START),
        identity=Identity("n", "p"),
        limits=("one", "two"),
    ),
    watch=LaunchWatch("/x", deadline=START),
)


@pytest.mark.parametrize("value", [ASK, PERMIT, SEAT])
def test_what_is_stored_comes_back(value: Any) -> None:
    text = records.dumps(value)
    assert text.isascii()
    assert records.loads(type(value), text) == value


def test_an_active_seat_comes_back(daemon: Daemon) -> None:
    daemon.person()
    runner = daemon.runner(preset="dsh")
    runner.prompt(occurredAt="2026-11-30T12:00:30Z")
    runner.post("active", "liveness", turnId="7", occurredAt="2026-11-30T12:00:31Z")
    record = daemon.core.seats[runner.session_name]
    assert record.activity.beat is not None
    assert records.loads(SeatRecord, records.dumps(record)) == record


def test_a_newer_builds_fields_are_ignored() -> None:
    document = json.loads(records.dumps(PERMIT)) | {"colour": "red"}
    assert records.loads(Permit, json.dumps(document)) == PERMIT


@rule("D7-53")
def test_an_older_record_may_lack_what_was_added_since() -> None:
    document = json.loads(records.dumps(PERMIT))
    for name in ("option_name", "option_kind", "remembered", "closed_by"):
        document.pop(name)
    assert records.loads(Permit, json.dumps(document)) == replace(PERMIT, closed_by=None)
