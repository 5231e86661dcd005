"""Reading request bodies, which are always read to their end.

An answer sent before the body is in reaches a sender as a broken connection.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.daemon.reply import RefusedError
from rig_tui.wire.errors import UnreadableError
from rig_tui.wire.json import load_object

if TYPE_CHECKING:
    from starlette.requests import Request

    from rig_tui.domain.model import JsonObject


async def read_body(request: Request, largest: int) -> bytes | None:
    """Read a body; None when it is larger than that, which is read and thrown away."""
    body = bytearray()
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= largest:
            body += chunk
    return bytes(body) if size <= largest else None


def parse_object(body: bytes | None) -> JsonObject:
    """Read an operator's JSON object; an absent body is an empty one.

    Raises:
        RefusedError: It isn't one, or is too large.
    """
    if body is None:
        raise RefusedError(413, "too_large", "The body is too large. Nothing was done.")
    if not body.strip():
        return {}
    try:
        return load_object(body)
    except UnreadableError as exc:
        raise RefusedError(400, "invalid_json", f"{exc.message} Nothing was done.") from None
