"""Other people's text, made safe to print."""

from __future__ import annotations


def inert(text: str) -> str:
    """The text with every character that could steer a terminal, or hide, as a token."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _token(char) for char in text)


def _token(char: str) -> str:
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
