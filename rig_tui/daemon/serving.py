"""What a running daemon knows of itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rig_tui.daemon.home import Home

CONTRACT = "0.7.9"
CAPABILITIES = frozenset(
    {
        "answer",
        "asks",
        "clear-attention",
        "close",
        "from-now",
        "operations",
        "people",
        "permits",
        "reply",
        "route",
        "seats",
        "send",
    }
)


@dataclass(frozen=True, slots=True)
class Serving:
    """Where this daemon listens, for whom, and its secrets."""

    home: Home
    base_url: str
    operator_token: str
    hook_token: str
    epoch: str
    """The database's own random id; event numbers mean nothing without it."""
    launch_wait: float = 60.0
    """Seconds a launch record may take from the seat's registration (A-44)."""
    allow_hosts: tuple[str, ...] = ()

    @property
    def authority(self) -> str:
        """host:port, byte for byte as in `base_url`."""
        return self.base_url.partition("://")[2]
