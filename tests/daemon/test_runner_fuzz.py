"""Whatever a runner sends, the answer is one of the contract's, and nothing breaks.

A runner permits by itself on any other answer. `FUZZ_EXAMPLES=2000 pytest
tests/daemon/test_runner_fuzz.py` looks longer.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rig_tui.wire import openrig
from tests.daemon.harness import HOOK_TOKEN, OPERATOR_TOKEN, OPTIONS, Served
from tests.daemon.lean_http import Answer, send
from tests.rules import rule

if TYPE_CHECKING:
    from tests.daemon.harness import Runner

HOOKS = "/api/activity/hooks"
ASKS = "/api/activity/permission-requests"
SUBMIT_CODES = {
    200: {""},
    409: {"stale_generation", "duplicate_request", "denied_by_seat"},
    422: {"options_unsupported"},
}
fuzz = settings(
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "40")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)

any_text = st.text(st.characters(), max_size=40)
"""Lone surrogates included: JSON escapes carry them."""
numbers = st.one_of(
    st.integers(),
    st.integers(10**20, 10**25),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([0, -1, 7.0, 1e3, 3600, 3601, True, False]),
)
values = st.recursive(
    st.none() | st.booleans() | numbers | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=15,
)
kinds = st.sampled_from(
    ["allow_once", "allow_always", "reject_once", "reject_always", "x", None, 3]
)
one_of_few = st.sampled_from(["a", "b", "c", "", " ", 5])
option = st.one_of(
    values,
    st.fixed_dictionaries(
        {},
        optional={
            "optionId": one_of_few | any_text,
            "name": values,
            "kind": kinds,
        },
    ),
    st.fixed_dictionaries({"optionId": one_of_few, "kind": kinds}),
    st.sampled_from(OPTIONS),
)
usable_ids = st.one_of(
    st.integers(),
    st.text(st.characters(), min_size=1, max_size=20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([7, "7", "07", 7.0, 1e3, 9007199254740993, -0.0, "\ud800", "\u0000"]),
)


def mutated(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Some of these fields, and others nobody knows."""
    known = st.fixed_dictionaries({}, optional=fields)
    return st.tuples(known, st.dictionaries(any_text, values, max_size=2)).map(
        lambda pair: {**pair[1], **pair[0]}
    )


submits = mutated(
    nativeRef=values,
    turnId=values,
    toolCall=values,
    options=st.lists(option, min_size=1, max_size=6) | st.lists(option, max_size=6) | values,
    occurredAt=values | st.just("2026-11-30T12:00:00Z"),
    nodeId=values,
    generation=values,
)
events = st.sampled_from(
    ["UserPromptSubmit", "active", "PreToolUse", "Notification", "Stop", "Nobody", "stop"]
)
posts = mutated(
    nodeId=values,
    runtime=values,
    generation=values,
    sequence=values,
    occurredAt=values | st.just("9999-12-31T23:59:59-23:59"),
    subtype=values | st.sampled_from(["accepted", "liveness", "x_exited", "idle_heartbeat"]),
    turnId=values,
    livenessSeconds=values,
    askId=values,
)


def encoded(body: object, form: str) -> bytes:
    """The same JSON as different libraries write it."""
    text = json.dumps(body)
    if form == "utf-8":
        text = json.dumps(body, ensure_ascii=False)
        return text.encode("utf-8", "surrogatepass")
    if form == "bom":
        return b"\xef\xbb\xbf" + text.encode()
    return text.encode("ascii" if form == "ascii" else form)


forms = st.sampled_from(["ascii", "ascii", "utf-8", "utf-16", "utf-32-be", "bom"])


@pytest.fixture
async def runner(served: Served) -> Runner:
    served.daemon.person()
    return await served.seat()


@pytest.fixture(autouse=True)
def _no_failure_was_logged(caplog: pytest.LogCaptureFixture) -> Any:
    yield
    failures = [record for record in caplog.get_records("call") if record.exc_info]
    assert not failures, [record.getMessage() for record in failures]


def port_of(served: Served) -> int:
    return int(served.base_url.rpartition(":")[2])


async def call(served: Served, method: str, path: str, body: bytes = b"") -> Answer:
    answer = await send(port_of(served), method, path, HOOK_TOKEN, body)
    assert isinstance(answer.body, dict)
    return answer


async def assert_shown(served: Served) -> None:
    """What was taken can be shown, and read back by our own console."""
    for path, decode in (
        ("/api/queue/list?asks=open", openrig.decode_items),
        ("/api/stream/list", None),
        *((f"/api/rigs/{rig}/nodes", openrig.decode_seats) for rig in served.daemon.core.rigs),
    ):
        answer = await send(port_of(served), "GET", path, OPERATOR_TOKEN)
        assert answer.status == 200, answer
        if decode:
            decode(answer.content)


@rule("D7-07", "D7-05", "D7-13")
@fuzz
@given(fields=submits, request_id=usable_ids, form=forms, live=st.booleans())
async def test_a_submit_with_a_usable_id_is_answered_from_the_table(
    served: Served,
    runner: Runner,
    fields: dict[str, Any],
    request_id: object,
    form: str,
    live: bool,
) -> None:
    body = {"turnId": "7", **fields, "requestId": request_id}
    if live:
        body |= {"sessionName": runner.session_name, "generation": runner.generation}
        body.pop("nodeId", None)
    answer = await call(served, "POST", ASKS, encoded(body, form))

    assert answer.status in SUBMIT_CODES, answer
    told = answer.body
    assert told.get("code", "") in SUBMIT_CODES[answer.status]
    if answer.status == 200:
        assert told["ok"] is True
        assert ("askId" in told) != (told.get("state") == "permitted")
    if "askId" in told:
        read = await call(served, "GET", f"{ASKS}/{told['askId']}")
        assert (read.status, read.body["state"]) == (200, "pending")
        again = await call(served, "POST", ASKS, encoded(body, form))
        assert (again.status, again.body["askId"]) == (200, told["askId"])
    await assert_shown(served)


@rule("D7-07", "D4-03")
@fuzz
@given(fields=posts, event=events, form=forms)
async def test_a_post_of_a_known_seat_is_taken(
    served: Served, runner: Runner, fields: dict[str, Any], event: str, form: str
) -> None:
    body = {**fields, "sessionName": runner.session_name, "hookEvent": event}
    body.pop("nodeId", None)
    answer = await call(served, "POST", HOOKS, encoded(body, form))
    assert answer.status == 200, answer
    assert set(answer.body) <= {"ok", "counted", "reason"}
    await assert_shown(served)


@rule("D7-07", "A-21")
@fuzz
@given(
    body=st.one_of(
        st.binary(max_size=200),
        values.map(lambda value: json.dumps(value).encode()),
        st.builds(
            lambda cut: json.dumps({"requestId": 1, "options": []}).encode()[:cut],
            st.integers(0, 30),
        ),
        st.builds(
            lambda n: b'{"requestId":1,"toolCall":' + b"[" * n + b"]" * n + b"}",
            st.integers(0, 3000),
        ),
    ),
    path=st.sampled_from([HOOKS, ASKS]),
)
async def test_any_bytes_are_answered_from_the_table_or_as_senseless(
    served: Served, runner: Runner, body: bytes, path: str
) -> None:
    answer = await call(served, "POST", path, body)
    senseless = {
        "invalid_request",
        "invalid_json",
        "missing_session_identity",
        "missing_hook_event",
    }
    codes = {**SUBMIT_CODES, 400: senseless, 404: {"session_not_found"}}
    assert answer.status in codes, answer
    assert answer.body.get("code", "") in codes[answer.status]


@rule("D7-39", "D7-44", "D7-45", "A-41")
@fuzz
@given(
    ask_id=any_text.filter(bool),
    known=st.booleans(),
    query=st.sampled_from(
        [
            "",
            "?waitSeconds=",
            "?waitSeconds=-3",
            "?waitSeconds=nan",
            "?waitSeconds=%00",
            "?waitSeconds=%ff",
            "?x&&=",
        ]
    ),
)
async def test_a_read_is_answered_with_a_state_or_with_404(
    served: Served, runner: Runner, ask_id: str, known: bool, query: str
) -> None:
    if known:
        ask_id = next(iter(served.daemon.core.pending), "") or runner.ask()
    name = quote(ask_id.encode("utf-8", "surrogatepass"), safe="")
    answer = await call(served, "GET", f"{ASKS}/{name}{query}")
    assert answer.status == (200 if known else 404), answer
    if known:
        assert answer.body["state"] == "pending"


@rule("D7-46", "D7-47", "A-42")
@fuzz
@given(body=st.binary(max_size=40) | values.map(lambda v: json.dumps({"reason": v}).encode()))
async def test_a_withdrawal_withdraws_whatever_it_says(
    served: Served, runner: Runner, body: bytes
) -> None:
    ask_id = runner.ask(requestId=served.daemon.core.events.newest)
    for _ in range(2):
        answer = await call(served, "POST", f"{ASKS}/{ask_id}/withdraw", body)
        assert (answer.status, answer.body["state"]) == (200, "withdrawn")
    await assert_shown(served)
