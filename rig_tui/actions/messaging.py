"""Writing to a seat: an ordinary message, never an answer (T5-01, T7-19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.action import Action, Context, Family, Show
from rig_tui.domain import drafts

if TYPE_CHECKING:
    from rig_tui.domain.drafts import Draft


def is_abort(text: str) -> bool:
    """Whether this looks like the runner's own command, which a message never is (T5-02)."""
    return text.strip().casefold() == "/abort"


def why_not_send(context: Context, draft: Draft) -> str | None:
    """Why this draft can't be sent as a message now; None when it can."""
    return context.barred or drafts.why_not_send(context.fleet, draft)


def _why_not_write(context: Context) -> str | None:
    seat = context.seat
    if seat is None:
        return "no seat is selected"
    draft = drafts.message_to(context.fleet, seat)
    # Words that were kept can be looked at whatever the seat does.
    return None if draft.text else why_not_send(context, draft)


def _why_nothing_kept(context: Context) -> str | None:
    if drafts.offered(context.fleet):
        return None
    return "no words wait for a turn that has ended"


def _consequence(context: Context) -> str:
    return "a message becomes a prompt of its own; it is never an answer"


MESSAGING = Family(
    "Messages",
    (
        Action(
            "seat.message", ("w",), "write…",
            "Write to the selected seat. A message is a prompt of its own and never an answer; "
            "it can't be sent while a request of the seat waits.",
            lambda _: Show("message"), _why_not_write, _consequence, footer=False,
        ),
        Action(
            "seat.kept_words", ("W",), "send kept words…",
            "Look at the words kept from a reject, once that turn has ended, and send them "
            "as a message. They never send themselves.",
            lambda _: Show("kept_words"), _why_nothing_kept, _consequence, footer=False,
        ),
    ),
)  # fmt: skip
