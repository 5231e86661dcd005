from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rig_tui.demo import run
from rig_tui.demo.supervisor import child_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GONE_WITHIN = 3.0

CONSOLE = """
import subprocess, sys
from rig_tui.demo.run import main

def console(home, operator):
    if "heir" in sys.argv:
        subprocess.Popen(["sleep", "60"], close_fds=False, stdout=subprocess.DEVNULL)
    print(home, flush=True)
    sys.stdin.readline()
    return 5

sys.exit(main(console))
"""
"""A stand-in for the console: it says the home, and ends when told."""


@contextmanager
def console(*arguments: str, **environ: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", CONSOLE, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **environ},
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def home_of(process: subprocess.Popen[str]) -> Path:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.stderr and process.stderr.read()
    return Path(line.strip())


def processes() -> dict[int, tuple[int, str]]:
    """Each live process's parent and command line."""
    if Path("/proc/self/stat").exists():
        return dict(filter(None, map(proc_row, Path("/proc").glob("[0-9]*"))))
    command = ["ps", "-A", "-o", "pid=,ppid=,stat=,args="]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = (line.split(None, 3) for line in listed.stdout.splitlines())
    return {int(r[0]): (int(r[1]), r[3]) for r in rows if len(r) == 4 and not r[2].startswith("Z")}


def proc_row(entry: Path) -> tuple[int, tuple[int, str]] | None:
    try:
        state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
        command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return None
    return None if state in "ZX" else (int(entry.name), (int(parent), command))


def demo_pids(home: Path) -> set[int]:
    """The daemon, the seats and the supervisor over them."""
    live = processes()
    children = {pid for pid, (_, command) in live.items() if str(home) in command}
    return children | {live[pid][0] for pid in children}


def wait_until(fact: Callable[[], bool], seconds: float) -> float:
    started = time.monotonic()
    while not fact():
        assert time.monotonic() - started < seconds
        time.sleep(0.02)
    return time.monotonic() - started


def everything_gone(pids: set[int], folder: Path) -> bool:
    return not list(folder.iterdir()) and not pids & processes().keys()


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()


def finish(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


ENDS = {
    "kill -9": (kill, (), -signal.SIGKILL),
    "kill -9 with a child left behind": (kill, ("heir",), -signal.SIGKILL),
    "quit": (finish, (), 5),
}


@pytest.mark.parametrize("way", ENDS)
def test_everything_goes_with_the_console(way: str, tmp_path: Path) -> None:
    end, arguments, code = ENDS[way]
    with console(*arguments, TMPDIR=str(tmp_path)) as process:
        pids = demo_pids(home_of(process))
        assert len(pids) == 3
        end(process)
        wait_until(lambda: everything_gone(pids, tmp_path), GONE_WITHIN)
        assert process.wait() == code


def test_a_console_killed_before_the_demo_is_ready_leaves_nothing(tmp_path: Path) -> None:
    with console(TMPDIR=str(tmp_path)) as process:
        wait_until(lambda: any(tmp_path.glob("rig-tui-demo-*/demo.log")), 10)
        pids = demo_pids(tmp_path)
        process.kill()
        wait_until(lambda: everything_gone(pids, tmp_path), GONE_WITHIN)


def test_a_supervisor_told_to_end_takes_the_rest_along(tmp_path: Path) -> None:
    with console(TMPDIR=str(tmp_path)) as process:
        home = home_of(process)
        pids = demo_pids(home)
        [supervisor] = (pid for pid, row in processes().items() if row[0] == process.pid)
        assert supervisor in pids
        os.kill(supervisor, signal.SIGTERM)
        wait_until(lambda: everything_gone(pids - {supervisor}, tmp_path), GONE_WITHIN)
        finish(process)
        assert process.wait() == 5


def test_a_console_that_crashes_ends_the_demo_and_still_crashes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    seen = []

    def crash(home: Path, operator: str) -> int:
        seen.append((operator, demo_pids(home)))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run.main(crash)
    [(operator, pids)] = seen
    assert operator == "ana"
    assert everything_gone(pids, tmp_path)


@pytest.mark.parametrize("part", ["daemon", "rig_tui.demo.seats"])
def test_a_demo_that_cannot_start_says_why_in_one_line_and_leaves_nothing(
    part: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\n"
        f"if {part!r} in sys.orig_argv:\n"
        "    os.write(2, b'first\\nno room for it\\n')\n"
        "    os._exit(3)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    assert run.main(lambda home, operator: pytest.fail("the console was run")) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "no room for it" in err
    assert list((tmp_path / "tmp").iterdir()) == []


def test_the_children_are_told_of_no_other_home_config_or_daemon(tmp_path: Path) -> None:
    environ = {
        "PATH": "/bin",
        "OPENRIG_URL": "http://real:1",
        "OPENRIG_HOME": "/real",
        "RIG_TUI_CONFIG": "/real/config.toml",
        "RIG_TUI_TOKEN": "secret",
        "XDG_CONFIG_HOME": "/real",
    }
    given = child_environment(environ, tmp_path)
    assert given["PATH"] == "/bin"
    assert not any("real" in value or "secret" in value for value in given.values())
    assert given["RIG_TUI_CONFIG"].startswith(str(tmp_path))
