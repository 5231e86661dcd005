"""The daemon's process: from its options to its exit code."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import resource
import signal
import sqlite3
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

import uvloop

import rig_tui
from rig_tui.daemon import app, guest, seats
from rig_tui.daemon.core import Core
from rig_tui.daemon.home import Home, HomeError, HomeLockedError
from rig_tui.daemon.ids import Ids
from rig_tui.daemon.inspection import StoreError
from rig_tui.daemon.listening import HOST, ListenError, Server, listening
from rig_tui.daemon.logfile import InertFormatter
from rig_tui.daemon.serving import Serving
from rig_tui.daemon.store import Store
from rig_tui.daemon.timekeeper import Timekeeper
from rig_tui.domain.inert import inert, inert_block

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig_tui.daemon.guest import GuestAddress
    from rig_tui.daemon.listening import Listeners

log = logging.getLogger(__name__)

LOG_BYTES = 10 * 1024 * 1024
EXIT_DONE, EXIT_FAILED, EXIT_REFUSED = 0, 1, 6

_PORT = "port"


@dataclass(frozen=True, slots=True)
class DaemonOptions:
    """How to start a daemon."""

    home: Path
    port: int = 0
    """0 takes the port this home had last, since its runners know no other, or any."""
    allow_hosts: tuple[str, ...] = ()
    """More values of `Host` to let through to the operator's routes."""
    launch_wait_seconds: float = 60.0
    guest: GuestAddress | None = None
    """Where to listen for guests; None for nowhere."""
    options_max: int = 4
    """How many options a person is shown at most: 4 as the contract has it, up to 9."""


def main(options: DaemonOptions) -> int:
    """Serve until told to stop; give the exit code."""
    home = Home(options.home)
    _allow_many_connections()
    try:
        home.lock()
        with (
            _logging_to(home),
            _opened(home) as store,
            _listening(store, options) as listeners,
            asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        ):
            return runner.run(_Daemon(home, store, listeners, options).serve())
    except (HomeLockedError, ListenError) as exc:
        print(inert_block(str(exc)), file=sys.stderr)  # noqa: T201
        return EXIT_REFUSED
    except (HomeError, StoreError, OSError) as exc:
        print(inert_block(str(exc)), file=sys.stderr)  # noqa: T201
        return EXIT_FAILED
    finally:
        home.unlock()


def _allow_many_connections() -> None:
    """Take every file descriptor there is: each waiting read holds one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class _Daemon:
    """One serving daemon."""

    def __init__(
        self, home: Home, store: Store, listeners: Listeners, options: DaemonOptions
    ) -> None:
        ids = Ids()
        serving = Serving(
            home=home,
            base_url=f"http://{HOST}:{listeners.port}",
            operator_token=_kept(store, "operator_token", ids.secret()),
            hook_token=_kept(store, "hook_token", ids.secret()),
            epoch=_kept(store, "epoch", ids.of("epoch").removeprefix("epoch-")),
            launch_wait=options.launch_wait_seconds,
            allow_hosts=options.allow_hosts,
            options_max=options.options_max,
            guest_url=options.guest.base_url if options.guest else None,
        )
        with contextlib.suppress(sqlite3.Error), store.transaction(durable=True):
            store.set_meta(_PORT, str(listeners.port))
        self._core = Core(store, serving, _utc_now, ids)
        self._asked_to_stop = False
        self._exit_code = EXIT_DONE
        self._app = app.build(self._core, self._stop)
        self._servers = [(Server(self._app.asgi, self._announce), listeners.main)]
        if listeners.guest:
            guests = guest.build(self._core, self._app.waits)
            self._servers.append((Server(guests, http="h11"), listeners.guest))

    async def serve(self) -> int:
        seats.restart(self._core)
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._terminate)
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        loop.add_signal_handler(signal.SIGHUP, lambda: None)
        keeping = loop.create_task(Timekeeper(self._core).run())
        try:
            await asyncio.gather(
                *(server.serve(sockets=[listener]) for server, listener in self._servers)
            )
        finally:
            keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeping
            self._save()
        return self._exit_code

    def _save(self) -> None:
        try:
            self._core.save()
        except sqlite3.Error:
            log.exception("the last activity could not be written")

    def _announce(self) -> None:
        serving = self._core.serving
        serving.home.write_endpoints(serving.base_url, serving.operator_token, serving.hook_token)
        ready = {
            "baseUrl": serving.base_url,
            "home": str(serving.home.path),
            "pid": os.getpid(),
            "version": rig_tui.__version__,
        }
        print(json.dumps(ready), flush=True)  # noqa: T201
        log.info("serving %s at %s", serving.home.path, serving.base_url)
        if serving.guest_url:
            log.info("serving guests at %s", serving.guest_url)

    def _stop(self) -> None:
        self._app.end()
        for server, _ in self._servers:
            server.should_exit = True

    def _terminate(self) -> None:
        for line in self._pending():
            log.warning("terminated with a pending ask, whose runner will permit: %s", line)
        self._exit_code = 128 + signal.SIGTERM
        self._stop()

    def _interrupt(self) -> None:
        pending = self._pending()
        if pending and not self._asked_to_stop:
            self._asked_to_stop = True
            print(  # noqa: T201
                "These asks wait; without a daemon their runners PERMIT:",
                *map(inert, pending),
                "Still serving. Interrupt again to stop all the same.",
                sep="\n  ",
                file=sys.stderr,
            )
            return
        for line in pending:
            log.warning("interrupted with a pending ask, whose runner will permit: %s", line)
        self._stop()

    def _pending(self) -> list[str]:
        return [
            f"{ask.seat_ref}, request {ask.request_id}, {ask.ask_id}"
            for ask in self._core.pending.values()
        ]


@contextlib.contextmanager
def _opened(home: Home) -> Iterator[Store]:
    store = Store(home.database)
    try:
        yield store
    finally:
        store.close()


def _listening(
    store: Store, options: DaemonOptions
) -> contextlib.AbstractContextManager[Listeners]:
    last = store.meta(_PORT)
    return listening(options.port, int(last) if last else None, options.guest)


@contextlib.contextmanager
def _logging_to(home: Home) -> Iterator[None]:
    home.log.touch(mode=0o600)
    handler = RotatingFileHandler(home.log, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
    handler.setFormatter(InertFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()


def _kept(store: Store, name: str, fresh: str) -> str:
    """Give a secret of this database, making it the first time."""
    known = store.meta(name)
    if known is None:
        with store.transaction(durable=True):
            store.set_meta(name, fresh)
    return known or fresh


def _utc_now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251
