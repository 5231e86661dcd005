"""Replying in words: what they would do, and the one command that does it (T7-09…13).

Rule of this file: a reply goes out only as the preview that was painted. Words that are
no answer permit, so they are never one key away.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from rig_tui.actions.action import Action, Context, Family, Show
from rig_tui.actions.answering import why_not_answer
from rig_tui.domain import drafts, mapping
from rig_tui.domain.commands import DenyAsk, ReplyAsk
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import PRIMARY_USER, AskState, HolderType, Outcome
from rig_tui.domain.replies import Reply, ReplyClass, action_of, classify, looks_negative

if TYPE_CHECKING:
    from rig_tui.domain.model import Ask, Option

QUOTED = 40
"""How many characters of a reply its receipt repeats."""


class Step(Enum):
    """What it takes to send a reply once its consequence has been painted."""

    NOTHING = auto()
    """There is nothing to send."""
    SEND = auto()
    """One key: it is a plain answer."""
    CONFIRM = auto()
    """A second, different key: the option is remembered, or its meaning unknown (T7-05)."""
    CHOOSE = auto()
    """The words are no answer: rejecting is offered first (T7-09)."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What these words would do to this row of this ask, as it is painted."""

    ask_id: str
    row_id: str
    options: tuple[Option, ...]
    reply: Reply
    outcome: Outcome
    consequence: str
    """In the words of `domain.mapping`."""

    @property
    def step(self) -> Step:
        match self.reply.cls:
            case ReplyClass.EMPTY:
                return Step.NOTHING
            case ReplyClass.WORDS:
                return Step.CHOOSE
            case _:
                given = self.outcome
                lasting = given.option_id is not None and given.remembered is not False
                return Step.CONFIRM if lasting else Step.SEND

    @property
    def permits(self) -> bool:
        """Whether the words would permit without being an answer."""
        return self.outcome.state is AskState.PERMITTED

    @property
    def needs_the_word(self) -> bool:
        """Whether PERMIT must be typed: the words read like a no, or like hesitation (T7-10)."""
        return self.permits and looks_negative(self.reply.text)


def preview(ask: Ask, text: str) -> Preview:
    """Say what a text would do as a reply to this ask."""
    reply = classify(text, ask.options)
    action = action_of(reply)
    return Preview(
        ask.ask_id,
        ask.row_id,
        ask.options,
        reply,
        mapping.outcome(ask.options, action),
        mapping.consequence(ask.options, action),
    )


def command_of(shown: Preview) -> ReplyAsk:
    """The command that does what was painted, or is refused by the daemon (T7-12)."""
    return ReplyAsk(
        shown.ask_id,
        shown.row_id,
        shown.reply.text,
        shown.reply.cls.value,
        shown.reply.option_id if shown.reply.cls is ReplyClass.CHOICE else None,
        confirm_permit=shown.permits,
    )


def quoted(shown: Preview) -> str:
    """`reply “no”`."""
    line = " ".join(shown.reply.text.split())
    return f"reply “{line if len(line) <= QUOTED else f'{line[: QUOTED - 1]}…'}”"


def label_of(shown: Preview) -> str:
    """`reply “no”: Reject (‘Reject’)`, for the receipt."""
    words = shown.reply.cls is ReplyClass.WORDS
    effect = mapping.consequence(shown.options, Act.DROP) if words else shown.consequence
    return f"{quoted(shown)}: {effect}"


def reject_and_explain(ask: Ask) -> tuple[DenyAsk, str]:
    """Reject now, without the words: one call never carries both (T7-13)."""
    return DenyAsk(ask.ask_id, ask.row_id), mapping.consequence(ask.options, Act.DENY)


def reject_is_remembered(ask: Ask) -> bool:
    """Whether the reject needs a second key."""
    return bool(mapping.outcome(ask.options, Act.DENY).remembered)


def why_not_reply(context: Context) -> str | None:
    """Why the shown ask can't be replied to in words now; None when it can."""
    ask, fleet = context.ask, context.fleet
    why = why_not_answer(context)
    if why is not None or ask is None:
        return why
    if "reply" not in fleet.link.capabilities:
        return "this daemon takes no typed replies"
    if ask.holder.type is HolderType.PERSON and fleet.operator not in (PRIMARY_USER, ask.holder.id):
        return (
            f"{ask.holder.name} holds it: only they and the primary user may reply in words; "
            "the options are open to you"
        )
    return None


def _why_not_open(context: Context) -> str | None:
    """Words that were kept can always be looked at again."""
    ask = context.ask
    if ask is not None and not ask.pending and drafts.kept_for(context.fleet, ask):
        return None
    return why_not_reply(context)


def _consequence(context: Context) -> str:
    return "nothing yet: what the words would do is shown before they can be sent"


REPLYING = Family(
    "Replying",
    (
        Action(
            "answer.reply", ("t",), "reply…",
            "Reply in words. What they would do is shown as you type: a plain yes, a plain no "
            "or an option's name answers; other words PERMIT, and reject first is offered.",
            lambda _: Show("reply"), _why_not_open, _consequence,
        ),
    ),
)  # fmt: skip
