"""Messages to a seat: what a send answers, and what its runner takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, Field, TypeAdapter

from rig_tui.domain.messages import Message, Receipt
from rig_tui.wire.openrig.shape import SHAPE, Instant, dump, read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rig_tui.domain.model import JsonObject
    from rig_tui.wire.openrig.shape import JsonInput


class ReceiptRow(BaseModel):
    """The answer to a send."""

    model_config = SHAPE

    ok: bool = True
    message_id: str
    status: str


class MessageRow(BaseModel):
    """One message."""

    model_config = SHAPE

    message_id: str
    sender: str = Field(validation_alias="from", serialization_alias="from")
    text: str
    sent_at: Instant


class MessagesRow(BaseModel):
    """What was taken."""

    model_config = SHAPE

    ok: bool = True
    messages: tuple[MessageRow, ...] = ()


_RECEIPT = TypeAdapter(ReceiptRow)
_MESSAGES = TypeAdapter(MessagesRow)


def encode_receipt(receipt: Receipt) -> JsonObject:
    """The answer to a send."""
    return dump(ReceiptRow(message_id=receipt.message_id, status=receipt.status))


def decode_receipt(data: JsonInput) -> Receipt:
    """What a send answered.

    Raises:
        UnreadableError: It isn't a send's answer.
    """
    row = read(_RECEIPT, "The receipt of a message", data)
    return Receipt(row.message_id, row.status)


def encode_messages(messages: Iterable[Message]) -> JsonObject:
    """What a runner takes, oldest first."""
    rows = tuple(
        MessageRow(message_id=m.message_id, sender=m.sender, text=m.text, sent_at=m.at)
        for m in messages
    )
    return dump(MessagesRow(messages=rows))


def decode_messages(data: JsonInput) -> tuple[Message, ...]:
    """What a runner took.

    Raises:
        UnreadableError: It isn't a list of messages.
    """
    rows = read(_MESSAGES, "The messages of a seat", data).messages
    return tuple(Message(row.message_id, row.sender, row.text, row.sent_at) for row in rows)
