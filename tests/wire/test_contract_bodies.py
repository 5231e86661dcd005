"""What runners send, read leniently, and what they read back."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.model import Ask, AskState, Holder, HolderType, Option, Outcome
from rig_tui.wire import contract
from rig_tui.wire.errors import (
    BadRequestError,
    UnfinishedError,
    UnkeepableError,
    UnreadableError,
    WireError,
)
from tests.fixtures import AcpRequest, acp_requests
from tests.rules import rule
from tests.wire.strategies import json_values

POST: dict[str, Any] = {
    "sessionName": "dev@rig",
    "nodeId": "node-1",
    "runtime": "dsh",
    "generation": "g1",
    "sequence": 3,
    "occurredAt": "2026-10-30T12:00:00Z",
    "hookEvent": "active",
    "subtype": "liveness",
    "turnId": "7",
    "livenessSeconds": 30,
    "askId": "qitem-1",
}
SUBMIT: dict[str, Any] = {
    "sessionName": "dev@rig",
    "nodeId": "node-1",
    "generation": "g1",
    "nativeRef": "conversation-1",
    "turnId": "7",
    "requestId": "12",
    "toolCall": {"title": "Edit src/app.ts", "kind": "edit"},
    "options": [
        {"optionId": "allow", "name": "Allow", "kind": "allow_once"},
        {"optionId": "reject", "name": "Reject", "kind": "reject_once"},
    ],
    "occurredAt": "2026-10-30T12:00:00Z",
}
ASK = Ask(
    ask_id="q",
    row_id="q",
    seat_ref="dev@rig",
    session_name="dev@rig",
    generation="g1",
    native_ref="n",
    turn_id="7",
    request_id="12",
    tool_call={},
    options=(),
    asked_because="default_person",
    holder=Holder(HolderType.PERSON, "ana@external", "Ana"),
    opened_at=datetime(2026, 11, 30, tzinfo=UTC),
)


def body(value: object) -> bytes:
    return json.dumps(value).encode()


def posted(**changes: Any) -> contract.HookBody:
    return contract.parse_post(body(POST | changes))


def submitted(**changes: Any) -> contract.Submit:
    return contract.parse_submit(body(SUBMIT | changes))


@rule("D4-03")
def test_a_post_is_read_with_every_field_and_extra_keys_are_ignored() -> None:
    assert posted(nativeRef="elsewhere", note={"a": [1]}) == contract.HookBody(
        session_name="dev@rig",
        node_id="node-1",
        runtime="dsh",
        generation="g1",
        sequence=3,
        occurred_at=datetime(2026, 10, 30, 12, tzinfo=UTC),
        hook_event="active",
        subtype="liveness",
        turn_id="7",
        liveness_seconds=30,
        ask_id="qitem-1",
    )


def test_a_bare_post_has_none_for_everything_absent() -> None:
    post = contract.parse_post(b'{"nodeId":"n","hookEvent":"Stop"}')
    assert (post.session_name, post.runtime, post.generation, post.sequence) == (None,) * 4
    assert (post.occurred_at, post.turn_id, post.liveness_seconds, post.ask_id) == (None,) * 4
    assert post.subtype == ""


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "invalid_json"),
        (b"{", "invalid_json"),
        (b"[]", "invalid_json"),
        (b'"x"', "invalid_json"),
        (b"[" * 5000, "invalid_json"),
        (b'{"hookEvent":"Stop"}', "missing_session_identity"),
        (b'{"hookEvent":"Stop","sessionName":"  ","nodeId":5}', "missing_session_identity"),
        (b'{"sessionName":"a"}', "missing_hook_event"),
        (b'{"sessionName":"a","hookEvent":7}', "missing_hook_event"),
    ],
)
def test_a_malformed_post_is_refused_with_its_code(raw: bytes, code: str) -> None:
    with pytest.raises(BadRequestError) as refused:
        contract.parse_post(raw)
    assert refused.value.code == code


@rule("D4-08", "A-05")
@pytest.mark.parametrize(
    "value", [0, -1, 3601, 1.5, "30", None, True, float("nan"), float("inf"), [30], 10**400]
)
def test_a_senseless_liveness_is_ignored_and_not_the_post(value: object) -> None:
    post = posted(livenessSeconds=value)
    assert post.liveness_seconds is None
    assert post.turn_id == "7"


@rule("A-05")
@pytest.mark.parametrize(("value", "seconds"), [(1, 1), (30.0, 30), (61, 61), (3600, 3600)])
def test_a_whole_liveness_is_taken_unclamped(value: object, seconds: int) -> None:
    assert posted(livenessSeconds=value).liveness_seconds == seconds


@pytest.mark.parametrize("value", [None, "3", True, False, -1, 2.5, [3], {}])
def test_a_senseless_sequence_is_none(value: object) -> None:
    assert posted(sequence=value).sequence is None


@rule("D4-12")
@pytest.mark.parametrize(
    "value",
    [None, "", "yesterday", 1793361600, "2026-13-01T00:00:00Z", "0001-01-01T00:00:00+23:59"],
)
def test_no_valid_instant_is_none(value: object) -> None:
    assert posted(occurredAt=value).occurred_at is None


@pytest.mark.parametrize(
    "text",
    [
        "2026-10-30T12:00:00Z",
        "2026-10-30T14:00:00+02:00",
        "2026-10-30T12:00:00.000Z",
        "2026-10-30T12:00:00",
        " 2026-10-30 12:00:00Z ",
    ],
)
def test_instants_are_compared_and_not_their_spelling(text: str) -> None:
    assert posted(occurredAt=text).occurred_at == datetime(2026, 10, 30, 12, tzinfo=UTC)


def test_a_submit_is_read_as_the_contract_shows_it() -> None:
    assert submitted() == contract.Submit(
        session_name="dev@rig",
        node_id="node-1",
        generation="g1",
        native_ref="conversation-1",
        turn_id="7",
        request_id="12",
        tool_call={"title": "Edit src/app.ts", "kind": "edit"},
        options=(Option("allow", "Allow", "allow_once"), Option("reject", "Reject", "reject_once")),
        occurred_at=datetime(2026, 10, 30, 12, tzinfo=UTC),
    )


@rule("D7-05")
@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("7", "7"),
        ('"7"', "7"),
        ("7.0", "7"),
        ("1e3", "1000"),
        ("7.50", "7.5"),
        ("-1", "-1"),
        ("-0.0", "0"),
        ("9007199254740993", "9007199254740993"),
        ("9007199254740993.0", "9007199254740993"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("1" * 5000, "1" * 5000),
        ('"07"', "07"),
        ('" 7"', " 7"),
        ('"7.0"', "7.0"),
    ],
)
@pytest.mark.parametrize("key", ["requestId", "turnId"])
def test_a_number_is_its_decimal_string(raw: str, text: str, key: str) -> None:
    request = body(SUBMIT | {key: "@"}).replace(b'"@"', raw.encode())
    parsed = contract.parse_submit(request)
    assert (parsed.request_id if key == "requestId" else parsed.turn_id) == text


def test_a_number_beyond_reason_keeps_its_exponent() -> None:
    request = body(SUBMIT | {"requestId": "@"}).replace(b'"@"', b"1e-999999999")
    assert contract.parse_submit(request).request_id == "1E-999999999"


@rule("D7-05", "A-21")
@pytest.mark.parametrize("value", [True, False, None, {}, [], [7], ""])
def test_a_request_id_that_is_no_string_or_number_is_a_bad_request(value: object) -> None:
    with pytest.raises(BadRequestError) as refused:
        submitted(requestId=value)
    assert refused.value.code == "invalid_request"


@rule("A-21")
@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b'{"toolCall":{}}'])
def test_a_submit_that_is_no_object_or_has_no_request_id_is_a_bad_request(raw: bytes) -> None:
    with pytest.raises(BadRequestError) as refused:
        contract.parse_submit(raw)
    assert refused.value.code == "invalid_request"


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(sorted(set(SUBMIT) - {"requestId"})) | st.text(max_size=5), json_values
    )
)
def test_with_a_request_id_any_other_content_is_taken(odd: dict[str, object]) -> None:
    parsed = contract.parse_submit(body(odd | {"requestId": 1}))
    assert parsed.request_id == "1"
    assert parsed.tool_call == odd.get("toolCall")


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_no_bytes_break_the_readers(raw: bytes) -> None:
    for reader in (contract.parse_submit, contract.parse_post):
        with contextlib.suppress(WireError):
            reader(raw)
    contract.parse_withdraw(raw)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_another_unicode_encoding_is_read_too(encoding: str) -> None:
    raw = json.dumps(SUBMIT | {"toolCall": {"title": "Ändern"}}, ensure_ascii=False)
    assert contract.parse_submit(raw.encode(encoding)).tool_call == {"title": "Ändern"}


def test_what_json_cant_say_stays_as_text() -> None:
    raw = body(SUBMIT | {"toolCall": "@"}).replace(b'"@"', b"[NaN,-Infinity,1e999]")
    assert contract.parse_submit(raw).tool_call == ["NaN", "-Infinity", "1e999"]


@rule("A-22")
def test_options_keep_their_order_and_a_bad_id_is_blank() -> None:
    offered = [
        {"optionId": "b", "name": "B", "kind": "ask_later", "_meta": {}},
        {"optionId": 5, "name": None},
        {"optionId": " ", "name": 7, "kind": 8},
        {"name": "no id"},
        "text",
        None,
        {"optionId": "b"},
    ]
    assert submitted(options=offered).options == (
        Option("b", "B", "ask_later"),
        Option("", "", None),
        Option(" ", "7", "8"),
        Option("", "no id", None),
        Option("", "text", None),
        Option("", "", None),
        Option("b", "", None),
    )


@pytest.mark.parametrize("odd", [None, {}, "allow", 5, []])
def test_options_that_are_no_list_are_no_options(odd: object) -> None:
    assert submitted(options=odd).options == ()


@rule("A-46")
def test_a_tool_call_nested_too_deep_makes_the_runner_refuse() -> None:
    for depth in (150, 5000):
        raw = body(SUBMIT | {"toolCall": "@"}).replace(b'"@"', b"[" * depth + b"]" * depth)
        with pytest.raises(UnkeepableError) as refused:
            contract.parse_submit(raw)
        assert refused.value.code == "options_unsupported"


@rule("A-46")
def test_an_option_id_that_couldnt_be_sent_back_makes_the_runner_refuse() -> None:
    with pytest.raises(UnkeepableError):
        submitted(options=[{"optionId": "a\ud800", "name": "A"}])


def test_lone_surrogates_elsewhere_are_replaced() -> None:
    parsed = submitted(toolCall={"title\udfff": ["x\ud800y"]}, requestId="r\ud800")
    assert parsed.tool_call == {"title\ufffd": ["x\ufffdy"]}
    assert parsed.request_id == "r\ufffd"


@pytest.mark.parametrize("request_", acp_requests(), ids=lambda request: request.name)
def test_every_recorded_request_is_taken_verbatim(request_: AcpRequest) -> None:
    parsed = contract.parse_submit(body(request_.submit()))
    assert parsed.tool_call == request_.tool_call
    assert parsed.request_id == str(request_.request_id)
    assert parsed.native_ref == request_.native_ref
    assert [(o.option_id, o.name, o.kind) for o in parsed.options] == [
        (o["optionId"], o["name"], o["kind"]) for o in request_.options
    ]


def test_all_recorded_requests_are_there() -> None:
    requests = acp_requests()
    assert len(requests) == 29
    assert len({request.name for request in requests}) == 29


@rule("A-42")
@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b'{"reason":"turn_ended"}', "turn_ended"),
        (b'{"reason":"bored"}', "bored"),
        (b'{"reason":5}', ""),
        (b"{}", ""),
        (b"", ""),
        (b"nonsense", ""),
    ],
)
def test_any_withdrawal_is_taken(raw: bytes, reason: str) -> None:
    assert contract.parse_withdraw(raw) == reason


@rule("A-41")
@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (None, 0),
        ("", 0),
        ("-5", 0),
        ("soon", 0),
        ("nan", 0),
        ("0.5", 0.5),
        ("25", 25),
        ("26", 25),
        ("inf", 25),
    ],
)
def test_a_wait_is_never_an_error(text: str | None, seconds: float) -> None:
    assert contract.wait_seconds(text) == seconds


@rule("D7-40", "D7-41")
@pytest.mark.parametrize(
    ("outcome", "read"),
    [
        (Outcome(AskState.PENDING), {"state": "pending"}),
        (
            Outcome(AskState.ANSWERED, "a", "allow_once", remembered=False),
            {"state": "answered", "optionId": "a"},
        ),
        (
            Outcome(AskState.PERMITTED, "a", "allow_always", remembered=True, said="use staging"),
            {"state": "permitted", "optionId": "a", "said": "use staging"},
        ),
        (
            Outcome(AskState.REFUSED, reason="said_no"),
            {"state": "refused", "reason": "said_no"},
        ),
        (
            Outcome(AskState.REFUSED, reason="no_allow_offered", said=""),
            {"state": "refused", "reason": "no_allow_offered", "said": ""},
        ),
        (Outcome(AskState.WITHDRAWN, reason="turn_ended", said="x"), {"state": "withdrawn"}),
        (Outcome(AskState.STALE, "a"), {"state": "stale"}),
    ],
)
def test_the_runner_reads_the_state_and_only_what_belongs_to_it(
    outcome: Outcome, read: dict[str, object]
) -> None:
    assert contract.read_body(replace(ASK, outcome=outcome)) == {"ok": True, **read}


def test_the_replies_have_the_contracts_keys() -> None:
    assert contract.opened_body("q1", created=True) == {"ok": True, "askId": "q1", "created": True}
    assert contract.permitted_body("a", "nobody") == {
        "ok": True,
        "state": "permitted",
        "optionId": "a",
        "reason": "nobody",
    }
    assert contract.refusal_body("denied_by_seat", "No.") == {
        "ok": False,
        "code": "denied_by_seat",
        "error": "No.",
    }


RECORD: dict[str, Any] = {"format": 1, "attempt": "a1", "harness": "dsh", "nativeRef": "c1"}


def reported(raw: bytes) -> contract.LaunchRecord:
    return contract.parse_launch_record(raw, attempt="a1", harness="dsh")


@rule("D3-02")
@pytest.mark.parametrize(
    "record",
    [
        RECORD | {"format": 2},
        RECORD | {"format": "1"},
        RECORD | {"format": True},
        RECORD | {"attempt": "a0"},
        RECORD | {"harness": "other"},
        RECORD | {"nativeRef": " "},
        RECORD | {"nativeRef": 5},
        RECORD | {"error": "missing"},
        {"format": 1, "attempt": "a1", "harness": "dsh"},
        {"format": 1, "attempt": "a1", "harness": "dsh", "error": 5},
        {"attempt": "a1", "harness": "dsh", "nativeRef": "c1"},
        [RECORD],
        "c1",
    ],
)
def test_a_record_that_isnt_this_launchs_whole_word_is_unusable(record: object) -> None:
    with pytest.raises(UnreadableError):
        reported(body(record))


@rule("D3-02", "A-44")
def test_a_half_written_record_is_not_there_yet() -> None:
    whole = body(RECORD)
    for end in range(len(whole)):
        with pytest.raises(UnfinishedError):
            reported(whole[:end])
    assert reported(whole) == contract.LaunchRecord("c1", None, "")


@rule("D3-02")
def test_a_record_is_a_conversation_or_an_error_and_its_producer_is_never_parsed() -> None:
    found = body(RECORD | {"producer": "dsh 0.3; {not json", "extra": [1]})
    assert reported(found) == contract.LaunchRecord("c1", None, "dsh 0.3; {not json")
    missing = body({"format": 1, "attempt": "a1", "harness": "dsh", "error": "missing"})
    assert reported(missing) == contract.LaunchRecord(None, "missing", "")
    assert reported(body(RECORD | {"producer": 5})).producer == ""


def test_a_record_a_runner_writes_is_usable() -> None:
    found = contract.launch_record(attempt="a1", harness="dsh", native_ref="c1", producer="p")
    assert reported(found) == contract.LaunchRecord("c1", None, "p")
    missing = contract.launch_record(attempt="a1", harness="dsh", error="missing")
    assert reported(missing) == contract.LaunchRecord(None, "missing", "")
