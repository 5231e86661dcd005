"""The demo's supervisor: `python -m rig_tui.demo.supervisor`.

Its stdin is a pipe that only the console holds open. However the console ends, the
pipe ends with it; then the daemon and the seats are killed and their home is deleted.
It tells how the start went in one line of JSON on stdout: `home` or `error`.
"""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_STARTS_WITHIN = 30.0
_FOREIGN = ("OPENRIG_", "RIG_TUI_", "XDG_")
"""Variables that would lead to somebody's real settings, home or daemon."""


def child_environment(environ: Mapping[str, str], root: Path) -> dict[str, str]:
    """The environment without anything that names a config, a home or a daemon."""
    kept = {key: value for key, value in environ.items() if not key.startswith(_FOREIGN)}
    folders = {f"XDG_{kind}_HOME": str(root / "xdg") for kind in ("CONFIG", "DATA", "STATE")}
    return {**kept, **folders, "RIG_TUI_CONFIG": str(root / "config.toml")}


class Supervisor:
    """The demo's processes in one temporary folder."""

    def __init__(self, root: Path, stop_fds: tuple[int, ...]) -> None:
        self.home = root / "home"
        self._root = root
        self._log = root / "demo.log"
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._waiting = selectors.DefaultSelector()
        for fd in stop_fds:
            self._waiting.register(fd, selectors.EVENT_READ)

    def start(self) -> str | None:
        """Start both processes and wait until the seats are ready; the error, if any.

        Raises:
            SystemExit: It was told to stop meanwhile.
        """
        (self._root / "config.toml").touch()
        self._spawn(
            "daemon", "rig_tui", "daemon", "--home", str(self.home), "--port", "0", "--json"
        )
        self._spawn("seats", "rig_tui.demo.seats", str(self.home))
        while True:
            events = self._waiting.select(_STARTS_WITHIN)
            if not events:
                return f"it wasn't ready after {_STARTS_WITHIN:.0f} seconds"
            for key, _ in events:
                if key.data is None:
                    raise SystemExit(0)
                line = os.read(key.fd, 4096)
                if not line:
                    return f"its {key.data} process ended at once ({self._last_words()})"
                if key.data == "seats":
                    return None

    def wait(self) -> None:
        """Block until it is time to stop."""
        for name in self._children:
            self._waiting.unregister(self._stdout(name))
        self._waiting.select()

    def end(self) -> None:
        """Kill both and delete the folder; nothing in it is worth a goodbye."""
        for child in self._children.values():
            child.kill()
        for child in self._children.values():
            child.communicate()
        self._waiting.close()
        shutil.rmtree(self._root, ignore_errors=True)

    def _spawn(self, name: str, module: str, *arguments: str) -> None:
        with self._log.open("ab") as log:
            self._children[name] = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=self._root,
                env=child_environment(os.environ, self._root),
            )
        self._waiting.register(self._stdout(name), selectors.EVENT_READ, name)

    def _stdout(self, name: str) -> int:
        pipe = self._children[name].stdout
        assert pipe is not None
        return pipe.fileno()

    def _last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")


def _signals_as_fd() -> int:
    """Make the signals that ask a process to end readable, so that none is in between."""
    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    return readable


def _tell(**facts: str) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def main() -> int:
    """Run the demo until the pipe or a signal ends it."""
    stop = (sys.stdin.fileno(), _signals_as_fd())
    try:
        root = Path(tempfile.mkdtemp(prefix="rig-tui-demo-"))
    except OSError as error:
        _tell(error=f"no temporary folder could be made ({error})")
        return 1
    supervisor = Supervisor(root, stop)
    try:
        failure = supervisor.start()
        if failure is not None:
            _tell(error=failure)
            return 1
        _tell(home=str(supervisor.home))
        supervisor.wait()
        return 0
    finally:
        supervisor.end()


if __name__ == "__main__":
    sys.exit(main())
