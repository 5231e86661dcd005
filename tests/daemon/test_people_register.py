"""The register of people, and the guard on changes that would make seats permit."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from rig_tui.daemon import people
from rig_tui.daemon.reply import RefusedError
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.daemon.harness import Daemon


def register(daemon: Daemon, entity_id: Any, **fields: Any) -> Any:
    return people.register(daemon.core, {"entityId": entity_id, **fields}, None).body


def refusal(do: Callable[[], object]) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        do()
    return caught.value


def test_registering_tells_whom_each_seat_now_asks(daemon: Daemon) -> None:
    daemon.runner()
    seen = daemon.core.events.newest

    body = register(daemon, "ana", displayName="Ana")

    (change,) = body["changes"]
    assert change["seatRef"] == "builder@my-rig"
    assert change["from"]["because"] == "no_registered_person"
    assert change["to"] == {"mode": "person", "person": "ana", "because": "only_registered_person"}
    assert [human["displayName"] for human in body["humans"]] == ["Ana"]
    told = daemon.events(seen)
    assert [e["type"] for e in told] == ["gateway.human_changed", "seat.activity_changed"]
    assert told[1]["runner"]["asked"]["person"] == "ana"


def test_a_second_person_without_a_default_needs_a_confirmation(daemon: Daemon) -> None:
    daemon.runner()
    register(daemon, "ana")
    seen = daemon.core.events.newest

    refused = refusal(lambda: register(daemon, "ben"))

    assert (refused.status, refused.code) == (409, "would_permit")
    assert "builder@my-rig" in refused.message
    assert refused.extra["changes"][0]["to"]["because"] == "several_and_no_default"
    assert [p.entity_id for p in daemon.core.people.registered] == ["ana"]
    assert daemon.events(seen) == []

    register(daemon, "ben", default=True)
    assert daemon.core.people.default == "ben"
    assert daemon.seat().asked.person == "ben"


def test_a_dry_run_only_tells(daemon: Daemon) -> None:
    daemon.runner()
    assert register(daemon, "ana", dryRun=True)["changes"]
    assert daemon.core.people.registered == ()


def test_confirmed_the_change_is_made(daemon: Daemon) -> None:
    daemon.runner()
    register(daemon, "ana")
    register(daemon, "ben", confirm=True)
    assert daemon.seat().asked.because == "several_and_no_default"


@rule("A-25")
def test_removing_the_default_asks_the_one_who_is_left(daemon: Daemon) -> None:
    daemon.runner()
    register(daemon, "ana", default=True)
    register(daemon, "ben")
    people.remove(daemon.core, "ana", {}, None)

    assert daemon.core.people.default == "ana", "it dangles, and is shown as set"
    assert daemon.seat().asked.person == "ben"
    assert refusal(lambda: people.remove(daemon.core, "ben", {}, None)).code == "would_permit"
    assert refusal(lambda: people.remove(daemon.core, "cat", {}, None)).code == "person_not_found"


@rule("D7-14")
def test_the_default_is_chosen_among_the_registered_and_can_be_dropped(daemon: Daemon) -> None:
    daemon.runner()
    register(daemon, "ana", default=True)
    register(daemon, "ben")
    people.choose_default(daemon.core, {"entityId": "ben"}, None)
    assert daemon.seat().asked.person == "ben"

    def refused(body: dict[str, Any]) -> str:
        return refusal(lambda: people.choose_default(daemon.core, body, None)).code

    bodies: list[dict[str, Any]] = [{"entityId": "zoe"}, {}, {"entityId": 5}]
    assert {refused(body) for body in bodies} == {"not_a_registered_person"}
    assert refused({"entityId": None}) == "would_permit"
    people.choose_default(daemon.core, {"entityId": None, "confirm": True}, None)
    assert daemon.core.people.default is None


def test_people_outlive_the_process(daemon: Daemon) -> None:
    register(daemon, "ana", displayName="Ana", default=True)
    register(daemon, "ben")
    register(daemon, "ana", displayName="Ana B.")
    before = daemon.core.people
    daemon.restart()
    assert daemon.core.people == before
    assert [p.display_name for p in before.registered] == ["Ana B.", "ben"]


@pytest.mark.parametrize(
    "entity_id", ["", " ", "a b", "a@external", "a/b", "_a", "x" * 65, 5, None]
)
def test_an_id_that_couldnt_be_named_isnt_registered(daemon: Daemon, entity_id: object) -> None:
    assert refusal(lambda: register(daemon, entity_id)).code == "invalid_entity_id"


@rule("D7-12")
def test_a_register_that_cant_be_read_is_never_written_over(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rig_tui.daemon.store import Store

    def broken(_: object) -> None:
        raise sqlite3.DatabaseError("malformed")

    register(daemon, "ana")
    monkeypatch.setattr(Store, "people", broken)
    daemon.restart()

    assert daemon.core.people.readable is False
    assert refusal(lambda: register(daemon, "ben")).code == "people_unreadable"
    monkeypatch.undo()
    daemon.restart()
    assert [p.entity_id for p in daemon.core.people.registered] == ["ana"]
