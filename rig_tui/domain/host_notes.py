"""Host names that may not be what they look like: look-alike letters, punycode, user parts.

These notes point at names and never judge: a name without one may be anybody's.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from rig_tui.domain.inert import inert

_AUTHORITY = re.compile(r"://([^\s/?#\"'<>\\|`]++)")
_NAME = re.compile(r"(?<![\w.-])[\w-]++(?:[.\u3002\uff0e\uff61][\w-]++)++")
_DOTS = re.compile("[.\u3002\uff0e\uff61]")
_PUNYCODE: Final = "xn--"
_TOGETHER: Final = frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})
"""Scripts that are written together; any other two in one label are pointed out."""
_LOOKS_LIKE: Final = {
    ord(letter): like
    for letters, like in (
        ("\u0430\u03b1\u0251", "a"), ("\u0432\u044c\u03b2", "b"), ("\u0441\u03f2", "c"),
        ("\u0501", "d"), ("\u0435\u03b5", "e"), ("\u0261\u0581", "g"),
        ("\u043d\u04bb\u0570", "h"), ("\u0456\u03b9\u0131\u0269", "i"), ("\u0458\u03f3", "j"),
        ("\u043a\u03ba", "k"), ("\u04cf\u029f", "l"), ("\u043c", "m"),
        ("\u043f\u03b7\u0578", "n"), ("\u043e\u03bf\u0585\u03c3", "o"), ("\u0440\u03c1", "p"),
        ("\u051b", "q"), ("\u0433", "r"), ("\u0455", "s"), ("\u0442\u03c4", "t"),
        ("\u03c5\u057d", "u"), ("\u0475\u03bd\u1d20", "v"), ("\u051d\u03c9\u1d21", "w"),
        ("\u0445\u03c7", "x"), ("\u0443\u03b3", "y"), ("\u1d22", "z"),
    )
    for letter in letters
}  # fmt: skip
"""The letters outside ASCII that are taken for one inside it."""
_NAMED_LETTERS: Final = 6


def host_notes(text: str) -> tuple[str, ...]:
    """Point out the host names in a text that a reader may take for others."""
    plain = text.isascii() and _PUNYCODE not in text.casefold()
    if plain and "://" not in text:
        return ()
    notes: dict[str, None] = {}
    addressed: set[str] = set()
    for authority in _AUTHORITY.findall(text):
        user, at, host = authority.rpartition("@")
        addressed.add(host)
        if at and "." in user.partition(":")[0]:
            notes[f"goes to {_shown(host)}; {_shown(user)} before the @ is only a user name"] = None
        notes.update(dict.fromkeys(_of_name(host, address=True)))
    for name in () if plain else _NAME.findall(text):
        if name not in addressed:
            notes.update(dict.fromkeys(_of_name(name, address=False)))
    return tuple(notes)


def _of_name(name: str, *, address: bool) -> list[str]:
    labels = _DOTS.split(name)
    decoded = ".".join(map(_decoded, labels))
    coded = any(label.casefold().startswith(_PUNYCODE) for label in labels)
    facts: list[str] = []
    if coded:
        shown = _shown(decoded) if decoded != name else "nothing that can be read"
        facts = [f"stands for {shown}"]
    mixed = next(filter(None, map(_mixture, decoded.split("."))), "")
    if mixed:
        facts.append(f"mixes {mixed} letters")
    like = _like(decoded, accents=address or coded)
    if like:
        facts.append(f"looks like {like}")
    if address and not decoded.isascii():
        facts.append(f"has {_letters(decoded)}")
    return [f"the name {_shown(name)} {', '.join(facts)}"] if facts else []


def _decoded(label: str) -> str:
    if not label.casefold().startswith(_PUNYCODE):
        return label
    try:
        return label[len(_PUNYCODE) :].encode("ascii").decode("punycode") or label
    except (UnicodeError, ValueError, OverflowError):
        return label


def _mixture(label: str) -> str:
    """The scripts of a label whose letters aren't written together; else nothing."""
    scripts = {_script(char) for char in label if char.isalpha()} - {""}
    if len(scripts) < 2 or scripts <= _TOGETHER:
        return ""
    return " and ".join(sorted(script.capitalize() for script in scripts))


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0].removesuffix("-LETTER")


def _like(name: str, *, accents: bool) -> str:
    """The ASCII name it is taken for, if there is one."""
    if name.isascii():
        return ""
    form = unicodedata.normalize("NFKD" if accents else "NFKC", name).casefold()
    kept = "".join(char for char in form if not (accents and unicodedata.combining(char)))
    like = kept.translate(_LOOKS_LIKE)
    return like if like.isascii() else ""


def _letters(name: str) -> str:
    odd = [*dict.fromkeys(char for char in name if not char.isascii())]
    named = [f"{_shown(char)} (U+{ord(char):04X})" for char in odd[:_NAMED_LETTERS]]
    more = len(odd) - len(named)
    return ", ".join(named) + (f" and {more} more outside ASCII" if more else "")


def _shown(name: str) -> str:
    return inert(name, rtl_tokens=True)
