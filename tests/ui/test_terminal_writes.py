"""The bytes that go to the terminal beside frames, and the files that go beside them."""

from __future__ import annotations

import base64
import json
import re
import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.notify import Notice, Reason
from rig_tui.ui import sequences
from rig_tui.ui.copying import json_text
from rig_tui.ui.notifier import run_hook
from tests.builders import an_ask

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rig_tui.settings.values import Channel

EVIL = "x\x07\x1b]52;c;ZXZpbA==\x07\x9d0;y\x9c\u202e"


@pytest.mark.parametrize(
    ("channel", "written"),
    [
        ("osc9", "\x1b]9;rig: qa@ops asks you\x07"),
        ("osc777", "\x1b]777;notify;rig;qa@ops asks you\x07"),
        ("osc99", "\x1b]99;;rig: qa@ops asks you\x1b\\"),
        ("none", ""),
    ],
)
def test_each_terminal_notification_to_the_byte(channel: Channel, written: str) -> None:
    assert sequences.notification(channel, "rig", "qa@ops asks you") == written


def test_bell_title_mouse_and_clipboard_to_the_byte() -> None:
    assert sequences.BELL == "\x07"
    assert sequences.title("rig: 3 asks") == "\x1b]2;rig: 3 asks\x07"
    assert sequences.clipboard(b"q-1") == "\x1b]52;c;cS0x\x07"
    assert sequences.MOUSE_OFF == "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l"
    assert sequences.MOUSE_ON == "\x1b[?1000h\x1b[?1003h\x1b[?1015h\x1b[?1006h"


def test_through_one_and_two_tmux_to_the_byte() -> None:
    once = "\x1bPtmux;\x1b\x1b]9;rig: hi\x07\x1b\\"
    twice = "\x1bPtmux;\x1b\x1bPtmux;\x1b\x1b\x1b\x1b]9;rig: hi\x07\x1b\x1b\\\x1b\\"
    plain = sequences.notification("osc9", "rig", "hi")
    assert sequences.through_tmux(plain, 0) == plain
    assert sequences.through_tmux(plain, 1) == once
    assert sequences.through_tmux(plain, 2) == twice
    assert sequences.through_tmux("", 2) == ""


WRITERS: list[Callable[[str], str]] = [
    lambda text: sequences.notification("osc9", text, text),
    lambda text: sequences.notification("osc777", text, text),
    lambda text: sequences.notification("osc99", text, text),
    sequences.title,
]


@pytest.mark.parametrize("write", WRITERS)
@given(st.text() | st.just(EVIL) | st.text("\x07\x1b\x9d\x9c;\\]a"))
@settings(max_examples=100)
def test_whatever_the_text_exactly_one_sequence_comes_out(
    write: Callable[[str], str], text: str
) -> None:
    written = write(text)
    assert re.fullmatch(r"\x1b\][0-9]+;[^\x00-\x1f\x7f-\x9f]*(\x07|\x1b\\)", written)
    assert len(written) < 2 * sequences.TEXT_MOST + 40
    if written.startswith("\x1b]777"):
        assert written.count(";") == 3


def test_text_is_capped_and_says_so() -> None:
    assert sequences.safe("a" * 500) == "a" * 199 + "…"


@pytest.mark.parametrize(
    ("environ", "channel"),
    [
        ({"TERM": "xterm-kitty"}, "osc99"),
        ({"KITTY_WINDOW_ID": "1", "TERM": "tmux-256color"}, "osc99"),
        ({"TERM_PROGRAM": "iTerm.app"}, "osc9"),
        ({"TERM_PROGRAM": "WezTerm"}, "osc9"),
        ({"TERM": "xterm-ghostty"}, "osc9"),
        ({"WT_SESSION": "x"}, "osc9"),
        ({"TERM": "foot"}, "osc777"),
        ({"TERM": "rxvt-unicode-256color"}, "osc777"),
        ({"TERM": "xterm-256color"}, "none"),
        ({}, "none"),
    ],
)
def test_a_terminal_is_known_by_what_it_says(environ: dict[str, str], channel: Channel) -> None:
    assert sequences.channel_of(environ) == channel


def test_one_tmux_is_known_by_its_variable() -> None:
    assert sequences.tmux_depth_of({"TMUX": "/tmp/tmux-0/default,1,0"}) == 1
    assert sequences.tmux_depth_of({}) == 0


@pytest.mark.parametrize(
    "tool_call",
    [
        an_ask().tool_call,
        {"title": "two  spaces\tand 'quotes' “ж”\n"},
        {"t": EVIL},
        None,
        ["\ud800"],
    ],
)
def test_a_copied_tool_call_is_the_tool_call(tool_call: object) -> None:
    text = json_text(tool_call)
    assert json.loads(text) == tool_call
    assert all(char == "\n" or char.isprintable() for char in text)


def test_readable_text_is_copied_readably() -> None:
    assert "“ж”" in json_text({"title": "“ж”"})


NOTICE = Notice(Reason.ASK, ("qa@ops", "impl\x1b@ops"), 2)


def script(folder: Path, body: str) -> tuple[str, ...]:
    path = folder / "hook"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return (str(path), "first argument")


async def test_the_hook_gets_seats_and_counts_and_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIG_TUI_TOKEN", "hunter2")
    out = tmp_path / "out"
    command = script(tmp_path, f'echo "$1" > {out}; env >> {out}')
    assert await run_hook(command, NOTICE) == ""
    told = out.read_text(encoding="utf-8")
    assert told.startswith("first argument\n")
    for line in (
        "RIG_TUI_REASON=ask",
        "RIG_TUI_COUNT=2",
        "RIG_TUI_SEATS=qa@ops\nimpl\\x1b@ops",
        "RIG_TUI_TEXT=2 asks wait for you: qa@ops, impl\\x1b@ops",
    ):
        assert line in told
    assert "hunter2" not in told


async def test_no_shell_reads_the_hook(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert "couldn't be run" in await run_hook((f"touch {out}; true",), NOTICE)
    assert not out.exists()


async def test_a_failing_hook_says_so(tmp_path: Path) -> None:
    assert "ended with 3" in await run_hook(script(tmp_path, "exit 3"), NOTICE)


async def test_a_hook_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig_tui.ui.notifier.HOOK_SECONDS", 0.2)
    assert "was ended" in await run_hook(script(tmp_path, "exec sleep 60"), NOTICE)


def test_base64_of_the_largest_copy_stays_below_what_terminals_take() -> None:
    assert len(base64.b64encode(bytes(sequences.CLIPBOARD_MOST))) < 100_000
