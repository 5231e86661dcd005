"""Who sends a runner's request, and what a grant lets them send.

Rule of this file: a grant is judged on the state of the moment its request is carried
out, so always after the body is in, and again after every wait.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from rig_tui.daemon.reply import Reply
from rig_tui.daemon.security import bearer, bears
from rig_tui.domain.grants import Claim, Fault, Occupancy, judge
from rig_tui.wire import contract
from rig_tui.wire.contract import HookBody, Submit

if TYPE_CHECKING:
    from starlette.datastructures import Headers

    from rig_tui.daemon.core import Core

T = TypeVar("T", HookBody, Submit)

_STATUS = {Fault.WRONG_SEAT: 403, Fault.STALE: 409, Fault.REVOKED: 401, Fault.PENDING: 409}
_MEANING = {
    Fault.WRONG_SEAT: "The grant speaks for another seat.",
    Fault.STALE: "The grant's launch doesn't occupy the seat, or the request is another launch's.",
    Fault.REVOKED: "The grant was revoked.",
    Fault.PENDING: "The grant's launch hasn't registered its occupant yet.",
}
NO_CLAIM = Claim()


class GrantRefusedError(Exception):
    """A grant doesn't speak for the request it came with; nothing was recorded."""

    def __init__(self, fault: Fault, session_name: str) -> None:
        super().__init__(fault.value)
        self.fault = fault
        self.session_name = session_name
        """The seat the grant does speak for."""

    @property
    def reply(self) -> Reply:
        body = contract.refusal_body(
            self.fault.value, f"{_MEANING[self.fault]} Nothing was recorded."
        )
        return Reply(_STATUS[self.fault], body)


@dataclass(frozen=True, slots=True)
class Caller:
    """A holder of the local token, or of one seat's grant."""

    grant_id: str | None = None


def identify(core: Core, headers: Headers, *, grants_only: bool) -> Caller | None:
    """Find who carries this authorization; None when nobody we know does."""
    if not grants_only and bears(headers, core.serving.hook_token):
        return Caller()
    grant = core.grants.proven_by(bearer(headers))
    return Caller(grant.grant_id) if grant else None


def check(core: Core, caller: Caller, claim: Claim) -> None:
    """Let a grant do only what it speaks for; the local token speaks for anyone.

    Raises:
        GrantRefusedError: It doesn't speak for this, or not any more, or not yet.
    """
    if caller.grant_id is None:
        return
    grant = core.grants[caller.grant_id]
    record = core.seats[grant.seat_ref]
    seat = record.seat
    occupancy = Occupancy(
        seat.session_name, seat.node_id, seat.generation, record.waiting_generation
    )
    fault = judge(grant, claim, occupancy)
    if fault:
        raise GrantRefusedError(fault, seat.session_name)


def checked(core: Core, caller: Caller, request: T) -> T:
    """Give a post or a permission request, completed by the grant it came with (D4-33).

    Raises:
        GrantRefusedError: As `check`.
    """
    check(core, caller, Claim(request.session_name, request.node_id, request.generation))
    if caller.grant_id is None:
        return request
    grant = core.grants[caller.grant_id]
    session_name = core.seats[grant.seat_ref].seat.session_name
    return replace(request, session_name=session_name, node_id=None, generation=grant.generation)
