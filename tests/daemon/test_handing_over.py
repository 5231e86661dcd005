"""Handing an ask over, and what closing an agent seat's row gives, over real HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.daemon.harness import ALLOW, ALWAYS, NEVER, OPTIONS, REJECT, START
from tests.rules import rule

if TYPE_CHECKING:
    import httpx

    from tests.daemon.harness import Runner, Served

QA, DOC = "qa@my-rig", "doc@my-rig"
HOST = "x@host:remote"
PENDING = {"state": "pending"}
A_ROW = {"state": "done", "closureReason": "no-follow-on"}


@pytest.fixture
async def runner(served: Served) -> Runner:
    """A seat whose requests reach ana; ben and two other seats are there too."""
    served.daemon.person("ana", default=True)
    served.daemon.person("ben")
    await served.seat("qa")
    await served.seat("doc")
    return await served.seat()


async def reads(served: Served, ask_id: str) -> dict[str, Any]:
    body: dict[str, Any] = (await served.read(ask_id)).json()
    assert body.pop("ok") is True
    assert body.pop("askId") == ask_id
    return body


async def hand(served: Served, ask_id: str, to: str, verb: str = "handoff", **body: Any) -> str:
    """Hand an ask over; gives the id of its new row."""
    done = await served.act(ask_id, verb, destinationSession=to, **body)
    assert done.status_code == 200, done.text
    return str(done.json()["createdQitemId"])


async def update(served: Served, row_id: str, **body: Any) -> httpx.Response:
    body.setdefault("actorSession", QA)
    return await served.operator.post(f"/api/queue/{row_id}/update", json=body)


async def item(served: Served, row_id: str) -> dict[str, Any]:
    body: dict[str, Any] = (await served.operator.get(f"/api/queue/{row_id}")).json()
    return body


def refused(reply: httpx.Response) -> tuple[int, str, str | None]:
    body = reply.json()
    assert body["message"], "every refusal says why"
    return reply.status_code, body["error"], body.get("reason")


@rule("D7-27", "D7-19")
@pytest.mark.parametrize("verb", ["route", "handoff"])
async def test_a_person_gets_the_same_options_and_their_answer_counts(
    served: Served, runner: Runner, verb: str
) -> None:
    ask_id = runner.ask()

    row_id = await hand(
        served, ask_id, "ben@external", verb, actorSession="ana@external", reason="yours"
    )

    assert await reads(served, ask_id) == PENDING
    shown = await item(served, row_id)
    permission = shown["permission"]
    assert permission["holder"] == {"type": "person", "id": "ben@external", "name": "ben"}
    assert (permission["askedBecause"], permission["askedReason"]) == ("handed_over", "yours")
    assert permission["options"] == OPTIONS
    assert [option["id"] for option in shown["humanQuestions"][0]["options"]] == ["a", "b", "c"]
    assert (shown["sourceSession"], shown["humanIntent"]) == (runner.session_name, "decision")
    assert shown["tags"] == ["runner-permission-ask"]
    assert permission["rows"][0]["closedBy"] == "ana@external"
    assert shown["handedOffFrom"] == ask_id

    done = await served.answer(row_id, "c", actorSession="ben@external", rowId=row_id)
    assert done.json()["outcome"] == {
        "state": "answered",
        "optionId": "c",
        "kind": "reject_once",
        "remembered": False,
    }
    assert await reads(served, ask_id) == {"state": "answered", "optionId": "c"}
    assert served.daemon.permits() == []


@rule("D7-27")
@pytest.mark.parametrize("verb", ["route", "handoff"])
@pytest.mark.parametrize(
    "to", ["zoe@external", "zoe", "nosuch@my-rig", "builder@my-rig", "x@host:other", "human", " "]
)
async def test_handing_to_nobody_known_leaves_the_holder(
    served: Served, runner: Runner, verb: str, to: str
) -> None:
    ask_id = runner.ask()
    reply = await served.act(ask_id, verb, destinationSession=to)
    assert reply.status_code == 400
    ask = served.daemon.ask(ask_id)
    assert (ask.holder.id, ask.row_id) == ("ana@external", ask_id)
    assert await reads(served, ask_id) == PENDING


async def test_the_seat_that_asks_never_holds_its_own_ask(served: Served, runner: Runner) -> None:
    """Closing that row as done would let an agent permit itself."""
    ask_id = runner.ask()
    reply = await served.act(ask_id, "handoff", destinationSession=runner.session_name)
    assert refused(reply)[:2] == (400, "asks_itself")


@rule("D7-28")
async def test_an_agent_seat_sees_no_options_and_the_request_waits(
    served: Served, runner: Runner
) -> None:
    ask_id = runner.ask()

    row_id = await hand(served, ask_id, QA)

    assert await reads(served, ask_id) == PENDING
    for params, headers in (
        ({"destinationSession": QA}, {}),
        ({"asks": "open", "as": QA}, {}),
        ({"asks": "open"}, {"X-OpenRig-Session": QA}),
    ):
        listed = await served.operator.get("/api/queue/list", params=params, headers=headers)
        (row,) = listed.json()
        assert row["qitemId"] == row_id
        assert row["destinationSession"] == QA
        assert row["humanQuestions"] is None
        assert row["permission"]["options"] == []
        assert row["permission"]["toolCall"]["title"] == "Edit src/app.ts"
    one = await served.operator.get(f"/api/queue/{row_id}", params={"as": QA})
    assert one.json()["permission"]["options"] == []
    # The operator still sees what closing the row would give.
    assert len((await item(served, row_id))["permission"]["options"]) == 3
    other = await served.operator.get("/api/queue/list", params={"destinationSession": DOC})
    assert other.json() == []


@rule("D7-28")
async def test_an_ask_a_seat_holds_is_open_but_asks_no_person(
    served: Served, runner: Runner
) -> None:
    held, shown = runner.ask(), runner.ask(requestId=2)
    await hand(served, held, QA)

    async def listed(**params: str) -> set[str]:
        rows = (await served.operator.get("/api/queue/list", params=params)).json()
        return {row["permission"]["askId"] for row in rows}

    assert await listed(asks="open") == {held, shown}
    assert await listed(attention="1") == {shown}
    assert await listed(sourceSession=runner.session_name) == {held, shown}
    assert await listed(sourceSession=QA) == set()


@rule("D7-29", "D7-49", "A-36", "D7-35")
@pytest.mark.parametrize("actor", [QA, "ben@external", "human@host"])
@pytest.mark.parametrize(
    ("body", "how", "row"),
    [
        (A_ROW, "done", ("done", "no-follow-on")),
        ({"state": "done"}, "done", ("done", "no-follow-on")),
        ({**A_ROW, "transitionNote": "no"}, "done", ("done", "no-follow-on")),
        ({"state": "done", "closureReason": "canceled"}, "drop", ("done", "canceled")),
        ({"state": "failed"}, "failed", ("failed", None)),
    ],
)
async def test_an_agents_row_closed_without_a_choice_permits_on_record(
    served: Served,
    runner: Runner,
    actor: str,
    body: dict[str, Any],
    how: str,
    row: tuple[str, str | None],
) -> None:
    ask_id = runner.ask()
    row_id = await hand(served, ask_id, QA)

    done = await update(served, row_id, actorSession=actor, **body)

    assert done.status_code == 200, done.text
    assert done.json()["outcome"]["state"] == "permitted"
    assert await reads(served, ask_id) == {"state": "permitted", "optionId": "a"}
    (permit,) = served.daemon.permits()
    assert permit.closed_by is not None
    assert (permit.closed_by.actor, permit.closed_by.row_id, permit.closed_by.how) == (
        actor,
        row_id,
        how,
    )
    assert permit.ask_id == ask_id
    assert permit.cause == "closed_without_choice"
    ask = served.daemon.ask(ask_id)
    assert [each.state for each in ask.rows] == ["handed-off", row[0]]
    last = served.daemon.store.asks.transitions(ask_id)[-1]
    assert (last[1], last[3], last[6]) == (row_id, *row)
    assert ask.outcome.said is None


@rule("D7-29")
@pytest.mark.parametrize("verb", ["drop", "approve"])
async def test_a_person_closes_an_agents_row_by_a_verb_too(
    served: Served, runner: Runner, verb: str
) -> None:
    ask_id = runner.ask()
    row_id = await hand(served, ask_id, QA)
    done = await served.act(row_id, verb, actorSession="ben@external", reason="x", rowId=row_id)
    assert done.status_code == 200, done.text
    assert await reads(served, ask_id) == {"state": "permitted", "optionId": "a"}
    (permit,) = served.daemon.permits()
    assert permit.closed_by is not None
    assert (permit.closed_by.row_id, permit.closed_by.how) == (row_id, verb)


@rule("D7-29")
async def test_closing_an_agents_row_permits_nothing_that_wasnt_offered(
    served: Served, runner: Runner
) -> None:
    ask_id = runner.ask(options=[REJECT, NEVER])
    row_id = await hand(served, ask_id, QA)
    await update(served, row_id, state="done")
    assert await reads(served, ask_id) == {"state": "refused", "reason": "no_allow_offered"}
    assert served.daemon.permits() == []


@rule("D7-30", "A-38")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (OPTIONS, {"state": "answered", "optionId": "c"}),
        ([ALLOW, NEVER], {"state": "answered", "optionId": "d"}),
        ([ALLOW, ALWAYS], {"state": "refused", "reason": "said_no"}),
    ],
)
@pytest.mark.parametrize("how", ["verb", "reason", "state", "failed and denied", "typed no"])
async def test_an_agents_row_denied_is_a_no(
    served: Served, runner: Runner, options: list[Any], expected: dict[str, Any], how: str
) -> None:
    ask_id = runner.ask(options=options)
    row_id = await hand(served, ask_id, QA)
    match how:
        case "verb":
            done = await served.act(row_id, "deny", actorSession="ben@external")
        case "reason":
            done = await update(served, row_id, state="done", closureReason="denied")
        case "state":
            done = await update(served, row_id, state="denied")
        case "failed and denied":
            done = await update(served, row_id, state="failed", closureReason="denied")
        case _:
            done = await served.operator.post(
                f"/api/queue/{row_id}/reply", json={"text": "no", "actorSession": "ben@external"}
            )
    assert done.status_code == 200, done.text
    assert await reads(served, ask_id) == expected
    assert served.daemon.permits() == []


@rule("D7-31", "A-35", "A-36")
@pytest.mark.parametrize("reason", [None, "canceled", "denied"])
async def test_an_agents_row_set_to_canceled_cancels_the_request(
    served: Served, runner: Runner, reason: str | None
) -> None:
    ask_id = runner.ask()
    row_id = await hand(served, ask_id, QA)
    body = {"closureReason": reason} if reason else {}
    done = await update(served, row_id, state="canceled", **body)
    assert done.json()["outcome"] == {"state": "withdrawn", "reason": "canceled"}
    assert await reads(served, ask_id) == {"state": "withdrawn"}
    assert served.daemon.permits() == []


@rule("D7-32")
async def test_a_further_handoff_is_followed_to_a_person_who_gets_the_options(
    served: Served, runner: Runner
) -> None:
    ask_id = runner.ask()
    first = await hand(served, ask_id, QA)
    second = await hand(served, first, DOC)

    for late in (first, second):
        stale = await update(served, late, actorSession=QA, state="done")
        code = "not_applicable" if late == first else "not_the_holder"
        assert refused(stale)[1] == code
    assert await reads(served, ask_id) == PENDING
    third = await hand(served, second, "ben@external", "route")

    shown = await item(served, ask_id)
    assert shown["qitemId"] == third
    assert shown["chainOfRecord"] == [ask_id, first, second]
    rows = shown["permission"]["rows"]
    assert [(row["holder"]["id"], row["state"]) for row in rows] == [
        ("ana@external", "handed-off"),
        (QA, "handed-off"),
        (DOC, "handed-off"),
        ("ben@external", "pending"),
    ]
    assert [option["id"] for option in shown["humanQuestions"][0]["options"]] == ["a", "b", "c"]
    assert served.daemon.permits() == []
    await served.answer(third, "b", actorSession="ben@external")
    assert await reads(served, ask_id) == {"state": "answered", "optionId": "b"}


@rule("D7-32", "A-39")
async def test_an_option_is_chosen_only_after_taking_the_ask_back(
    served: Served, runner: Runner
) -> None:
    ask_id = runner.ask()
    row_id = await hand(served, ask_id, QA)
    held = (409, "not_applicable", "held_by_seat")
    assert refused(await served.answer(row_id, "a")) == held
    for text, expect in (("yes", "yes"), ("use staging", "words"), ("always allow", "choice")):
        reply = await served.operator.post(
            f"/api/queue/{row_id}/reply",
            json={
                "text": text,
                "expect": expect,
                "confirmPermit": True,
                "actorSession": "human@host",
            },
        )
        assert refused(reply) == held
    assert await reads(served, ask_id) == PENDING

    await hand(served, ask_id, "ana@external", "route", actorSession="ana@external")
    assert (await served.answer(ask_id, "b")).status_code == 200
    assert await reads(served, ask_id) == {"state": "answered", "optionId": "b"}


@rule("D7-33")
async def test_another_hosts_ask_waits_and_nothing_done_to_it_counts(
    served: Served, runner: Runner
) -> None:
    runner.prompt()
    ask_id = runner.ask()
    row_id = await hand(served, ask_id, HOST)
    assert (await item(served, ask_id))["permission"]["holder"]["type"] == "host"

    held = (409, "not_applicable", "held_by_host")
    assert refused(await served.answer(row_id, "a")) == held
    assert refused(await update(served, row_id, actorSession="human@host", state="done")) == held
    for verb in ("approve", "drop", "deny", "route", "handoff"):
        act = await served.act(row_id, verb, reason="x", destinationSession="ben@external")
        assert refused(act) == held
    as_host = await update(served, row_id, actorSession=HOST, state="done")
    assert refused(as_host)[:2] == (403, "not_a_registered_person")
    served.daemon.clock.advance(30 * 86_400)
    assert await reads(served, ask_id) == PENDING
    assert served.daemon.seat().reading == "needs_input"

    runner.post("Stop", "end_turn", turnId="7")
    assert await reads(served, ask_id) == {"state": "withdrawn"}
    assert served.daemon.permits() == []


@rule("D7-35")
async def test_text_in_the_pane_a_send_and_an_agents_note_answer_nothing(
    served: Served, runner: Runner
) -> None:
    ask_id = runner.ask()
    row_id = await hand(served, ask_id, QA)
    runner.post("active", "agent_message_chunk", text="yes")
    sent = {"session": runner.session_name, "text": "yes"}
    assert (await served.operator.post("/api/transport/send", json=sent)).status_code == 409
    noted = await served.act(row_id, "annotate", actorSession=QA, annotation="approved")
    assert refused(noted)[:2] == (403, "not_a_registered_person")
    noted = await served.act(row_id, "annotate", annotation="the seat says approved")
    assert noted.status_code == 200
    assert await reads(served, ask_id) == PENDING
    assert served.daemon.ask(ask_id).holder.id == QA


@rule("A-37")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"state": "done", "closureReason": "escalation"}, "invalid_closure_reason"),
        ({"state": "done", "closureReason": "blocked_on"}, "invalid_closure_reason"),
        ({"state": "done", "closureReason": "handed_off_to"}, "invalid_closure_reason"),
        ({"state": "done", "closureReason": "bored"}, "invalid_closure_reason"),
        ({"state": "done", "closureReason": ["denied"]}, "invalid_closure_reason"),
        ({"state": "blocked"}, "invalid_state"),
        ({"state": "in-progress"}, "invalid_state"),
        ({"state": "handed-off"}, "invalid_state"),
        ({"state": ["done"]}, "invalid_state"),
        ({}, "invalid_state"),
    ],
)
async def test_what_doesnt_close_a_row_leaves_it_pending(
    served: Served, runner: Runner, body: dict[str, Any], code: str
) -> None:
    ask_id = runner.ask()
    row_id = await hand(served, ask_id, QA)
    assert refused(await update(served, row_id, **body))[:2] == (400, code)
    assert (await served.act(row_id, "hold", reason="waiting")).status_code == 200
    assert await reads(served, ask_id) == PENDING


@rule("A-32", "D7-21")
async def test_only_the_holding_seat_a_person_or_the_primary_user_closes_a_seats_row(
    served: Served, runner: Runner
) -> None:
    ask_id = runner.ask()
    row_id = await hand(served, ask_id, QA)
    for actor, code in (
        (DOC, "not_the_holder"),
        (runner.session_name, "not_the_holder"),
        ("zoe@external", "not_a_registered_person"),
        ("nosuch@my-rig", "not_a_registered_person"),
        (HOST, "not_a_registered_person"),
    ):
        assert refused(await update(served, row_id, actorSession=actor, state="done"))[:2] == (
            403,
            code,
        )
    nobody = await served.operator.post(f"/api/queue/{row_id}/update", json={"state": "done"})
    assert refused(nobody)[:2] == (400, "actor_required")
    for verb in ("approve", "drop", "deny", "route", "hold", "annotate"):
        act = await served.act(row_id, verb, actorSession=QA, reason="x", annotation="x")
        assert refused(act)[:2] == (403, "not_a_registered_person")
    assert await reads(served, ask_id) == PENDING


async def test_a_persons_row_is_answered_and_not_updated(served: Served, runner: Runner) -> None:
    ask_id = runner.ask()
    for actor in (QA, "ana@external", "human@host"):
        for state in ("done", "failed", "denied", "canceled"):
            reply = await update(served, ask_id, actorSession=actor, state=state)
            assert refused(reply) == (409, "not_applicable", "held_by_person")
    assert await reads(served, ask_id) == PENDING


async def test_a_row_that_has_moved_on_takes_no_act(served: Served, runner: Runner) -> None:
    ask_id = runner.ask()
    first = await hand(served, ask_id, QA)
    second = await hand(served, ask_id, DOC)
    moved = (409, "not_applicable", "moved")
    assert refused(await update(served, first, actorSession="human@host", state="done")) == moved
    for act in (
        await update(served, ask_id, actorSession="human@host", state="done", rowId=first),
        await served.act(ask_id, "deny", rowId=ask_id),
        await served.act(ask_id, "route", rowId=first, destinationSession="ben@external"),
    ):
        assert refused(act) == moved
        assert act.json()["item"]["permission"]["rowId"] == second
    by_ask = await update(served, ask_id, actorSession=DOC, state="denied", rowId=second)
    assert by_ask.status_code == 200
    assert await reads(served, ask_id) == {"state": "answered", "optionId": "c"}


@rule("D7-38", "D7-37")
@pytest.mark.parametrize("how", ["withdraw", "relaunch", "stop seat", "stop post"])
async def test_closing_an_agents_row_after_the_end_does_nothing(
    served: Served, runner: Runner, how: str
) -> None:
    runner.prompt()
    ask_id = runner.ask()
    row_id = await hand(served, ask_id, QA)
    match how:
        case "withdraw":
            url = f"/api/activity/permission-requests/{ask_id}/withdraw"
            await served.hooks.post(url, json={"reason": "turn_ended"})
        case "relaunch" | "stop seat":
            verb = how.partition(" ")[0]
            await served.operator.post(f"/api/seats/builder@my-rig/{verb}", json={})
        case _:
            runner.post("Stop", "end_turn", turnId="7")
    end = "stale" if how in ("relaunch", "stop seat") else "withdrawn"
    before = served.daemon.ask(ask_id)

    for state in ("done", "failed", "denied", "canceled"):
        late = await update(served, row_id, state=state)
        assert refused(late) == (409, "not_applicable", end)
        assert late.json()["outcome"]["state"] == end

    assert served.daemon.ask(ask_id) == before
    assert await reads(served, ask_id) == {"state": end}
    assert served.daemon.permits() == []


@rule("D7-34", "D7-28")
async def test_an_ask_a_seat_holds_outlives_time_restarts_and_that_seats_own_end(
    served: Served, runner: Runner
) -> None:
    ask_id = runner.ask()
    row_id = await hand(served, ask_id, QA)
    await served.operator.post(f"/api/seats/{QA}/stop", json={})
    served.daemon.clock.advance(30 * 86_400)
    assert await reads(served, ask_id) == PENDING
    served.daemon.restart()
    ask = served.daemon.ask(ask_id)
    assert ask.pending
    assert (ask.row_id, ask.holder.id) == (row_id, QA)
    assert served.daemon.core.pending.keys() == {ask_id}


async def test_an_update_under_one_key_is_done_once(served: Served, runner: Runner) -> None:
    ask_id = runner.ask()
    row_id = await hand(served, ask_id, QA)
    headers = {"Idempotency-Key": "k"}
    body = {"state": "failed", "actorSession": QA}
    url = f"/api/queue/{row_id}/update"
    first = await served.operator.post(url, json=body, headers=headers)
    again = await served.operator.post(url, json=body, headers=headers)
    assert (first.status_code, first.content) == (200, again.content)
    assert len(served.daemon.permits()) == 1


async def test_destinations_tell_people_from_seats_and_offer_no_other_host(
    served: Served, runner: Runner
) -> None:
    await served.operator.post(f"/api/seats/{DOC}/stop", json={})
    body = (await served.operator.get("/api/mission-control/destinations")).json()
    told = [(each["type"], each["sessionName"]) for each in body["destinations"]]
    assert told == [
        ("person", "ana@external"),
        ("person", "ben@external"),
        ("person", "human@host"),
        ("seat", QA),
        ("seat", DOC),
        ("seat", "builder@my-rig"),
    ]
    by_name = {each["sessionName"]: each for each in body["destinations"]}
    assert by_name[QA]["rigName"] == "my-rig"
    assert (by_name[QA]["status"], by_name[DOC]["status"]) == ("running", "stopped")
    assert by_name["ben@external"]["source"] == "people"


async def test_the_audit_says_who_acted_on_any_row_of_an_ask(
    served: Served, runner: Runner
) -> None:
    ask_id, other = runner.ask(), runner.ask(requestId=2)
    row_id = await hand(served, ask_id, QA, actorSession="ana@external", reason="yours")
    await served.act(other, "annotate", annotation="look")
    await served.answer(other, "a", actorSession="ben@external")
    await update(served, row_id, state="denied")

    async def audit(**params: Any) -> Any:
        reply = await served.operator.get("/api/mission-control/audit", params=params)
        assert reply.status_code == 200, reply.text
        return reply.json()

    acts = await audit(qitem_id=row_id)
    assert [(row["actionVerb"], row["actorSession"], row["qitemId"]) for row in acts["rows"]] == [
        ("denied", QA, row_id),
        ("handoff", "ana@external", ask_id),
    ]
    assert (acts["hasMore"], acts["nextBeforeId"]) == (False, None)
    handed = acts["rows"][1]
    assert handed["reason"] == "yours"
    assert (handed["beforeState"]["state"], handed["afterState"]["state"]) == (
        "pending",
        "handed-off",
    )
    assert acts == await audit(qitem_id=ask_id)
    (noted,) = (await audit(action_verb="annotate"))["rows"]
    assert noted["annotation"] == "look"
    assert [row["actionVerb"] for row in (await audit(actor_session="ben@external"))["rows"]] == [
        "click"
    ]
    first = await audit(limit=3)
    assert (len(first["rows"]), first["hasMore"]) == (3, True)
    rest = await audit(limit=3, before_id=first["nextBeforeId"])
    assert [row["actionVerb"] for row in rest["rows"]] == ["handoff"]
    assert (await audit(until=(START).isoformat().replace("+00:00", "Z")))["rows"] != []
    assert (await audit(qitem_id="nosuch"))["rows"] == []
