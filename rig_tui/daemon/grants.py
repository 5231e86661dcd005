"""Seat activity grants: known, issued, revoked.

Rule of this file: a grant is shown once, when it is issued. What is kept of it proves a
secret and doesn't hold it, and a grant is never forgotten: its runner permits on the
code of an unknown one.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.daemon import notices
from rig_tui.daemon.reply import RefusedError, Reply
from rig_tui.domain.grants import SeatGrant
from rig_tui.domain.model import Grant
from rig_tui.domain.timeline import SeatEventKind
from rig_tui.wire import openrig

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rig_tui.daemon.core import Core, Effect
    from rig_tui.daemon.idempotency import Key
    from rig_tui.daemon.seat_state import SeatRecord
    from rig_tui.domain.model import JsonObject

GRANTED = "grant"
"""The mode of a seat whose runner holds a grant."""
_NO_DIGEST = "0" * 64


class Grants:
    """Every grant that was ever issued."""

    def __init__(self, known: Iterable[SeatGrant]) -> None:
        self._known = {grant.grant_id: grant for grant in known}

    def __getitem__(self, grant_id: str) -> SeatGrant:
        return self._known[grant_id]

    def keep(self, grant: SeatGrant) -> None:
        self._known[grant.grant_id] = grant

    def proven_by(self, token: str) -> SeatGrant | None:
        """Find the grant this token is, whatever became of it."""
        grant_id, _, secret = token.partition(".")
        grant = self._known.get(grant_id)
        same = hmac.compare_digest(_digest(secret), grant.digest if grant else _NO_DIGEST)
        return grant if same else None

    def of_launch(self, seat_ref: str, generation: str | None) -> list[SeatGrant]:
        return [
            grant
            for grant in self._known.values()
            if grant.seat_ref == seat_ref and grant.generation == generation
        ]


def issue(fx: Effect, seat_ref: str, generation: str) -> str:
    """Make a grant for one launch; gives its token, which nobody can give again."""
    grant_id, secret = fx.core.ids.of("grant"), fx.core.ids.secret()
    fx.save_grant(SeatGrant(grant_id, seat_ref, generation, _digest(secret), fx.now))
    return f"{grant_id}.{secret}"


def change(core: Core, record: SeatRecord, body: JsonObject, *, by: str, key: Key | None) -> Reply:
    """Issue a grant for the seat's launch, or revoke those it has.

    Args:
        core: The daemon's state.
        record: The seat.
        body: Exactly one of `issue` and `revoke`, true.
        by: Who does it.
        key: The operator's key for this write.

    Raises:
        RefusedError: The body asks for neither or both, or there is nothing to do it to.
    """
    wanted = [(name, body[name]) for name in ("issue", "revoke") if name in body]
    if len(wanted) != 1 or wanted[0][1] is not True:
        raise RefusedError(
            400,
            "invalid_request",
            'Give exactly one of {"issue":true} and {"revoke":true}. Nothing was changed.',
        )
    seat_ref = record.seat.seat_ref
    generation = record.waiting_generation or record.seat.generation
    if generation is None:
        raise RefusedError(
            409,
            "no_launch",
            f"Nobody occupies {seat_ref} and no launch of it waits, so no grant speaks for it. "
            "Nothing was changed; relaunch it first.",
        )
    with core.effect() as fx:
        if wanted[0][0] == "issue":
            shown, reply = _issue(fx, record, generation, by)
        else:
            shown = reply = _revoke(fx, record, generation, by)
        fx.remember(key, shown)
    return reply


def _issue(fx: Effect, record: SeatRecord, generation: str, by: str) -> tuple[Reply, Reply]:
    """Gives what may be shown again, and what is shown once."""
    token = issue(fx, record.seat.seat_ref, generation)
    fx.log(record.seat.seat_ref, SeatEventKind.GRANT, "issued", by=by)
    answer = _changed(fx, record, generation, Grant(GRANTED))
    answer["url"] = fx.core.serving.grant_url
    return Reply(201, answer), Reply(201, {**answer, "token": token})


def _revoke(fx: Effect, record: SeatRecord, generation: str, by: str) -> Reply:
    """Revoke every grant of a launch; the reads that wait under one end (D7-43)."""
    seat_ref, revoked_at = record.seat.seat_ref, record.seat.grant.revoked_at
    issued = fx.core.grants.of_launch(seat_ref, generation)
    if not issued:
        raise RefusedError(
            409,
            "no_grant",
            f"The runner of {seat_ref} holds no grant. Nothing was changed: the local token "
            "can't be revoked.",
        )
    good = [grant for grant in issued if grant.revoked_at is None]
    for grant in good:
        fx.save_grant(replace(grant, revoked_at=fx.now))
    if good:
        revoked_at = fx.now
        fx.log(seat_ref, SeatEventKind.GRANT, "revoked", by=by)
        seen = (*record.seat.notices, notices.grant_revoked(fx.now))
        record = replace(record, seat=replace(record.seat, notices=seen))
    answer = _changed(fx, record, generation, Grant(GRANTED, revoked_at))
    answer["changed"] = bool(good)
    answer["pendingAsks"] = [ask.ask_id for ask in fx.core.pending_of(seat_ref)]
    return Reply(200, answer)


def _changed(fx: Effect, record: SeatRecord, generation: str, grant: Grant) -> JsonObject:
    seat = fx.save_seat(replace(record, seat=replace(record.seat, grant=grant)))
    at = grant.revoked_at
    return {
        "ok": True,
        "seatRef": seat.seat_ref,
        "generation": generation,
        "grant": {"mode": grant.mode, "revokedAt": openrig.encode_instant(at) if at else None},
    }


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
