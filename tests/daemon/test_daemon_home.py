"""The daemon's folder: whose it is, and who can read it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from rig_tui.daemon.home import Home, HomeError, HomeLockedError
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "deep" / "home")
    home.lock()
    yield home
    home.unlock()


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@rule("D4-02")
def test_files_are_for_this_user_only_and_seen_whole(home: Home) -> None:
    home.write_endpoints("http://127.0.0.1:5", "operator", "hook")

    assert mode(home.path) == mode(home.runners) == 0o700
    for path in (home.endpoint, home.runner_endpoint, home.path / "daemon.lock"):
        assert mode(path) == 0o600
    assert json.loads(home.runner_endpoint.read_text()) == {
        "baseUrl": "http://127.0.0.1:5",
        "token": "hook",
    }
    assert home.read_endpoint() == ("http://127.0.0.1:5", "operator")
    assert "operator" not in home.runner_endpoint.read_text()
    home.write_endpoints("http://127.0.0.1:6", "operator", "hook")
    assert {p.name for p in home.path.iterdir()} == {
        "daemon.lock",
        "operator-endpoint.json",
        "runners",
    }


def test_a_folder_has_one_daemon(home: Home) -> None:
    home.write_endpoints("http://127.0.0.1:5", "operator", "hook")
    second = Home(home.path)
    with pytest.raises(HomeLockedError) as caught:
        second.lock()
    owner = home.owner()
    assert owner is not None
    assert str(owner) in str(caught.value)
    assert "http://127.0.0.1:5" in str(caught.value)

    home.unlock()
    assert home.owner() is None
    second.lock()
    second.unlock()


def test_an_older_folder_is_closed_to_others(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    home = Home(tmp_path)
    home.lock()
    home.unlock()
    assert mode(tmp_path) == 0o700


def test_somebody_elses_folder_is_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "thesis.txt").write_text("x")
    with pytest.raises(HomeError, match="aren't a daemon's"):
        Home(tmp_path).lock()
    assert mode(tmp_path) == 0o755
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_folder_that_cant_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(HomeError, match="Can't use the folder"):
        Home(tmp_path / "file" / "home").lock()


def test_no_endpoint_or_half_of_one_is_none(home: Home) -> None:
    assert home.read_endpoint() is None
    for text in ("", "{", "[]", '{"baseUrl": "x"}'):
        home.endpoint.write_text(text)
        assert home.read_endpoint() is None
