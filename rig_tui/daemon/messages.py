"""Messages to a seat's runner, which asks for them; there is no pane to type into.

Rule of this file: a message is queued, and nothing a runner posts ever says more of it
(D4-32, D10-01). It is a prompt, never an answer.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.domain.messages import Message, Receipt
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from rig_tui.daemon.core import Core, Effect
    from rig_tui.daemon.idempotency import Key
    from rig_tui.daemon.seat_state import SeatRecord
    from rig_tui.domain.model import JsonObject

log = logging.getLogger(__name__)

QUEUED = "queued"
MOST_QUEUED = 100
NO_PANE_TO_VERIFY = "There is no pane here to look at: that it is queued is all that is known."


def send(core: Core, body: JsonObject, sender: str, key: Key | None) -> Reply:
    """Queue a message for a seat's runner.

    Raises:
        RefusedError: The seat waits for a person (D7-56), or takes no messages.
    """
    session_name, text = body.get("session"), body.get("text")
    if (
        not isinstance(session_name, str)
        or not isinstance(text, str)
        or not session_name
        or not text
    ):
        raise RefusedError(400, "invalid_request", "Missing required fields: session, text")
    record = _ready(core, session_name)
    message = Message(core.ids.of("message"), sender, text, core.clock())
    answer = openrig.encode_receipt(Receipt(message.message_id, QUEUED))
    if body.get("verify") is True:
        answer |= {"verified": False, "warning": NO_PANE_TO_VERIFY}
    reply = Reply(200, answer)
    with core.effect() as fx:
        core.store.messages.add(record.seat.seat_ref, message)
        fx.changed_messages(record.seat.seat_ref)
        fx.remember(key, reply)
    return reply


def note_taker(core: Core, record: SeatRecord) -> None:
    """Remember that a seat's occupant asks for messages, so that they can be queued."""
    if not record.seat.takes_messages:
        with core.effect(durable=False) as fx:
            fx.save_seat(replace(record, seat=replace(record.seat, takes_messages=True)))


def take(core: Core, seat_ref: str) -> tuple[Message, ...]:
    """Hand a seat's messages to its runner, each once."""
    if not core.store.messages.count(seat_ref):
        return ()
    with core.effect():
        return core.store.messages.take(seat_ref)


def drop(fx: Effect, seat_ref: str) -> tuple[str, ...]:
    """Forget what an occupant that is gone never took; gives the notices that say so."""
    lost = fx.core.store.messages.take(seat_ref)
    fx.changed_messages(seat_ref)
    if not lost:
        return ()
    log.warning("%d messages to %s were never taken", len(lost), seat_ref)
    return (f"Messages the earlier occupant never took, and nobody will: {len(lost)}.",)


def _ready(core: Core, session_name: str) -> SeatRecord:
    record = core.seat_of_session(session_name)
    if record is None:
        raise RefusedError(
            404, "session_not_found", f"There is no seat with the session {session_name}."
        )
    seat_ref = record.seat.seat_ref
    if record.activity.attention or core.pending_of(seat_ref):
        raise RefusedError(
            409,
            "target_needs_input",
            f"{session_name} waits for a person, and a message is never an answer. "
            "Nothing was sent; answer or clear its attention first.",
        )
    if record.seat.generation is None or not record.seat.takes_messages:
        raise RefusedError(
            409,
            "no_pane",
            f"{session_name} has no pane here, and its runner hasn't asked for messages. "
            "Nothing was sent.",
        )
    if core.store.messages.count(seat_ref) >= MOST_QUEUED:
        raise RefusedError(
            409,
            "queue_full",
            f"{MOST_QUEUED} messages wait for the runner of {session_name} already. "
            "Nothing was sent.",
        )
    return record
