"""What operators do to an ask, and what its runner then reads."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import acts, asks, launches, messages, people
from rig_tui.daemon.acting import Request
from rig_tui.daemon.actors import Actor, who
from rig_tui.daemon.reply import RefusedError
from rig_tui.domain.model import AskState, Reading
from tests.daemon.harness import ALLOW, ALWAYS, NEVER, OPTIONS, REJECT
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.daemon.reply import Reply
    from rig_tui.domain.model import JsonObject
    from tests.daemon.harness import Daemon, Runner

PRIMARY = Actor("human@host")
ANA, BEN = Actor("ana@external"), Actor("ben@external")


@pytest.fixture
def runner(daemon: Daemon) -> Runner:
    """A seat whose requests reach ana; ben is registered too."""
    daemon.person("ana", default=True)
    daemon.person("ben")
    return daemon.runner()


def request(ask_id: str, actor: Actor = PRIMARY, **body: Any) -> Request:
    return Request(ask_id, actor, body)


def click(daemon: Daemon, ask_id: str, option_id: str, actor: Actor = PRIMARY, **body: Any) -> Any:
    body = {"questionId": "permission", "optionId": option_id, **body}
    return acts.answer(daemon.core, request(ask_id, actor, **body))


def act(daemon: Daemon, ask_id: str, verb: str, actor: Actor = PRIMARY, **body: Any) -> Any:
    return acts.act(daemon.core, request(ask_id, actor, verb=verb, **body))


def reply(daemon: Daemon, ask_id: str, text: str, actor: Actor = PRIMARY, **body: Any) -> Any:
    return acts.reply(daemon.core, request(ask_id, actor, text=text, **body))


def refusal(do: Callable[[], object]) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        do()
    return caught.value


def reads(runner: Runner, ask_id: str) -> dict[str, Any]:
    body = runner.read(ask_id)
    assert body.pop("ok") is True
    assert body.pop("askId") == ask_id
    return body


@rule("D7-22", "D7-50", "D7-55", "D7-40")
def test_a_click_gives_that_option_whoever_clicks(daemon: Daemon, runner: Runner) -> None:
    ask_id = runner.ask()

    done: Reply = click(
        daemon, ask_id, "b", BEN, origin={"program": "tui", "pid": 12, "tty": "/dev/pts/1"}
    )

    assert isinstance(done.body, dict)
    assert done.body["status"] == "recorded"
    assert done.body["outcome"] == {
        "state": "answered",
        "optionId": "b",
        "kind": "allow_always",
        "remembered": True,
    }
    assert reads(runner, ask_id) == {"state": "answered", "optionId": "b"}
    ask = daemon.ask(ask_id)
    assert (ask.decided_by, ask.decided_how) == ("ben@external", "click")
    assert ask.origin is not None
    assert (ask.origin.program, ask.origin.pid, ask.origin.tty) == ("tui", 12, "/dev/pts/1")
    assert daemon.permits() == []


@rule("D7-22")
def test_an_option_that_wasnt_offered_leaves_it_pending(daemon: Daemon, runner: Runner) -> None:
    ask_id = runner.ask()
    assert refusal(lambda: click(daemon, ask_id, "zzz")).code == "unknown_option"
    assert refusal(lambda: click(daemon, ask_id, "a", questionId="x")).code == "unknown_question"
    assert reads(runner, ask_id) == {"state": "pending"}


@rule("D7-23")
@pytest.mark.parametrize(
    ("options", "text", "option_id"),
    [(OPTIONS, "Go ahead!", "a"), ([ALWAYS, REJECT], "ok", "b")],
)
def test_a_plain_yes_gives_the_allow(
    daemon: Daemon, runner: Runner, options: list[Any], text: str, option_id: str
) -> None:
    ask_id = runner.ask(options=options)
    reply(daemon, ask_id, text, expect="yes")
    assert reads(runner, ask_id) == {"state": "answered", "optionId": option_id}
    assert daemon.permits() == []


@rule("A-33")
def test_a_plain_yes_without_an_allow_is_refused(daemon: Daemon, runner: Runner) -> None:
    ask_id = runner.ask(options=[REJECT, NEVER])
    reply(daemon, ask_id, "yes", expect="yes")
    assert reads(runner, ask_id) == {"state": "refused", "reason": "no_allow_offered"}


@rule("D7-24", "D7-50")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (OPTIONS, {"state": "answered", "optionId": "c"}),
        ([ALLOW, NEVER], {"state": "answered", "optionId": "d"}),
        ([ALLOW, ALWAYS], {"state": "refused", "reason": "said_no"}),
    ],
)
def test_a_no_and_a_deny_never_grant(
    daemon: Daemon, runner: Runner, options: list[Any], expected: dict[str, Any]
) -> None:
    typed, denied = runner.ask(options=options), runner.ask(options=options, requestId=2)
    reply(daemon, typed, "no?")
    act(daemon, denied, "deny", BEN)
    assert reads(runner, typed) == expected
    assert reads(runner, denied) == expected
    assert daemon.permits() == []


@rule("D7-25", "D7-49", "D7-50")
@pytest.mark.parametrize("verb", ["approve", "drop"])
def test_closing_without_a_choice_permits_on_record(
    daemon: Daemon, runner: Runner, verb: str
) -> None:
    ask_id = runner.ask()
    done = act(daemon, ask_id, verb, ANA, reason="obsolete")

    assert done.body["outcome"]["state"] == "permitted"
    assert reads(runner, ask_id) == {"state": "permitted", "optionId": "a"}
    (permit,) = daemon.permits()
    assert (permit.cause, permit.ask_id) == ("closed_without_choice", ask_id)
    assert permit.closed_by is not None
    assert (permit.closed_by.actor, permit.closed_by.how) == ("ana@external", verb)
    assert permit.closed_by.row_id == ask_id
    assert (permit.option_kind, permit.remembered) == ("allow_once", False)

    unallowed = runner.ask(options=[REJECT, NEVER], requestId=2)
    act(daemon, unallowed, verb, ANA, reason="obsolete")
    assert reads(runner, unallowed) == {"state": "refused", "reason": "no_allow_offered"}
    assert len(daemon.permits()) == 1


@rule("D7-26", "D7-41", "A-34")
def test_other_words_permit_only_when_confirmed_and_are_passed_on(
    daemon: Daemon, runner: Runner
) -> None:
    ask_id = runner.ask()
    text = "use staging\u202e — bitte  "

    unconfirmed = refusal(lambda: reply(daemon, ask_id, text, expect="words"))
    assert (unconfirmed.status, unconfirmed.code) == (409, "permit_not_confirmed")
    truthy = refusal(lambda: reply(daemon, ask_id, text, expect="words", confirmPermit=1))
    assert truthy.code == "permit_not_confirmed"
    assert daemon.ask(ask_id).pending

    reply(daemon, ask_id, text, expect="words", confirmPermit=True)
    assert reads(runner, ask_id) == {"state": "permitted", "optionId": "a", "said": text}
    (permit,) = daemon.permits()
    assert permit.closed_by is not None
    assert permit.closed_by.how == "words"

    unallowed = runner.ask(options=[REJECT, NEVER], requestId=2)
    reply(daemon, unallowed, "use staging", expect="words")
    assert reads(runner, unallowed) == {
        "state": "refused",
        "reason": "no_allow_offered",
        "said": "use staging",
    }
    assert len(daemon.permits()) == 1


@rule("D7-41")
@pytest.mark.parametrize("how", ["yes", "no", "choice", "click", "drop", "approve", "deny"])
def test_only_other_words_are_said(daemon: Daemon, runner: Runner, how: str) -> None:
    ask_id = runner.ask()
    if how == "click":
        click(daemon, ask_id, "a")
    elif how in ("yes", "no"):
        reply(daemon, ask_id, how, expect=how)
    elif how == "choice":
        reply(daemon, ask_id, "always allow", expect="choice", optionId="b")
    else:
        act(daemon, ask_id, how, reason="because")
    assert "said" not in runner.read(ask_id)


@rule("A-34", "A-31")
@pytest.mark.parametrize(
    ("text", "body", "is_really"),
    [
        ("no, use staging", {"expect": "no"}, "words"),
        ("no", {"expect": "words", "confirmPermit": True}, "no"),
        ("yes", {"expect": "words", "confirmPermit": True}, "yes"),
        ("yes", {}, "yes"),
        ("use staging", {"confirmPermit": True}, "words"),
        ("Always allow", {"expect": "choice", "optionId": "a"}, "choice"),
        ("ok", {"expect": "choice"}, "yes"),
        ("ok", {"expect": None}, "yes"),
    ],
)
def test_a_reply_that_isnt_what_its_author_was_shown_changes_nothing(
    daemon: Daemon, runner: Runner, text: str, body: dict[str, Any], is_really: str
) -> None:
    ask_id = runner.ask()

    refused = refusal(lambda: reply(daemon, ask_id, text, **body))

    assert (refused.status, refused.code) == (409, "reply_class_changed")
    assert refused.extra["class"] == is_really
    assert refused.extra["outcome"]["state"] in ("answered", "permitted")
    assert daemon.ask(ask_id).pending


@pytest.mark.parametrize("text", ["", "…", " ? "])
def test_an_empty_reply_does_nothing(daemon: Daemon, runner: Runner, text: str) -> None:
    ask_id = runner.ask()
    assert refusal(lambda: reply(daemon, ask_id, text, expect="words")).code == "empty_reply"
    assert daemon.ask(ask_id).pending


@rule("D7-27", "A-28")
def test_routing_hands_the_same_options_on_and_grants_nothing(
    daemon: Daemon, runner: Runner
) -> None:
    ask_id = runner.ask()

    done = act(daemon, ask_id, "route", BEN, destinationSession="ben@external")

    ask = daemon.ask(ask_id)
    assert ask.pending
    assert ask.holder.id == "ben@external"
    assert ask.asked_because == "handed_over"
    assert ask.row_id == done.body["createdQitemId"] != ask_id
    assert [row.state for row in ask.rows] == ["handed-off", "pending"]
    assert len(ask.options) == 3
    assert reads(runner, ask_id) == {"state": "pending"}
    click(daemon, ask.row_id, "c", BEN, rowId=ask.row_id)
    assert reads(runner, ask_id) == {"state": "answered", "optionId": "c"}
    assert daemon.permits() == []


@rule("D7-27")
@pytest.mark.parametrize("target", ["zoe@external", "builder@my-rig", "zoe", "x@host:other", ""])
def test_only_a_registered_person_can_be_handed_an_ask(
    daemon: Daemon, runner: Runner, target: str
) -> None:
    ask_id = runner.ask()
    refusal(lambda: act(daemon, ask_id, "route", destinationSession=target))
    assert daemon.ask(ask_id).holder.id == "ana@external"


def test_an_act_on_a_row_that_moved_says_moved(daemon: Daemon, runner: Runner) -> None:
    ask_id = runner.ask()
    act(daemon, ask_id, "route", destinationSession="ben@external")

    refused = refusal(lambda: click(daemon, ask_id, "a", rowId=ask_id))

    assert (refused.status, refused.code) == (409, "not_applicable")
    assert refused.extra["reason"] == "moved"
    assert refused.ask is not None
    assert refused.ask.holder.id == "ben@external"


@rule("D7-34", "A-37")
def test_holding_and_noting_leave_it_pending(daemon: Daemon, runner: Runner) -> None:
    ask_id = runner.ask()
    act(daemon, ask_id, "hold", reason="waiting for backup")
    act(daemon, ask_id, "annotate", annotation="looks fine")
    assert reads(runner, ask_id) == {"state": "pending"}
    assert refusal(lambda: act(daemon, ask_id, "hold", reason=" ")).code == "reason_required"
    assert refusal(lambda: act(daemon, ask_id, "drop")).code == "reason_required"
    assert refusal(lambda: act(daemon, ask_id, "annotate")).code == "annotation_required"
    notes = [row[4] for row in daemon.store.asks.transitions(ask_id)]
    assert notes == ["created", "waiting for backup", "looks fine"]


@rule("D7-20", "D7-34")
def test_silence_never_ends_an_ask(daemon: Daemon, runner: Runner) -> None:
    ask_id = runner.ask()
    daemon.clock.advance(30 * 86_400)
    daemon.restart()
    daemon.core.events.prune(daemon.clock())
    assert daemon.core.pending.keys() == {ask_id}
    assert reads(runner, ask_id) == {"state": "pending"}


@rule("D7-21", "A-32")
def test_who_may_do_what(daemon: Daemon, runner: Runner) -> None:
    """Ben holds nothing: he may choose and deny, his closings and words don't count."""

    def refused(ask_id: str) -> list[str]:
        tries: dict[str, Callable[[], object]] = {
            "approve": lambda: act(daemon, ask_id, "approve", BEN),
            "drop": lambda: act(daemon, ask_id, "drop", BEN, reason="x"),
            "yes": lambda: reply(daemon, ask_id, "yes", BEN, expect="yes"),
            "no": lambda: reply(daemon, ask_id, "no", BEN, expect="no"),
        }
        return [name for name, do in tries.items() if refusal(do).code == "not_the_holder"]

    ask_id = runner.ask()
    assert refused(ask_id) == ["approve", "drop", "yes", "no"]
    assert daemon.ask(ask_id).pending

    for number, actor in enumerate((ANA, PRIMARY), 2):
        act(daemon, runner.ask(requestId=number), "approve", actor)
    click(daemon, runner.ask(requestId=4), "c", BEN)
    act(daemon, runner.ask(requestId=5), "deny", BEN)
    assert len(daemon.permits()) == 2


@rule("D7-21")
@pytest.mark.parametrize("name", ["zoe@external", "builder@my-rig", "ana", "@external"])
def test_nobody_else_may_act(daemon: Daemon, runner: Runner, name: str) -> None:
    refused = refusal(lambda: who(daemon.core.people, name, None, needed=True))
    assert (refused.status, refused.code) == (403, "not_a_registered_person")


def test_the_actor_is_the_bodys_then_the_headers_then_the_primary_user(daemon: Daemon) -> None:
    daemon.person("ana")
    known = daemon.core.people
    assert who(known, "ana@external", "human@host", needed=True) == ANA
    assert who(known, None, "human@host", needed=True) == PRIMARY
    assert who(known, None, None, needed=False) == PRIMARY
    assert refusal(lambda: who(known, None, None, needed=True)).code == "actor_required"
    assert refusal(lambda: who(known, "", "human@host", needed=True)).code == "actor_required"


@rule("A-28")
def test_a_change_of_people_leaves_open_asks_as_they_are(daemon: Daemon, runner: Runner) -> None:
    ask_id = runner.ask()
    for entity_id in ("ana", "ben"):
        people.remove(daemon.core, entity_id, {"confirm": True}, None)
    daemon.person("cat")

    assert daemon.ask(ask_id).pending
    act(daemon, ask_id, "route", Actor("cat@external"), destinationSession="cat@external")
    click(daemon, ask_id, "a", Actor("cat@external"))
    assert reads(runner, ask_id) == {"state": "answered", "optionId": "a"}


@rule("D7-36")
def test_late_acts_change_nothing_and_say_what_is(daemon: Daemon, runner: Runner) -> None:
    ask_id = runner.ask()
    click(daemon, ask_id, "c")
    before = daemon.ask(ask_id)
    late: list[Callable[[], object]] = [
        lambda: click(daemon, ask_id, "a"),
        lambda: act(daemon, ask_id, "drop", reason="x"),
        lambda: act(daemon, ask_id, "deny"),
        lambda: act(daemon, ask_id, "route", destinationSession="ben@external"),
        lambda: act(daemon, ask_id, "hold", reason="x"),
        lambda: reply(daemon, ask_id, "yes", expect="yes"),
    ]
    for do in late:
        refused = refusal(do)
        assert (refused.status, refused.code) == (409, "not_applicable")
        assert refused.extra["reason"] == "answered"
        assert refused.ask == before
    assert daemon.ask(ask_id) == before
    assert daemon.permits() == []


@rule("D7-37", "D9-04")
@pytest.mark.parametrize("how", ["relaunch", "stop"])
def test_an_occupant_that_is_gone_leaves_its_asks_stale(
    daemon: Daemon, runner: Runner, how: str
) -> None:
    pending, answered = runner.ask(), runner.ask(requestId=2)
    click(daemon, answered, "a")
    if how == "relaunch":
        daemon.relaunch(runner)
    else:
        launches.stop(daemon.core, daemon.core.seats[runner.session_name], None)

    assert reads(runner, pending) == {"state": "stale"}
    assert reads(runner, answered) == {"state": "answered", "optionId": "a"}
    assert refusal(lambda: click(daemon, pending, "a")).extra["reason"] == "stale"
    assert daemon.permits() == []
    assert daemon.seat().reading is Reading.UNKNOWN


@rule("D7-46", "D7-47", "A-42", "D7-37")
@pytest.mark.parametrize("reason", ["turn_cancelled", "turn_ended", "exited", "odd", ""])
def test_a_withdrawn_ask_takes_no_answer(daemon: Daemon, runner: Runner, reason: str) -> None:
    ask_id = runner.ask()
    for _ in range(2):
        done = asks.withdraw(daemon.core, daemon.ask(ask_id), reason)
        assert done.status == 200
    assert reads(runner, ask_id) == {"state": "withdrawn"}
    assert daemon.ask(ask_id).outcome.reason == (reason or None)
    assert refusal(lambda: click(daemon, ask_id, "a")).extra["reason"] == "withdrawn"


@rule("A-40")
def test_an_answer_withdrawn_before_it_was_read_is_marked(daemon: Daemon, runner: Runner) -> None:
    ask_id, read = runner.ask(), runner.ask(requestId=2)
    click(daemon, ask_id, "a")
    click(daemon, read, "a")
    runner.read(read)
    for each in (ask_id, read):
        asks.withdraw(daemon.core, daemon.ask(each), "turn_ended")

    assert daemon.ask(ask_id).outcome.state is AskState.ANSWERED
    assert daemon.ask(ask_id).withdrawn_at is not None
    assert daemon.ask(read).withdrawn_at is None


@rule("D7-42")
def test_an_end_reads_the_same_for_ever_and_its_first_reading_is_noted(
    daemon: Daemon, runner: Runner
) -> None:
    ask_id = runner.ask()
    click(daemon, ask_id, "a")
    assert daemon.ask(ask_id).read_at is None
    first = runner.read(ask_id)
    read_at = daemon.ask(ask_id).read_at
    daemon.clock.advance(3600)
    daemon.restart()

    assert runner.read(ask_id) == first
    assert daemon.ask(ask_id).read_at == read_at is not None


@rule("D7-51", "D7-52")
def test_an_act_whose_record_cant_be_written_still_counts_once(
    daemon: Daemon, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("disk is full")

    ask_id = runner.ask()
    monkeypatch.setattr(daemon.store.permits, "add", full)
    act(daemon, ask_id, "approve")

    assert reads(runner, ask_id) == {"state": "permitted", "optionId": "a"}
    assert "couldn't be put on record" in daemon.seat().notices[0]
    daemon.restart()
    assert reads(runner, ask_id) == {"state": "permitted", "optionId": "a"}
    assert daemon.permits() == []


@rule("D7-51")
def test_an_act_that_fails_midway_leaves_the_ask_pending_and_no_record(
    daemon: Daemon, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("disk is full")

    ask_id = runner.ask()
    seen = daemon.core.events.newest
    monkeypatch.setattr(daemon.store.asks, "add_transition", full)
    with pytest.raises(sqlite3.Error):
        act(daemon, ask_id, "approve")

    assert daemon.ask(ask_id).pending
    assert daemon.permits() == []
    assert daemon.events(seen) == []
    monkeypatch.undo()
    act(daemon, ask_id, "approve")
    assert len(daemon.permits()) == 1


@rule("D7-35", "D7-56")
def test_a_send_and_the_agents_own_posts_are_never_an_answer(
    daemon: Daemon, runner: Runner
) -> None:
    ask_id = runner.ask()
    daemon.clock.advance(1)
    runner.post("active", "agent_message", detail="approved", text="yes")

    def send() -> None:
        body: JsonObject = {"session": runner.session_name, "text": "yes"}
        messages.send(daemon.core, body, "human@host", None)

    refused = refusal(send)
    assert (refused.status, refused.code) == (409, "target_needs_input")
    assert daemon.ask(ask_id).pending
    click(daemon, ask_id, "a")
    assert refusal(send).code == "no_pane"


def test_an_unknown_verb_and_an_unknown_ask_say_so(daemon: Daemon, runner: Runner) -> None:
    ask_id = runner.ask()
    assert refusal(lambda: act(daemon, ask_id, "yolo")).code == "verb_unknown"
    assert refusal(lambda: act(daemon, ask_id, "handoff")).code == "destination_required"
    assert refusal(lambda: act(daemon, "qitem-x", "deny")).code == "qitem_not_found"


def test_a_verb_is_told_beside_what_it_did_under_the_same_action(
    daemon: Daemon, runner: Runner
) -> None:
    ask_id = runner.ask()
    verbs: list[tuple[str, dict[str, Any], list[str]]] = [
        ("annotate", {"annotation": "x"}, []),
        ("route", {"destinationSession": "ben@external"}, ["queue.handed_off"]),
        ("drop", {"reason": "x"}, ["queue.updated", "stream.emitted"]),
    ]
    for verb, body, before in verbs:
        seen = daemon.core.events.newest
        done = act(daemon, ask_id, verb, **body)
        told = daemon.events(seen)
        assert [e["type"] for e in told] == [*before, "mission_control.action_executed"]
        assert (told[-1]["actionId"], told[-1]["actionVerb"]) == (done.body["actionId"], verb)
        assert told[-1]["item"] == done.body["item"]
