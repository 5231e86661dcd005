"""What a daemon says of itself (`/healthz`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, TypeAdapter

from rig_tui.wire.openrig.shape import SHAPE, Instant, dump, read

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import JsonObject
    from rig_tui.wire.openrig.shape import JsonInput

SERVICE = "rig-tui-daemon"


@dataclass(frozen=True, slots=True)
class Health:
    """Who answers, and what it can do."""

    version: str = ""
    contract: str = ""
    epoch: str = ""
    now: datetime | None = None
    capabilities: frozenset[str] = frozenset()
    service: str = SERVICE
    proof: str | None = None
    """Proof that it knows the operator token, when a nonce was sent."""
    options_max: int = 4
    """How many options a person is shown at most; a request with more is permitted unasked."""


class HealthRow(BaseModel):
    """The body; an older daemon has less of it."""

    model_config = SHAPE

    status: str = "ok"
    service: str = ""
    version: str = ""
    contract: str = ""
    epoch: str = ""
    now: Instant | None = None
    capabilities: tuple[str, ...] = ()
    options_max: int = 4
    proof: str | None = None


_HEALTH = TypeAdapter(HealthRow)


def encode_health(health: Health) -> JsonObject:
    """The body of `/healthz`."""
    body = dump(
        HealthRow(
            service=health.service,
            version=health.version,
            contract=health.contract,
            epoch=health.epoch,
            now=health.now,
            capabilities=tuple(sorted(health.capabilities)),
            options_max=health.options_max,
            proof=health.proof,
        )
    )
    return body if health.proof else {k: v for k, v in body.items() if k != "proof"}


def decode_health(data: JsonInput) -> Health:
    """What the daemon says of itself.

    Raises:
        UnreadableError: It isn't a body of `/healthz`.
    """
    row = read(_HEALTH, "The daemon's health", data)
    return Health(
        version=row.version,
        contract=row.contract,
        epoch=row.epoch,
        now=row.now,
        capabilities=frozenset(row.capabilities),
        options_max=row.options_max,
        service=row.service,
        proof=row.proof,
    )
