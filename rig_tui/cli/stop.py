"""Why a command ends without having done what it was for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rig_tui.domain.model import AskState

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask

USAGE: Final = 2
GONE: Final = 3
TAKEN: Final = 4
UNREACHABLE: Final = 5
REFUSED: Final = 6
UNKNOWN: Final = 7
TIMED_OUT: Final = 8

_ENDED: Final = {
    AskState.WITHDRAWN: GONE,
    AskState.STALE: GONE,
    AskState.CLOSED: GONE,
    AskState.ANSWERED: TAKEN,
    AskState.PERMITTED: TAKEN,
    AskState.REFUSED: TAKEN,
}


class Stop(Exception):  # noqa: N818 (it isn't always an error)
    """A command ends here; the message says what happened and what to do."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def code_of(reason: str) -> int:
    """The exit code for a daemon's reason not to do an act."""
    return _ENDED[AskState(reason)] if reason in set(_ENDED) else REFUSED


def over(ask: Ask, words: str) -> Stop:
    """The end for an act on an ask that has ended."""
    return Stop(_ENDED[ask.outcome.state], f"{words}; nothing was sent")
