"""A field for one line, whatever is typed, pasted or put into it."""

from __future__ import annotations

from textual.widgets import Input

from rig_tui.domain.inert import seen


class LineInput(Input):
    """An input that holds nothing it couldn't show: what is pasted may steer or hide."""

    def validate_value(self, value: str) -> str:
        """Leave out what would be a token."""
        return seen(value)
