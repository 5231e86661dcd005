"""What became of something this console sent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from rig_tui.domain.commands import Done, Rejected, Unconfirmed, Unsent
from rig_tui.domain.model import Sending

if TYPE_CHECKING:
    from rig_tui.domain.commands import Verdict
    from rig_tui.domain.model import Sent


def settled(sent: Sent, verdict: Verdict) -> Sent:
    """What became of an act, in the words its row shows."""
    match verdict:
        case Done():
            return replace(sent, state=Sending.DONE, detail="")
        case Rejected(message=message):
            return replace(sent, state=Sending.REJECTED, detail=message)
        case Unsent(cause=cause):
            return replace(sent, state=Sending.UNSENT, detail=cause)
        case Unconfirmed(cause=cause):
            return replace(sent, state=Sending.UNCONFIRMED, detail=cause)
        case _:
            assert_never(verdict)


def unclear(verdict: Verdict) -> bool:
    """Whether the ask must be read again before anything more is said of it."""
    match verdict:
        case Unconfirmed() | Rejected(reason="reply_class_changed"):
            return True
        case _:
            return False
