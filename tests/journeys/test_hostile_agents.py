"""Whatever an agent sends, read back from a real terminal."""

from __future__ import annotations

import itertools
import json
import re
import unicodedata
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rig_tui.domain.inert import inert
from tests.journeys import stage
from tests.journeys.stage import ALLOW, REJECT
from tests.journeys.terminal import PATIENCE
from tests.present.oracle import NASTY
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.journeys.stage import Daemon
    from tests.journeys.terminal import Terminal

_OURS = re.compile(
    r"\x1b\[(?:0?|(?:(?:\d|[34]8;5;\d+|[34]8;2;\d+;\d+;\d+)(?:;(?=\d)|(?=m)))+)m"
    r"|\x1b\[\d+;\d+H|\x1b\[\?\d+[hl]|\x1b\[\?\d+\$p|\x1b\[[<>]\d*u|\x1b\[2[23];2t"
    r"|\x1b\]2;[ -~]*\x07|\x1b\]22;default\x07"
    r"|\x1b(?:\[[\d;?]*)?\Z"
)
"""What the console itself writes, and what of that was not read to its end."""
_FORBIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_CHARACTERS = [char for char in NASTY if unicodedata.category(char) not in ("Mn", "Me", "Cs")]
"""Neither marks, which terminals join in different ways, nor what no JSON text can hold."""
_ATTACKS = (
    "\x1b[2J\x1b[H", "\x1b]52;c;eA==\x07", "\x9b31m", "\x1b]0;owned\x1b\\", "\x1bP+q\x9c", "\r\x08",
    "\x1b[31m", "\x1b[?1049l", "[red]x[/red]", "[/", "\u202e", "\n\n", "\t", "日本", "é",
)  # fmt: skip
_texts = st.one_of(
    st.binary(min_size=1, max_size=40).map(lambda octets: octets.decode("latin-1")),
    st.lists(
        st.sampled_from((*_ATTACKS, *_CHARACTERS, *"aZ0 \"'")),
        min_size=1,
        max_size=12,
    ).map("".join),
)


class Agent:
    """A seat whose agent asks in its own words, and an operator who looks at each ask."""

    def __init__(self, daemon: Daemon, screen: Terminal) -> None:
        self._daemon = daemon
        self.screen = screen
        self._seat = daemon.seat()
        self._numbers = itertools.count(1)

    def ask(self, texts: list[str]) -> str:
        """Ask with these texts in every place; give what its last fact reads."""
        number = next(self._numbers)
        title, kind, command, argument, key, value, path, name = texts
        tool_call = {
            "title": f"Call {title}",
            "kind": kind,
            "rawInput": {"command": command, "args": ["x", argument], f"k{key}": value},
            "content": [{"type": "diff", "path": path, "oldText": value, "newText": argument}],
            "locations": [{"path": path}],
        }
        self._post(number, tool_call, [{**ALLOW, "name": f"Let {name}"}, REJECT])
        self.screen.wait_for(f"◆ {number} need")
        return f"turn 1 · request {number}"

    def _post(self, number: int, tool_call: Any, options: list[dict[str, str]]) -> None:
        body = {
            "sessionName": self._seat["sessionName"],
            "nodeId": self._seat["nodeId"],
            "generation": self._seat["generation"],
            "nativeRef": "conversation-1",
            "turnId": 1,
            "requestId": number,
            "toolCall": tool_call,
            "options": options,
        }
        token = self._seat["env"]["OPENRIG_ACTIVITY_HOOK_TOKEN"]
        httpx.post(
            f"{self._daemon.base_url}/api/activity/permission-requests",
            content=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            timeout=PATIENCE,
        ).raise_for_status()


@pytest.fixture(scope="module")
def agent(daemon: Daemon) -> Iterator[Agent]:
    quiet = daemon.folder / "quiet.toml"
    quiet.write_text("[notifications]\nbell = false\n")
    screen = stage.console(
        daemon.folder,
        *("--home", str(daemon.home)),
        environ={"RIG_TUI_CONFIG": str(quiet)},
        size=(100, 28),
    )
    try:
        screen.wait_for("● live")
        yield Agent(daemon, screen)
    finally:
        print(screen.picture())
        screen.close()


@rule("T7-02")
@given(texts=st.lists(_texts, min_size=8, max_size=8))
@settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_text_of_an_agent_steers_a_terminal_and_none_is_out_of_sight(
    agent: Agent, texts: list[str]
) -> None:
    last_fact = agent.ask(texts)
    screen = agent.screen
    screen.press("n")
    screen.wait_for(last_fact)
    seen = bare("".join(read_through(screen)))

    written = _OURS.sub("", screen.written.decode(errors="replace"))
    for char in set(written) - {"\r", "\n"}:
        assert unicodedata.category(char) not in _FORBIDDEN, ascii(char)
    for text in texts[:-1]:
        for line in text.split("\n"):
            assert bare(inert(line.replace("\t", ""))) in seen, (ascii(line), seen)


def read_through(screen: Terminal) -> list[str]:
    """Every row of the tool call, by paging to its end, each once."""
    rows = call_rows(screen)
    while screen.shows("more line"):
        left = rows_left(screen)
        screen.press(" ")
        screen.wait_until(partial(moved, screen, left), "nothing moved")
        page = call_rows(screen)
        common = max(n for n in range(len(page) + 1) if rows[len(rows) - n :] == page[:n])
        rows += page[common:]
    return rows


def rows_left(screen: Terminal) -> str:
    """How much lies below: it stands below the call and so is drawn after it."""
    return next((row for row in screen.rows() if "more line" in row), "")


def moved(screen: Terminal, left: str) -> bool:
    return rows_left(screen) != left


def call_rows(screen: Terminal) -> list[str]:
    """The rows from the title to the end of what is in sight of the tool call."""
    rows = [row.strip(" │") for row in screen.rows()]
    first = next(at for at, row in enumerate(rows) if row.startswith("╭"))
    last = next(at for at, row in enumerate(rows) if row.startswith(("▼", "asked  ")))
    return rows[first + 1 : last]


def bare(text: str) -> str:
    """Without what depends on the place: spaces, marked tabs and line ends, quotes, bars."""
    return re.sub(r'[\s⇥"\\│]|x0[9a]', "", text)
