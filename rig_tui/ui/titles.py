"""Titles in a widget's frame, set only when they change: setting one repaints it whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

if TYPE_CHECKING:
    from textual.widget import Widget


def entitle(widget: Widget, title: str, note: str = "") -> None:
    """Set a widget's title, and the note at its lower edge."""
    if Content(title).markup != (widget.border_title or ""):
        widget.border_title = Content(title)
    note_down(widget, note)


def note_down(widget: Widget, note: str) -> None:
    """Set the note at a widget's lower edge; an empty one takes it away."""
    if Content(note).markup != (widget.border_subtitle or ""):
        widget.border_subtitle = Content(note) if note else None
