"""Words that stand alone."""

from __future__ import annotations


def sentence(words: str) -> str:
    """The words with a capital and a full stop."""
    return f"{words[:1].upper()}{words[1:]}."
