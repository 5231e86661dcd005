"""The command line, and which process it asks for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rig_tui import __version__
from rig_tui.__main__ import main
from rig_tui.cli import argv
from rig_tui.settings import Overrides, SettingsError


@pytest.mark.parametrize(
    "arguments",
    [
        ["--url", "http://h:1", "--as", "ana", "--home", "/h", "--token-file", "/t", "seats"],
        ["seats", "--url", "http://h:1", "--as", "ana", "--home", "/h", "--token-file", "/t"],
        ["--url=http://h:1", "seats", "--as=ana@external", "--home=/h", "--token-file=/t"],
    ],
)
def test_flags_for_every_command_stand_before_or_after_it(arguments: list[str]) -> None:
    overrides, rest = argv.split(arguments)
    assert overrides == Overrides("http://h:1", Path("/h"), Path("/t"), "ana@external")
    assert rest == ["seats"]


@pytest.mark.parametrize(
    "arguments",
    [["--url"], ["--url="], ["--url", "--home", "/h"], ["seats", "--as", "builder@my-rig"]],
)
def test_a_flag_without_a_usable_value_is_an_error(arguments: list[str]) -> None:
    with pytest.raises(SettingsError):
        argv.split(arguments)


def test_what_follows_a_double_dash_is_left_alone() -> None:
    assert argv.split(["people", "add", "--", "--home", "x"])[1] == [
        *("people", "add", "--", "--home", "x")
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["close", "x"],
        ["answer"],
        ["people", "add"],
        ["seats", "--jso"],
        ["daemon", "dance"],
        ["daemon", "--port", "70000"],
        ["daemon", "--port", "x"],
        ["daemon", "--options-max", "3"],
        ["daemon", "--options-max", "10"],
        ["daemon", "--url", "http://h:1"],
        ["demo", "--home", "/h"],
        ["--as", "a b"],
    ],
)
def test_wrong_usage_ends_with_2_and_says_why(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(arguments)
    except SystemExit as error:
        code = int(str(error.code))
    assert code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.strip()


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"rig-tui {__version__}\n"


def test_an_unreadable_settings_file_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.toml"
    path.write_text("theme = 7")
    monkeypatch.setenv("RIG_TUI_CONFIG", str(path))
    for arguments in ([], ["seats"]):
        assert main(arguments) == 2
        assert f"{path}, line 1, theme" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["demo"]])
def test_without_a_terminal_the_console_is_one_line_and_2(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIG_TUI_CONFIG", str(tmp_path / "none.toml"))
    ran = subprocess.run(
        [sys.executable, "-m", "rig_tui", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    assert "needs a terminal" in ran.stderr


def test_a_bare_start_imports_nothing_slow() -> None:
    """The first frame waits for whatever is imported before it."""
    program = (
        "import sys; from rig_tui.__main__ import main; main([]);"
        "print(sorted({'argparse', 'asyncio', 'httpx', 'pydantic', 'rich', 'textual'}"
        " & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ran.stdout == "[]\n"


def test_a_daemon_in_the_background_is_given_every_flag_of_one_in_the_foreground(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[str] = []

    def start(_home: Path, port: int, *flags: str, as_json: bool) -> int:
        started.extend(flags)
        assert (port, as_json) == (4, True)
        return 0

    monkeypatch.setattr("rig_tui.daemon.detached.start", start)
    flags = ["--allow-host", "one", "--allow-host", "two", "--launch-wait", "7.5"]
    flags += ["--options-max", "9"]
    assert main(["daemon", "start", "--port", "4", "--json", *flags]) == 0
    foreground = argv.parse(["daemon", *started])
    assert foreground.allow_host == ["one", "two"]
    assert foreground.launch_wait == 7.5
    assert foreground.options_max == 9
