"""What a typed reply is: empty, no, yes, a choice, or other words.

Rule of this file: other words permit, so the error that hurts is a real no filed
as words. A yes is strict and a no is wide; only whole texts count, nothing is
guessed from a part of one.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from rig_tui.domain.mapping import Act, Action, Choose, Words
from rig_tui.domain.model import ALLOW_ALWAYS, ALLOW_ONCE
from rig_tui.domain.reply_words import NO_EMOJI, NO_TEXTS, WARNING_WORDS, YES_TEXTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rig_tui.domain.model import Option

LONGEST = 200
"""Above this many characters a reply is never a plain yes, no or choice."""

_APOSTROPHES = re.compile(
    "[‘’\N{SINGLE HIGH-REVERSED-9 QUOTATION MARK}\N{MODIFIER LETTER APOSTROPHE}\N{PRIME}]"
    # What NFKC makes of an acute accent typed for an apostrophe, and a backtick in a word.
    "| \N{COMBINING ACUTE ACCENT}|(?<=\\w)`(?=\\w)"
)
_PAUSES = ".,;:!…。、"
_QUESTION_MARKS = "?¿؟"
_STRIPPED = frozenset(_PAUSES + "'\"`*_~¡।<>|\N{MINUS SIGN}")
_STRIPPED_CATEGORIES = frozenset({"Zs", "Pi", "Pf", "Ps", "Pe", "Pd"})
_BLANK_LETTERS = frozenset({0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800})
"""Fillers that Unicode calls letters, vowels or symbols, though nothing is seen of them."""
_NO_REPEATED = re.compile(rf"(?:(?:no+|[{NO_EMOJI}]) ?)+")


class ReplyClass(StrEnum):
    """What a typed reply counts as."""

    EMPTY = "empty"
    NO = "no"
    YES = "yes"
    CHOICE = "choice"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a person typed, with its class."""

    text: str
    """As typed."""
    cls: ReplyClass
    option_id: str | None = None
    """The option named, with class CHOICE."""


def normalise(text: str) -> str:
    """Bring a text to the form in which whole texts are compared. A `?` stays."""
    text = unicodedata.normalize("NFKC", text)
    text = "".join(character for character in text if not _unseen(character))
    text = unicodedata.normalize("NFKC", text.casefold())
    text = _APOSTROPHES.sub("'", text)
    text = re.sub(rf"[{_PAUSES}]+(?=\s)", " ", text)
    text = " ".join(text.split())
    return _strip(text)


def classify(text: str, options: Sequence[Option]) -> Reply:
    """Say what a reply is, given the options it answers. A no beats everything."""
    plain = normalise(text)
    if _blank(plain):
        return Reply(text, ReplyClass.EMPTY)
    lines = sum(not _blank(normalise(line)) for line in text.splitlines())
    if lines > 1 or len(plain) > LONGEST:
        return Reply(text, ReplyClass.WORDS)
    if _is_no(plain):
        return Reply(text, ReplyClass.NO)
    named = [o for o in options if plain in {normalise(o.name), normalise(o.option_id)}]
    if plain in _YES:
        # A yes gives an allow anyway; only another meaning of the same text competes.
        named = [o for o in named if o.kind not in {ALLOW_ONCE, ALLOW_ALWAYS}]
        if not named:
            return Reply(text, ReplyClass.YES)
    if len(named) == 1:
        return Reply(text, ReplyClass.CHOICE, named[0].option_id)
    return Reply(text, ReplyClass.WORDS)


def action_of(reply: Reply) -> Action:
    """Translate a reply into the act it is."""
    match reply.cls:
        case ReplyClass.EMPTY:
            return Act.EMPTY_REPLY
        case ReplyClass.NO:
            return Act.NO
        case ReplyClass.YES:
            return Act.YES
        case ReplyClass.CHOICE:
            return Choose(reply.option_id or "")
        case ReplyClass.WORDS:
            return Words(reply.text)


def looks_negative(text: str) -> bool:
    """Say whether other words sound like a no or like hesitation.

    It only makes the warning before a permit stronger; it never changes an outcome.
    """
    plain = normalise(text)
    if any(mark in plain for mark in (*_QUESTION_MARKS, *NO_EMOJI)):
        return True
    if any(character.isalpha() and not character.isascii() for character in text):
        return True
    words = re.findall(r"[a-z']+", plain)
    return any(
        word.endswith("n't") or word.strip("'") in _WARNING or _NO_REPEATED.fullmatch(word)
        for word in words
    )


def _unseen(character: str) -> bool:
    code = ord(character)
    match unicodedata.category(character):
        case "Cf":
            return True
        case "Cc":
            return not character.isspace()
        case _:
            return (
                code in _BLANK_LETTERS
                or code in {0x034F, 0x180B, 0x180C, 0x180D, 0x180F}
                or 0xFE00 <= code <= 0xFE0F
                or 0xE0100 <= code <= 0xE01EF
                or 0x1F3FB <= code <= 0x1F3FF
            )


def _strip(text: str) -> str:
    inside = [
        at
        for at, character in enumerate(text)
        if character not in _STRIPPED
        and unicodedata.category(character) not in _STRIPPED_CATEGORIES
    ]
    return text[inside[0] : inside[-1] + 1] if inside else ""


def _blank(plain: str) -> bool:
    return all(
        unicodedata.category(c).startswith("P") or (c.isascii() and not c.isalnum()) for c in plain
    )


def _is_no(plain: str) -> bool:
    text = " ".join(re.sub(rf"[{_PAUSES}{_QUESTION_MARKS}]", " ", plain).split())
    text = _strip(text)
    return text in _NO or _NO_REPEATED.fullmatch(text) is not None


_WARNING = frozenset(WARNING_WORDS.split())
_YES = frozenset(normalise(text) for text in YES_TEXTS)
_NO = frozenset(
    normalise(polite)
    for text in NO_TEXTS
    # Without its apostrophe too: people leave it out.
    for spelling in (text, text.replace("'", ""))
    for polite in (spelling, f"please {spelling}", f"{spelling} please")
)
