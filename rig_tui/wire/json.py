"""JSON text in and out, at the two edges where a surprise would cost a permit.

Reading is lenient: what some agent's JSON library writes must not be refused for its
form (D7-07). Writing never fails on a value that was read.
"""

from __future__ import annotations

import json
import math
from functools import cache
from typing import TYPE_CHECKING, cast

from rig_tui.wire.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.domain.model import JsonObject, JsonValue

MAX_DEPTH = 100
"""Deeper nesting is refused: it couldn't be shown, cut or sent on."""
_MAX_DIGITS = 4000
"""A longer number stays the text it was; Python refuses to convert it back."""


def loads(body: bytes | str) -> JsonValue:
    """Parse leniently: any Unicode encoding, a BOM, NaN and endless numbers as text.

    Raises:
        UnreadableError: It isn't JSON (`invalid_json`), or nests too deep (`too_deep`).
    """
    value = parse(body)
    return mend(value) if may_need_mending(body) else value


def load_object(body: bytes | str) -> JsonObject:
    """Like `loads`, for a body that must be an object.

    Raises:
        UnreadableError: It isn't JSON, isn't an object, or nests too deep.
    """
    value = loads(body)
    if not isinstance(value, dict):
        raise UnreadableError("The body is JSON but not an object.", "invalid_json")
    return value


def parse(body: bytes | str, fraction: Callable[[str], object] | None = None) -> JsonValue:
    """Parse without replacing lone surrogates, which no UTF-8 text can carry.

    `fraction` makes another type of numbers with a point or an exponent.

    Raises:
        UnreadableError: It isn't JSON, or nests too deep.
    """
    if isinstance(body, bytes):
        body = body.decode(json.detect_encoding(body), "replace")
    text = body.removeprefix("\ufeff")
    try:
        value = _decoder(fraction or _fraction).decode(text)
    except RecursionError:
        raise UnreadableError("The body nests too deep.", "too_deep") from None
    except ValueError as error:
        raise UnreadableError(f"The body isn't JSON: {error}.", "invalid_json") from None
    # Most bodies hold too few brackets to nest too deep.
    if text.count("{") + text.count("[") > MAX_DEPTH:
        _check_depth(value, 0)
    return cast("JsonValue", value)


@cache
def _decoder(fraction: Callable[[str], object]) -> json.JSONDecoder:
    return json.JSONDecoder(parse_int=_integer, parse_float=fraction, parse_constant=str)


def _integer(text: str) -> int | str:
    return text if len(text) > _MAX_DIGITS else int(text)


def _fraction(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text


def _check_depth(value: object, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise UnreadableError(f"The body nests more than {MAX_DEPTH} levels deep.", "too_deep")
    if isinstance(value, dict):
        for item in value.values():
            _check_depth(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _check_depth(item, depth + 1)


def is_text(value: str) -> bool:
    """Whether a string is Unicode text, without lone surrogates."""
    return value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value)


def may_need_mending(body: bytes | str) -> bool:
    """Say quickly whether a body can hold a lone surrogate.

    Decoded bytes hold none, so only an escape can bring one; where each character takes
    several bytes an escape isn't looked for.
    """
    return isinstance(body, str) or b"\\u" in body or b"\0" in body


def mend(value: JsonValue) -> JsonValue:
    """The same value with every lone surrogate replaced by U+FFFD."""
    if isinstance(value, str):
        return (
            value
            if is_text(value)
            else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )
    if isinstance(value, list):
        return [mend(item) for item in value]
    if isinstance(value, dict):
        return {cast("str", mend(key)): mend(item) for key, item in value.items()}
    return value


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def dumps(value: object) -> str:
    """Compact JSON text; lone surrogates stay escaped, so it always encodes."""
    text = _ENCODER.encode(value)
    return text if is_text(text) else json.dumps(value, separators=(",", ":"))


def dump_bytes(value: object) -> bytes:
    """`dumps` as UTF-8."""
    return dumps(value).encode()
