"""The commands that act: each way they can end, against the real daemon."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.client.receipts import NAME, Journal
from rig_tui.settings import state_folder
from tests.cli.shell import run, run_json
from tests.rules import rule

if TYPE_CHECKING:
    from tests.client.real_daemon import RealDaemon

pytestmark = pytest.mark.usefixtures("no_settings")

ALWAYS = [
    {"optionId": "ever", "name": "Always", "kind": "allow_always"},
    {"optionId": "odd", "name": "Perhaps", "kind": "perhaps"},
    {"optionId": "never", "name": "Never", "kind": "reject_always"},
]


class Place:
    """A seat that asks, and the command line beside it."""

    def __init__(self, daemon: RealDaemon) -> None:
        daemon.register("ana")
        self.daemon = daemon
        self.seat = daemon.seat("builder")
        self.at = ("--home", str(daemon.home), "--as", "ana")
        daemon.seat("qa")

    def ask(self, options: list[dict[str, str]] | None = None) -> str:
        return self.daemon.ask(self.seat, "Run tests", options)

    def state(self, ask_id: str) -> dict[str, Any]:
        permission: dict[str, Any] = self.daemon.get(f"/api/queue/{ask_id}")["permission"]
        return permission


@pytest.fixture(scope="module")
def place(daemon: RealDaemon) -> Place:
    return Place(daemon)


def receipts() -> list[dict[str, Any]]:
    found, damaged = Journal(Path(state_folder()) / NAME).read()
    assert not damaged
    return [dict(each) for each in found]


@rule("D7-22")
@pytest.mark.parametrize(
    ("named", "given"),
    [(["no"], "no"), (["--kind", "allow_once"], "yes"), (["--name", "Reject"], "no")],
)
def test_an_option_is_named_by_its_id_its_kind_or_its_name(
    place: Place, named: list[str], given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    told = run_json(capsys, "answer", ask, *named, "--reason", "looked at it", *place.at)
    assert told["outcome"]["optionId"] == given
    assert (told["id"], told["as"], told["dryRun"]) == (ask, "ana@external", False)
    now = place.state(ask)
    assert (now["state"], now["optionId"], now["decidedBy"]) == ("answered", given, "ana@external")
    assert now["origin"]["program"] == "cli"
    (receipt,) = receipts()
    assert receipt["id"] == told["receipt"]
    assert (receipt["askId"], receipt["optionId"], receipt["how"]) == (ask, given, "command")
    assert (receipt["verdict"], receipt["reason"]) == ("yours", "looked at it")


def test_what_was_done_is_said_in_words(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "answer", place.ask(), "yes", *place.at)
    assert (code, err) == (0, "")
    assert out == "Allow (allow once): the agent gets ‘Allow’ (allow once).\n"


@pytest.mark.parametrize(
    "named",
    [["maybe"], ["--kind", "allow_always"], ["--name", "allow"], [], ["yes", "--name", "x"]],
)
def test_where_not_exactly_one_option_is_named_all_are_listed(
    place: Place, named: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    code, out, err = run(capsys, "answer", ask, *named, *place.at)
    assert (code, out) == (2, "")
    assert "yes  Allow  allow once" in err
    assert "no  Reject  reject once" in err
    assert place.state(ask)["state"] == "pending"


@rule("T7-05")
@pytest.mark.parametrize(
    "words",
    [("answer", "ever"), ("answer", "never"), ("answer", "odd"), ("deny",), ("reply", "yes")],
)
def test_what_a_harness_remembers_or_may_needs_its_own_flag(
    place: Place, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask(ALWAYS)
    verb, *rest = words
    code, out, err = run(capsys, verb, ask, *rest, *place.at)
    assert (code, out) == (6, "")
    assert "--remembered" in err
    assert place.state(ask)["state"] == "pending"
    assert receipts() == []
    told = run_json(capsys, verb, ask, *rest, "--remembered", *place.at)
    assert place.state(ask)["optionId"] == told["outcome"]["optionId"]


@rule("D7-24")
def test_a_no_is_the_agents_reject_with_its_reason(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    told = run_json(capsys, "deny", ask, "--reason", "not today", *place.at)
    assert told["outcome"]["kind"] == "reject_once"
    assert place.state(ask)["optionId"] == "no"


@rule("T7-08", "T7-09", "D7-25")
@pytest.mark.parametrize(
    "words",
    [("close", "--how", "drop"), ("close", "--how", "approve"), ("reply", "no, use staging")],
)
def test_what_permits_without_a_choice_needs_its_own_flag(
    place: Place, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    verb, *rest = words
    code, out, err = run(capsys, verb, ask, *rest, *place.at)
    assert (code, out) == (6, "")
    assert "PERMITS with ‘Allow’" in err
    assert "--permit" in err
    assert place.state(ask)["state"] == "pending"
    run_json(capsys, verb, ask, *rest, "--permit", *place.at)
    assert place.state(ask)["state"] == "permitted"


@rule("D7-23")
@pytest.mark.parametrize(("text", "given"), [("Yes.", "yes"), ("no", "no"), ("Reject", "no")])
def test_a_plain_reply_is_what_the_console_would_make_of_it(
    place: Place, text: str, given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    run_json(capsys, "reply", ask, text, *place.at)
    assert place.state(ask)["optionId"] == given
    assert run(capsys, "reply", place.ask(), "  ", *place.at)[0] == 2


def test_an_ask_goes_to_a_person_to_a_seat_and_back(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    code, _, err = run(capsys, "route", ask, "zoe", *place.at)
    assert code == 2
    assert "registered: ana" in err
    run_json(capsys, "route", ask, "human@host", *place.at)
    assert place.state(ask)["holder"]["id"] == "human@host"
    told = run_json(capsys, "handoff", ask, "qa@my-rig", "--reason", "you know", *place.at)
    assert "sees no options" in told["consequence"]
    assert told["outcome"]["state"] == "pending"
    code, _, err = run(capsys, "answer", ask, "yes", *place.at)
    assert code == 6
    assert "take it back first" in err
    code, _, err = run(capsys, "close", ask, "--how", "done", *place.at)
    assert code == 6
    assert "PERMITS" in err
    run_json(capsys, "take-back", ask, *place.at)
    assert place.state(ask)["holder"]["id"] == "ana@external"
    assert run(capsys, "take-back", ask, *place.at)[0] == 6
    assert run(capsys, "close", ask, "--how", "denied", *place.at)[0] == 6
    assert run(capsys, "handoff", ask, "builder@my-rig", *place.at)[0] == 6


@rule("D7-29", "D7-30")
@pytest.mark.parametrize(
    ("how", "state", "option"),
    [
        ("done", "permitted", "yes"),
        ("failed", "permitted", "yes"),
        ("denied", "answered", "no"),
        ("canceled", "withdrawn", None),
    ],
)
def test_a_seats_row_is_closed_as_said(
    place: Place, how: str, state: str, option: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    run_json(capsys, "handoff", ask, "qa@my-rig", *place.at)
    flags = ["--permit"] if state == "permitted" else []
    told = run_json(capsys, "close", ask, "--how", how, *flags, *place.at)
    assert told["outcome"]["state"] == state
    now = place.state(ask)
    assert (now["state"], now.get("optionId")) == (state, option)


def test_a_dry_run_says_what_the_agent_would_get_and_sends_nothing(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    for words, outcome in (
        (("answer", ask, "no"), ("answered", "no")),
        (("deny", ask), ("answered", "no")),
        (("reply", ask, "well then", "--permit"), ("permitted", "yes")),
        (("close", ask, "--how", "drop", "--permit"), ("permitted", "yes")),
        (("route", ask, "human@host"), ("pending", None)),
        (("handoff", ask, "qa@my-rig"), ("pending", None)),
    ):
        told = run_json(capsys, *words, "--dry-run", *place.at)
        assert told["dryRun"] is True
        assert (told["outcome"]["state"], told["outcome"]["optionId"]) == outcome
        code, out, _ = run(capsys, *words, "--dry-run", *place.at)
        assert code == 0
        assert out.endswith("Nothing was sent.\n")
    assert place.state(ask)["state"] == "pending"
    assert place.state(ask)["holder"]["id"] == "ana@external"
    assert receipts() == []


@pytest.mark.parametrize("wanted", ["answered", "held_by_seat", "stale"])
def test_an_ask_that_is_something_else_than_was_said_is_left_alone(
    place: Place, wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    code, out, err = run(capsys, "answer", ask, "yes", "--if-ask-state", wanted, *place.at)
    assert (code, out) == (6, "")
    assert f"not {wanted}" in err
    assert place.state(ask)["state"] == "pending"
    run_json(capsys, "answer", ask, "yes", "--if-ask-state", "held_by_person", *place.at)


@rule("D7-34")
def test_an_answered_ask_is_4_and_names_who_answered(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    run_json(capsys, "answer", ask, "yes", *place.at)
    for words in (
        ("answer", ask, "no"),
        ("deny", ask),
        ("close", ask, "--how", "drop", "--permit"),
    ):
        code, out, err = run(capsys, *words, *place.at)
        assert (code, out) == (4, "")
        assert "ana@external has already answered it: ‘Allow’" in err
    assert len(receipts()) == 1


def test_a_withdrawn_and_a_stale_ask_are_3(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    place.daemon.withdraw(place.seat, ask)
    code, _, err = run(capsys, "answer", ask, "yes", *place.at)
    assert code == 3
    assert "withdrawn" in err
    brief = place.daemon.seat("brief")
    ask = place.daemon.ask(brief)
    code, _, err = run(capsys, "stop-seat", "brief@my-rig", *place.at)
    assert code == 6
    assert "goes stale" in err
    run_json(capsys, "stop-seat", "brief@my-rig", "--force", *place.at)
    code, _, err = run(capsys, "deny", ask, *place.at)
    assert code == 3
    assert "stopped or relaunched" in err


def test_nobody_acts_as_somebody_who_is_not_registered(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    code, _, err = run(
        capsys, "answer", ask, "yes", "--home", str(place.daemon.home), "--as", "zoe"
    )
    assert code == 6
    assert "zoe" in err
    assert place.state(ask)["state"] == "pending"


def test_inside_a_seat_nothing_is_done(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    monkeypatch.setenv("OPENRIG_OCCUPANT_GENERATION", "3")
    for words in (("answer", ask, "yes"), ("who-is-asked", "qa@my-rig", "--deny", "--reason", "x")):
        code, out, err = run(capsys, *words, *place.at)
        assert (code, out) == (6, "")
        assert "OPENRIG_OCCUPANT_GENERATION" in err
    assert place.state(ask)["state"] == "pending"


@rule("D7-16", "T7-26")
def test_who_is_asked_for_a_seat_is_set_with_a_reason(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    at = place.at
    assert run(capsys, "who-is-asked", "qa@my-rig", "--deny", *at)[0] == 2
    assert run(capsys, "who-is-asked", "--deny", "--reason", "x", *at)[0] == 2
    assert run(capsys, "who-is-asked", "qa@my-rig", "--to", "zoe", "--reason", "x", *at)[0] == 2
    deny = ("who-is-asked", "qa@my-rig", "--deny", "--reason")
    told = run_json(capsys, *deny, "x", "--dry-run", *at)
    assert "refuse all" in told["consequence"]
    run_json(capsys, *deny, "night", *at)
    (row,) = run_json(capsys, "who-is-asked", "qa@my-rig", *at)
    assert (row["asked"]["mode"], row["override"]["reason"]) == ("refuses", "night")
    run_json(capsys, "who-is-asked", "qa@my-rig", "--to", "ana", "--reason", "hers", *at)
    run_json(capsys, "who-is-asked", "qa@my-rig", "--default", "--reason", "day", *at)
    (row,) = run_json(capsys, "who-is-asked", "qa@my-rig", *at)
    assert row["override"]["mode"] == "none"


def test_attention_is_cleared_with_a_reason_and_answers_nothing(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = place.ask()
    assert run(capsys, "clear-attention", "builder@my-rig", *place.at)[0] == 2
    run_json(capsys, "clear-attention", "builder@my-rig", "--reason", "seen", *place.at)
    assert place.state(ask)["state"] == "pending"
    code, _, err = run(capsys, "clear-attention", "qa@my-rig", "--reason", "x", *place.at)
    assert code == 6
    assert "no attention to clear" in err


def test_people_come_and_go_and_what_that_permits_is_said_first(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ("--home", str(place.daemon.home), "--as", "human@host")
    code, out, err = run(capsys, "people", "remove", "ana", *at)
    assert (code, out) == (6, "")
    assert "qa@my-rig would then permit: nobody is registered" in err
    told = run_json(capsys, "people", "add", "ben", "--default", "--dry-run", *at)
    assert "qa@my-rig would then ask ben" in told["consequence"]
    run_json(capsys, "people", "add", "ben", "--default", *at)
    assert run(capsys, "people", "default", "zoe", *at)[0] == 2
    run_json(capsys, "people", "default", "ana", *at)
    assert run(capsys, "people", "default", "none", *at)[0] == 6
    run_json(capsys, "people", "remove", "ben", *at)
    assert [row["entityId"] for row in run_json(capsys, "people", *at)] == ["ana"]


def test_a_message_is_never_an_answer_and_a_local_token_can_not_be_revoked(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "message", "qa@my-rig", "hello", *place.at)
    assert (code, out) == (6, "")
    assert "takes no messages" in err
    code, out, err = run(capsys, "revoke-grant", "qa@my-rig", "--permit", *place.at)
    assert (code, out) == (6, "")
    assert "can't be revoked" in err


def test_a_journal_that_can_not_be_written_stops_nothing(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "state").write_text("no folder")
    ask = place.ask()
    code, _, err = run(capsys, "answer", ask, "yes", *place.at)
    assert code == 0
    assert "no receipt is kept" in err
    assert place.state(ask)["state"] == "answered"


def test_errors_never_reach_stdout_as_json(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "answer", place.ask(), "maybe", "--json", *place.at)
    assert (code, out) == (2, "")
    with pytest.raises(json.JSONDecodeError):
        json.loads(err)
