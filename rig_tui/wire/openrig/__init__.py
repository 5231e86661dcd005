"""The operator-facing shapes, both directions in one place so that they can't drift.

Keys are OpenRig's wherever a public version has them.
"""

from rig_tui.wire.openrig.answers import (
    Refusal,
    decode_error,
    decode_operation,
    decode_recorded,
    encode_error,
    encode_recorded,
)
from rig_tui.wire.openrig.asks import (
    ASK_TAG,
    QUESTION_ID,
    decode_ended,
    decode_item,
    decode_items,
    decode_outcome,
    encode_item,
    encode_outcome,
    title_of,
)
from rig_tui.wire.openrig.audit import audit_state
from rig_tui.wire.openrig.destinations import decode_destinations, encode_destinations
from rig_tui.wire.openrig.event_decoding import Hint, Resync, Signal, parse_event
from rig_tui.wire.openrig.event_encoding import (
    StreamOpened,
    action_executed,
    attention_cleared,
    default_changed,
    encode_frame,
    human_changed,
    permissions_to_changed,
    post_refused,
    queue_created,
    queue_handed_off,
    queue_updated,
    runner_will_permit,
    seat_changed,
    stream_emitted,
    stream_opened,
    stream_resync,
)
from rig_tui.wire.openrig.health import Health, decode_health, encode_health
from rig_tui.wire.openrig.messages import (
    decode_messages,
    decode_receipt,
    encode_messages,
    encode_receipt,
)
from rig_tui.wire.openrig.people import (
    Change,
    decode_changes,
    decode_people,
    encode_changes,
    encode_people,
)
from rig_tui.wire.openrig.permits import (
    PERMIT_TAG,
    decode_permits,
    decode_runner_permits,
    encode_permit,
    encode_runner_permit,
)
from rig_tui.wire.openrig.rigs import decode_rigs, encode_rig
from rig_tui.wire.openrig.seats import decode_seats, encode_seat
from rig_tui.wire.openrig.setting import encode_setting
from rig_tui.wire.openrig.shape import decode_instant, encode_instant
from rig_tui.wire.openrig.timeline import decode_seat_events, encode_seat_event

__all__ = [
    "ASK_TAG",
    "PERMIT_TAG",
    "QUESTION_ID",
    "Change",
    "Health",
    "Hint",
    "Refusal",
    "Resync",
    "Signal",
    "StreamOpened",
    "action_executed",
    "attention_cleared",
    "audit_state",
    "decode_changes",
    "decode_destinations",
    "decode_ended",
    "decode_error",
    "decode_health",
    "decode_instant",
    "decode_item",
    "decode_items",
    "decode_messages",
    "decode_operation",
    "decode_outcome",
    "decode_people",
    "decode_permits",
    "decode_receipt",
    "decode_recorded",
    "decode_rigs",
    "decode_runner_permits",
    "decode_seat_events",
    "decode_seats",
    "default_changed",
    "encode_changes",
    "encode_destinations",
    "encode_error",
    "encode_frame",
    "encode_health",
    "encode_instant",
    "encode_item",
    "encode_messages",
    "encode_outcome",
    "encode_people",
    "encode_permit",
    "encode_receipt",
    "encode_recorded",
    "encode_rig",
    "encode_runner_permit",
    "encode_seat",
    "encode_seat_event",
    "encode_setting",
    "human_changed",
    "parse_event",
    "permissions_to_changed",
    "post_refused",
    "queue_created",
    "queue_handed_off",
    "queue_updated",
    "runner_will_permit",
    "seat_changed",
    "stream_emitted",
    "stream_opened",
    "stream_resync",
    "title_of",
]
