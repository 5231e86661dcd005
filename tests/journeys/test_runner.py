"""An agent's process, our runner on a terminal, and a daemon: the whole chain of a seat."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.journeys import stage
from tests.journeys.terminal import Terminal
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AGENT = [sys.executable, "-m", "rig_tui.runner.scripted_agent"]
ASK = "ask " + json.dumps(
    {
        "toolCall": {"toolCallId": "call-1"},
        "options": [stage.ALWAYS, stage.ALLOW, stage.REJECT],
    }
)
CALL = "update " + json.dumps(
    {
        "sessionUpdate": "tool_call",
        "toolCallId": "call-1",
        "title": "Run the tests",
        "rawInput": {"command": "make test"},
    }
)


class Seat:
    """A runner on a terminal, its scripted agent and what that agent received."""

    def __init__(self, daemon: stage.Daemon, told: dict[str, Any], **setup: Any) -> None:
        self.daemon, self.told = daemon, told
        self.log = daemon.folder / f"{told['generation']}.jsonl"
        env = stage.environment(daemon.folder) | told["env"]
        env["SCRIPTED_AGENT"] = json.dumps({"log": str(self.log), **setup})
        names = [f"--env={name}" for name in ("SCRIPTED_AGENT", "PYTHONPATH")]
        self.terminal = Terminal(
            [*stage.CONSOLE, "run", *names, "--", *AGENT], env, daemon.folder, (150, 50)
        )

    def type(self, text: str) -> None:
        """Paste a message and press Enter, as a send does to a pane that is ready."""
        self.terminal.wait_for("conversation scripted-conversation")
        pasted = text.replace("\n", "\r")
        self.terminal.type(f"\x1b[200~{pasted}\x1b[201~\r")

    @property
    def received(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    @property
    def methods(self) -> list[str]:
        return [message["method"] for message in self.received if "method" in message]

    @property
    def prompts(self) -> list[str]:
        return [
            message["params"]["prompt"][0]["text"]
            for message in self.received
            if message.get("method") == "session/prompt"
        ]

    @property
    def answers(self) -> list[Any]:
        return [m.get("result", m.get("error")) for m in self.received if "method" not in m]

    def open_ask(self) -> str:
        """The ask that waits for a person, once there is one."""
        self.terminal.wait_until(lambda: bool(self._open()), "nobody was asked")
        return str(self._open()[0]["qitemId"])

    def _open(self) -> list[dict[str, Any]]:
        rows = self.daemon.get("/api/queue/list?asks=open")
        return [row for row in rows if row["sourceSession"] == self.told["sessionName"]]

    def choose(self, option_id: str) -> None:
        ask_id = self.open_ask()
        self.daemon.post(
            f"/api/queue/{ask_id}/answer",
            questionId="permission",
            optionId=option_id,
            rowId=ask_id,
            actorSession="ana@external",
        )


@pytest.fixture
def host(daemon: stage.Daemon) -> Iterator[Callable[..., Seat]]:
    """Run a scripted agent in a seat of the daemon's."""
    with ExitStack() as cleanup:

        def start(told: dict[str, Any] | None = None, **setup: Any) -> Seat:
            seat = Seat(daemon, told or daemon.seat(), **setup)
            cleanup.callback(seat.terminal.close)
            cleanup.callback(lambda: print(seat.terminal.picture()))
            return seat

        yield start


def selected(option: dict[str, str]) -> dict[str, Any]:
    return {"outcome": {"outcome": "selected", "optionId": option["optionId"]}}


@rule("R3-01", "R5-01", "R5-02", "R5-03", "R7-01", "R7-11", "R9-02", "R10-01")
def test_a_seat_of_ones_own_from_its_first_prompt_to_its_hangup(
    daemon: stage.Daemon, host: Callable[..., Seat]
) -> None:
    seat = host()
    seat.terminal.wait_for("conversation scripted-conversation")
    assert seat.terminal.modes()[2004]
    record = json.loads(Path(seat.told["env"]["OPENRIG_LAUNCH_RESULT"]).read_bytes())
    assert record["nativeRef"] == "scripted-conversation"
    assert record["attempt"] == seat.told["env"]["OPENRIG_LAUNCH_ATTEMPT"]

    prompt = f'From: ana\n/abort\n{CALL}\n{ASK}\nstderr 300000\ncall "fs/read_text_file"'
    seat.type(prompt)
    ask_id = seat.open_ask()
    shown = daemon.ask(ask_id)
    assert shown["toolCall"]["rawInput"] == {"command": "make test"}
    seat.choose(stage.REJECT["optionId"])
    seat.terminal.wait_for("turn 1 ended: end_turn", "you ▸ From: ana")
    assert seat.prompts == [prompt]
    unknown = seat.answers[1]
    assert (seat.answers[0], unknown["code"]) == (selected(stage.REJECT), -32601)

    daemon.post("/api/transport/send", session=seat.told["sessionName"], text="hello from afar")
    seat.terminal.wait_for("turn 2 ended")
    assert seat.prompts[1].endswith("\n\nhello from afar")

    seat.type(f"{ASK.replace('ask', 'open', 1)}\nchild\ncancelled")
    second = seat.open_ask()
    seat.type("/abort")
    seat.terminal.wait_for("cancel requested at", "turn 3 ended: cancelled")
    assert daemon.ask(second)["state"] == "withdrawn"
    assert seat.methods[-1] == "session/cancel"
    assert len(seat.prompts) == 3

    seat.terminal.hang_up()
    seat.terminal.ended()
    assert daemon.alive()


@rule("R3-03", "R7-08")
def test_a_daemon_that_dies_while_an_ask_waits_makes_the_runner_permit_and_say_so(
    daemon: stage.Daemon, host: Callable[..., Seat]
) -> None:
    told = daemon.seat()
    del told["env"]["OPENRIG_LAUNCH_RESULT"]
    seat = host(told)
    seat.type(f"{CALL}\n{ASK}\nexit 3")
    seat.open_ask()
    daemon.end()
    try:
        seat.terminal.wait_for("permitted by this runner with 'yes-1'", "exited with 3")
    finally:
        daemon.start()
    assert seat.answers == [selected(stage.ALLOW)]
    assert seat.terminal.ended() == 1


@rule("R8-01", "R8-02")
@pytest.mark.parametrize(
    ("answer", "outcome"),
    [({}, "resumed"), ({"error": -32002}, "missing"), ({"error": -32602}, "pending")],
)
def test_a_resume_reopens_the_same_conversation_or_says_honestly_that_it_did_not(
    daemon: stage.Daemon, host: Callable[..., Seat], answer: Any, outcome: str
) -> None:
    told = daemon.seat()
    told["env"]["OPENRIG_RESUME_REF"] = "scripted-conversation"
    seat = host(
        told,
        capabilities={"sessionCapabilities": {"resume": {}}},
        **{"session/resume": answer},
    )
    record = Path(told["env"]["OPENRIG_LAUNCH_RESULT"])
    if outcome == "resumed":
        seat.type("hello")
        seat.terminal.wait_for("turn 1 ended")
        assert json.loads(record.read_bytes())["nativeRef"] == "scripted-conversation"
    else:
        assert seat.terminal.ended() == 1
        written = json.loads(record.read_bytes()) if record.exists() else {}
        assert written.get("error") == ("missing" if outcome == "missing" else None)
        assert "nativeRef" not in written
    assert "session/new" not in seat.methods
