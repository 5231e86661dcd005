"""The commands that only look, against the real daemon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.shell import run, run_json

if TYPE_CHECKING:
    from tests.client.real_daemon import RealDaemon

pytestmark = pytest.mark.usefixtures("no_settings")


@pytest.fixture(scope="module")
def home(daemon: RealDaemon) -> list[str]:
    """A daemon with a permit, a waiting ask, one that was answered, and a quiet seat."""
    builder = daemon.seat("builder")
    daemon.permit(builder, "Delete \u202e the rest")
    daemon.register("ana")
    daemon.seat("quiet")
    answered = daemon.ask(builder, "Read a file")
    body: dict[str, object] = {"questionId": "permission", "optionId": "no"}
    daemon.post(f"/api/queue/{answered}/answer", body | {"actorSession": "ana@external"})
    daemon.ask(builder, "Run \x1b[2J tests of https://a.io@b.io")
    return ["--home", str(daemon.home)]


def test_what_was_permitted_by_default_is_listed(
    home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (permit,) = run_json(capsys, "permits", *home)
    assert permit["cause"] == "no_registered_person"
    assert permit["session"] == "builder@my-rig"
    assert permit["option"] == {
        "optionId": "yes",
        "name": "Allow",
        "kind": "allow_once",
        "remembered": False,
    }
    assert run_json(capsys, "permits", "--filter", "seat:quiet@my-rig", *home) == []
    code, out, _ = run(capsys, "permits", *home)
    assert code == 0
    assert "nobody is registered" in out
    assert r"Delete \u202e the rest" in out
    assert run_json(capsys, "permits", "--runner", *home) == []
    code, out, err = run(capsys, "permits", "--filter", "since:someday", *home)
    assert (code, out) == (2, "")
    assert "isn't a time" in err


def test_asks_that_ended_are_listed_with_who_and_how(
    home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (ended,) = run_json(capsys, "asks", "--ended", *home)
    assert (ended["state"], ended["decidedBy"]) == ("answered", "ana@external")
    assert ended["outcome"]["optionId"] == "no"
    code, out, _ = run(capsys, "asks", "--ended", *home)
    assert code == 0
    assert "answered, by ana@external: the agent gets ‘Reject’ (reject once)" in out


def test_one_ask_is_shown_whole_with_what_each_act_gives(
    home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (waiting,) = run_json(capsys, "asks", *home)
    assert run_json(capsys, "asks", "--mine", *home) == [waiting]
    assert run_json(capsys, "asks", "--mine", "--as", "ben", *home) == []
    shown = run_json(capsys, "show", waiting["id"], *home)
    assert shown["toolCall"]["title"] == "Run \x1b[2J tests of https://a.io@b.io"
    assert shown["acts"]["close"]["outcome"]["state"] == "permitted"
    assert waiting.items() <= shown.items()
    code, out, _ = run(capsys, "show", waiting["id"], *home)
    assert code == 0
    assert "close: PERMITS with ‘Allow’ (allow once)" in out
    assert r"Run \x1b[2J tests of" in out
    assert "look closely: goes to b.io; a.io before the @ is only a user name" in out
    assert "\x1b" not in out
    code, out, err = run(capsys, "show", "qitem-nothing", *home)
    assert (code, out) == (2, "")
    assert "there is no ask qitem-nothing" in err


def test_seats_are_found_by_words_and_state(
    home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    needing = run_json(capsys, "seats", "--state", "needs", *home)
    assert [seat["name"] for seat in needing] == ["builder"]
    quiet = run_json(capsys, "seats", "--filter", "quiet unknown", *home)
    assert [seat["name"] for seat in quiet] == ["quiet"]


def test_a_seat_s_story_is_listed_newest_first(
    home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    events = run_json(capsys, "timeline", "builder@my-rig", *home)
    assert [event["at"] for event in events] == sorted((e["at"] for e in events), reverse=True)
    only = run_json(
        capsys, "timeline", "builder@my-rig", "--kind", "ask", "--kind", "permit", *home
    )
    assert {event["kind"] for event in only} == {"ask", "permit"}
    code, out, _ = run(capsys, "timeline", "builder@my-rig", *home)
    assert code == 0
    assert "no_registered_person" in out
    code, out, err = run(capsys, "timeline", "nobody@my-rig", *home)
    assert (code, out) == (2, "")
    assert "the seats are: builder@my-rig, quiet@my-rig" in err


def test_people_and_who_is_asked_are_listed(
    home: list[str], daemon: RealDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_json(capsys, "people", *home) == [
        {"daemon": daemon.base_url, "entityId": "ana", "displayName": "ana", "default": False}
    ]
    assert "ana" in run(capsys, "people", *home)[1]
    rows = run_json(capsys, "who-is-asked", *home)
    assert [row["seatRef"] for row in rows] == ["builder@my-rig", "quiet@my-rig"]
    assert rows[0]["asked"]["person"] == "ana"
    assert rows[0]["override"]["mode"] == "none"
    code, out, _ = run(capsys, "who-is-asked", "quiet@my-rig", *home)
    assert (code, out) == (0, "quiet@my-rig asks ana: only registered person\n")
    assert "ana (only registered person)" in run(capsys, "who-is-asked", *home)[1]


def test_how_a_turn_is_cancelled_is_told_and_nothing_is_sent(
    home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "cancel-turn", "builder@my-rig", *home)
    assert code == 0
    assert "type /abort in the seat's own pane" in out
