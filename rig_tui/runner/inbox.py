"""Messages that operators send to the seat, taken from the daemon and given as prompts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rig_tui.client.runner_api import UnreachableError
from rig_tui.wire.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from rig_tui.client.runner_api import RunnerApi
    from rig_tui.domain.messages import Message

_ASK_AGAIN = 2.0


async def take_messages(
    api: RunnerApi,
    offer: Callable[[str], None],
    say: Callable[[str], None],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Offer each message as one prompt; ends where the seat takes none this way."""
    while True:
        try:
            messages = await api.take_messages()
        except UnreachableError:
            await sleep(_ASK_AGAIN)
            continue
        except WireError as error:
            say(f"messages to this seat can't be read, and none is taken any more: {error}")
            return
        if messages is None:
            return
        for message in messages:
            offer(enveloped(message, api.env.session_name))


def enveloped(message: Message, session_name: str) -> str:
    """The message as a prompt that says who sent it, so that it is never control."""
    return f"From: {message.sender}\nTo: {session_name}\n\n{message.text}"
