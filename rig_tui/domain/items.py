"""Work that waits for a person at a daemon which knows no permission requests.

Rule of this file: what a verb does to such an item is said here and nowhere else. It is
never what the same word does to a permission request: here approve approves, a drop
drops, and no agent is given an option.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ItemKind(StrEnum):
    """Why an item waits for a person."""

    DECISION = "decision"
    """It asks questions with options of their own."""
    GATE = "human gate"
    """It is addressed to a person, or must not go on without one."""
    BLOCKED = "blocked on a person"
    """A seat holds it and waits for a decision before it goes on."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer a question offers; its daemon takes it in Slack alone."""

    choice_id: str
    label: str
    recommended: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a decision."""

    question_id: str
    text: str
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """What waits, as whoever filed it wrote it."""

    kind: ItemKind
    state: str
    source: str
    destination: str
    body: str
    summary: str = ""
    evidence: str = ""
    """Where what is to be judged lies, as its author wrote it."""
    detail: str = ""
    priority: str = ""
    tier: str = ""
    tags: tuple[str, ...] = ()
    blocked_on: str = ""
    questions: tuple[Question, ...] = ()


class Verb(StrEnum):
    """What can be done about an item."""

    APPROVE = "approve"
    DENY = "deny"
    RESOLVE = "resolve"
    ROUTE = "route"
    HANDOFF = "handoff"
    HOLD = "hold"
    DROP = "drop"
    ANNOTATE = "annotate"


class Needs(StrEnum):
    """What a verb must be told, asked for before anything is sent."""

    NOTHING = ""
    REASON = "a reason"
    REASON_OR_NOT = "a reason, or none"
    DECISION = "the decision"
    ANNOTATION = "the note"
    DESTINATION = "whom"


NEEDS = {
    Verb.APPROVE: Needs.NOTHING,
    Verb.DENY: Needs.REASON_OR_NOT,
    Verb.RESOLVE: Needs.DECISION,
    Verb.ROUTE: Needs.DESTINATION,
    Verb.HANDOFF: Needs.DESTINATION,
    Verb.HOLD: Needs.REASON,
    Verb.DROP: Needs.REASON,
    Verb.ANNOTATE: Needs.ANNOTATION,
}
_TOLD = "the daemon types a notice into that seat's pane"


def consequence(verb: Verb, item: Item) -> str:
    """What a verb comes to for an item of this kind."""
    match verb:
        case Verb.APPROVE if item.kind is ItemKind.BLOCKED:
            # No verb is named in what another comes to: a list is filtered by these words.
            return f"closes the seat's own item as done: {item.destination} isn't told a decision"
        case Verb.APPROVE if item.questions:
            return "closes it as approved and chooses none of its options"
        case Verb.APPROVE:
            return "closes it as approved; what follows is up to whoever filed it"
        case Verb.DENY:
            return "closes it as denied, with the reason"
        case Verb.RESOLVE:
            return (
                f"gives {item.destination} your decision, typed into its pane; the item stays its"
                " own and is in progress again"
            )
        case Verb.ROUTE | Verb.HANDOFF:
            options = " Its questions don't go along." if item.questions else ""
            return f"closes it as handed over and opens a new item there; {_TOLD}.{options}"
        case Verb.HOLD:
            return "keeps it open, blocked on your reason; it stays in this list"
        case Verb.DROP:
            return "closes it undecided, with the reason; nothing follows from it"
        case Verb.ANNOTATE:
            return "goes into the audit log only: the item stays as it is and nobody is told"


def why_not(verb: Verb, item: Item) -> str | None:
    """Why a verb makes no sense for an item as it stands; None when it does."""
    if verb is Verb.RESOLVE and item.kind is not ItemKind.BLOCKED:
        return "no seat waits for a decision here"
    return None
