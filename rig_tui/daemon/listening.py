"""The sockets the daemon listens on, and the servers behind them."""

from __future__ import annotations

import contextlib
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import uvicorn

from rig_tui.daemon.guest import PORT_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.types import ASGIApp

    from rig_tui.daemon.guest import GuestAddress

HOST = "127.0.0.1"


class ListenError(Exception):
    """The daemon can't listen where it should; the message says why."""


@dataclass(frozen=True, slots=True)
class Listeners:
    """The bound sockets."""

    main: socket.socket
    guest: socket.socket | None = None

    @property
    def port(self) -> int:
        return int(self.main.getsockname()[1])


class Server(uvicorn.Server):
    """Uvicorn without its own idea of signals, that says when it listens."""

    def __init__(
        self,
        asgi: ASGIApp,
        on_started: Callable[[], None] = lambda: None,
        http: Literal["httptools", "h11"] = "httptools",
    ) -> None:
        """Serve an application.

        Args:
            asgi: The application.
            on_started: Called once connections are taken.
            http: `h11` hands the application the path as it was sent.
        """
        super().__init__(
            uvicorn.Config(
                asgi,
                http=http,
                log_config=None,
                access_log=False,
                lifespan="off",
                timeout_graceful_shutdown=5,
                # A runner whose kept connection closes as it sends would permit.
                timeout_keep_alive=600,
                ws="none",
                proxy_headers=False,
            )
        )
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_started()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.contextmanager
def listening(port: int, last: int | None, guest: GuestAddress | None) -> Iterator[Listeners]:
    """Listen for everyone here, and for guests where that is asked for.

    Args:
        port: The main port; 0 takes the last one if it is free, or any.
        last: The port this home had last; its runners know no other.
        guest: Where guests are listened for.

    Raises:
        ListenError: One of the two can't be listened on, or they are the same.
    """
    if guest and guest.port == (port or last):
        raise _same_port(guest.port)
    with contextlib.ExitStack() as cleanup:
        for_guests = cleanup.enter_context(_guest(guest)) if guest else None
        listeners = Listeners(cleanup.enter_context(_main(port, last)), for_guests)
        if guest and guest.port == listeners.port:
            raise _same_port(guest.port)
        yield listeners


def _same_port(port: int) -> ListenError:
    return ListenError(
        f"The daemon's main port and {PORT_VARIABLE} are both {port}, and a guest must never reach "
        "the main port. Nothing was started; give one of them another port."
    )


def _main(port: int, last: int | None) -> socket.socket:
    if port == 0 and last:
        with contextlib.suppress(OSError):
            return _listen(socket.AF_INET, (HOST, last))
    try:
        return _listen(socket.AF_INET, (HOST, port))
    except (OSError, OverflowError) as exc:
        raise ListenError(
            f"Can't listen on {HOST}:{port}: {exc}. Nothing was started; "
            "give another port with --port, or 0 for any."
        ) from exc


def _guest(guest: GuestAddress) -> socket.socket:
    try:
        found = socket.getaddrinfo(
            guest.host, guest.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, _, _, _, place = found[0]
        return _listen(family, place)
    except (OSError, UnicodeError) as exc:
        raise ListenError(
            f"Can't listen for guests on {guest.host}:{guest.port}: {exc}. Nothing was started; "
            f"change OPENRIG_GUEST_ACTIVITY_HOST and {PORT_VARIABLE}, or unset them."
        ) from exc


def _listen(family: int, place: tuple[object, ...]) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(place)
        listener.listen(1024)
    except (OSError, OverflowError):
        listener.close()
        raise
    return listener
