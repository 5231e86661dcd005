"""Replies as HTTP responses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from rig_tui.daemon.idempotency import Replay
from rig_tui.wire.json import dumps

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import Receive, Scope, Send

    from rig_tui.daemon.reply import Reply


def respond(reply: Reply | Replay) -> Response:
    """Send a reply as JSON; one that was sent before goes out byte for byte."""
    text = reply.text if isinstance(reply, Replay) else dumps(reply.body)
    return Response(text.encode(), reply.status, media_type="application/json")


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """A handler that Starlette puts nothing around, for what is asked by the thousand.

    Around a function it puts the handling of exceptions once more, which costs a small
    request as much as carrying it out.
    """

    handle: Callable[[Request], Awaitable[Response]]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self.handle(Request(scope, receive))
        await response(scope, receive, send)
