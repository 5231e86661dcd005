from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rig_tui.client.runner_answers import PermissionRequest, Refusal, answered, what_to_do
from tests.rules import rule

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject

ONCE: JsonObject = {"optionId": "o", "name": "Allow", "kind": "allow_once"}
ALWAYS: JsonObject = {"optionId": "a", "name": "Always", "kind": "allow_always"}
REJECT: JsonObject = {"optionId": "r", "name": "Reject", "kind": "reject_once"}

REFUSALS: list[tuple[int | None, str | None, Refusal]] = [
    (409, "denied_by_seat", Refusal.HOLD),
    (422, "options_unsupported", Refusal.HOLD),
    (409, "stale_generation", Refusal.CANCEL),
    (403, "activity_grant_wrong_seat", Refusal.CANCEL),
    (409, "activity_grant_stale", Refusal.CANCEL),
    (401, "activity_grant_revoked", Refusal.PERMIT),
    (409, "activity_grant_pending", Refusal.PERMIT),
    (409, "duplicate_request", Refusal.PERMIT),
    (404, None, Refusal.PERMIT),
    (404, "unknown_ask", Refusal.PERMIT),
    (500, None, Refusal.PERMIT),
    (401, None, Refusal.PERMIT),
    (418, "teapot", Refusal.PERMIT),
    (200, None, Refusal.PERMIT),
    (409, "something_new", Refusal.PERMIT),
    (None, None, Refusal.PERMIT),
]


def request_with(*options: JsonObject) -> PermissionRequest:
    return PermissionRequest(7, {"title": "t"}, options)


@rule("R7-08")
@pytest.mark.parametrize(("status", "code", "then"), REFUSALS)
def test_each_refusal_does_what_the_table_says(
    status: int | None, code: str | None, then: Refusal
) -> None:
    assert what_to_do(status, code) is then


@rule("R7-08", "R7-09")
@pytest.mark.parametrize("ask_id", [None, "ask-1"], ids=["at submit", "at read"])
@pytest.mark.parametrize(
    ("options", "allow"),
    [
        ((ALWAYS, ONCE, REJECT), "o"),
        ((REJECT, ALWAYS), "a"),
        ((REJECT,), None),
        ((), None),
        (({"name": "no id", "kind": "allow_once"}, ALWAYS), "a"),
    ],
    ids=["both", "always", "reject", "nothing", "an id missing"],
)
@pytest.mark.parametrize(("status", "code", "then"), REFUSALS)
def test_a_refusal_gives_the_agent_its_own_allow_or_cancelled(
    status: int | None,
    code: str | None,
    then: Refusal,
    options: tuple[JsonObject, ...],
    allow: str | None,
    ask_id: str | None,
) -> None:
    reply: JsonObject = {} if code is None else {"ok": False, "code": code, "error": "In words."}
    answer = answered(request_with(*options), status, reply, ask_id)
    permits = then is Refusal.PERMIT
    assert answer.option_id == (allow if permits else None)
    assert answer.by_runner is (permits and allow is not None)
    assert answer.hold is (then is Refusal.HOLD or (permits and allow is None))


@rule("R7-05")
@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ({"state": "refused", "reason": "said_no"}, "said_no"),
        ({"state": "refused", "reason": "no_allow_offered", "said": "use b"}, "no_allow_offered"),
        ({"state": "withdrawn"}, "withdrawn"),
        ({"state": "stale"}, "stale"),
    ],
)
def test_a_closed_ask_without_an_option_is_cancelled_and_holds_nothing(
    reply: JsonObject, why: str
) -> None:
    answer = answered(request_with(ONCE, REJECT), 200, reply, "ask-1")
    assert (answer.option_id, answer.why, answer.hold, answer.by_runner) == (
        None,
        why,
        False,
        False,
    )
    assert answer.said == reply.get("said")


@pytest.mark.parametrize("state", ["answered", "permitted"])
def test_the_option_that_comes_back_is_what_the_agent_gets(state: str) -> None:
    answer = answered(request_with(ONCE, REJECT), 200, {"state": state, "optionId": "r"}, "ask-1")
    assert (answer.option_id, answer.why, answer.by_runner) == ("r", state, False)


@pytest.mark.parametrize(
    "reply",
    [{}, {"state": "answered"}, {"state": "answered", "optionId": "zz"}, {"state": "odd"}],
    ids=["empty", "no option", "an option never offered", "an unknown state"],
)
def test_an_unreadable_reply_permits_by_the_runner_itself(reply: JsonObject) -> None:
    answer = answered(request_with(ONCE, REJECT), 200, reply, "ask-1")
    assert (answer.option_id, answer.by_runner) == ("o", True)


def test_a_code_is_also_found_where_only_the_error_holds_it() -> None:
    answer = answered(request_with(ONCE), 409, {"error": "denied_by_seat"})
    assert (answer.option_id, answer.hold, answer.why) == (None, True, "denied_by_seat")
