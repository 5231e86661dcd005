"""Revoking what a seat's runner posts by (T4-08).

Rule of this file: a runner reads a revoked grant as a permit, so what it permits is said
before the key is pressed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rig_tui.actions.action import Action, Context, Family, Fill
from rig_tui.actions.shown import daemon_words, why_not_seat
from rig_tui.domain import mapping, select
from rig_tui.domain.commands import RevokeGrant
from rig_tui.domain.ledger import subject_of
from rig_tui.domain.mapping import Act

if TYPE_CHECKING:
    from rig_tui.domain.model import Fleet, Seat
READS_A_PERMIT: Final = "Its runner reads a revoked grant as a permit"
LATER: Final = (
    "every later request of this launch is PERMITTED by its runner without asking anybody"
)


def _why_not_revoke(context: Context) -> str | None:
    why, seat = why_not_seat(context), context.seat
    if why is not None or seat is None:
        return why
    if "grants" not in context.fleet.link.capabilities:
        return f"{daemon_words(context.fleet.link)} has no grants"
    if seat.grant.mode != "grant":
        return f"{seat.seat_ref} posts by the local token, which can't be revoked"
    if seat.grant.revoked_at is not None:
        return f"the grant of {seat.seat_ref} is revoked already"
    return None


def revoke(seat: Seat) -> RevokeGrant:
    """The command that revokes what the seat's runner holds."""
    return RevokeGrant(seat.seat_id, seat.seat_ref)


def permitted(seat: Seat, fleet: Fleet) -> list[str]:
    """Each waiting request of the seat, and what its runner then gives."""
    return [
        f"‘{subject_of(ask.tool_call) or ask.request_id}’ "
        f"{mapping.consequence(ask.options, Act.DROP)}"
        for ask in select.pending_asks(fleet)
        if ask.session_name == seat.session_name
    ]


def revoking(seat: Seat, fleet: Fleet) -> str:
    """What revoking permits: the requests that wait, and every later one."""
    return " ".join([f"{READS_A_PERMIT}:", "; ".join([*permitted(seat, fleet), LATER])])


def _consequence(context: Context) -> str:
    return revoking(context.seat, context.fleet) if context.seat is not None else ""


GRANTS = Family(
    "Grants",
    (
        Action(
            "seat.revoke_grant",
            (),
            "revoke its grant…",
            "Revoke what the selected seat's runner posts by. It says first which waiting "
            "requests the runner then PERMITS.",
            lambda _: Fill("revoke-grant"),
            _why_not_revoke,
            _consequence,
            footer=False,
        ),
    ),
)
