"""What every operator-facing shape shares: OpenRig's key style, instants, reading."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    PlainSerializer,
    TypeAdapter,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from rig_tui.wire.errors import UnreadableError

if TYPE_CHECKING:
    from rig_tui.domain.model import JsonObject, JsonValue

    JsonInput: TypeAlias = bytes | str | JsonValue

T = TypeVar("T")

remembered = lru_cache(maxsize=1024)
"""For shapes of values that stay the same from post to post."""

SHAPE = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", frozen=True)
"""Camel-case keys; keys nobody here knows are ignored."""


@lru_cache(maxsize=256)
def encode_instant(at: datetime) -> str:
    """OpenRig's form, in milliseconds; microseconds only where there are any."""
    precision = "microseconds" if at.microsecond % 1000 else "milliseconds"
    return at.astimezone(UTC).isoformat(timespec=precision).replace("+00:00", "Z")


def decode_instant(text: str) -> datetime:
    """A moment as any of OpenRig's routes writes it.

    Raises:
        UnreadableError: It isn't one.
    """
    try:
        return _in_utc(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        raise UnreadableError(f"{text!r} isn't a moment in time.") from None


def _in_utc(at: datetime) -> datetime:
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


Instant = Annotated[
    datetime,
    AfterValidator(_in_utc),
    PlainSerializer(encode_instant, return_type=str),
]
"""A moment in UTC. OpenRig writes some without an offset: they are UTC too."""


def dump(model: BaseModel) -> JsonObject:
    """A shape as JSON-ready data under its wire keys."""
    return model.model_dump(mode="json", by_alias=True)


def read(adapter: TypeAdapter[T], what: str, data: JsonInput) -> T:
    """Validate a raw body, or a value parsed from one.

    Raises:
        UnreadableError: It isn't `what` promises; the message names the first fault.
    """
    try:
        if isinstance(data, bytes | str):
            return adapter.validate_json(data)
        return adapter.validate_python(data)
    except ValidationError as error:
        raise UnreadableError(f"{what}: {fault(error)}") from None


def fault(error: ValidationError) -> str:
    """The first fault in words, without quoting the data."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{first['msg']} at {place}" if place else first["msg"]
