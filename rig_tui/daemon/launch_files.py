"""The files a launch and its launcher hand each other."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from rig_tui.daemon.home import make_private

if TYPE_CHECKING:
    from pathlib import Path

    from rig_tui.daemon.core import Core

log = logging.getLogger(__name__)


def result_path(core: Core, attempt: str) -> Path | None:
    """Make the folder of a launch's record; None when it can't be made (D3-05, D3-06)."""
    folder = core.serving.home.launches
    try:
        make_private(folder)
    except OSError:
        log.exception("the folder of launch records can't be made")
        return None
    return folder / f"{attempt}.json"


def write_first_input(core: Core, generation: str, text: bytes) -> Path | None:
    """Put a first startup turn where only this user reads it; None when that fails (D2-05)."""
    path = core.serving.home.first_inputs / generation
    try:
        make_private(path.parent)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(text)
    except OSError:
        log.exception("a first input can't be written")
        return None
    return path


def sweep(core: Core) -> None:
    """Remove the first inputs of launches that are over."""
    live = {
        generation
        for record in core.seats.values()
        for generation in (record.seat.generation, record.waiting_generation)
    }
    try:
        for path in core.serving.home.first_inputs.iterdir():
            if path.name not in live:
                path.unlink()
    except FileNotFoundError:
        return
    except OSError:
        log.exception("the first inputs of ended launches can't be removed")
