"""What goes wrong around an ask: none of it answers, and all of it is said.

The daemon, the runner and the console are processes; nothing between them is a stand-in.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.journeys import stage
from tests.journeys.stage import ALLOW, CONSOLE, REJECT, environment
from tests.journeys.terminal import PATIENCE
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.journeys.stage import Daemon, Runner
    from tests.journeys.terminal import Terminal

    StartRunner = Callable[..., Runner]
    StartConsole = Callable[..., Terminal]

ALTERNATE_SCREEN, CURSOR, PASTE_MARKS, LINE_WRAP = 1049, 25, 2004, 7
MOUSE = (1000, 1003, 1006, 1015)
STREAMS = ("stdin", "stdout", "stderr")

LEAVING: dict[str, tuple[Callable[[Terminal], None], int]] = {
    "q": (lambda screen: screen.press("q"), 0),
    "ctrl+c": (lambda screen: screen.press("ctrl+c"), 0),
    "SIGTERM": (lambda screen: screen.process.send_signal(signal.SIGTERM), 143),
    "SIGHUP": (lambda screen: screen.process.send_signal(signal.SIGHUP), 129),
}


def still_waits(daemon: Daemon, asking: Runner) -> bool:
    return daemon.ask(asking.ask_id)["state"] == "pending" and asking.waits() and daemon.alive()


@rule("D7-57", "T7-25")
@pytest.mark.parametrize("way", LEAVING)
def test_leaving_restores_the_terminal_and_answers_nothing(
    daemon: Daemon, runner: StartRunner, console: StartConsole, way: str
) -> None:
    leave, code = LEAVING[way]
    asking = runner(ALLOW, REJECT)
    screen = console()
    screen.wait_for("armed ·")
    before = screen.modes()
    assert before[ALTERNATE_SCREEN]
    assert before[PASTE_MARKS]
    assert before[MOUSE[0]]
    assert not before[CURSOR]

    leave(screen)

    assert screen.ended() == code
    after = screen.modes()
    assert not after[ALTERNATE_SCREEN]
    assert after[CURSOR]
    assert not after[PASTE_MARKS]
    assert after[LINE_WRAP]
    assert not any(after[mode] for mode in MOUSE)
    assert screen.settings_kept, "echo and line editing are back"
    assert still_waits(daemon, asking)


@rule("D7-57", "T7-25")
@pytest.mark.parametrize("way", ["kill -9", "the terminal closes"])
def test_a_console_that_is_torn_away_answers_nothing(
    daemon: Daemon, runner: StartRunner, console: StartConsole, way: str
) -> None:
    asking = runner(ALLOW, REJECT)
    screen = console()
    screen.wait_for("armed ·")
    if way == "kill -9":
        screen.process.kill()
        assert screen.ended() == -signal.SIGKILL
    else:
        screen.hang_up()
        assert screen.ended() == 129
    assert still_waits(daemon, asking)


def test_inside_a_seat_the_answer_keys_refuse(
    daemon: Daemon, runner: StartRunner, console: StartConsole
) -> None:
    asking = runner(ALLOW, REJECT)
    screen = console(environ={"OPENRIG_OCCUPANT_GENERATION": "gen-1"})
    screen.wait_for("Ask 1 of 1", ALLOW["name"])
    for key in "rdxa":
        screen.press(key)
    screen.wait_for("This terminal is inside a seat")
    screen.press("q")
    assert screen.ended() == 0
    assert still_waits(daemon, asking)


def test_no_daemon_at_all_names_the_address_that_was_tried(console: StartConsole) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    screen = console("--url", f"http://127.0.0.1:{port}")
    screen.wait_for(f"nothing answers at 127.0.0.1:{port}", "Connection refused")
    screen.wait_for("try again", "start a daemon", "the demo", "leave")
    screen.press("q")
    assert screen.ended() == 5
    assert not screen.modes()[ALTERNATE_SCREEN]


def test_the_first_rule_that_names_a_daemon_is_final(
    daemon: Daemon, tmp_path: Path, console: StartConsole
) -> None:
    home = tmp_path / "none"
    screen = console("--home", str(home), environ={"OPENRIG_URL": daemon.base_url})
    screen.wait_for(f"{home / 'operator-endpoint.json'} isn't there")
    assert not screen.shows("live")


@pytest.mark.parametrize("given", ["RIG_TUI_TOKEN", "the home's", "none"])
def test_a_wrong_token_is_said_with_where_it_was_looked_for(
    daemon: Daemon, tmp_path: Path, console: StartConsole, given: str
) -> None:
    arguments, environ, named = ["--url", daemon.base_url], {}, given
    if given == "RIG_TUI_TOKEN":
        environ = {given: "wrong"}
    elif given == "the home's":
        endpoint = tmp_path / "operator-endpoint.json"
        endpoint.write_text(json.dumps({"baseUrl": daemon.base_url, "token": "wrong"}))
        arguments, named = ["--home", str(tmp_path)], str(endpoint)
    screen = console(*arguments, environ=environ)
    if given == "none":
        screen.wait_for(f"{daemon.address} wants its operator token, and none was found")
        screen.wait_for("Looked in: --token-file, RIG_TUI_TOKEN, ")
    else:
        screen.wait_for(daemon.address, f"it doesn't hold the token of {named}")
    assert not screen.shows("needs you")


def test_settings_that_cannot_be_read_are_one_line_and_no_screen(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("as = \n")
    environ = {"RIG_TUI_CONFIG": str(config)}
    screen = stage.console(tmp_path, environ=environ, stderr=subprocess.PIPE)
    try:
        assert screen.ended() == 2
        assert screen.process.stderr is not None
        said = screen.process.stderr.read().decode()
    finally:
        screen.close()
    assert said.count("\n") == 1
    assert said.startswith(f"rig-tui: {config}: not valid TOML")
    assert "\x1b" not in said
    assert screen.written == b""


@pytest.mark.parametrize("elsewhere", STREAMS)
def test_without_a_terminal_it_says_so_in_one_line(tmp_path: Path, elsewhere: str) -> None:
    main, terminal = os.openpty()
    os.set_blocking(main, False)
    said = tmp_path / "said"
    with said.open("wb") as file:
        streams = [file if name == elsewhere else terminal for name in STREAMS]
        done = subprocess.run(
            CONSOLE,
            stdin=streams[0],
            stdout=streams[1],
            stderr=streams[2],
            env=environment(tmp_path),
            cwd=tmp_path,
            timeout=PATIENCE,
            check=False,
        )
    words = said.read_bytes() if elsewhere == "stderr" else os.read(main, 4096)
    os.close(terminal)
    os.close(main)
    assert done.returncode == 2
    assert words.count(b"\n") == 1
    assert b"needs a terminal" in words
    assert b"\x1b" not in words


def test_a_second_daemon_on_a_home_names_the_first(daemon: Daemon) -> None:
    refused = second_daemon(daemon.home, daemon.folder)
    assert refused.returncode == 6
    assert refused.stdout == ""
    assert refused.stderr.count("\n") == 1
    assert str(daemon.process.pid) in refused.stderr
    assert daemon.base_url in refused.stderr
    assert daemon.alive()


def test_a_taken_port_is_one_line(daemon: Daemon, tmp_path: Path) -> None:
    port = daemon.base_url.rpartition(":")[2]
    refused = second_daemon(tmp_path / "home", tmp_path, "--port", port)
    assert refused.returncode == 6
    assert refused.stdout == ""
    assert refused.stderr.count("\n") == 1
    assert f"127.0.0.1:{port}" in refused.stderr


def second_daemon(home: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*CONSOLE, "daemon", "--home", str(home), "--json", *arguments],
        capture_output=True,
        env=environment(folder),
        cwd=folder,
        timeout=PATIENCE,
        check=False,
        text=True,
    )


@rule("T7-27", "D7-17")
def test_a_console_outlives_its_daemon_and_the_ask_is_still_answerable(tmp_path: Path) -> None:
    daemon = stage.Daemon(tmp_path)
    try:
        seat = daemon.seat()
        ask_id = submit(daemon, seat)
        screen = stage.console(daemon.folder, "--home", str(daemon.home))
        try:
            screen.wait_for("armed ·")
            daemon.end()
            screen.wait_for("can't reach the daemon: runners that ask now will permit")
            screen.press("a")
            screen.wait_for("nothing can be sent")

            daemon.start()

            screen.wait_for("● live", "armed ·")
            assert not screen.shows("can't reach the daemon")
            assert daemon.ask(ask_id)["state"] == "pending"
            screen.press("a")
            screen.wait_for("recorded by the daemon")
            assert read(daemon, seat, ask_id)["optionId"] == ALLOW["optionId"]
        finally:
            print(screen.picture())
            screen.close()
    finally:
        daemon.end()


def submit(daemon: Daemon, seat: dict[str, Any]) -> str:
    """Ask as a runner does that outlasts the daemon: by plain requests."""
    reply = as_runner(
        seat,
        "POST",
        f"{daemon.base_url}/api/activity/permission-requests",
        sessionName=seat["sessionName"],
        nodeId=seat["nodeId"],
        generation=seat["generation"],
        nativeRef="conversation-1",
        turnId=1,
        requestId=0,
        toolCall={"title": "Run the tests"},
        options=[ALLOW, REJECT],
    )
    return str(reply["askId"])


def read(daemon: Daemon, seat: dict[str, Any], ask_id: str) -> dict[str, Any]:
    return as_runner(seat, "GET", f"{daemon.base_url}/api/activity/permission-requests/{ask_id}")


def as_runner(seat: dict[str, Any], method: str, url: str, **body: Any) -> dict[str, Any]:
    token = seat["env"]["OPENRIG_ACTIVITY_HOOK_TOKEN"]
    with httpx.Client(trust_env=False, timeout=PATIENCE) as http:
        reply = http.request(
            method, url, json=body or None, headers={"Authorization": f"Bearer {token}"}
        )
    value = reply.raise_for_status().json()
    assert isinstance(value, dict)
    return value
