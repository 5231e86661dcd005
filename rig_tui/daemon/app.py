"""The daemon as an application: its routes over its core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from rig_tui.daemon.http_events import EventRoutes
from rig_tui.daemon.http_logs import LogRoutes
from rig_tui.daemon.http_messages import MessageRoutes
from rig_tui.daemon.http_reads import ReadRoutes
from rig_tui.daemon.http_runner import RunnerRoutes
from rig_tui.daemon.http_writes import WriteRoutes
from rig_tui.daemon.reply import RefusedError
from rig_tui.daemon.responses import respond
from rig_tui.daemon.waits import Waits

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from rig_tui.daemon.core import Core


@dataclass(frozen=True, slots=True)
class App:
    """The application, and what waits in it."""

    asgi: Starlette
    waits: Waits
    messages: Waits
    core: Core

    def end(self) -> None:
        """End every waiting read and stream, for the process is about to end."""
        self.waits.close()
        self.messages.close()
        self.core.events.close()


def build(core: Core, shut_down: Callable[[], None]) -> App:
    """Put the routes over a core; `shut_down` is called when an operator asks for it."""
    waits = Waits()
    messages = MessageRoutes(core)
    core.on_ask.append(waits.wake)
    asgi = Starlette(
        routes=[
            *RunnerRoutes(core, waits).routes(),
            *EventRoutes(core).routes(),
            *messages.routes(),
            *ReadRoutes(core).routes(),
            *LogRoutes(core).routes(),
            *WriteRoutes(core, shut_down).routes(),
        ],
        exception_handlers={404: _no_route, 405: _no_route},
    )
    asgi.router.redirect_slashes = False
    return App(asgi, waits, messages.waits, core)


async def _no_route(request: Request, exc: Exception) -> Response:
    status = exc.status_code if isinstance(exc, HTTPException) else 404
    code = "not_found" if status == 404 else "method_not_allowed"
    message = f"This daemon has no {request.method} {request.url.path}."
    return respond(RefusedError(status, code, message).reply)
