"""The commands that print and end, against the real daemon."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.shell import run
from tests.client.real_daemon import OPTIONS, RealDaemon, real_daemon

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def asked(daemon: RealDaemon) -> str:
    """The id of an ask of builder@my-rig; quiet@my-rig asks nothing."""
    daemon.register("ana")
    daemon.seat("quiet")
    return daemon.ask(daemon.seat("builder"), "Run \x1b[2J tests")


pytestmark = pytest.mark.usefixtures("no_settings")


def test_seats_as_json(daemon: RealDaemon, asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "seats", "--json", "--home", str(daemon.home))
    assert (code, err) == (0, "")
    builder, quiet = json.loads(out)
    assert set(builder) == {
        *("daemon", "rig", "name", "seatRef", "reading", "because", "at", "until"),
        *("asked", "pendingAsks"),
    }
    assert builder["daemon"] == daemon.base_url
    assert (builder["rig"], builder["name"]) == ("my-rig", "builder")
    assert builder["seatRef"] == "builder@my-rig"
    assert builder["reading"] == "needs_input"
    assert builder["because"] == "ask"
    assert builder["at"].endswith("Z")
    assert builder["asked"] == {
        "mode": "person",
        "person": "ana",
        "because": "only_registered_person",
    }
    assert builder["pendingAsks"] == [asked]
    assert quiet["reading"] == "unknown"
    assert quiet["pendingAsks"] == []


def test_asks_as_json(daemon: RealDaemon, asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "--home", str(daemon.home), "asks", "--json")
    assert (code, err) == (0, "")
    (ask,) = json.loads(out)
    opened_at = ask.pop("openedAt")
    assert opened_at.endswith("Z")
    holder: dict[str, Any] = ask.pop("holder")
    assert (holder["type"], holder["id"]) == ("person", "ana@external")
    assert ask == {
        "daemon": daemon.base_url,
        "id": asked,
        "kind": "permission",
        "seatRef": "builder@my-rig",
        "state": "pending",
        "title": "Run \x1b[2J tests",
        "options": OPTIONS,
    }
    assert "\x1b" not in out


def test_tables_for_people_say_it_in_words_and_hold_no_control_byte(
    daemon: RealDaemon, asked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, seats, _ = run(capsys, "seats", "--home", str(daemon.home))
    assert code == 0
    line = next(line for line in seats.splitlines() if "builder" in line)
    assert "needs input" in line
    assert "ana (only registered person)" in line
    code, asks, _ = run(capsys, "asks", "--home", str(daemon.home))
    assert code == 0
    assert asked in asks
    assert r"Run \x1b[2J tests" in asks
    assert "  Allow  allow once\n  Reject  reject once\n" in asks
    assert "\x1b" not in seats + asks


@pytest.mark.usefixtures("asked")
def test_a_second_person_without_a_default_must_be_meant(
    daemon: RealDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "people", "add", "ben", "--home", str(daemon.home))
    assert (code, out) == (6, "")
    assert "builder@my-rig would then permit" in err
    assert "--default" in err
    code, out, err = run(
        capsys, *("people", "add", "ben", "--name", "Ben", "--default", "--home", str(daemon.home))
    )
    assert (code, err) == (0, "")
    assert out.startswith("ben is registered and is asked by default. Who is asked has changed")


def test_the_first_person_may_register_themself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with real_daemon(tmp_path / "home") as daemon:
        code, out, _ = run(
            capsys, *("--home", str(daemon.home), "--as", "pat", "people", "add", "pat", "--json")
        )
        assert code == 0
        told = json.loads(out)
        assert (told["command"], told["as"], told["dryRun"]) == (
            "people add",
            "pat@external",
            False,
        )


def test_a_seat_s_environment_may_look_and_not_act(
    daemon: RealDaemon, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENRIG_LAUNCH_ATTEMPT", "1")
    code, out, err = run(capsys, "people", "add", "eve", "--home", str(daemon.home))
    assert (code, out) == (6, "")
    assert "OPENRIG_LAUNCH_ATTEMPT" in err
    assert run(capsys, "seats", "--home", str(daemon.home))[0] == 0
    assert "eve" not in json.dumps(daemon.get("/api/gateway/connections"))


def test_no_daemon_is_5(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "seats", "--json", "--home", str(tmp_path / "nowhere"))
    assert (code, out) == (5, "")
    assert "no daemon has served that home" in err
    code, out, err = run(capsys, "seats", "--json", "--url", "http://127.0.0.1:9")
    assert (code, out) == (5, "")
    assert "nothing answers at 127.0.0.1:9" in err


def test_a_missing_token_is_6_and_a_bad_address_2(
    daemon: RealDaemon,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    code, out, err = run(capsys, "asks", "--json", "--url", daemon.base_url)
    assert (code, out) == (6, "")
    assert "--token-file, RIG_TUI_TOKEN" in err
    code, out, err = run(capsys, "asks", "--json", "--url", "ftp://h")
    assert (code, out) == (2, "")


def test_a_url_with_its_token_file_will_do(
    daemon: RealDaemon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    token_file = tmp_path / "token"
    token_file.write_text(daemon.token + "\n")
    url = daemon.base_url.replace("127.0.0.1", "localhost")
    code, _, err = run(capsys, "seats", "--url", url, "--token-file", str(token_file))
    assert (code, err) == (0, "")


def test_a_wrong_token_is_not_sent(
    daemon: RealDaemon, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RIG_TUI_TOKEN", "guess")
    code, out, err = run(capsys, "seats", "--url", daemon.base_url)
    assert (code, out) == (5, "")
    assert "doesn't hold the token of RIG_TUI_TOKEN" in err
