"""Setting who is asked for one seat (D7-16)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.daemon import people, records
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.domain.model import Override, OverrideMode
from rig_tui.domain.timeline import SeatEventKind
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from rig_tui.daemon.core import Core
    from rig_tui.daemon.idempotency import Key
    from rig_tui.daemon.seat_state import SeatRecord
    from rig_tui.domain.model import JsonObject


def set_permissions_to(
    core: Core, record: SeatRecord, body: JsonObject, *, by: str, key: Key | None
) -> Reply:
    """Choose a person, refuse everything, or go back to the default (D7-16).

    It holds from the next request on; open asks stay as they are (A-28).
    """
    mode, person = _wanted(core, body)
    reason = body.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        raise RefusedError(
            400, "reason_required", "Setting who is asked needs a reason. Nothing was changed."
        )
    before = record.seat.override
    with core.effect() as fx:
        after = Override(mode, person, reason.strip(), by, fx.now)
        changed = replace(before, by=by, at=fx.now) != after
        seat = fx.view(record)
        if changed:
            changing = replace(record, seat=replace(record.seat, override=after))

            def change(seq: int) -> JsonObject:
                nonlocal changing
                changing = replace(changing, seat=replace(changing.seat, version=seq))
                return openrig.permissions_to_changed(
                    fx.view(changing), seq=seq, at=fx.now, by=by, reason=reason.strip()
                )

            core.store.put_override(record.seat.seat_ref, records.dumps(after))
            fx.emit(change)
            seat = fx.stage_seat(changing)
            what = f"to {person}" if mode is OverrideMode.TO else _IN_WORDS[mode]
            fx.log(seat.seat_ref, SeatEventKind.OVERRIDE, what, by=by, reason=reason.strip())
        reply = Reply(
            200,
            openrig.encode_setting(
                seat, before, changed=changed, pending_asks=len(core.pending_of(seat.seat_ref))
            ),
        )
        fx.remember(key, reply)
    return reply


_IN_WORDS = {OverrideMode.DENY: "deny", OverrideMode.NONE: "default"}


def _wanted(core: Core, body: JsonObject) -> tuple[OverrideMode, str | None]:
    """Read what is asked for: exactly one thing, and nothing that only looks like it."""
    match {name: body[name] for name in ("to", "deny", "clear") if name in body}:
        case {"to": str() as entity_id, **rest} if not rest and entity_id.strip():
            people.check_readable(core.people)
            if core.people.find(entity_id) is None:
                raise RefusedError(
                    400,
                    "not_a_registered_person",
                    f"{entity_id} isn't a registered person, so nobody could be asked. "
                    "Nothing was changed.",
                )
            return OverrideMode.TO, entity_id
        case {"deny": True, **rest} if not rest:
            return OverrideMode.DENY, None
        case {"clear": True, **rest} if not rest:
            return OverrideMode.NONE, None
        case _:
            raise RefusedError(
                400,
                "invalid_setting",
                'Give exactly one of {"to": "<entityId>"}, {"deny": true} and {"clear": true}. '
                "Nothing was changed.",
            )
