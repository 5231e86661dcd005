"""Whom a grant speaks for, as a whole table."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rig_tui.domain.grants import Claim, Fault, Occupancy, SeatGrant, judge
from tests.rules import rule

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
GRANT = SeatGrant("grant-1", "builder@my-rig", "gen-1", "digest", NOW)

NAMES = {
    "this seat": [
        ("builder@my-rig", "node-1"),
        ("builder@my-rig", None),
        (None, "node-1"),
        (None, None),
    ],
    "other seat": [
        ("other@my-rig", "node-2"),
        ("other@my-rig", None),
        (None, "node-2"),
        ("builder@my-rig", "node-2"),
        ("other@my-rig", "node-1"),
    ],
}
LAUNCHES = {
    "live": ("gen-1", None),
    "replaced": ("gen-2", None),
    "being replaced": (None, "gen-2"),
    "stopped": (None, None),
    "unregistered": (None, "gen-1"),
}
OWN_SEAT = {
    # launch, revoked: the claimed generation is the grant's, another, absent
    ("live", False): (None, Fault.STALE, None),
    ("live", True): (Fault.REVOKED, Fault.STALE, Fault.REVOKED),
    ("replaced", False): (Fault.STALE, Fault.STALE, Fault.STALE),
    ("replaced", True): (Fault.STALE, Fault.STALE, Fault.STALE),
    ("being replaced", False): (Fault.STALE, Fault.STALE, Fault.STALE),
    ("being replaced", True): (Fault.STALE, Fault.STALE, Fault.STALE),
    ("stopped", False): (Fault.STALE, Fault.STALE, Fault.STALE),
    ("stopped", True): (Fault.STALE, Fault.STALE, Fault.STALE),
    ("unregistered", False): (Fault.PENDING, Fault.STALE, Fault.PENDING),
    ("unregistered", True): (Fault.REVOKED, Fault.STALE, Fault.REVOKED),
}


@rule("D4-33", "D4-34", "D4-35", "D4-36", "D4-37", "A-20")
@pytest.mark.parametrize("seat", NAMES)
@pytest.mark.parametrize(("launch", "revoked"), OWN_SEAT)
def test_codes_that_cancel_come_before_codes_that_permit(
    seat: str, launch: str, revoked: bool
) -> None:
    grant = replace(GRANT, revoked_at=NOW if revoked else None)
    occupancy = Occupancy("builder@my-rig", "node-1", *LAUNCHES[launch])
    for session_name, node_id in NAMES[seat]:
        judged = tuple(
            judge(grant, Claim(session_name, node_id, generation), occupancy)
            for generation in ("gen-1", "gen-2", None)
        )
        foreign = (Fault.WRONG_SEAT,) * 3
        assert judged == (foreign if seat == "other seat" else OWN_SEAT[launch, revoked])


def test_the_faults_a_runner_permits_on_are_those_that_may_be_the_live_request() -> None:
    assert {fault for fault in Fault if fault.permits} == {Fault.REVOKED, Fault.PENDING}
