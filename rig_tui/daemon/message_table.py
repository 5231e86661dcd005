"""The table of messages no runner has taken yet."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from rig_tui.domain.messages import Message

if TYPE_CHECKING:
    import sqlite3


class MessageTable:
    """Messages by seat, oldest first; a message that was taken is gone."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, seat_ref: str, message: Message) -> None:
        self._db.execute(
            "INSERT INTO messages (message_id, seat_ref, sender, text, at) VALUES (?,?,?,?,?)",
            (message.message_id, seat_ref, message.sender, message.text, message.at.isoformat()),
        )

    def count(self, seat_ref: str) -> int:
        (count,) = self._db.execute(
            "SELECT count(*) FROM messages WHERE seat_ref=?", (seat_ref,)
        ).fetchone()
        return int(count)

    def take(self, seat_ref: str) -> tuple[Message, ...]:
        """Remove a seat's messages and give them."""
        rows = self._db.execute(
            "SELECT message_id, sender, text, at FROM messages WHERE seat_ref=? ORDER BY number",
            (seat_ref,),
        ).fetchall()
        self._db.execute("DELETE FROM messages WHERE seat_ref=?", (seat_ref,))
        return tuple(
            Message(message_id, sender, text, datetime.fromisoformat(at))
            for message_id, sender, text, at in rows
        )
