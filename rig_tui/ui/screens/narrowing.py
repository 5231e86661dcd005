"""The dialog that asks what to narrow the record by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rig_tui.domain.history import FilterError, parse
from rig_tui.ui.present.lines import Line, line
from rig_tui.ui.present.roles import DIM, KEY
from rig_tui.ui.screens.words import Words

if TYPE_CHECKING:
    from datetime import datetime

    from rich.text import Text

    from rig_tui.ui.arming import Arming

_TERMS: Final = (
    ("seat: rig:", "whose rows"),
    ("person:", "by name, or human@host"),
    ("cause:", "why nobody was asked, as no_registered_person"),
    ("kind:", "the option's kind, as allow_always"),
    ("since:", "30m 2h 3d ago, 14:05 today, or 2026-01-31"),
    ("until:", "the same"),
)


def narrowing(written: str, now: datetime, arming: Arming) -> Words:
    """Ask for a filter, which may be none; it opens with the one that holds."""

    def accept(text: str) -> str | None:
        try:
            parse(text, now)
        except FilterError as error:
            return f"{error}."
        return None

    explain: list[Line | Text] = [
        line((f"{terms:<11} ", KEY), (words, DIM), hang=12) for terms, words in _TERMS
    ]
    explain.append(line(("Anything else is searched for. Empty shows everything.", DIM)))
    return Words(
        "Narrow the record",
        explain,
        prefilled=written,
        placeholder="seat:builder@my-rig since:2h words",
        accept=accept,
        arming=arming,
    )
