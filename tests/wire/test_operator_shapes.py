"""The operator-facing shapes: OpenRig's keys, and what older daemons send."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.domain.launching import Model, PresetFile
from rig_tui.domain.model import (
    Ask,
    Asked,
    AskedMode,
    AskState,
    ClosedBy,
    Evidence,
    EvidenceKind,
    Holder,
    HolderType,
    Identity,
    Launch,
    Option,
    Outcome,
    People,
    Permit,
    Person,
    Reading,
    Row,
    Seat,
    SeatId,
)
from rig_tui.wire import openrig
from rig_tui.wire.errors import UnreadableError
from rig_tui.wire.json import dump_bytes
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ANA = Holder(HolderType.PERSON, "ana@external", "Ana")
ASK = Ask(
    ask_id="qitem-1",
    row_id="qitem-1",
    seat_ref="dev@rig",
    session_name="dev@rig",
    generation="g1",
    native_ref="c1",
    turn_id="7",
    request_id="12",
    tool_call={"title": "Edit src/app.ts"},
    options=(Option("allow", "Allow", "allow_once"), Option("no", "Reject", "reject_once")),
    asked_because="default_person",
    holder=ANA,
    opened_at=NOW,
)
SEAT = Seat(
    SeatId("r1", "dev"), "rig", "dev", "dev@rig", asked=Asked(AskedMode.PERSON, "ana"), version=9
)
PERMIT = Permit("s1", "k1", NOW, "dev@rig", "no_registered_person", {"title": "x"}, "allow")


def seat_of(row: object) -> Seat:
    (seat,) = openrig.decode_seats(dump_bytes([row]))
    return seat


def permit_of(item: object) -> Permit:
    (permit,) = openrig.decode_permits(dump_bytes([item]))
    return permit


def whole(ask: Ask) -> Any:
    return openrig.encode_item(ask, whole=True)


def test_an_item_has_openrigs_keys() -> None:
    assert set(whole(ASK)) == {
        "qitemId", "tsCreated", "tsUpdated", "sourceSession", "destinationSession", "state",
        "priority", "tier", "tags", "blockedOn", "handedOffTo", "handedOffFrom", "expiresAt",
        "chainOfRecord", "body", "humanIntent", "humanQuestions", "humanAnswers", "summary",
        "evidenceRef", "closureReason", "closureTarget", "closureRequiredAt", "claimedAt",
        "lastNudgeAttempt", "lastNudgeResult", "lastHeartbeat", "resolution", "targetRepo",
        "permission",
    }  # fmt: skip


def test_an_ask_is_a_decision_question_with_its_options() -> None:
    item = whole(ASK)
    assert item["humanIntent"] == "decision"
    assert item["tags"] == ["runner-permission-ask"]
    assert item["sourceSession"] == "dev@rig"
    assert item["destinationSession"] == "ana@external"
    assert item["tsCreated"] == "2026-11-30T12:00:00.000Z"
    assert item["humanQuestions"] == [
        {
            "id": "permission",
            "question": "Permit Edit src/app.ts?",
            "options": [
                {"id": "allow", "label": "Allow", "kind": "allow_once"},
                {"id": "no", "label": "Reject", "kind": "reject_once"},
            ],
        }
    ]
    assert item["permission"]["options"][0] == {
        "optionId": "allow",
        "name": "Allow",
        "kind": "allow_once",
    }


def test_an_ask_held_by_a_seat_asks_no_person_anything() -> None:
    held = replace(ASK, holder=Holder(HolderType.SEAT, "qa@rig", "qa"))
    assert whole(held)["humanQuestions"] is None
    assert whole(held)["destinationSession"] == "qa@rig"


@pytest.mark.parametrize(
    ("tool_call", "title"),
    [
        ({"title": "Edit"}, "Edit"),
        ({"toolCallId": "call_1"}, "call_1"),
        ({"title": "  ", "toolCallId": 5}, "a tool call"),
        (None, "a tool call"),
        (["x"], "a tool call"),
    ],
)
def test_a_summary_names_the_tool_call_as_well_as_it_can(tool_call: Any, title: str) -> None:
    assert whole(replace(ASK, tool_call=tool_call))["summary"] == title


@pytest.mark.parametrize(
    ("state", "how", "row_state", "closure"),
    [
        (AskState.PENDING, None, "pending", None),
        (AskState.ANSWERED, "click", "done", "no-follow-on"),
        (AskState.ANSWERED, "no", "done", "denied"),
        (AskState.REFUSED, "deny", "done", "denied"),
        (AskState.PERMITTED, "drop", "done", "canceled"),
        (AskState.PERMITTED, "approve", "done", "no-follow-on"),
        (AskState.WITHDRAWN, None, "canceled", "canceled"),
        (AskState.STALE, None, "canceled", "canceled"),
    ],
)
def test_an_ended_ask_reads_as_openrigs_closed_row(
    state: AskState, how: str | None, row_state: str, closure: str | None
) -> None:
    item = whole(replace(ASK, outcome=Outcome(state), decided_how=how))
    assert (item["state"], item["closureReason"]) == (row_state, closure)


def test_an_answer_by_option_is_on_the_item() -> None:
    later = NOW + timedelta(seconds=5)
    answered = replace(ASK, outcome=Outcome(AskState.ANSWERED, "no"), decided_at=later)
    assert whole(answered)["humanAnswers"] == {"permission": "no"}
    assert whole(answered)["tsUpdated"] == "2026-11-30T12:00:05.000Z"


def test_a_handed_over_ask_keeps_its_id_and_names_its_earlier_rows() -> None:
    rows = (Row("qitem-1", ANA, "handed-off"), Row("qitem-2", ANA, "blocked"))
    item = whole(replace(ASK, row_id="qitem-2", rows=rows))
    assert item["qitemId"] == "qitem-2"
    assert item["state"] == "blocked"
    assert item["chainOfRecord"] == ["qitem-1"]
    assert item["handedOffFrom"] == "qitem-1"
    assert item["permission"]["askId"] == "qitem-1"


def test_facts_that_dont_apply_are_absent_from_an_outcome() -> None:
    assert openrig.encode_outcome(Outcome(AskState.PENDING)) == {"state": "pending"}
    remembered = Outcome(AskState.ANSWERED, "a", "allow_once", remembered=False)
    assert openrig.encode_outcome(remembered) == {
        "state": "answered",
        "optionId": "a",
        "kind": "allow_once",
        "remembered": False,
    }


@pytest.mark.parametrize(
    ("reading", "activity", "display", "count"),
    [
        (Reading.WORKING, "working", "working", 0),
        (Reading.IDLE, "idle-at-prompt", "idle", 0),
        (Reading.NEEDS_INPUT, "unknown", "needs-input", 1),
        (Reading.UNKNOWN, "unknown", "unknown", 0),
    ],
)
def test_a_reading_is_openrigs_activity_state(
    reading: Reading, activity: str, display: str, count: int
) -> None:
    row: Any = openrig.encode_seat(replace(SEAT, reading=reading))
    assert row["activityState"]["activity"] == activity
    assert row["activityState"]["display"] == display
    assert row["activityState"]["needsInput"]["count"] == count
    assert row["activityState"]["seq"] == row["version"] == 9


def test_a_seat_row_has_the_documented_keys() -> None:
    row: Any = openrig.encode_seat(SEAT)
    assert {
        "rigId", "rigName", "nodeId", "logicalId", "canonicalSessionName", "runtime",
        "sessionStatus", "lifecycleState", "startupStatus", "activityState", "runner", "version",
    } <= set(row)  # fmt: skip
    assert {
        "generation", "evidence", "evidenceAt", "expiresAt", "livenessSeconds", "turnId",
        "exited", "lastError", "clockSkewSeconds", "launch", "identity", "preset", "limits",
        "grant", "override", "asked",
    } <= set(row["runner"])  # fmt: skip


@rule("D3-03")
def test_an_identity_is_marked_as_the_launchers_word() -> None:
    row: Any = openrig.encode_seat(replace(SEAT, identity=Identity("c1", "dsh 0.3")))
    assert row["runner"]["identity"] == {
        "nativeRef": "c1",
        "source": "launcher_reported",
        "producer": "dsh 0.3",
    }


@rule("D3-04")
def test_a_launch_that_needs_a_person_shows_as_openrigs_attention() -> None:
    row: Any = openrig.encode_seat(replace(SEAT, launch_attention=True))
    assert row["startupStatus"] == row["lifecycleState"] == "attention_required"
    assert (row["runner"]["readiness"], row["runner"]["ready"]) == ("attention", False)


@pytest.mark.parametrize(("outcome", "status"), [("pending", "pending"), ("reported", "ready")])
def test_a_seat_is_ready_once_its_launch_is_through(outcome: str, status: str) -> None:
    row: Any = openrig.encode_seat(replace(SEAT, launch=Launch("a", "new", outcome)))
    assert row["startupStatus"] == row["runner"]["readiness"] == status
    assert row["runner"]["ready"] is (status == "ready")


@rule("D9-02")
def test_the_model_in_effect_is_unknown_whatever_was_declared() -> None:
    row: Any = openrig.encode_seat(replace(SEAT, model=Model("haiku")))
    assert row["runner"]["model"] == {"declared": "haiku", "effective": "unknown"}


def test_a_preset_files_state_that_nobody_knows_yet_is_none() -> None:
    row: Any = openrig.encode_seat(SEAT)
    row["runner"]["presetFile"] = "moved"
    assert openrig.decode_seats([row])[0].preset_file is PresetFile.NONE


OLD_ROW = {
    "rigId": "01M8PW58VPF0CZRGPD0J33CSNB",
    "rigName": "beta",
    "logicalId": "dev.codex1",
    "role": None,
    "canonicalSessionName": "dev-codex1@beta",
    "attachmentType": "external_cli",
    "nodeKind": "agent",
    "runtime": "codex",
    "sessionStatus": "running",
    "startupStatus": "ready",
    "lifecycleState": "running",
    "latestError": None,
    "resumeToken": None,
    "contextUsage": {"availability": "unknown"},
    "agentActivity": {
        "state": "needs_input",
        "reason": "permission_request",
        "eventAt": "2026-11-30T18:41:00.969Z",
        "stale": False,
    },
    "pendingWorkCount": 0,
}
"""As OpenRig 0.4.6 answers, shortened."""


def test_a_row_of_an_openrig_without_runners_is_read() -> None:
    seat = seat_of(OLD_ROW)
    assert seat.seat_ref == "dev.codex1@beta"
    assert seat.reading is Reading.NEEDS_INPUT
    assert seat.evidence == Evidence(
        EvidenceKind.POST,
        datetime(2026, 11, 30, 18, 41, 0, 969000, tzinfo=UTC),
        detail="permission_request",
    )
    assert not seat.runner
    assert seat.asked.because == ""


@pytest.mark.parametrize(
    ("state", "reading"),
    [
        ("running", Reading.WORKING),
        ("idle", Reading.IDLE),
        ("needs_input", Reading.NEEDS_INPUT),
        ("unknown", Reading.UNKNOWN),
    ],
)
def test_an_older_daemons_states_are_readings(state: str, reading: Reading) -> None:
    assert seat_of(OLD_ROW | {"agentActivity": {"state": state}}).reading is reading


@pytest.mark.parametrize(
    ("status", "attention"),
    [("failed", True), ("attention_required", True), ("ready", False), (None, False)],
)
def test_a_failed_start_needs_a_person_too(status: str | None, attention: bool) -> None:
    assert seat_of(OLD_ROW | {"startupStatus": status}).launch_attention is attention


@pytest.mark.parametrize(
    "activity",
    [None, {"state": "dreaming"}, {}],
)
def test_a_reading_nobody_here_knows_is_unknown_and_never_idle(activity: object) -> None:
    seat = seat_of(OLD_ROW | {"agentActivity": activity})
    assert seat.reading is Reading.UNKNOWN
    newer = openrig.encode_seat(SEAT) | {"activityState": {"activity": "x", "display": "x"}}
    assert seat_of(newer).reading is Reading.UNKNOWN


def test_evidence_nobody_here_knows_is_no_evidence() -> None:
    row: Any = openrig.encode_seat(SEAT)
    row["runner"]["evidence"] = "telepathy"
    assert seat_of(row).evidence.kind is EvidenceKind.NONE


def test_an_older_daemons_destinations_are_told_apart_by_their_addresses() -> None:
    names = ["human@host", "ana@external", "human@kernel", "dev-qa@alpha"]
    body = {"destinations": [{"sessionName": name, "source": "queue"} for name in names]}
    told = openrig.decode_destinations(json.dumps(body))
    assert [each.type for each in told] == [*[HolderType.PERSON] * 3, HolderType.SEAT]
    assert [each.label for each in told] == names


def test_items_that_are_no_permission_asks_are_left_out() -> None:
    plain: Any = {
        "qitemId": "qitem-0",
        "state": "pending",
        "tags": ["ask"],
        "humanIntent": "decision",
    }
    assert openrig.decode_items(dump_bytes([plain, whole(ASK)])) == (
        replace(ASK, tool_call_bytes=27),
    )
    with pytest.raises(UnreadableError, match="permission ask"):
        openrig.decode_item(plain)


def test_a_permit_is_openrigs_stream_item_with_a_body_of_json() -> None:
    closed = ClosedBy("ana@external", "qitem-1", "drop")
    item: Any = openrig.encode_permit(replace(PERMIT, closed_by=closed, remembered=False))
    body = json.loads(item.pop("body"))
    assert item == {
        "streamItemId": "s1",
        "tsEmitted": "2026-11-30T12:00:00.000Z",
        "streamSortKey": "k1",
        "sourceSession": "dev@rig",
        "format": "json",
        "hintType": "permission",
        "hintUrgency": None,
        "hintDestination": None,
        "hintTags": ["runner-permission-permit"],
        "interrupt": False,
        "archivedAt": None,
    }
    assert body == {
        "v": 1,
        "askId": None,
        "nativeRef": None,
        "requestId": None,
        "turnId": None,
        "generation": None,
        "toolCall": {"title": "x"},
        "toolCallElided": False,
        "cause": "no_registered_person",
        "closedBy": {"actorSession": "ana@external", "rowId": "qitem-1", "how": "drop"},
        "option": {"optionId": "allow", "name": None, "kind": None, "remembered": False},
    }


@rule("D7-53")
def test_an_older_permits_absent_marks_stay_unrecorded() -> None:
    item = openrig.encode_permit(PERMIT)
    item["body"] = '{"toolCall":{"title":"x"},"cause":"c","option":{"optionId":"a"}}'
    permit = permit_of(item)
    assert (permit.option_id, permit.option_kind, permit.remembered) == ("a", None, None)


def test_a_permit_with_a_body_of_another_form_is_shown_as_its_text() -> None:
    item = openrig.encode_permit(PERMIT) | {"body": "permit: Bash(rm -rf build)"}
    permit = permit_of(item)
    assert permit.tool_call == "permit: Bash(rm -rf build)"
    assert (permit.cause, permit.option_id, permit.remembered) == ("", "", None)


def test_stream_items_with_other_tags_are_left_out() -> None:
    permit = openrig.encode_permit(PERMIT)
    others = [permit | {"hintTags": ["x"]}, permit | {"hintTags": None}]
    assert openrig.decode_permits(dump_bytes([*others, permit])) == (PERMIT,)


@pytest.mark.parametrize(
    ("people", "because"),
    [
        (People(), "no_registered_person"),
        (People((Person("ana", "Ana"),)), "only_registered_person"),
        (People((Person("ana", "Ana"),), "ben"), "only_registered_person"),
        (People((Person("ana", "Ana"), Person("ben", "Ben"))), "several_and_no_default"),
        (People((Person("ana", "Ana"), Person("ben", "Ben")), "pat"), "several_and_no_default"),
        (People((Person("ana", "Ana"), Person("ben", "Ben")), "ben"), "default_person"),
        (People(readable=False), "people_unreadable"),
    ],
)
def test_people_say_whom_a_seat_asks_by_default(people: People, because: str) -> None:
    body: Any = openrig.encode_people(people)
    assert body["default"] == {"entityId": people.default, "because": because}
    assert [human["address"] for human in body["humans"]] == [
        person.address for person in people.registered
    ]


def test_people_of_an_openrig_without_a_default_are_read() -> None:
    human = {"browserKey": "b", "entityId": "ana", "address": "ana@external", "away": None}
    body = {"instance": {}, "humans": [human], "registry": {"state": "available"}}
    assert openrig.decode_people(dump_bytes(body)) == People((Person("ana", "ana"),))


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        (
            {"error": "not_applicable", "message": "Answered already.", "reason": "answered"},
            "not_applicable",
            "Answered already.",
        ),
        (
            {"ok": False, "code": "not_in_attention", "detail": "It isn't."},
            "not_in_attention",
            "It isn't.",
        ),
        (
            {"ok": False, "code": "missing_session_identity", "error": "No session."},
            "missing_session_identity",
            "No session.",
        ),
        ({"error": "verb is required"}, "verb is required", "verb is required"),
        ({}, "http_409", "http_409"),
        ({"error": "moved", "item": 5, "changes": "?"}, "moved", "moved"),
    ],
)
def test_a_refusal_of_any_version_is_read(body: object, code: str, message: str) -> None:
    refusal = openrig.decode_error(409, dump_bytes(body))
    assert (refusal.code, refusal.message) == (code, message)
    assert refusal.ask is None


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"500"])
def test_a_refusal_nobody_can_read_says_its_status(body: bytes) -> None:
    refusal = openrig.decode_error(502, body)
    assert refusal.code == "http_502"
    assert "502" in refusal.message


def test_an_answer_without_an_item_gives_none() -> None:
    assert openrig.decode_recorded(b'{"status":"recorded"}') is None


@pytest.mark.parametrize(("state", "done"), [("done", True), ("unknown", False)])
def test_an_operation_is_done_or_unknown(state: str, done: bool) -> None:
    assert openrig.decode_operation(dump_bytes({"state": state})) is done


def test_health_sends_a_proof_only_when_asked() -> None:
    health = openrig.Health("1.0", "0.7.9", "e1", NOW, frozenset({"people", "asks"}))
    assert openrig.encode_health(health) == {
        "status": "ok",
        "service": "rig-tui-daemon",
        "version": "1.0",
        "contract": "0.7.9",
        "epoch": "e1",
        "now": "2026-11-30T12:00:00.000Z",
        "capabilities": ["asks", "people"],
        "optionsMax": 4,
    }


def test_the_health_of_an_openrig_that_says_little_is_read() -> None:
    assert openrig.decode_health(b'{"status":"ok"}') == openrig.Health(service="")


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (NOW, "2026-11-30T12:00:00.000Z"),
        (NOW.replace(microsecond=5000), "2026-11-30T12:00:00.005Z"),
        (NOW.replace(microsecond=5001), "2026-11-30T12:00:00.005001Z"),
        (NOW.astimezone(timezone(timedelta(hours=2))), "2026-11-30T12:00:00.000Z"),
    ],
)
def test_instants_are_written_in_utc_without_loss(at: datetime, text: str) -> None:
    assert openrig.encode_instant(at) == text
    assert openrig.decode_instant(text) == at


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose local time isn't UTC."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("elsewhere")
def test_an_instant_without_an_offset_is_utc() -> None:
    assert openrig.decode_instant("2026-11-30 12:00:00") == NOW
    with pytest.raises(UnreadableError):
        openrig.decode_instant("yesterday")


@pytest.mark.parametrize(
    "decode",
    [
        openrig.decode_seats,
        openrig.decode_rigs,
        openrig.decode_item,
        openrig.decode_items,
        openrig.decode_outcome,
        openrig.decode_permits,
        openrig.decode_runner_permits,
        openrig.decode_people,
        openrig.decode_changes,
        openrig.decode_recorded,
        openrig.decode_operation,
        openrig.decode_health,
    ],
)
@pytest.mark.parametrize("body", [b"", b"{", b"5", b'"x"', b"[5]", b"[" * 5000, b"\xff"])
def test_whatever_isnt_the_promised_shape_is_unreadable(
    decode: Callable[[bytes], object], body: bytes
) -> None:
    with pytest.raises(UnreadableError):
        decode(body)
