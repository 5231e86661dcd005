"""One command, one POST, one honest verdict."""

from __future__ import annotations

import asyncio
import dataclasses
import json

import httpx
import pytest

from rig_tui.client.errors import BadAnswerError, LostError
from rig_tui.domain.commands import (
    ActOnItem,
    AnswerAsk,
    ChooseDefault,
    ClearAttention,
    CloseAsk,
    Command,
    DenyAsk,
    Destinations,
    Done,
    EndedAsks,
    HandToSeat,
    Operation,
    PermitsBefore,
    RegisterPerson,
    Rejected,
    RemovePerson,
    RevokeGrant,
    RouteAsk,
    RunnerPermitsBefore,
    SeatEvents,
    SetOverride,
    StopSeat,
    Unconfirmed,
    Unsent,
    UpdateRow,
    WholeAsk,
)
from rig_tui.domain.events import LinkMade
from rig_tui.domain.history import Filters
from rig_tui.domain.model import (
    Ask,
    Asked,
    AskedMode,
    AskState,
    Cause,
    Destination,
    HolderType,
    Outcome,
    OverrideMode,
    Permit,
    RunnerPermit,
    SeatId,
)
from rig_tui.domain.overtaken import why_not
from rig_tui.domain.timeline import SeatEvent
from rig_tui.wire import openrig
from tests.client.conftest import Console
from tests.client.scripted_daemon import (
    NOW,
    Request,
    ScriptedDaemon,
    an_ask,
    answer,
    drip,
    drop,
    hang,
    head,
    redirect,
)

ALLOW = AnswerAsk("qitem-1", "qitem-1", "o1")
ANSWER_PATH = "/api/queue/qitem-1/answer"
ACTION_PATH = "/api/mission-control/action"
SETTING_PATH = "/api/seat/set-permissions-to/builder@my-rig"
SEAT = SeatId("r1", "builder")
WHO = {
    "actorSession": "ana@external",
    "origin": {"program": "tui", "pid": 42, "tty": "/dev/pts/3"},
}


def answered(by: str = "ben@external") -> Ask:
    return dataclasses.replace(
        an_ask(version=9),
        outcome=Outcome(AskState.ANSWERED, "o1", "allow_once", remembered=False),
        decided_by=by,
    )


@pytest.mark.parametrize(
    ("command", "path", "body"),
    [
        (
            AnswerAsk("qitem-1", "qitem-2", "o1"),
            ANSWER_PATH,
            {"questionId": "permission", "optionId": "o1", "rowId": "qitem-2"},
        ),
        (
            DenyAsk("qitem-1", "qitem-2"),
            ACTION_PATH,
            {"verb": "deny", "qitemId": "qitem-1", "rowId": "qitem-2"},
        ),
        (
            CloseAsk("qitem-1", "qitem-2", "drop", "not ours"),
            ACTION_PATH,
            {"verb": "drop", "qitemId": "qitem-1", "rowId": "qitem-2", "reason": "not ours"},
        ),
        (
            RouteAsk("qitem-1", "qitem-2", "ben@external"),
            ACTION_PATH,
            {
                "verb": "route",
                "qitemId": "qitem-1",
                "rowId": "qitem-2",
                "destinationSession": "ben@external",
            },
        ),
        (
            ClearAttention(SEAT, "builder@my-rig", "seen"),
            "/api/sessions/builder@my-rig/clear-attention",
            {"reason": "seen"},
        ),
        (
            RegisterPerson("ben", "Ben", make_default=True, confirm=True),
            "/api/gateway/humans",
            {"entityId": "ben", "displayName": "Ben", "default": True, "confirm": True},
        ),
        (
            HandToSeat("qitem-1", "qitem-2", "qa@my-rig", "yours"),
            ACTION_PATH,
            {
                "verb": "handoff",
                "qitemId": "qitem-1",
                "rowId": "qitem-2",
                "destinationSession": "qa@my-rig",
                "reason": "yours",
            },
        ),
        (
            UpdateRow("qitem-1", "qitem-2", "done", "denied"),
            "/api/queue/qitem-1/update",
            {"state": "done", "closureReason": "denied", "rowId": "qitem-2"},
        ),
        (
            UpdateRow("qitem-1", "qitem-2", "canceled"),
            "/api/queue/qitem-1/update",
            {"state": "canceled", "rowId": "qitem-2"},
        ),
        (
            SetOverride(SEAT, "builder@my-rig", OverrideMode.TO, "ben", "on call"),
            SETTING_PATH,
            {"to": "ben", "reason": "on call"},
        ),
        (
            SetOverride(SEAT, "builder@my-rig", OverrideMode.DENY, None, "frozen"),
            SETTING_PATH,
            {"deny": True, "reason": "frozen"},
        ),
        (
            SetOverride(SEAT, "builder@my-rig", OverrideMode.NONE, None, "thawed"),
            SETTING_PATH,
            {"clear": True, "reason": "thawed"},
        ),
        (
            ChooseDefault(None, dry_run=True),
            "/api/gateway/default",
            {"entityId": None, "dryRun": True},
        ),
        (ChooseDefault("ben"), "/api/gateway/default", {"entityId": "ben"}),
        (
            RevokeGrant(SEAT, "builder@my-rig"),
            "/api/seats/builder@my-rig/grants",
            {"revoke": True},
        ),
        (StopSeat(SEAT, "builder@my-rig"), "/api/seats/builder@my-rig/stop", {}),
    ],
)
async def test_a_command_is_one_post_with_its_key_its_actor_and_its_origin(
    console: Console,
    daemon: ScriptedDaemon,
    command: Command,
    path: str,
    body: dict[str, object],
) -> None:
    daemon.handlers[path] = answer({"status": "recorded"})
    await console.backend.open()
    assert isinstance(await console.backend.send(command, "key-1"), Done)
    (request,) = daemon.asked(path)
    assert request.method == "POST"
    assert request.headers["idempotency-key"] == "key-1"
    assert request.json == {**body, **WHO}


async def test_a_person_is_removed_by_a_delete_that_says_who_and_whether(
    console: Console, daemon: ScriptedDaemon
) -> None:
    path = "/api/gateway/humans/ben"
    was = Asked(AskedMode.PERSON, "ben", "only_registered_person")
    then = Asked(AskedMode.PERMITS, because=Cause.NO_REGISTERED_PERSON)
    changes = (("builder@my-rig", was, then),)
    daemon.handlers[path] = answer({"ok": True, "changes": [*openrig.encode_changes(changes)]})
    await console.backend.open()
    verdict = await console.backend.send(RemovePerson("ben", dry_run=True), "key-1")
    assert verdict == Done(changes=changes)
    (request,) = daemon.asked(path)
    assert request.method == "DELETE"
    assert request.headers["idempotency-key"] == "key-1"
    assert request.json == {"dryRun": True, **WHO}


async def test_who_registers_themself_does_so_as_the_token_s_holder(
    console: Console, daemon: ScriptedDaemon
) -> None:
    """Nobody can act before being registered."""
    daemon.handlers["/api/gateway/humans"] = answer({"ok": True})
    await console.backend.open()
    await console.backend.send(RegisterPerson("ana", "Ana"), "k")
    assert daemon.requests[-1].json["actorSession"] == "human@host"


async def test_ids_that_look_like_paths_stay_ids(console: Console, daemon: ScriptedDaemon) -> None:
    await console.backend.open()
    await console.backend.send(AnswerAsk("../x?y#z/w", "r", "o1"), "k")
    assert daemon.requests[-1].path == "/api/queue/..%2Fx%3Fy%23z%2Fw/answer"


async def test_a_lone_surrogate_in_a_reason_does_not_stop_a_command(
    console: Console, daemon: ScriptedDaemon
) -> None:
    daemon.handlers[ACTION_PATH] = answer({"status": "recorded"})
    await console.backend.open()
    verdict = await console.backend.send(CloseAsk("qitem-1", "r", "drop", "\udcff"), "k")
    assert isinstance(verdict, Done)


async def test_done_carries_the_outcome_and_the_ask_as_it_stands(
    console: Console, daemon: ScriptedDaemon
) -> None:
    daemon.handlers[ANSWER_PATH] = answer(openrig.encode_recorded(answered("ana@external")))
    await console.backend.open()
    verdict = await console.backend.send(ALLOW, "k")
    assert isinstance(verdict, Done)
    assert verdict.outcome == answered().outcome
    assert verdict.ask is not None
    assert (verdict.version, verdict.ask.decided_by) == (9, "ana@external")


async def test_too_late_says_who_was_first_and_brings_the_ask(
    console: Console, daemon: ScriptedDaemon
) -> None:
    error = openrig.encode_error(
        "not_applicable", "Not pending.", ask=answered(), reason="answered"
    )
    daemon.handlers[ANSWER_PATH] = answer(error, 409)
    await console.backend.open()
    verdict = await console.backend.send(ALLOW, "k")
    assert isinstance(verdict, Rejected)
    assert verdict.reason == "answered"
    assert verdict.message == "ben@external has already answered it: ‘Allow’"
    assert verdict.ask is not None
    assert verdict.ask.version == 9


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        ("answered", "ben@external has already answered"),
        ("permitted", "PERMITTED"),
        ("refused", "ben@external has already said no"),
        ("withdrawn", "withdrawn"),
        ("stale", "stopped or relaunched"),
        ("moved", "Ana holds it now"),
        ("held_by_seat", "the seat Ana"),
        ("held_by_host", "the host Ana"),
        ("held_by_person", "Ana holds it"),
    ],
)
def test_every_reason_has_a_sentence(reason: str, says: str) -> None:
    assert says in why_not(reason, answered())


async def test_a_reason_nobody_knows_keeps_the_daemon_s_own_words(
    console: Console, daemon: ScriptedDaemon
) -> None:
    error = openrig.encode_error("not_applicable", "Full moon.", ask=answered(), reason="moon")
    daemon.handlers[ANSWER_PATH] = answer(error, 409)
    await console.backend.open()
    verdict = await console.backend.send(ALLOW, "k")
    assert isinstance(verdict, Rejected)
    assert (verdict.reason, verdict.message) == ("moon", "Full moon.")


@pytest.mark.parametrize(
    ("status", "code"), [(400, "unknown_option"), (401, "unauthorized"), (404, "not_found")]
)
async def test_the_daemon_s_errors_are_rejections(
    console: Console, daemon: ScriptedDaemon, status: int, code: str
) -> None:
    daemon.handlers[ANSWER_PATH] = answer({"error": code, "message": "Why."}, status)
    await console.backend.open()
    verdict = await console.backend.send(ALLOW, "k")
    assert verdict == Rejected(code, "Why.")


async def test_a_registration_that_would_permit_lists_the_seats(
    console: Console, daemon: ScriptedDaemon
) -> None:
    now = Asked(AskedMode.PERSON, "ana", "only_registered_person")
    then = Asked(AskedMode.PERMITS, because=Cause.SEVERAL_AND_NO_DEFAULT)
    changes = (("builder@my-rig", now, then),)
    error = openrig.encode_error(
        "would_permit", "One seat would permit.", changes=[*openrig.encode_changes(changes)]
    )
    daemon.handlers["/api/gateway/humans"] = answer(error, 409)
    await console.backend.open()
    verdict = await console.backend.send(RegisterPerson("ben", "Ben"), "k")
    assert isinstance(verdict, Rejected)
    assert verdict.changes == changes


@pytest.mark.parametrize(
    "fault",
    [
        hang(),
        drip(head(200)),
        drop(),
        drop(head(200, content_length="99") + b"{"),
        drop(b"nonsense\r\n\r\n"),
        redirect("http://127.0.0.1:1/"),
        answer({"error": "broken", "message": "Disk full."}, 500),
        answer({"error": "in_progress", "message": "Wait."}, 409),
        answer([]),
        answer({"status": "recorded", "item": 7}),
    ],
    ids=["hang", "drip", "drop", "cut", "not http", "redirect", "500", "busy", "list", "bad item"],
)
async def test_what_may_have_arrived_is_unconfirmed_and_sent_once(
    console: Console, daemon: ScriptedDaemon, fault: object
) -> None:
    console.timing = dataclasses.replace(console.timing, answer=1.0, whole=1.0)
    daemon.handlers[ANSWER_PATH] = fault  # type: ignore[assignment]
    await console.backend.open()
    verdict = await console.backend.send(ALLOW, "k")
    assert isinstance(verdict, Unconfirmed), verdict
    assert verdict.cause
    assert len(daemon.asked(ANSWER_PATH)) == 1


async def test_nothing_is_sent_without_a_connection(
    console: Console, daemon: ScriptedDaemon
) -> None:
    assert isinstance(await console.backend.send(ALLOW, "k"), Unsent)
    assert not daemon.requests


async def test_a_daemon_that_is_gone_gets_nothing(console: Console, daemon: ScriptedDaemon) -> None:
    await console.backend.open()
    await daemon.stop()
    verdict = await console.backend.send(ALLOW, "k")
    assert isinstance(verdict, Unsent)
    assert not daemon.asked(ANSWER_PATH)


async def test_a_write_under_way_gets_its_answer_when_the_stream_is_lost(
    console: Console, daemon: ScriptedDaemon
) -> None:
    arrived, go = asyncio.Event(), asyncio.Event()

    async def slow(request: Request, writer: asyncio.StreamWriter) -> None:
        arrived.set()
        await go.wait()
        await answer(openrig.encode_recorded(answered()))(request, writer)

    daemon.handlers[ANSWER_PATH] = slow
    follower = console.follow()
    stream = await daemon.streams.get()
    await follower.until(LinkMade)
    sending = asyncio.create_task(console.backend.send(ALLOW, "k"))
    await arrived.wait()
    stream.end()
    await follower.until(LinkMade, 2)
    go.set()
    assert isinstance(await sending, Done)


async def test_fetching_reads_one_ask_whole_an_operation_and_older_permits(
    console: Console, daemon: ScriptedDaemon
) -> None:
    permits = [
        openrig.encode_permit(
            Permit(f"p{n}", f"key-{n}", NOW, "builder@my-rig", "no_registered_person", {}, "o1")
        )
        for n in (3, 2, 1)
    ]
    daemon.handlers["/api/queue/qitem-1"] = answer(openrig.encode_item(an_ask(), whole=True))
    daemon.handlers["/api/operations/key-1"] = answer({"state": "done"})
    await console.backend.open()
    daemon.handlers["/api/stream/list"] = answer(list(permits))
    whole = (await console.backend.fetch(WholeAsk("qitem-1"))).ask
    assert whole is not None
    assert whole.tool_call == an_ask().tool_call
    assert (await console.backend.fetch(Operation("key-1"))).operation_done is True
    page = await console.backend.fetch(PermitsBefore("key-4", "builder@my-rig", limit=2))
    assert [permit.permit_id for permit in page.permits] == ["p3", "p2"]
    assert page.more
    query = daemon.asked("/api/stream/list")[-1].query
    assert (query["beforeSortKey"], query["direction"], query["limit"]) == ("key-4", "latest", "3")
    assert query["seat"] == "builder@my-rig"


async def test_fetching_reads_a_seats_timeline_page_by_page(
    console: Console, daemon: ScriptedDaemon
) -> None:
    path = "/api/seats/builder@my-rig/events"
    events = [SeatEvent(f"{n:020}", NOW, "cleared", "permission", "ana", "x") for n in (3, 2, 1)]
    daemon.handlers[path] = answer([openrig.encode_seat_event(event) for event in events])
    await console.backend.open()
    query = SeatEvents("builder@my-rig", ("ask", "cleared"), before="4", limit=2)
    page = await console.backend.fetch(query)
    assert page.seat_events == tuple(events[:2])
    assert page.more
    assert daemon.asked(path)[-1].query == {
        "kinds": "ask,cleared",
        "beforeSortKey": "4",
        "limit": "3",
    }


async def test_fetching_reads_ended_asks_by_filters(
    console: Console, daemon: ScriptedDaemon
) -> None:
    await console.backend.open()
    rows = [{**openrig.encode_item(answered()), "sortKey": f"{n:020}"} for n in (3, 2, 1)]
    daemon.handlers["/api/queue/list"] = answer(list(rows))
    filters = Filters(person="ben", kind="allow_once", since=NOW, text="tests")
    page = await console.backend.fetch(EndedAsks("4", filters, limit=2))
    assert [(row.sort_key, row.ask.ask_id) for row in page.ended] == [
        (f"{3:020}", "qitem-1"),
        (f"{2:020}", "qitem-1"),
    ]
    assert page.more
    assert daemon.asked("/api/queue/list")[-1].query == {
        "asks": "closed",
        "beforeSortKey": "4",
        "person": "ben",
        "kind": "allow_once",
        "q": "tests",
        "since": "2026-11-30T12:00:00.000Z",
        "limit": "3",
    }


async def test_fetching_reads_runners_own_permits_by_filters(
    console: Console, daemon: ScriptedDaemon
) -> None:
    await console.backend.open()
    causes = [RunnerPermit(f"{n:020}", NOW, "builder@my-rig", "duplicate") for n in (3, 2)]
    daemon.handlers["/api/runner-permits"] = answer(
        [openrig.encode_runner_permit(cause) for cause in causes]
    )
    filters = Filters(seat="builder@my-rig", rig="my-rig", cause="duplicate", until=NOW)
    page = await console.backend.fetch(RunnerPermitsBefore("4", filters, limit=2))
    assert page.runner_permits == tuple(causes)
    assert not page.more
    assert daemon.asked("/api/runner-permits")[-1].query == {
        "beforeSortKey": "4",
        "seat": "builder@my-rig",
        "rig": "my-rig",
        "cause": "duplicate",
        "until": "2026-11-30T12:00:00.000Z",
        "limit": "3",
    }


async def test_fetching_tells_people_from_seats(console: Console, daemon: ScriptedDaemon) -> None:
    ben = Destination(HolderType.PERSON, "ben@external", "Ben")
    seat = Destination(HolderType.SEAT, "qa@my-rig", "qa@my-rig", "my-rig", "running")
    daemon.handlers["/api/mission-control/destinations"] = answer(
        openrig.encode_destinations([ben, seat])
    )
    await console.backend.open()
    assert (await console.backend.fetch(Destinations())).destinations == (ben, seat)


async def test_fetching_says_why_it_failed(console: Console) -> None:
    with pytest.raises(LostError, match="no connection"):
        await console.backend.fetch(WholeAsk("qitem-1"))
    await console.backend.open()
    with pytest.raises(BadAnswerError, match="No /api/queue/qitem-9"):
        await console.backend.fetch(WholeAsk("qitem-9"))


async def test_any_transport_will_do() -> None:
    """The transport is the caller's: nothing above it depends on sockets."""
    seen: list[httpx.Request] = []
    daemon = ScriptedDaemon(port=9)

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        query = dict(request.url.params)
        asked = Request(request.method, request.url.path, query, {}, request.content)
        if asked.path == "/healthz":
            return httpx.Response(200, json=daemon._health(asked))
        if asked.path == ANSWER_PATH:
            return httpx.Response(200, content=json.dumps({"status": "recorded"}))
        body, status = daemon._list(asked)
        return httpx.Response(status, json=body)

    console = Console(daemon)
    console.transport = lambda: httpx.MockTransport(handle)
    await console.backend.open()
    assert isinstance(await console.backend.send(ALLOW, "k"), Done)
    assert seen[-1].headers["authorization"] == "Bearer t0ken"
    await console.close()


async def test_a_verb_for_an_item_never_reaches_a_daemon_where_it_would_permit(
    daemon: ScriptedDaemon, console: Console
) -> None:
    await console.follow().until(LinkMade)
    verdict = await console.backend.send(ActOnItem("qitem-1", "qitem-1", "approve"), "key")
    assert isinstance(verdict, Rejected)
    assert {request.method for request in daemon.requests} == {"GET"}
