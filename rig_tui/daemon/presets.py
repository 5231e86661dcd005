"""The presets of community harnesses, in the folder runners and operators share.

A file decides what the next launch is; a launched seat keeps what its file said then.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.daemon.regular_file import read_regular
from rig_tui.domain.launching import PresetFile
from rig_tui.wire.preset_file import LARGEST_PRESET, Fault, Preset, PresetError, parse_preset

if TYPE_CHECKING:
    from pathlib import Path

    from rig_tui.daemon.core import Core
    from rig_tui.domain.launching import Declaration

log = logging.getLogger(__name__)


class PresetFolder:
    """`community-harnesses`, each file read again only after it changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: dict[str, tuple[tuple[int, ...], Preset | PresetError]] = {}

    def file(self, name: str) -> Path:
        return self.path / f"{name}.yaml"

    def load(self, name: str) -> Preset | None:
        """Read a preset; None when there is no such file.

        Raises:
            PresetError: It can't be launched.
        """
        try:
            status = self.file(name).stat()
        except FileNotFoundError:
            self._read.pop(name, None)
            return None
        except OSError as exc:
            raise PresetError(Fault("", f"it can't be read: {exc.strerror}")) from exc
        signature = (status.st_mtime_ns, status.st_ino, status.st_size)
        known = self._read.get(name)
        if known is None or known[0] != signature:
            known = signature, _parsed(self.file(name), name)
            self._read[name] = known
        if isinstance(known[1], PresetError):
            raise known[1]
        return known[1]

    def compare(self, name: str, launched: Declaration) -> PresetFile:
        """Say how a preset's file stands to what was launched from it."""
        try:
            preset = self.load(name)
        except PresetError:
            return PresetFile.UNUSABLE
        if preset is None:
            return PresetFile.GONE
        return PresetFile.SAME if preset.declaration == launched else PresetFile.CHANGED


def refresh(core: Core) -> None:
    """Tell of the seats whose preset's file stands otherwise than was last told (T2-01)."""
    changed = []
    for record in core.seats.values():
        seat = record.seat
        if seat.preset is None or seat.declaration is None or seat.preset_file is PresetFile.NONE:
            continue
        stands = core.presets.compare(seat.preset, seat.declaration)
        if stands is not seat.preset_file:
            changed.append(replace(record, seat=replace(seat, preset_file=stands)))
    if not changed:
        return
    try:
        with core.effect(durable=False) as fx:
            for record in changed:
                fx.save_seat(record)
    except sqlite3.Error:
        log.exception("changed preset files could not be told of")


def _parsed(path: Path, name: str) -> Preset | PresetError:
    try:
        return parse_preset(read_regular(os.fspath(path), LARGEST_PRESET + 1), name)
    except OSError as exc:
        return PresetError(Fault("", f"it can't be read: {exc.strerror}"))
    except PresetError as exc:
        return exc
