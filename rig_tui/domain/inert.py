r"""Other people's text made inert: what could steer a terminal or hide becomes a token.

A token reads `\x1b` or `\u202e`. Nothing is dropped, and what is inert already stays as
it is. Everything an agent, a runner or a person typed passes through here before it is
drawn, printed, logged or written beside frames.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, Literal, TypeAlias

MOST_MARKS: Final = 4
"""Combining marks kept on one base; a taller stack would bleed over other lines."""

Kind: TypeAlias = Literal["kept", "token", "line end", "tab"]
"""What became of a piece of somebody's text; the last two only where lines are many."""

_RUN = re.compile(
    r"(?P<kept>[ -~\u00a0-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u0482\u2010-\u2027\u2030-\u205e"
    r"\u2190-\u21ff\u2500-\u257f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9ffc\uac00-\ud7a3]+)"
    r"|(?P<control>[\x00-\x08\x0b-\x1f\x7f-\x9f]+)"
    r"|(?P<one>.)",
    re.DOTALL,
)
"""Runs of characters that are always kept, runs of controls, and each that needs a look."""
_ZWJ = "\u200d"
_EMOJI_STYLE = "\ufe0f"
_STYLES = frozenset({"\ufe0e", _EMOJI_STYLE})
_KEYCAP = "\u20e3"
_KEYCAP_BASES = frozenset("0123456789#*")
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_FLAG_LETTERS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))
"""Two of them are a flag; alone, one terminal gives it one cell and the next two."""
_RTL_CLASSES = frozenset({"R", "AL"})
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_NARROW_EMOJI = re.compile(
    r"[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u2328\u23cf"
    r"\u23ed-\u23ef\u23f1\u23f2\u23f8-\u23fa\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb\u25fc"
    r"\u2600-\u2604\u260e\u2611\u2618\u261d\u2620\u2622\u2623\u2626\u262a\u262e\u262f"
    r"\u2638-\u263a\u2640\u2642\u265f\u2660\u2663\u2665\u2666\u2668\u267b\u267e\u2692"
    r"\u2694-\u2697\u2699\u269b\u269c\u26a0\u26a7\u26b0\u26b1\u26c8\u26cf\u26d1\u26d3"
    r"\u26e9\u26f0\u26f1\u26f4\u26f7-\u26f9\u2702\u2708\u2709\u270c\u270d\u270f\u2712"
    r"\u2714\u2716\u271d\u2721\u2733\u2734\u2744\u2747\u2763\u2764\u27a1\u2934\u2935"
    r"\u2b05-\u2b07\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f321\U0001f324-\U0001f32c"
    r"\U0001f336\U0001f37d\U0001f396\U0001f397\U0001f399-\U0001f39b\U0001f39e\U0001f39f"
    r"\U0001f3cb-\U0001f3ce\U0001f3d4-\U0001f3df\U0001f3f3\U0001f3f5\U0001f3f7\U0001f43f"
    r"\U0001f441\U0001f4fd\U0001f549\U0001f54a\U0001f56f\U0001f570\U0001f573-\U0001f579"
    r"\U0001f587\U0001f58a-\U0001f58d\U0001f590\U0001f5a5\U0001f5a8\U0001f5b1\U0001f5b2"
    r"\U0001f5bc\U0001f5c2-\U0001f5c4\U0001f5d1-\U0001f5d3\U0001f5dc-\U0001f5de\U0001f5e1"
    r"\U0001f5e3\U0001f5e8\U0001f5ef\U0001f5f3\U0001f5fa\U0001f6cb\U0001f6cd-\U0001f6cf"
    r"\U0001f6e0-\U0001f6e5\U0001f6e9\U0001f6f0\U0001f6f3]"
)
"""Emoji that are one cell wide until a style selector widens them."""
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that draw nothing, though no category says so."""


def token(character: str) -> str:
    r"""The visible form of one character: `\x1b`, `\u202e`, `\U000e0041`."""
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def inert(text: str, *, rtl_tokens: bool = False) -> str:
    """The text on one line, with a token for every character that steers or hides."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(piece for piece, _ in pieces(text, rtl_tokens=rtl_tokens))


def inert_block(text: str) -> str:
    """The same for text of many lines, which keeps its line ends."""
    return "\n".join(inert(line) for line in text.split("\n"))


def seen(text: str, *, multiline: bool = False) -> str:
    """The text without whatever would be a token: for words while they are typed here."""
    if text.isascii() and text.isprintable():
        return text
    found = pieces(text, multiline=multiline)
    return "".join(piece for piece, kind in found if kind != "token")


def has_rtl(text: str) -> bool:
    """Whether right-to-left letters may reorder what is seen."""
    return not text.isascii() and any(
        unicodedata.bidirectional(character) in _RTL_CLASSES for character in text
    )


def pieces(
    text: str, *, multiline: bool = False, rtl_tokens: bool = False
) -> list[tuple[str, Kind]]:
    """Give the text piece by piece, tokens in the place of what steers or hides.

    Args:
        text: Anything at all.
        multiline: Whether LF and TAB are themselves; in a single-line place they are tokens.
        rtl_tokens: Whether right-to-left letters are tokens too.
    """
    found: list[tuple[str, Kind]] = []
    marks = 0
    base = ""
    """The last character kept as itself, which a mark or selector would change."""
    for match in _RUN.finditer(text):
        run = match.group()
        kind: Kind = "token"
        if match.lastgroup == "kept":
            kind, base, marks = "kept", run[-1], 0
        elif match.lastgroup == "control":
            run, base = "".join(map(token, run)), ""
        elif multiline and run in "\n\t":
            kind, base = "line end" if run == "\n" else "tab", ""
        elif _kept(text, match.start(), base, marks) and not (rtl_tokens and has_rtl(run)):
            kind = "kept"
            if unicodedata.category(run)[0] == "M" and run not in _STYLES:
                marks += 1
            elif run in _FLAG_LETTERS and base in _FLAG_LETTERS:
                base, marks = base + run, 0
            else:
                base, marks = run, 0
        else:
            run, base = token(run), ""
        found.append((run, kind))
    return found


def _kept(text: str, at: int, base: str, marks: int) -> bool:
    """Whether the character at `at` is drawn as itself, next to the kept `base`."""
    character = text[at]
    following = text[at + 1 : at + 2]
    if character in _STYLES:
        return _emoji(base) or (
            character == _EMOJI_STYLE and base in _KEYCAP_BASES and following == _KEYCAP
        )
    if character == _ZWJ:
        joins = base == _EMOJI_STYLE or base in _SKIN_TONES or _emoji(base)
        return joins and _emoji(following)
    if character in _SKIN_TONES:
        return _emoji(base) and not marks
    if character in _FLAG_LETTERS:
        return base in _FLAG_LETTERS or following in _FLAG_LETTERS
    category = unicodedata.category(character)
    if category in _HIDDEN_CATEGORIES or character in _BLANK_LETTERS or _selector(character):
        return False
    if category[0] == "M":
        return base not in ("", " ", _ZWJ) and marks < MOST_MARKS
    return not _joining(character) or _hangul(base)


def _selector(character: str) -> bool:
    code = ord(character)
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x180B <= code <= 0x180F


def _joining(character: str) -> bool:
    """Whether it is drawn into the cells of the syllable before it."""
    return "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7ff"


def _hangul(character: str) -> bool:
    return (
        "\u1100" <= character <= "\u11ff"
        or "\ua960" <= character <= "\ua97f"
        or "\uac00" <= character <= "\ud7ff"
    )


@lru_cache(maxsize=1024)
def _emoji(character: str) -> bool:
    """Whether it can start an emoji cluster, and so take a style or a joiner."""
    if len(character) != 1 or character in _SKIN_TONES:
        return False
    if _NARROW_EMOJI.match(character):
        return True
    code = ord(character)
    return (
        (code < 0x2E80 or code >= 0x1F000)
        and unicodedata.category(character) == "So"
        and unicodedata.east_asian_width(character) in "WF"
    )
