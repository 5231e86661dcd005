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
        "grants",
        "handoff",
        "operations",
        "people",
        "permissions-to",
        "permits",
        "reply",
        "route",
        "seats",
        "send",
        "timeline",
        "update",
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
    options_max: int = 4
    """How many options a person is shown at most (D7-13); up to 9 for those who opt in."""
    guest_url: str | None = None
    """The base URL of the listener for guests, when there is one."""

    @property
    def authority(self) -> str:
        """host:port, byte for byte as in `base_url`."""
        return self.base_url.partition("://")[2]

    @property
    def grant_url(self) -> str:
        """Where a runner with a grant sends its requests."""
        return self.guest_url or self.base_url
