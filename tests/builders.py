"""Domain values for tests: every field has a plain default, name only what matters."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from rig_tui.domain.model import (
    Ask,
    Asked,
    AskedBecause,
    AskedMode,
    AskState,
    Evidence,
    EvidenceKind,
    Fleet,
    Holder,
    HolderType,
    Link,
    LinkState,
    Option,
    Outcome,
    People,
    Permit,
    Person,
    Reading,
    Rig,
    Row,
    Seat,
    SeatId,
)

NOON = datetime(2026, 10, 29, 12, 0, tzinfo=UTC)
ANA = Person("ana", "Ana")
BEN = Person("ben", "Ben")
ALLOW = Option("allow", "Allow", "allow_once")
ALWAYS = Option("always", "Always allow", "allow_always")
REJECT = Option("reject", "Reject", "reject_once")
NEVER = Option("never", "Reject always", "reject_always")
CAPABILITIES = frozenset(
    {"asks", "answer", "reply", "close", "clear-attention", "people", "permits", "from-now"}
)


def ago(seconds: float) -> datetime:
    return NOON - timedelta(seconds=seconds)


def a_seat(name: str = "builder", rig: str = "my-rig", **changes: Any) -> Seat:
    seat = Seat(
        seat_id=SeatId(f"rig-{rig}", name),
        rig_name=rig,
        name=name,
        session_name=f"{name}@{rig}",
        node_id=f"node-{name}",
        runtime="dsh",
        generation="gen-1",
        reading=Reading.IDLE,
        evidence=Evidence(EvidenceKind.HEARTBEAT, ago(5), ago(-55)),
        liveness_seconds=30,
        asked=Asked(AskedMode.PERSON, "ana", AskedBecause.DEFAULT_PERSON),
        version=1,
    )
    return replace(seat, **changes)


def asking(seat: Seat, seconds: float = 10) -> Seat:
    """The seat as it reads while an ask of its waits."""
    evidence = Evidence(EvidenceKind.ASK, ago(seconds), None)
    return replace(seat, reading=Reading.NEEDS_INPUT, evidence=evidence, turn_id="7")


def an_ask(
    ask_id: str = "qitem-1", seat: str = "builder", rig: str = "my-rig", **changes: Any
) -> Ask:
    holder = Holder(HolderType.PERSON, "ana@external", "Ana")
    ask = Ask(
        ask_id=ask_id,
        row_id=ask_id,
        seat_ref=f"{seat}@{rig}",
        session_name=f"{seat}@{rig}",
        generation="gen-1",
        native_ref="7f3a9c21",
        turn_id="7",
        request_id="12",
        tool_call={"title": "Edit src/app.ts", "kind": "edit"},
        options=(ALLOW, ALWAYS, REJECT),
        asked_because=AskedBecause.DEFAULT_PERSON,
        holder=holder,
        opened_at=ago(134),
        rows=(Row(ask_id, holder, "pending"),),
        version=2,
    )
    return replace(ask, **changes)


def ended(ask: Ask, state: AskState = AskState.ANSWERED, **changes: Any) -> Ask:
    outcome = Outcome(state)
    if state in (AskState.ANSWERED, AskState.PERMITTED):
        outcome = Outcome(state, "allow", "allow_once", False)
    given: dict[str, Any] = {
        "outcome": outcome,
        "decided_by": "ana@external",
        "decided_how": "click",
        "decided_at": ago(1),
        "version": ask.version + 1,
    }
    return replace(ask, **{**given, **changes})


def a_permit(number: int = 1, **changes: Any) -> Permit:
    permit = Permit(
        permit_id=f"permit-{number}",
        sort_key=f"{number:06}",
        at=ago(600 - number),
        session_name="impl@my-rig",
        cause="no_registered_person",
        tool_call={"title": "Run tests", "kind": "execute"},
        option_id="allow",
        option_name="Allow",
        option_kind="allow_once",
        remembered=False,
        native_ref="7f3a9c21",
        request_id="3",
        turn_id="2",
        generation="gen-1",
    )
    return replace(permit, **changes)


def live_link(**changes: Any) -> Link:
    link = Link(
        state=LinkState.LIVE,
        address="127.0.0.1:41733",
        since=ago(3600),
        found_by="--home",
        version="0.1.0",
        contract="0.7.9",
        epoch="e1",
        capabilities=CAPABILITIES,
    )
    return replace(link, **changes)


def a_fleet(*parts: Seat | Ask | Permit, **changes: Any) -> Fleet:
    """A live fleet of these seats, asks and permits, with ana as the default person."""
    seats = [part for part in parts if isinstance(part, Seat)]
    rigs = {seat.seat_id.rig_id: Rig(seat.seat_id.rig_id, seat.rig_name) for seat in seats}
    fleet = Fleet(
        link=live_link(),
        rigs=tuple(rigs.values()),
        seats={seat.seat_id: seat for seat in seats},
        asks={part.ask_id: part for part in parts if isinstance(part, Ask)},
        permits=tuple(part for part in parts if isinstance(part, Permit)),
        people=People((ANA,), "ana"),
        acting_as="ana@external",
    )
    return replace(fleet, **changes)
