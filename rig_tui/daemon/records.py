"""Frozen dataclasses to JSON text and back, for the database.

Lenient on the way in, so a newer build reads an older row: unknown keys are ignored
and missing ones take the field's default. Text is kept as ASCII JSON, which is the only
form that carries every string an agent can send, lone surrogates included.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from rig_tui.domain import model

T = TypeVar("T")

_NAMES: dict[str, Any] = vars(model) | {"JsonValue": object}
"""What annotations name that their module imports for type checking only."""


def dumps(value: Any) -> str:
    """Give a value of frozen dataclasses and plain JSON as ASCII JSON."""
    return json.dumps(_plain(value), separators=(",", ":"))


def loads(cls: type[T], text: str) -> T:
    """Rebuild what `dumps` was given."""
    value: T = _typed(cls, json.loads(text))
    return value


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _typed(hint: Any, value: Any) -> Any:
    if value is None or hint is object or hint is Any:
        return value
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _typed(next(a for a in typing.get_args(hint) if a is not type(None)), value)
    if origin in (tuple, list, set, frozenset):
        item = typing.get_args(hint)[0]
        return origin(_typed(item, each) for each in value)
    if origin is dict:
        item = typing.get_args(hint)[1]
        return {key: _typed(item, each) for key, each in value.items()}
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        hints = _hints(hint)
        return hint(**{k: _typed(hints[k], v) for k, v in value.items() if k in hints})
    if hint is datetime:
        return datetime.fromisoformat(value)
    if hint is timedelta:
        return timedelta(seconds=value)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint(value)
    return value


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return typing.get_type_hints(cls, localns=_NAMES)
