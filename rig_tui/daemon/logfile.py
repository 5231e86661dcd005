"""How the daemon's log is written: whatever a record holds, it can't pass for another."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from rig_tui.domain.inert import inert

if TYPE_CHECKING:
    from types import TracebackType

_CONTINUES = "\n    "


class InertFormatter(logging.Formatter):
    """Writes a record inert: one line, and only what a failure adds below it, indented."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (its name there)
        return inert(super().formatMessage(record))

    def formatException(  # noqa: N802 (its name there)
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        lines = super().formatException(ei).split("\n")
        return "    " + _CONTINUES.join(map(inert, lines))
