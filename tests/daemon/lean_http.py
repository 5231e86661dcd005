"""A lean HTTP client for tests that send by the hundred, where httpx would be the load."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    """A status and a body."""

    status: int
    content: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.content)


async def send(
    port: int,
    method: str,
    path: str,
    token: str,
    body: object = None,
    *,
    key: str | None = None,
) -> Answer:
    """Send one request on a connection of its own.

    Args:
        port: Of this machine.
        method: The method.
        path: The path, with its query.
        token: The bearer token.
        body: JSON, or bytes as they are.
        key: An Idempotency-Key.

    Raises:
        OSError: There was no whole answer.
    """
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        f"Authorization: Bearer {token}\r\nContent-Length: {len(content)}\r\n"
    )
    if key:
        head += f"Idempotency-Key: {key}\r\n"
    incoming, outgoing = await asyncio.open_connection("127.0.0.1", port)
    try:
        outgoing.write(head.encode() + b"\r\n" + content)
        answer = await incoming.read()
    finally:
        outgoing.close()
        with contextlib.suppress(OSError):
            await outgoing.wait_closed()
    status, found, content = answer.partition(b"\r\n\r\n")
    length = status.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
    if not found or not length or len(content) < int(length):
        raise ConnectionResetError("there was no whole answer")
    return Answer(int(status.split()[1]), content)
