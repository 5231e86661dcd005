"""A runner of one turn and one permission request, as a process of its own.

    python tests/journeys/fake_runner.py SEAT.json REQUEST.json

SEAT.json is the daemon's reply to `POST /api/seats`; REQUEST.json holds the agent's
`requestId`, `toolCall` and `options` (`turnId`, `nativeRef` if they matter). It writes the
launch record, opens a turn, submits, reads until there is an answer, prints one line

    optionId=<id>
    cancelled (<reason>)
    permitted by runner optionId=<id> (<cause>)

and ends its turn. `asked <askId>` on stderr says that a person is asked. SIGTERM while it
waits withdraws the request and prints `cancelled (turn_cancelled)`.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rig_tui.client.runner_answers import Answer, Asked, PermissionRequest
from rig_tui.client.runner_api import RunnerApi, open_http
from rig_tui.client.runner_launch import RunnerEnv


def say(line: str, stream: Any = None) -> None:
    print(line, file=stream or sys.stdout, flush=True)


def line_of(answer: Answer) -> str:
    if answer.option_id is None:
        return f"cancelled ({answer.why})"
    if answer.by_runner:
        return f"permitted by runner optionId={answer.option_id} ({answer.why})"
    return f"optionId={answer.option_id}"


async def answer_or_cancel(api: RunnerApi, ask_id: str, request: PermissionRequest) -> Answer:
    """Read until there is an answer; SIGTERM withdraws instead."""
    cancelled = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, cancelled.set)
    say(f"asked {ask_id}", sys.stderr)
    reading = asyncio.create_task(api.answer(ask_id, request))
    stopping = asyncio.create_task(cancelled.wait())
    done, rest = await asyncio.wait({reading, stopping}, return_when=asyncio.FIRST_COMPLETED)
    for task in rest:
        task.cancel()
    if reading in done:
        return reading.result()
    await api.withdraw(ask_id, "turn_cancelled")
    return Answer(None, "turn_cancelled")


async def run(seat: dict[str, Any], asked: dict[str, Any]) -> None:
    env = RunnerEnv.from_environ(seat["env"])
    turn_id = str(asked.get("turnId", "1"))
    native_ref = asked.get("nativeRef", "conversation-1")
    request = PermissionRequest(
        asked["requestId"], asked["toolCall"], asked["options"], turn_id, native_ref
    )
    async with (
        open_http() as http,
        RunnerApi(
            env,
            http,
            clock=lambda: datetime.now(UTC),  # noqa: TID251
            pane=lambda line: say(line, sys.stderr),
        ) as api,
    ):
        api.report_launch(harness=env.runtime, producer="fake runner", native_ref=native_ref)
        api.post("UserPromptSubmit", "accepted", turn_id=turn_id)
        reply = await api.submit(request)
        if isinstance(reply, Asked):
            answer = await answer_or_cancel(api, reply.ask_id, request)
        else:
            answer = reply
        say(line_of(answer))
        if answer.hold:
            api.post("Notification", "permission_prompt", turn_id=turn_id)
            return
        if answer.option_id is not None and answer.ask_id is not None:
            api.post("active", "permission_resolved", turn_id=turn_id, ask_id=answer.ask_id)
        api.post("Stop", "end_turn", turn_id=turn_id, liveness_seconds=60)


if __name__ == "__main__":
    seat_file, request_file = sys.argv[1:]
    asyncio.run(
        run(json.loads(Path(seat_file).read_text()), json.loads(Path(request_file).read_text()))
    )
