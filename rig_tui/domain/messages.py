"""Messages an operator sends to a seat, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Message:
    """A message for a seat's runner, which makes one prompt of it and never an answer."""

    message_id: str
    sender: str
    """The actor name of whoever sent it."""
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Receipt:
    """What is known of a message that was sent; nothing ever makes it `delivered` (D4-32)."""

    message_id: str
    status: str
