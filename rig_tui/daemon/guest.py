"""The listener for runners in another environment: four routes, and grants only.

Rule of this file: it is the wall around a guest. Whatever isn't one of the four routes,
spelled the one way a runner spells it, is nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.applications import Starlette

from rig_tui.daemon.http_runner import RunnerRoutes
from rig_tui.daemon.reply import Reply
from rig_tui.daemon.responses import respond
from rig_tui.settings import SettingsError
from rig_tui.wire import contract

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from rig_tui.daemon.core import Core
    from rig_tui.daemon.waits import Waits

LOOPBACK = "127.0.0.1"
HOST_VARIABLE, PORT_VARIABLE = "OPENRIG_GUEST_ACTIVITY_HOST", "OPENRIG_GUEST_ACTIVITY_PORT"


@dataclass(frozen=True, slots=True)
class GuestAddress:
    """Where guests reach the daemon."""

    port: int
    host: str = LOOPBACK

    @property
    def base_url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


def address(environ: Mapping[str, str]) -> GuestAddress | None:
    """Read where to listen for guests; None when nobody asked for that.

    Raises:
        SettingsError: The port is no port (A-43).
    """
    text = environ.get(PORT_VARIABLE, "")
    if not text:
        return None
    port = int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else 0
    if not 1 <= port <= 65535:
        raise SettingsError(
            f"{PORT_VARIABLE} is {text!r}, which is no port: give one of 1 to 65535, or unset it "
            "to listen for no guests. Nothing was started"
        )
    return GuestAddress(port, environ.get(HOST_VARIABLE) or LOOPBACK)


def build(core: Core, waits: Waits) -> ASGIApp:
    """Put the four routes over a core, for holders of a grant."""
    routes = Starlette(
        routes=RunnerRoutes(core, waits, guests=True).routes(),
        exception_handlers={404: _nothing_here, 405: _nothing_here},
    )
    routes.router.redirect_slashes = False

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        # No path of the four needs an escape, so one that has any hides something.
        if b"%" in scope["raw_path"]:
            await _NOTHING(scope, receive, send)
        else:
            await routes(scope, receive, send)

    return guarded


async def _nothing_here(_request: Request, _exc: Exception) -> Response:
    return _NOTHING


_NOTHING = respond(Reply(404, contract.refusal_body("not_found", "There is nothing here.")))
