"""What a published OpenRig says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, TypeAdapter

from rig_tui.wire.openrig.shape import SHAPE, read

if TYPE_CHECKING:
    from rig_tui.wire.openrig.shape import JsonInput


class _Health(BaseModel):
    model_config = SHAPE

    status: str
    service: str | None = None
    event_loop: dict[str, object] | None = None
    semver: str | None = None


class _Version(BaseModel):
    version: str


_HEALTH = TypeAdapter(_Health)
_VERSION = TypeAdapter(_Version)


def is_published(data: JsonInput) -> bool:
    """Whether a body of `/healthz` is a published OpenRig's, which names no service.

    Raises:
        UnreadableError: It isn't a body of `/healthz`.
    """
    health = read(_HEALTH, "The daemon's health", data)
    return health.service is None and (health.event_loop is not None or health.semver is not None)


def decode_version(data: JsonInput) -> str:
    """The version in a body of `/api/health-summary/version`.

    Raises:
        UnreadableError: It isn't one.
    """
    return read(_VERSION, "The daemon's version", data).version
