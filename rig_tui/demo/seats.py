"""The process that plays every scripted seat: `python -m rig_tui.demo.seats HOME`.

It prints `ready` once each seat has opened, and plays until it is killed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rig_tui.client.runner_api import RunnerApi, open_http
from rig_tui.client.runner_launch import RunnerEnv
from rig_tui.demo.people import OPERATOR, OPERATOR_NAME
from rig_tui.demo.player import SeatPlayer
from rig_tui.demo.scripts import SCRIPTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import httpx

    from rig_tui.demo.steps import Script
    from rig_tui.domain.model import JsonObject

_LOOK_AGAIN = 0.02
_OPENS_WITHIN = 10.0


def find_daemon(home: Path) -> tuple[str, str]:
    """Wait for the daemon of `home` to write where it listens, and its token."""
    endpoint = home / "operator-endpoint.json"
    while not endpoint.exists():
        time.sleep(_LOOK_AGAIN)
    found = json.loads(endpoint.read_bytes())
    return found["baseUrl"], found["token"]


async def declare(
    http: httpx.AsyncClient, base_url: str, token: str, scripts: Sequence[Script]
) -> list[RunnerEnv]:
    """Register the operator as default person and declare a seat per script."""

    async def write(route: str, body: JsonObject) -> JsonObject:
        reply = await http.post(
            base_url + route, json=body, headers={"Authorization": f"Bearer {token}"}
        )
        if reply.is_error:
            raise SystemExit(f"{route} answered {reply.status_code}: {reply.text}")
        written: JsonObject = reply.json()
        return written

    await write(
        "/api/gateway/humans",
        {"entityId": OPERATOR, "displayName": OPERATOR_NAME, "default": True},
    )
    envs = []
    for script in scripts:
        seat = await write(
            "/api/seats",
            {"rig": script.rig, "name": script.name, "runner": True, "launchResult": True},
        )
        environ = seat["env"]
        assert isinstance(environ, dict)
        envs.append(RunnerEnv.from_environ({key: str(value) for key, value in environ.items()}))
    return envs


async def play(base_url: str, token: str, ready: Callable[[], None]) -> None:
    """Declare and play every seat; they open one after the other, in script order."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(open_http())
        envs = await declare(http, base_url, token, SCRIPTS)
        playing = await stack.enter_async_context(asyncio.TaskGroup())
        for script, env in zip(SCRIPTS, envs, strict=True):
            api = await stack.enter_async_context(
                RunnerApi(env, http, clock=lambda: datetime.now(UTC))  # noqa: TID251
            )
            player = SeatPlayer(script, api)
            playing.create_task(player.play())
            async with asyncio.timeout(_OPENS_WITHIN):
                await player.opened.wait()
        ready()
        await asyncio.Event().wait()


def main() -> None:
    """Play the seats of the daemon that lives in the given home."""
    parser = argparse.ArgumentParser(prog="python -m rig_tui.demo.seats")
    parser.add_argument("home", type=Path)

    def ready() -> None:
        sys.stdout.write("ready\n")
        sys.stdout.flush()

    asyncio.run(play(*find_daemon(parser.parse_args().home), ready))


if __name__ == "__main__":
    main()
