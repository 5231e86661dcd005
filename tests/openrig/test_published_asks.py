from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.domain import items
from rig_tui.domain.commands import (
    ActOnItem,
    AnswerAsk,
    ClearAttention,
    CloseAsk,
    Done,
    Rejected,
    Unconfirmed,
    Unsent,
)
from rig_tui.domain.events import AskClosed, LinkMade
from rig_tui.domain.items import ItemKind, Verb
from rig_tui.domain.model import AskState, SeatId
from rig_tui.wire.published.answers import decode_refusal
from rig_tui.wire.published.items import decode_item, decode_items, is_person
from tests.client.conftest import FAST
from tests.client.scripted_daemon import hang
from tests.openrig import recorded
from tests.openrig.conftest import become, fleet_of
from tests.openrig.fake import event

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask
    from tests.client.scripted_daemon import Follower
    from tests.openrig.conftest import OpenRigConsole
    from tests.openrig.fake import FakeOpenRig

GATE = "qitem-20261130183051-27564dfa"
PARKED = "qitem-20261130183051-b25226a3"
ACTION = "/api/mission-control/action"


def item(**more: Any) -> Ask:
    return decode_item(json.dumps(recorded.ANSWERS["attention"][-1] | more))


def act(verb: str, ask_id: str = GATE, **more: str) -> ActOnItem:
    return ActOnItem(ask_id, ask_id, verb, **more)


async def following(console: OpenRigConsole) -> Follower:
    follower = console.follow()
    await follower.until(LinkMade)
    return follower


def test_every_recorded_ask_says_whose_it_is_and_of_which_kind() -> None:
    asks = decode_items(json.dumps(recorded.ANSWERS["attention"]))
    assert [(ask.item.kind, ask.holder.id) for ask in asks if ask.item] == [
        (ItemKind.GATE, "human@host"),  # its row is an agent's, its decision a person's
        (ItemKind.BLOCKED, "human@host"),
        (ItemKind.GATE, "human@host"),
        (ItemKind.GATE, "human-wrandom@kernel"),
        (ItemKind.GATE, "human@kernel"),
        (ItemKind.GATE, "human@host"),
    ]
    assert all(ask.pending and not ask.options for ask in asks)


def test_the_questions_of_a_decision_are_kept_as_they_were_asked() -> None:
    question = {
        "id": "db", "question": "Which one?",
        "options": [{"id": "a", "label": "A", "recommended": True}, {"id": "b", "label": "B"}],
    }  # fmt: skip
    asked = item(humanIntent="decision", humanQuestions=[question]).item
    assert asked is not None
    assert asked.kind is ItemKind.DECISION
    assert [choice.label for choice in asked.questions[0].choices] == ["A", "B"]
    assert asked.questions[0].choices[0].recommended


@pytest.mark.parametrize(
    ("session", "person"),
    [("human@host", True), ("human-ana@kernel", True), ("ana@external", True),
     ("human@alpha", False), ("humane@host", False), ("dev-qa@alpha", False)],
)  # fmt: skip
def test_only_an_address_of_the_host_or_the_outside_is_a_person(session: str, person: bool) -> None:
    assert is_person(session) is person


@pytest.mark.parametrize(
    ("row", "words"),
    [({"state": "done", "closureReason": "denied", "closureTarget": "no"}, "denied: no"),
     ({"state": "denied"}, "denied"),
     ({"state": "done", "closureReason": "no-follow-on"}, "closed as done"),
     ({"state": "done", "closureReason": "canceled", "closureTarget": "old"}, "dropped: old"),
     ({"state": "canceled"}, "dropped"),
     ({"state": "handed-off", "handedOffTo": "dev-qa@beta"}, "handed over to dev-qa@beta"),
     ({"state": "in-progress", "destinationSession": "dev-qa@a", "blockedOn": "human@host",
       "tier": None}, "no longer waiting for a person: it is in-progress")],
)  # fmt: skip
def test_each_way_an_item_ends_is_said_in_words(row: dict[str, Any], words: str) -> None:
    outcome = item(**row).outcome
    assert (outcome.state, outcome.reason) == (AskState.CLOSED, words)


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [("auth-mc-action-missing", "unauthorized", "OPENRIG_AUTH_BEARER_TOKEN"),
     ("clear-attention-notin", "not_in_attention", "not in attention"),
     ("handover-404", "seat_not_found", "List seats with"),
     ("hook-err-noidentity", "missing_session_identity", "requires a managed sessionName"),
     ("q-handoff-err-nofrom", "http_400", "fromSession is required"),
     ("edge-list-badlimit", "http_500", "Internal Server Error"),
     ("404", "http_404", "404 Not Found"),
     ("rig-archive-running", "http_409", "Stop it first"),
     ("q-mc-approve-err-terminal", "qitem_already_terminal", "already terminal")],
)  # fmt: skip
def test_every_shape_of_a_refusal_becomes_a_code_and_a_sentence(
    name: str, code: str, words: str
) -> None:
    refusal = decode_refusal(*recorded.refusal(name))
    assert refusal.code == code
    assert words in refusal.message


@pytest.mark.parametrize("verb", list(Verb))
def test_no_verb_ever_says_that_it_permits(verb: Verb) -> None:
    for row in recorded.ANSWERS["attention"]:
        shown = decode_item(json.dumps(row)).item
        assert shown is not None
        words = items.consequence(verb, shown)
        assert "PERMIT" not in words
        assert not any(other.value in words for other in Verb if other is not verb)


async def test_what_waits_is_shown_and_what_ended_says_who_ended_it(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    follower = await following(console)
    assert len(fleet_of(follower).asks) == len(openrig.items)
    stream = await openrig.stream()
    openrig.end(GATE)
    stream.send(event(900, "queue.updated", qitemId=GATE))
    await follower.until(AskClosed)
    ended = fleet_of(follower).asks[GATE]
    assert (ended.outcome.reason, ended.decided_by) == ("closed as done", "ben@external")


async def test_an_event_is_shown_in_its_daemon_s_list_or_not_at_all(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    follower = await following(console)
    stream = await openrig.stream()
    new = openrig.file(summary="Deploy?")
    stream.send(event(900, "queue.created", qitemId="qitem-that-never-was"))
    await become(lambda: new["qitemId"] in fleet_of(follower).asks)
    assert "qitem-that-never-was" not in fleet_of(follower).asks


@pytest.mark.parametrize(
    ("verb", "said", "sent"),
    [("approve", {}, {}), ("deny", {"text": "no"}, {"reason": "no"}),
     ("drop", {"text": "old"}, {"reason": "old"}), ("hold", {"text": "wait"}, {"reason": "wait"}),
     ("annotate", {"text": "hm"}, {"annotation": "hm"}),
     ("route", {"to": "dev-qa@beta"}, {"destinationSession": "dev-qa@beta"})],
)  # fmt: skip
async def test_a_verb_is_sent_once_with_what_it_needs_and_who_acts(
    console: OpenRigConsole, openrig: FakeOpenRig,
    verb: str, said: dict[str, str], sent: dict[str, str],
) -> None:  # fmt: skip
    openrig.gated = True
    await following(console)
    verdict = await console.backend.send(act(verb, **said), "key")
    assert isinstance(verdict, Done)
    assert openrig.acted == [
        (ACTION, {"verb": verb, "qitemId": GATE, "actorSession": "human@host"} | sent)
    ]
    closes = verb in ("approve", "deny", "drop", "route")
    assert verdict.ask is not None
    assert verdict.ask.pending is not closes


async def test_a_decision_is_given_to_the_seat_that_waits_for_it(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    await following(console)
    verdict = await console.backend.send(act("resolve", PARKED, text="Pick A"), "key")
    assert isinstance(verdict, Done)
    assert openrig.acted[0][1]["decision"] == "Pick A"


async def test_an_item_that_changed_since_it_was_shown_gets_nothing(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    await following(console)
    openrig.item(GATE)["summary"] = "Approve something else"
    verdict = await console.backend.send(act("approve"), "key")
    assert isinstance(verdict, Rejected)
    assert verdict.reason == "changed"
    openrig.end(GATE)
    verdict = await console.backend.send(act("approve"), "key")
    assert isinstance(verdict, Rejected)
    assert "already closed as done" in verdict.message
    assert not openrig.acted


@pytest.mark.parametrize("status", [500, 409])
async def test_after_a_conflict_or_a_fault_the_item_itself_says_what_is_so(
    console: OpenRigConsole, openrig: FakeOpenRig, status: int
) -> None:
    await following(console)
    openrig.answers[ACTION] = (status, b'{"error":"internal_error","message":"Oh."}')
    verdict = await console.backend.send(act("approve"), "key")
    assert isinstance(verdict, Unconfirmed if status == 500 else Rejected)
    assert len(openrig.asked(ACTION)) == 1
    whole = openrig.asked(f"/api/queue/{GATE}")
    assert len(whole) == 2  # before the write and after it


async def test_a_verb_that_is_never_answered_is_not_confirmed_and_not_sent_again(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    console.timing = replace(FAST, answer=0.3)
    await following(console)
    openrig.handlers[ACTION] = hang()
    assert isinstance(await console.backend.send(act("approve"), "key"), Unconfirmed)
    assert len(openrig.asked(ACTION)) == 1


async def test_a_missing_token_says_where_it_was_looked_for(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    openrig.gated = True
    assert console.bearers is not None
    console.bearers = replace(console.bearers, operator=None, looked_in="OPENRIG_AUTH_X")
    await following(console)
    verdict = await console.backend.send(act("approve"), "key")
    assert isinstance(verdict, Rejected)
    assert "OPENRIG_AUTH_X" in verdict.message


async def test_attention_is_cleared_with_a_reason_or_not_at_all(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    openrig.gated = True
    await following(console)
    seat_id = SeatId("r", "dev.impl")
    bare = ClearAttention(seat_id, "dev-impl@beta", " ")
    assert isinstance(await console.backend.send(bare, "key"), Rejected)
    assert not openrig.acted
    said = await console.backend.send(replace(bare, reason="seen"), "key")
    assert isinstance(said, Done)
    assert openrig.acted == [("/api/sessions/dev-impl@beta/clear-attention", {"reason": "seen"})]


@pytest.mark.parametrize(
    "command", [AnswerAsk(GATE, GATE, "allow"), CloseAsk(GATE, GATE, "approve", "x")]
)
async def test_nothing_that_would_answer_a_permission_is_ever_sent(
    console: OpenRigConsole, openrig: FakeOpenRig, command: AnswerAsk | CloseAsk
) -> None:
    await following(console)
    verdict = await console.backend.send(command, "key")
    assert isinstance(verdict, Rejected)
    assert {request.method for request in openrig.requests} == {"GET"}


async def test_a_daemon_without_verbs_gets_none(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    openrig.lacks.add("/api/mission-control/views")
    await following(console)
    assert isinstance(await console.backend.send(act("approve"), "key"), Rejected)
    assert not openrig.asked(ACTION)


async def test_nothing_is_sent_when_the_item_can_t_be_read_first(
    console: OpenRigConsole, openrig: FakeOpenRig
) -> None:
    await following(console)
    openrig.lacks.add(f"/api/queue/{GATE}")
    assert isinstance(await console.backend.send(act("approve"), "key"), Unsent)
    assert not openrig.acted
