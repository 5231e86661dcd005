"""What a handler answers, and how it refuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rig_tui.wire import openrig

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask, JsonObject


@dataclass(frozen=True, slots=True)
class Reply:
    """A status and a JSON body."""

    status: int
    body: JsonObject | list[JsonObject]


class RefusedError(Exception):
    """An operator's request that changed nothing: its status, code and reason."""

    def __init__(
        self, status: int, code: str, message: str, *, ask: Ask | None = None, **extra: Any
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.ask = ask
        self.extra = extra

    @property
    def reply(self) -> Reply:
        return Reply(
            self.status, openrig.encode_error(self.code, self.message, ask=self.ask, **self.extra)
        )
