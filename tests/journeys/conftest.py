"""A daemon for each module; runners and consoles that are gone after each test."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from tests.journeys import stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.journeys.terminal import Terminal


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[stage.Daemon]:
    served = stage.Daemon(tmp_path_factory.mktemp("journey"))
    try:
        yield served
    finally:
        served.end()


@pytest.fixture
def runner(daemon: stage.Daemon) -> Iterator[Callable[..., stage.Runner]]:
    """Start a runner whose agent offers the options given, in a seat of its own."""
    with ExitStack() as cleanup:

        def start(*options: dict[str, str]) -> stage.Runner:
            started = stage.Runner(daemon, *options)
            cleanup.callback(started.close)
            return started

        yield start


@pytest.fixture
def console(daemon: stage.Daemon) -> Iterator[Callable[..., Terminal]]:
    """Start the console on the daemon's home, or with the arguments given."""
    with ExitStack() as cleanup:

        def start(*arguments: str, **more: Any) -> Terminal:
            arguments = arguments or ("--home", str(daemon.home))
            started = stage.console(daemon.folder, *arguments, **more)
            cleanup.callback(started.close)
            cleanup.callback(lambda: print(started.picture()))  # shown if the test fails
            return started

        yield start
