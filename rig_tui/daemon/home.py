"""The daemon's folder: its lock, its files and who may read them.

Rule of this file: nothing below the folder is readable by another user. The folder is
0700, every file 0600, and a file that holds a secret is never seen half written.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class HomeError(Exception):
    """The folder can't be used; the message says why."""


class HomeLockedError(HomeError):
    """Another daemon serves this folder."""


class Home:
    """One daemon's folder. Holding a `Home` that `lock` succeeded on is owning it."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock: int | None = None

    @property
    def database(self) -> Path:
        return self.path / "daemon.sqlite"

    @property
    def _lock_file(self) -> Path:
        return self.path / "daemon.lock"

    @property
    def log(self) -> Path:
        return self.path / "daemon.log"

    @property
    def endpoint(self) -> Path:
        """What the TUI and the command line read: base URL and operator token."""
        return self.path / "operator-endpoint.json"

    @property
    def runners(self) -> Path:
        """The `OPENRIG_HOME` of every runner; nothing in it names this folder."""
        return self.path / "runners"

    @property
    def runner_endpoint(self) -> Path:
        return self.runners / "activity-endpoint.json"

    @property
    def launches(self) -> Path:
        """Where runners write their launch records."""
        return self.runners / "launches"

    @property
    def first_inputs(self) -> Path:
        """Where runners find their first startup turn."""
        return self.runners / "first-input"

    @property
    def presets(self) -> Path:
        """Where operators put the presets of community harnesses."""
        return self.runners / "community-harnesses"

    def make(self) -> None:
        """Make the folder, or see that an existing one is ours to close to others.

        Raises:
            HomeError: It can't be made, or holds somebody else's files.
        """
        try:
            if self._is_somebody_elses():
                raise HomeError(
                    f"{self.path} holds files that aren't a daemon's, so it isn't made one's "
                    "home. Nothing was changed; give an empty folder with --home."
                )
            for folder in (self.path, self.runners, self.presets):
                make_private(folder)
        except OSError as exc:
            raise HomeError(f"Can't use the folder {self.path}: {exc.strerror}.") from exc

    def _is_somebody_elses(self) -> bool:
        if not self.path.is_dir() or self._lock_file.exists():
            return False
        ours = {self.log.name, self.runners.name}
        return any(entry.name not in ours for entry in self.path.iterdir())

    def lock(self) -> None:
        """Make the folder and take it for this process.

        Raises:
            HomeLockedError: Another daemon has it.
            HomeError: The folder can't be made or isn't ours.
        """
        self.make()
        try:
            handle = os.open(self._lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as exc:
            raise HomeError(f"Can't use the folder {self.path}: {exc.strerror}.") from exc
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            os.close(handle)
            raise HomeLockedError(self._taken()) from exc
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        self._lock = handle

    def unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def owner(self) -> int | None:
        """Give the pid of the daemon that holds the lock, if one does."""
        try:
            handle = os.open(self._lock_file, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            text = os.pread(handle, 32, 0).decode("ascii", "replace").strip()
            return int(text) if text.isdigit() else None
        finally:
            os.close(handle)
        return None

    def read_endpoint(self) -> tuple[str, str] | None:
        """Give (base URL, operator token) as the last daemon here left them."""
        try:
            document = json.loads(self.endpoint.read_text("utf-8"))
            return str(document["baseUrl"]), str(document["token"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write_endpoints(self, base_url: str, operator_token: str, hook_token: str) -> None:
        """Publish where this daemon listens. Call once the socket does."""
        write_private(self.runner_endpoint, _endpoint(base_url, hook_token))
        write_private(self.endpoint, _endpoint(base_url, operator_token))

    def _taken(self) -> str:
        pid, endpoint = self.owner(), self.read_endpoint()
        who = f"process {pid}" if pid else "another process"
        where = f" at {endpoint[0]}" if endpoint else ""
        return (
            f"A daemon already serves {self.path}: {who}{where}. Nothing was started. "
            "Use that one, or give another folder with --home."
        )


def make_private(folder: Path) -> None:
    """Make a folder only this user can enter."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)


def write_private(path: Path, text: str) -> None:
    """Put a file in place whole, readable by this user only."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _endpoint(base_url: str, token: str) -> str:
    return json.dumps({"baseUrl": base_url, "token": token}) + "\n"
