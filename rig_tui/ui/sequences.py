"""What is written to the terminal beside frames: notifications, title, clipboard, mouse.

Rule of this file: whatever text goes in, exactly one sequence comes out. Text is made
inert and capped here, by whoever it was written.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final

from rig_tui.ui.present.inert import inert

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rig_tui.settings.values import Channel

BELL: Final = "\x07"
MOUSE_ON: Final = "\x1b[?1000h\x1b[?1003h\x1b[?1015h\x1b[?1006h"
MOUSE_OFF: Final = "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l"
KEEP_TITLE: Final = "\x1b[22;2t"
GIVE_TITLE_BACK: Final = "\x1b[23;2t"
TEXT_MOST: Final = 200
CLIPBOARD_MOST: Final = 74_000
"""Bytes: in base64 they stay below the 100,000 that terminals take at least."""
_END: Final = "\x1b\\"


def safe(text: str, most: int = TEXT_MOST) -> str:
    """Text that can neither end nor split the sequence it goes into."""
    plain = inert(text).plain.replace(";", ",")
    plain = "".join(char if char.isprintable() else "?" for char in plain)
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def notification(channel: Channel, heading: str, text: str) -> str:
    """A desktop notification, in the form that a terminal takes; empty for none."""
    heading, text = safe(heading), safe(text)
    match channel:
        case "osc9":
            return f"\x1b]9;{heading}: {text}{BELL}"
        case "osc777":
            return f"\x1b]777;notify;{heading};{text}{BELL}"
        case "osc99":
            return f"\x1b]99;;{heading}: {text}{_END}"
        case _:
            return ""


def title(text: str) -> str:
    """The terminal's title."""
    return f"\x1b]2;{safe(text)}{BELL}"


def clipboard(data: bytes) -> str:
    """The terminal's clipboard, whole; `data` is at most `CLIPBOARD_MOST` bytes."""
    return f"\x1b]52;c;{base64.b64encode(data).decode('ascii')}{BELL}"


def through_tmux(sequence: str, depth: int) -> str:
    """The sequence as it gets through this many tmux, which must allow it."""
    for _ in range(depth if sequence else 0):
        doubled = sequence.replace("\x1b", "\x1b\x1b")
        sequence = f"\x1bPtmux;{doubled}{_END}"
    return sequence


def channel_of(environ: Mapping[str, str]) -> Channel:
    """Which notification this terminal takes, by what it says of itself."""
    term, program = environ.get("TERM", ""), environ.get("TERM_PROGRAM", "")
    if environ.get("KITTY_WINDOW_ID") or term == "xterm-kitty":
        return "osc99"
    if program in ("iTerm.app", "WezTerm", "ghostty") or term == "xterm-ghostty":
        return "osc9"
    if environ.get("WEZTERM_PANE") or environ.get("WT_SESSION"):
        return "osc9"
    if term.startswith(("foot", "rxvt-unicode")):
        return "osc777"
    return "none"


def tmux_depth_of(environ: Mapping[str, str]) -> int:
    """How many tmux lie around this process, as far as it can tell."""
    return 1 if environ.get("TMUX") else 0
