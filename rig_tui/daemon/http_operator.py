"""What every operator route has in common: who may call, and how refusals read."""

from __future__ import annotations

import logging
import sqlite3
from typing import TYPE_CHECKING

from starlette.routing import Route

from rig_tui.daemon.reply import RefusedError
from rig_tui.daemon.responses import respond
from rig_tui.daemon.security import check_operator

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from rig_tui.daemon.core import Core
    from rig_tui.daemon.idempotency import Replay
    from rig_tui.daemon.reply import Reply

log = logging.getLogger(__name__)


def operator_route(
    core: Core, path: str, method: str, handle: Callable[[Request], Awaitable[Reply | Replay]]
) -> Route:
    """Serve a route to holders of the operator token only."""

    async def endpoint(request: Request) -> Response:
        try:
            check_operator(request.headers, core.serving)
            return respond(await handle(request))
        except RefusedError as exc:
            return respond(exc.reply)
        except sqlite3.Error as exc:
            log.exception("%s %s could not be done", method, path)
            return respond(
                RefusedError(
                    500, "not_saved", f"The database refused: {exc}. Nothing was changed."
                ).reply
            )

    return Route(path, endpoint, methods=[method])
