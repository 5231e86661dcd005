"""Frozen dataclasses to JSON text and back, for the database.

Lenient on the way in, so a newer build reads an older row: unknown keys are ignored
and missing ones take the field's default. Text is kept as ASCII JSON, which is the only
form that carries every string an agent can send, lone surrogates included. A sequence is
a tuple of one type; lists and dicts are JSON already.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from rig_tui.domain import items, launching, model

T = TypeVar("T")

_NAMES: dict[str, Any] = vars(items) | vars(launching) | vars(model) | {"JsonValue": object}
"""What annotations name that their module imports for type checking only."""


def dumps(value: Any) -> str:
    """Give a value of frozen dataclasses and plain JSON as ASCII JSON."""
    return _ENCODER.encode(value)


def loads(cls: type[T], text: str) -> T:
    """Rebuild what `dumps` was given."""
    value: T = _typed(cls, json.loads(text))
    return value


def _plain(value: Any) -> Any:
    """Give what JSON doesn't know itself as what it does."""
    if isinstance(value, datetime):
        return value.isoformat()
    cls: Any = type(value)
    return {name: getattr(value, name) for name in _field_names(cls)}


_ENCODER = json.JSONEncoder(separators=(",", ":"), default=_plain)


@cache
def _field_names(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls))


def _typed(hint: Any, value: Any) -> Any:
    if value is None or hint is object or hint is Any:
        return value
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _typed(next(a for a in typing.get_args(hint) if a is not type(None)), value)
    if origin is tuple:
        item = typing.get_args(hint)[0]
        return tuple(_typed(item, each) for each in value)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        hints = _hints(hint)
        return hint(**{k: _typed(hints[k], v) for k, v in value.items() if k in hints})
    if hint is datetime:
        return datetime.fromisoformat(value)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint(value)
    return value


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return typing.get_type_hints(cls, localns=_NAMES)
