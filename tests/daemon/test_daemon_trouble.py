"""A daemon whose database takes nothing still serves, for without it every runner permits."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from rig_tui.daemon import asks, permits, seats
from rig_tui.domain.model import AskState, Reading
from tests.rules import rule

if TYPE_CHECKING:
    from tests.daemon.harness import Daemon


def full(*_: object, **__: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


@pytest.fixture
def broken(daemon: Daemon, monkeypatch: pytest.MonkeyPatch) -> Daemon:
    """A daemon with one occupied seat, a person, a pending ask, and then a full disk."""
    daemon.person()
    runner = daemon.runner()
    runner.prompt()
    runner.ask()
    monkeypatch.setattr(daemon.store, "add_event", full)
    return daemon


@rule("D7-44")
def test_a_reading_that_cant_be_noted_is_given_all_the_same(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.person()
    runner = daemon.runner()
    ask_id = runner.ask()
    asks.withdraw(daemon.core, daemon.ask(ask_id), "turn_ended")
    monkeypatch.setattr(daemon.store, "add_event", full)

    assert runner.read(ask_id)["state"] == AskState.WITHDRAWN
    assert daemon.ask(ask_id).read_at is None


def test_a_restart_that_cant_be_written_is_served(broken: Daemon) -> None:
    seats.restart(broken.core)
    assert broken.seat().reading is Reading.NEEDS_INPUT
    assert broken.core.seats["builder@my-rig"].activity.turn is None


def test_what_a_runner_permits_is_logged_when_it_cant_be_recorded(
    broken: Daemon, caplog: pytest.LogCaptureFixture
) -> None:
    permits.note_will_permit(broken.core, "http_404", route="/x")
    seats.tell_refused(broken.core, "invalid_json", "x")
    assert "http_404" in caplog.text
    assert "invalid_json" in caplog.text


@rule("D7-52")
def test_a_permit_stands_even_when_no_number_is_left_to_tell_it(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = daemon.runner()
    monkeypatch.setattr(daemon.store, "set_meta", full)
    while daemon.core.events.can_number:
        daemon.core.events.next()

    reply = runner.submit()

    assert isinstance(reply.body, dict)
    assert reply.body["state"] == "permitted"
    assert "couldn't be put on record" in daemon.seat().notices[0]
