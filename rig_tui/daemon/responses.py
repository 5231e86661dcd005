"""Replies as HTTP responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from rig_tui.daemon.idempotency import Replay
from rig_tui.wire.json import dumps

if TYPE_CHECKING:
    from rig_tui.daemon.reply import Reply


def respond(reply: Reply | Replay) -> Response:
    """Send a reply as JSON; one that was sent before goes out byte for byte."""
    text = reply.text if isinstance(reply, Replay) else dumps(reply.body)
    return Response(text.encode(), reply.status, media_type="application/json")
