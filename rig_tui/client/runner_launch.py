"""What a launch gives a runner, and the launch record it writes in return."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from rig_tui.wire.contract import launch_record

if TYPE_CHECKING:
    from collections.abc import Mapping


class RunnerEnvError(Exception):
    """The environment doesn't say where to post, or as whom."""


@dataclass(frozen=True, slots=True)
class RunnerEnv:
    """Where a runner posts, and the seat and launch it speaks for."""

    base_url: str
    token: str
    session_name: str
    node_id: str
    runtime: str
    generation: str
    attempt: str = ""
    launch_result: Path | None = None
    seat_ref: str = ""
    """Where messages for the seat are taken from; empty when OpenRig types them."""

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Self:
        """Take base and token from the variables when both are there, else from the file.

        Never one from each: a token goes only to the address it was found with.

        Raises:
            RunnerEnvError: Neither the variables nor the file name them.
        """
        base = environ.get("OPENRIG_URL", "")
        if not base and environ.get("OPENRIG_PORT"):
            base = f"http://{environ.get('OPENRIG_HOST') or '127.0.0.1'}:{environ['OPENRIG_PORT']}"
        token = environ.get("OPENRIG_ACTIVITY_HOOK_TOKEN", "")
        if not (base and token):
            base, token = _endpoint_file(environ.get("OPENRIG_HOME", ""))
        result = environ.get("OPENRIG_LAUNCH_RESULT")
        return cls(
            base_url=base.rstrip("/"),
            token=token,
            session_name=environ.get("RIG_TUI_SESSION_NAME", ""),
            node_id=environ.get("RIG_TUI_NODE_ID", ""),
            runtime=environ.get("RIG_TUI_RUNTIME", ""),
            generation=environ.get("OPENRIG_OCCUPANT_GENERATION", ""),
            attempt=environ.get("OPENRIG_LAUNCH_ATTEMPT", ""),
            launch_result=Path(result) if result else None,
            seat_ref=environ.get("RIG_TUI_SEAT_REF", ""),
        )


def _endpoint_file(home: str) -> tuple[str, str]:
    if not home:
        raise RunnerEnvError(
            "No address to post to: set OPENRIG_URL and OPENRIG_ACTIVITY_HOOK_TOKEN,"
            " or OPENRIG_HOME to a folder with activity-endpoint.json."
        )
    path = Path(home) / "activity-endpoint.json"
    try:
        found = json.loads(path.read_bytes())
        return str(found["baseUrl"]), str(found["token"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunnerEnvError(f"No address to post to: {path} can't be used ({error!r}).") from error


def write_launch_record(
    path: Path,
    *,
    attempt: str,
    harness: str,
    producer: str,
    native_ref: str | None = None,
    error: str | None = None,
) -> None:
    """Report the conversation or its error, whole or not at all: write, then rename."""
    record = launch_record(
        attempt=attempt, harness=harness, native_ref=native_ref, error=error, producer=producer
    )
    half = path.with_name(f".{path.name}.{os.getpid()}")
    half.write_bytes(record)
    half.replace(path)
