"""An ACP agent that does what its prompts say, for checks of runners.

    python -m rig_tui.runner.scripted_agent

Each line of a prompt is a step: a word, then its JSON argument if it has one.

    say "text"            one message chunk
    update {…}            any `session/update`
    ask {…}               a permission request, its params without the session; waits
    open {…}              the same, without waiting
    answers               wait for every request that is open
    call "method"         any other request to the client; waits
    quiet 2.5             wait so many seconds
    cancelled             wait for `session/cancel`, then end the turn as cancelled
    stderr 100000         write so many bytes to stderr
    child                 leave a process behind that ignores the end of its parent
    end "refusal"         end the turn with this stop reason; `end_turn` without it
    fail -32000           answer the prompt with this error
    exit 3                end the process

A prompt without any step is echoed. `SCRIPTED_AGENT` in the environment is JSON:
`log` (a file that every message received is appended to), `first_id`, `capabilities`,
and for `session/resume`, `session/load`, `session/list` by name what they answer
(`{"error": code}`, a result, or a list of them, one after the other).
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject, JsonValue

SESSION = "scripted-conversation"
_STEPS = (
    "say", "update", "ask", "open", "answers", "call", "quiet", "cancelled", "stderr", "child",
    "end", "fail", "exit",
)  # fmt: skip


class PromptError(Exception):
    """The prompt is to be answered with an error."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class ScriptedAgent:
    """One agent process."""

    def __init__(self, setup: JsonObject) -> None:
        self._setup = setup
        first = setup.get("first_id", 0)
        self._next_id = first if isinstance(first, int) else 0
        self._prefix = first if isinstance(first, str) else None
        self._pending: dict[JsonValue, asyncio.Future[JsonObject]] = {}
        self._cancelled = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self) -> None:
        """Answer until stdin ends."""
        loop = asyncio.get_running_loop()
        while line := await loop.run_in_executor(None, sys.stdin.buffer.readline):
            message = json.loads(line)
            self._log(message)
            if "method" not in message:
                self._pending.pop(message["id"]).set_result(message)
            elif "id" in message:
                task = asyncio.create_task(self._answer(message))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            elif message["method"] == "session/cancel":
                self._cancelled.set()

    async def _answer(self, message: JsonObject) -> None:
        reply: JsonObject = {"jsonrpc": "2.0", "id": message["id"]}
        params = message.get("params")
        assert isinstance(params, dict)
        try:
            reply["result"] = await self._result(str(message["method"]), params)
        except PromptError as error:
            reply["error"] = {"code": error.code, "message": "as the script says"}
        _write(reply)

    async def _result(self, method: str, params: JsonObject) -> JsonValue:
        if method == "initialize":
            return {
                "protocolVersion": 1,
                "agentCapabilities": self._setup.get("capabilities", {}),
                "agentInfo": {"name": "scripted", "version": "1"},
            }
        if method == "session/new":
            return {"sessionId": SESSION}
        if method == "session/prompt":
            return {"stopReason": await self._turn(_text(params))}
        answer = self._setup.get(method, {"error": -32601})
        if isinstance(answer, list):
            answer = answer.pop(0)
        if isinstance(answer, dict) and isinstance(code := answer.get("error"), int):
            raise PromptError(code)
        return answer

    async def _turn(self, text: str) -> str:
        self._cancelled.clear()
        steps = [line for line in text.splitlines() if line.split(" ")[0] in _STEPS]
        if not steps:
            self._update({"sessionUpdate": "agent_message_chunk", "content": _block(text)})
        for step in steps:
            word, _, argument = step.partition(" ")
            stopped = await self._step(word, json.loads(argument) if argument else None)
            if stopped is not None:
                return stopped
        return "end_turn"

    async def _step(self, word: str, given: JsonValue) -> str | None:
        match word, given:
            case "say", str():
                self._update({"sessionUpdate": "agent_message_chunk", "content": _block(given)})
            case "update", dict():
                self._update(given)
            case "ask" | "open", dict():
                waiting = self._call("session/request_permission", {"sessionId": SESSION, **given})
                if word == "ask":
                    await waiting
            case "answers", None:
                await asyncio.gather(*self._pending.values())
            case "call", str():
                await self._call(given, {"sessionId": SESSION})
            case "quiet", int() | float():
                await asyncio.sleep(given)
            case "cancelled", None:
                await self._cancelled.wait()
                return "cancelled"
            case "stderr", int():
                sys.stderr.write("x" * given)
                sys.stderr.flush()
            case "child", None:
                await asyncio.create_subprocess_exec("sh", "-c", "trap '' TERM HUP; sleep 600")
            case "end", _:
                return str(given or "end_turn")
            case "fail", int():
                raise PromptError(given)
            case "exit", int():
                os._exit(given)
            case _:
                raise PromptError(-32602)
        return None

    def _call(self, method: str, params: JsonObject) -> asyncio.Future[JsonObject]:
        number, self._next_id = self._next_id, self._next_id + 1
        call_id: JsonValue = number if self._prefix is None else f"{self._prefix}{number}"
        self._pending[call_id] = asyncio.get_running_loop().create_future()
        _write({"jsonrpc": "2.0", "id": call_id, "method": method, "params": params})
        return self._pending[call_id]

    def _update(self, update: JsonObject) -> None:
        params: JsonObject = {"sessionId": SESSION, "update": update}
        _write({"jsonrpc": "2.0", "method": "session/update", "params": params})

    def _log(self, message: JsonObject) -> None:
        if isinstance(path := self._setup.get("log"), str):
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(json.dumps(message) + "\n")


def _block(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def _text(params: JsonObject) -> str:
    prompt = params.get("prompt")
    assert isinstance(prompt, list)
    return "".join(str(block["text"]) for block in prompt if isinstance(block, dict))


def _write(message: JsonObject) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(ScriptedAgent(json.loads(os.environ.get("SCRIPTED_AGENT", "{}"))).serve())
    os._exit(0)
