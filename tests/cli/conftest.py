"""A daemon to type commands at, and an environment that says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.client.real_daemon import RealDaemon, real_daemon

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDaemon]:
    with real_daemon(tmp_path_factory.mktemp("cli") / "home") as daemon:
        yield daemon


@pytest.fixture
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No settings file, nothing in the environment, and a journal of one's own."""
    monkeypatch.setenv("RIG_TUI_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "200")
    for name in ("OPENRIG_URL", "OPENRIG_PORT", "OPENRIG_HOME", "RIG_TUI_TOKEN", "RIG_TUI_AS"):
        monkeypatch.delenv(name, raising=False)
