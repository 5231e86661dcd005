"""A backend for this process: its clock, its dice, its terminal."""

from __future__ import annotations

import os
import random
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from rig_tui.client.backoff import delays
from rig_tui.client.discovery import discover
from rig_tui.client.openrig import OpenRigBackend
from rig_tui.domain.model import Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rig_tui.client.discovery import Discovery
    from rig_tui.settings import Overrides, Settings


def local_backend(
    overrides: Overrides,
    settings: Settings,
    environ: Mapping[str, str],
    *,
    program: str,
    actor: Callable[[], str],
) -> OpenRigBackend:
    """The backend for what flags, settings and environment name.

    Args:
        overrides: The flags.
        settings: The settings.
        environ: The environment; a demo's is empty.
        program: What answers record as their program: `tui` or `cli`.
        actor: The actor name painted as answering, asked at each write.
    """
    find = partial(discover, overrides, settings, environ)
    return backend_at(find, program=program, actor=actor)


def backend_at(
    find: Callable[[], Discovery], *, program: str, actor: Callable[[], str]
) -> OpenRigBackend:
    """The backend for daemons that are known already."""
    return OpenRigBackend(
        find,
        actor=actor,
        origin=Origin(program, os.getpid(), _terminal()),
        clock=now,
        delays=partial(delays, random.random),
    )


def now() -> datetime:
    """The time, read here so that nothing below has to."""
    return datetime.now(UTC)  # noqa: TID251 (an edge)


def _terminal() -> str | None:
    try:
        return os.ttyname(0)
    except OSError:
        return None
