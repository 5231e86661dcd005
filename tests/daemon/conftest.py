from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.daemon.harness import Daemon, Served, home_in, serve

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon with nobody registered and no seat."""
    daemon = Daemon(home_in(tmp_path))
    yield daemon
    daemon.store.close()


@pytest.fixture
async def served(daemon: Daemon) -> AsyncIterator[Served]:
    """The daemon on a real socket."""
    async with serve(daemon) as served:
        yield served
