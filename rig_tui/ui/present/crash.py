"""What a console that failed leaves on the terminal."""

from __future__ import annotations

from rich.text import Text

from rig_tui.domain.inert import inert_block

_SAID = """\
rig-tui failed and had to end. That sent nothing: asks wait at the daemon as before.
What had been sent until then is in: rig-tui receipts
Start it again; if it fails again, report these lines:
"""


def crash_words(trace: str) -> Text:
    """The failure for whoever repairs it, made inert, below what it means for the operator."""
    return Text(f"{_SAID}\n{inert_block(trace.rstrip())}")
