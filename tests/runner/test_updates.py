from __future__ import annotations

from typing import Any

from rig_tui.runner.updates import TurnUpdates, Work
from tests.rules import rule

CHUNK: dict[str, Any] = {"sessionUpdate": "agent_message_chunk"}
MESSAGE = Work("active", "agent_message")


def tool(**fields: Any) -> dict[str, Any]:
    return {"sessionUpdate": "tool_call", "toolCallId": "call-1", **fields}


@rule("R7-01")
def test_a_request_with_only_an_id_is_submitted_with_all_that_was_said_of_it() -> None:
    updates = TurnUpdates()
    updates.take(tool(title="Edit files", kind="edit", content=[{"type": "diff"}]), 0)
    updates.take({"sessionUpdate": "tool_call_update", "toolCallId": "call-1",
                  "status": "pending", "title": None}, 0)  # fmt: skip
    assert updates.whole({"toolCallId": "call-1"}) == {
        "toolCallId": "call-1",
        "title": "Edit files",
        "kind": "edit",
        "content": [{"type": "diff"}],
        "status": "pending",
    }


@rule("R7-01")
def test_what_the_request_says_itself_wins_and_what_nothing_was_said_of_stays_as_it_is() -> None:
    updates = TurnUpdates()
    updates.take(tool(title="earlier", kind="edit"), 0)
    assert updates.whole({"toolCallId": "call-1", "title": "now", "kind": None}) == {
        "toolCallId": "call-1",
        "title": "now",
        "kind": "edit",
    }
    assert updates.whole({"toolCallId": "other"}) == {"toolCallId": "other"}
    assert updates.whole(None) is None


def test_each_tool_call_is_posted_and_a_stream_of_chunks_only_now_and_then() -> None:
    updates = TurnUpdates()
    assert [updates.take(CHUNK, at / 10) for at in range(60)] == [
        MESSAGE,
        *[None] * 49,
        MESSAGE,
        *[None] * 9,
    ]
    assert updates.take(tool(kind="edit"), 6) == Work("PreToolUse", "edit")
    assert updates.take(tool(), 6) == Work("PreToolUse", "other")
    assert updates.take(CHUNK, 6.1) == MESSAGE
    assert updates.take({"sessionUpdate": "usage_update"}, 99) is None
