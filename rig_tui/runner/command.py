"""How the agent's process is started: its command, and the little of our environment it gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MODEL = "{model}"
"""Stands in the command for the seat's declared model."""
_PASSED = (
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ",
    "USER", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
)  # fmt: skip


class CommandError(Exception):
    """The agent can't be started as asked; the message is for the reader."""


def environment(environ: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """What the agent gets: never OpenRig's token, and a key only by its name.

    Raises:
        CommandError: A variable that was named isn't set.
    """
    missing = [name for name in names if name not in environ]
    if missing:
        raise CommandError(
            f"--env {missing[0]}: there is no such variable. The agent wasn't started; "
            "set it, or leave the flag out."
        )
    return {name: environ[name] for name in (*_PASSED, *names) if name in environ}


def with_model(command: Sequence[str], model: str | None) -> list[str]:
    """Put the declared model where the command has a place for it.

    Raises:
        CommandError: One of the two is there without the other.
    """
    wanted = any(MODEL in word for word in command)
    if wanted and model is None:
        raise CommandError(
            f"The command has {MODEL} and the seat declares no model. The agent wasn't started."
        )
    if model is not None and not wanted:
        raise CommandError(
            f"The seat declares the model {model} and the command has no {MODEL} to put it in. "
            "The agent wasn't started."
        )
    return [word.replace(MODEL, model or "") for word in command]
