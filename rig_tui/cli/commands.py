"""Every command of `rig-tui`: the operator's own, and those of this process and its files."""

from __future__ import annotations

from typing import Final

from rig_tui.actions.headless import JSON, OPERATOR_COMMANDS, Headless, Parameter


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise ValueError(text)
    return port


def _option_count(text: str) -> int:
    count = int(text)
    if not 4 <= count <= 9:
        raise ValueError(text)
    return count


OWN_COMMANDS: Final = (
    Headless("demo", "try it: a daemon and scripted seats that end with it"),
    Headless(
        "daemon", "serve a home, or start, stop and watch that",
        (
            Parameter("act", "without one, serve in the foreground",
                      choices=("start", "status", "stop", "logs"), optional=True),
            Parameter("--port", "0 picks a free one", "PORT", convert=_port, default=0),
            JSON,
            Parameter("--force", "stop: also while asks are pending"),
            Parameter("--lines", "logs: how many lines", "N", convert=int, default=100),
            Parameter("--allow-host", "another Host name to answer to", "HOST", repeated=True),
            Parameter("--launch-wait", "seconds a launch record may take", "S", convert=float,
                      default=60.0),
            Parameter(
                "--options-max",
                "ask a person about requests with up to N options, 4 to 9; more are permitted "
                "unseen",
                "N", convert=_option_count, default=4,
            ),
        ),
    ),
    Headless(
        "run", "host an ACP agent in a seat",
        (
            Parameter("program", "the agent's command, after --", "COMMAND", repeated=True),
            Parameter("--seat", "launch this seat; without it, the environment's", "NAME@RIG"),
            Parameter("--preset", "what the seat is declared with", "NAME"),
            Parameter("--resume", "reopen the seat's conversation"),
            Parameter("--env", "give the agent this variable of yours too", "NAME",
                      repeated=True),
        ),
        more="{model} in the command stands for the seat's declared model.",
    ),
    Headless(
        "doctor", "what is wrong with the terminal, the daemons or the files, and what mends it",
        (JSON,), does=("view.link",), more="It looks and changes nothing.",
    ),
    Headless("config", "every setting and where it came from", (JSON,)),
    Headless(
        "receipts", "what was sent from here, and what became of it",
        (Parameter("id", "an act's or an ask's id", "ID", optional=True), JSON),
        does=("view.history",),
    ),
    Headless(
        "completion", "a script that completes commands, seats, asks and options in a shell",
        (Parameter("shell", "the shell", choices=("bash", "zsh", "fish")),),
        more="For bash: source <(rig-tui completion bash).",
    ),
    Headless("man", "this manual, for man(1): rig-tui man | man -l -"),
    Headless(
        "complete", "what the last of these words may become",
        (Parameter("words", "the words so far", "WORD", repeated=True),), hidden=True,
    ),
)  # fmt: skip
COMMANDS: Final = (*OPERATOR_COMMANDS, *OWN_COMMANDS)
BY_NAME: Final = {command.name: command for command in COMMANDS}
EVERYWHERE: Final = (
    Parameter("--url", "the daemon to use", "URL"),
    Parameter("--home", "the home whose daemon to use", "DIR"),
    Parameter("--as", "who acts: an entity id, or human@host", "PERSON"),
    Parameter("--token-file", "the operator token for --url", "FILE"),
)
"""Flags that stand before or after any command."""
EXIT_CODES: Final = {
    0: "done",
    1: "failed, or doctor found something",
    2: "usage or settings, or no terminal",
    3: "withdrawn or stale",
    4: "already answered",
    5: "no daemon reachable",
    6: "refused or not allowed here",
    7: "outcome not known",
    8: "timed out",
}
