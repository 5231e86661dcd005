"""Writes that are asked for twice and done once.

A key belongs to one method and path for 24 hours. It is kept in the transaction of the
write it names, so a write that was done is always known to have been done.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from rig_tui.daemon.reply import RefusedError

if TYPE_CHECKING:
    from rig_tui.daemon.core import Core

KEPT_FOR = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Key:
    """An operator's key for one write."""

    where: tuple[str, str, str]
    """The key as sent, the method and the path."""
    body_hash: str

    @classmethod
    def of(cls, text: str, method: str, path: str, body: bytes) -> Key:
        return cls((text, method, path), hashlib.sha256(body).hexdigest())


@dataclass(frozen=True, slots=True)
class Replay:
    """The first answer, byte for byte."""

    status: int
    text: str


def earlier(core: Core, key: Key | None) -> Replay | None:
    """Give the first answer of a write that was already done.

    Raises:
        RefusedError: The key was used for another body.
    """
    known = key and core.store.operation(*key.where)
    if not key or not known:
        return None
    body_hash, status, text = known
    if body_hash != key.body_hash:
        raise RefusedError(
            409,
            "idempotency_key_reused",
            "This Idempotency-Key was used with another body. Nothing was done; "
            "send a new key for a new request.",
        )
    return Replay(status, text)
