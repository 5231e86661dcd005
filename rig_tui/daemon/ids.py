"""Identifiers nobody can guess."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime


class Ids:
    """Makes ids from a source of random hex, which tests replace."""

    def __init__(self, token_hex: Callable[[int], str] = secrets.token_hex) -> None:
        self._hex = token_hex

    def row(self, now: datetime) -> str:
        """Give a queue row's id: OpenRig's form with 128 random bits."""
        return f"qitem-{now:%Y%m%d%H%M%S}-{self._hex(16)}"

    def of(self, kind: str) -> str:
        return f"{kind}-{self._hex(16)}"

    def secret(self) -> str:
        return self._hex(32)
