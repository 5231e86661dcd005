"""Seat activity grants: whom one speaks for, and why it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


class Fault(StrEnum):
    """Why a grant is refused, as the contract's code."""

    WRONG_SEAT = "activity_grant_wrong_seat"
    STALE = "activity_grant_stale"
    REVOKED = "activity_grant_revoked"
    PENDING = "activity_grant_pending"

    @property
    def permits(self) -> bool:
        """Whether a runner that reads this permits its request by itself."""
        return self in {Fault.REVOKED, Fault.PENDING}


@dataclass(frozen=True, slots=True)
class SeatGrant:
    """A secret that speaks for one launch of one seat (D4-33); the secret isn't kept."""

    grant_id: str
    seat_ref: str
    generation: str
    digest: str
    issued_at: datetime
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Occupancy:
    """The seat of a grant as it stands now."""

    session_name: str
    node_id: str
    live: str | None
    """The generation that occupies it."""
    waiting: str | None = None
    """The generation of a launch that hasn't registered its occupant yet."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a request says it is about; None where it says nothing."""

    session_name: str | None = None
    node_id: str | None = None
    generation: str | None = None


def judge(grant: SeatGrant, claim: Claim, seat: Occupancy) -> Fault | None:
    """Say why a request under a grant is refused, or None when the grant speaks for it.

    Codes on which a runner cancels come before codes on which it permits (A-20).
    """
    if claim.session_name not in {None, seat.session_name} or (
        claim.node_id not in {None, seat.node_id}
    ):
        return Fault.WRONG_SEAT
    if claim.generation not in {None, grant.generation} or (
        grant.generation not in {seat.live, seat.waiting}
    ):
        return Fault.STALE
    if grant.revoked_at is not None:
        return Fault.REVOKED
    return Fault.PENDING if grant.generation != seat.live else None
