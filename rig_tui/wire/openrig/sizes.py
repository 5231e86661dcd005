"""What lists and events may weigh: cut here, and whole in one fetch.

Sizes are those of the JSON text, since a control character weighs six bytes there.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from rig_tui.wire.json import dump_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rig_tui.domain.model import JsonObject, JsonValue

TOOL_CALL_LIMIT = 16_384
TEXT_LIMIT = 4_096
FRAME_LIMIT = 262_144
LONGEST_LIST = 64
"""The most entries a list outside the tool call keeps; the newest, at its end."""
_MARK = "…"


def cut_text(text: str, limit: int = TEXT_LIMIT) -> tuple[str, bool]:
    """The text, cut with an ellipsis when its JSON is longer than `limit` bytes."""
    if len(text) * 6 <= limit or (len(text) <= limit and _size(text) <= limit):
        return text, False
    room = max(0, limit - len(_MARK.encode()))
    head = text[:room]
    while (size := _size(head)) > room:
        head = head[: len(head) * room // size]
    return head + _MARK, True


def _size(text: str) -> int:
    return len(dump_bytes(text)) - 2


def cut_json(value: JsonValue, limit: int = TOOL_CALL_LIMIT) -> tuple[JsonValue, bool]:
    """The value, its longest parts cut until its JSON fits `limit` bytes.

    Keys and order stay as far as they fit, so that a cut tool call still reads as one.
    The work depends on the limit, not on the value: a huge one costs no more.
    """
    if _fits(value, limit):
        return value, False
    longest = limit // 2
    while True:
        try:
            shorter = _Cut(longest, limit).shorten(value, 0)
        except _TooLongError:
            pass
        else:
            if _fits(shorter, limit):
                return shorter, True
        longest //= 2


class _TooLongError(Exception):
    """What was kept so far can't fit."""


def _fits(value: JsonValue, limit: int) -> bool:
    try:
        _Cut(limit, limit).spend_all(value)
    except _TooLongError:
        return False
    return len(dump_bytes(value)) <= limit


class _Cut:
    """One attempt: texts cut to `longest`, lists and nesting in proportion.

    It gives up as soon as the least its result can weigh is over the limit.
    """

    def __init__(self, longest: int, limit: int) -> None:
        self._longest = longest
        self._most = max(1, longest // 32)
        self._left = limit

    def _spend(self, least: int) -> None:
        self._left -= least
        if self._left < 0:
            raise _TooLongError

    def spend_all(self, value: JsonValue) -> None:
        if isinstance(value, str):
            self._spend(len(value) + 2)
        elif isinstance(value, list):
            for item in value:
                self._spend(1)
                self.spend_all(item)
        elif isinstance(value, dict):
            for key, item in value.items():
                self._spend(len(key) + 4)
                self.spend_all(item)

    def shorten(self, value: JsonValue, depth: int) -> JsonValue:
        if isinstance(value, str):
            text = cut_text(value, max(self._longest, 8))[0]
            self._spend(len(text) + 2)
            return text
        self._spend(1)
        if isinstance(value, list | dict):
            if depth >= self._most and value:
                return _MARK
            return self._list(value, depth) if isinstance(value, list) else self._dict(value, depth)
        if isinstance(value, int) and value.bit_length() > 3 * self._longest:
            return _MARK
        return value

    def _list(self, value: list[JsonValue], depth: int) -> JsonValue:
        kept = [self.shorten(item, depth + 1) for item in value[: self._most]]
        return [*kept, _MARK] if len(value) > self._most else kept

    def _dict(self, value: JsonObject, depth: int) -> JsonValue:
        kept = {
            cut_text(key, max(self._longest // 4, 8))[0]: self.shorten(item, depth + 1)
            for key, item in islice(value.items(), self._most)
        }
        return kept | {_MARK: _MARK} if len(value) > self._most else kept


def elide(row: JsonObject, whole: frozenset[str] = frozenset()) -> tuple[JsonObject, bool]:
    """A row with every text cut to `TEXT_LIMIT`, except below the keys in `whole`."""
    if _is_short(row, whole):
        return row, False
    cut = False

    def walk(value: JsonValue) -> JsonValue:
        nonlocal cut
        if isinstance(value, str):
            text, shortened = cut_text(value)
            cut = cut or shortened
            return text
        if isinstance(value, list):
            cut = cut or len(value) > LONGEST_LIST
            return [walk(item) for item in value[-LONGEST_LIST:]]
        if isinstance(value, dict):
            return {k: item if k in whole else walk(item) for k, item in value.items()}
        return value

    shorter = {k: item if k in whole else walk(item) for k, item in row.items()}
    return shorter, cut


def _is_short(value: JsonObject | list[JsonValue], whole: frozenset[str]) -> bool:
    """Say quickly whether there is nothing to cut, as there almost never is."""
    if isinstance(value, list):
        items: Iterable[JsonValue] = value
        if len(value) > LONGEST_LIST:
            return False
    elif whole:
        items = [item for key, item in value.items() if key not in whole]
    else:
        items = value.values()
    for item in items:
        if isinstance(item, str):
            if len(item) * 6 > TEXT_LIMIT:
                return False
        elif isinstance(item, list | dict) and not _is_short(item, whole):
            return False
    return True
