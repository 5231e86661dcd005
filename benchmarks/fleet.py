"""The seats that every program under test is shown, and how they change."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from rig_tui.domain.model import (
    Asked,
    AskedBecause,
    AskedMode,
    Evidence,
    EvidenceKind,
    Reading,
    Seat,
    SeatId,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

SEATS_PER_RIG = 50
PROBE = 0
"""The seat that probes change: the first row of every program."""
HOT = 30
"""The first rows, which every program shows without scrolling."""
LAST_SHOWN = HOT - 1
TOKEN = re.compile(rb"t(\d{6})x")
"""What a probe's row says; nothing else on screen looks like it."""
SESSION = re.compile(rb"q(\d{4})q")
"""What only the details of a selected seat say."""


def token(number: int) -> str:
    """What the probe's row says after that many probes."""
    return f"t{number:06}x"


def a_seat(number: int) -> Seat:
    """One seat as it is before anything happens."""
    rig = f"r{number // SEATS_PER_RIG:03}"
    return Seat(
        seat_id=SeatId(f"rig-{rig}", f"s{number:04}"),
        rig_name=rig,
        name=f"s{number:04}",
        session_name=f"q{number:04}q@{rig}",
        node_id=f"node-{number}",
        runtime="acp",
        generation=f"generation-{number}",
        turn_id="1",
        liveness_seconds=30,
        asked=Asked(AskedMode.PERSON, "ana", AskedBecause.DEFAULT_PERSON),
    )


def posted(seat: Seat, detail: str, version: int) -> Seat:
    """The seat after its runner posted that."""
    now = datetime.now(UTC)  # noqa: TID251
    evidence = Evidence(EvidenceKind.POST, now, now + timedelta(seconds=15), detail)
    return replace(seat, reading=Reading.WORKING, evidence=evidence, version=version)


def order(load: str, seats: int) -> Iterator[int]:
    """Which seat changes next: any (`uniform`), or any that is on screen (`hot`)."""
    dice = random.Random(7)
    last = seats if load == "uniform" else HOT
    while True:
        yield dice.randrange(PROBE + 1, last)
