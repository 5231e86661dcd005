"""What the agent gets for each act on its permission request, and that in words.

Rule of this file: one table decides. The daemon applies `outcome`, every screen
previews it with `consequence`, and nothing else may map an act to an option.
Option names and unknown kinds are the agent's text, verbatim: whoever draws them
makes them inert.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from rig_tui.domain.model import (
    ALLOW_ALWAYS,
    ALLOW_ONCE,
    KNOWN_KINDS,
    PENDING,
    REJECT_ALWAYS,
    REJECT_ONCE,
    REMEMBERED_KINDS,
    AskState,
    Option,
    Outcome,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

REMEMBERED = "remembered by the agent's harness; nobody here can undo it"


class Act(StrEnum):
    """Everything that can befall a pending ask, apart from a choice and typed words."""

    YES = "yes"
    """A typed plain yes."""
    NO = "no"
    """A typed plain no."""
    DENY = "deny"
    APPROVE = "approve"
    """Closes without choosing; it isn't a choice of an allow option."""
    DROP = "drop"
    ROW_DONE = "row_done"
    """An agent seat that held the ask closed its row without a choice."""
    ROW_FAILED = "row_failed"
    ROW_DENIED = "row_denied"
    ROW_CANCELED = "row_canceled"
    NOBODY_TO_ASK = "nobody_to_ask"
    """At submit: nobody can be asked, or the options can't be shown."""
    WITHDRAW = "withdraw"
    RELAUNCH = "relaunch"
    STOP_SEAT = "stop_seat"
    HOLD = "hold"
    ANNOTATE = "annotate"
    ROUTE_TO_PERSON = "route_to_person"
    HAND_TO_SEAT = "hand_to_seat"
    HAND_TO_HOST = "hand_to_host"
    EMPTY_REPLY = "empty_reply"


@dataclass(frozen=True, slots=True)
class Choose:
    """One offered option, chosen."""

    option_id: str


@dataclass(frozen=True, slots=True)
class Words:
    """Typed words that are neither a choice nor a plain yes or no."""

    text: str


Action: TypeAlias = Act | Choose | Words

_NAMED_VERDICT = re.compile(
    r"\b(?:"
    r"(?P<reject>no|never|reject\w*|deny|denied|refuse\w*|decline\w*|disallow\w*|block\w*|forbid\w*"
    r"|cancel\w*|abort\w*|(?:don['’]?t|do not) (?:allow|approve|accept|permit|run|proceed))"
    r"|(?P<allow>yes|ok|okay|allow\w*|approv\w*|accept\w*|permit\w*|grant\w*|proceed)"
    r")\b",
    re.IGNORECASE,
)
_NAMED_ALWAYS = re.compile(
    r"\b(?:always|forever|permanent\w*|remember\w*|(?:don['’]?t|do not|never) ask)\b", re.IGNORECASE
)
_NAMED_ONCE = re.compile(r"\b(?:once|(?:just|only) this time)\b", re.IGNORECASE)

_NOES = frozenset({Act.NO, Act.DENY, Act.ROW_DENIED})
_CLOSINGS = frozenset({Act.APPROVE, Act.DROP, Act.ROW_DONE, Act.ROW_FAILED})


def usable(options: Sequence[Option]) -> list[Option]:
    """Keep the options an answer can name: an id that isn't blank and isn't shared (A-22).

    An id that wasn't a string on the wire arrives here as a blank one.
    """
    uses = Counter(option.option_id for option in options)
    return [o for o in options if o.option_id.strip() and uses[o.option_id] == 1]


def showable(options: Sequence[Option], most: int = 4) -> bool:
    """Say whether a person can be shown these options at all (D7-13)."""
    return 2 <= len(options) <= most and len(usable(options)) == len(options)


def allow_of(options: Sequence[Option]) -> Option | None:
    """Find the allow the agent gets without a choice: once before always, first offered."""
    return _pick(options, ALLOW_ONCE, ALLOW_ALWAYS)


def reject_of(options: Sequence[Option]) -> Option | None:
    """Find the reject a no gives: once before always, first offered."""
    return _pick(options, REJECT_ONCE, REJECT_ALWAYS)


def outcome(options: Sequence[Option], action: Action) -> Outcome:
    """Decide what a pending ask becomes. Total: what changes nothing leaves it pending."""
    match action:
        case Choose(option_id):
            chosen = next((o for o in usable(options) if o.option_id == option_id), None)
            if chosen is None:
                return replace(PENDING, reason="unknown_option")
            return _with(AskState.ANSWERED, chosen)
        case Words(text):
            if not text.strip():
                return replace(PENDING, reason="empty_reply")
            return replace(_closed(options), said=text)
        case _:
            return _of_act(options, action)


def records_permit(result: Outcome) -> bool:
    """Say whether the outcome belongs in the permit records (D7-49)."""
    return result.state is AskState.PERMITTED


def kind_in_words(kind: str | None) -> str:
    """Name a kind briefly; `meaning` says what it entails."""
    if kind in KNOWN_KINDS:
        return kind.replace("_", " ")
    return f"unknown kind ‘{kind}’" if kind else "no kind given"


def meaning(kind: str | None) -> str:
    """Say what choosing an option of this kind entails, as far as anyone here knows."""
    if kind in REMEMBERED_KINDS:
        return f"{kind_in_words(kind)}, {REMEMBERED}"
    if kind in KNOWN_KINDS:
        return kind_in_words(kind)
    return f"meaning unknown ({kind_in_words(kind)})"


def contradicts(option: Option) -> str | None:
    """Say how an option's name contradicts its kind, which alone decides (T7-03).

    The first verdict in a name counts: "Yes, and don't ask again" is a yes.
    """
    if option.kind not in KNOWN_KINDS:
        return None
    verdict, _, lasting = option.kind.partition("_")
    other = "a reject" if verdict == "allow" else "an allow"
    named = _NAMED_VERDICT.search(option.name)
    if named and named.lastgroup != verdict:
        return f"named like {other}, but its kind is {kind_in_words(option.kind)}"
    always = _NAMED_ALWAYS.search(option.name) is not None
    if lasting == "once" and always:
        return f"named as if remembered, but its kind is {kind_in_words(option.kind)}"
    if lasting == "always" and not always and _NAMED_ONCE.search(option.name):
        return f"named as if for once, but its kind is {kind_in_words(option.kind)}"
    return None


def consequence(options: Sequence[Option], action: Action) -> str:
    """Say what the agent will get, for the operator to read before the key is pressed."""
    result = outcome(options, action)
    option = next((o for o in options if o.option_id == result.option_id), None)
    given = f"{_quoted(option)} ({meaning(option.kind)})" if option else ""
    match result.state:
        case AskState.ANSWERED if action in _NOES and option:
            remembered = f": {meaning(option.kind)}" if result.remembered else ""
            return f"Reject ({_quoted(option)}){remembered}"
        case AskState.ANSWERED:
            return f"answers with {given}"
        case AskState.PERMITTED:
            return f"PERMITS with {given}{_fate_of(action)}"
        case AskState.REFUSED if action in _NOES:
            return "Reject (cancels: no reject option offered)"
        case AskState.REFUSED if action is Act.NOBODY_TO_ASK:
            return "refused: nobody can be asked and no allow option is offered"
        case AskState.REFUSED:
            return f"closes as refused: no allow option offered{_fate_of(action)}"
        case AskState.WITHDRAWN:
            return "cancels the request: nothing is permitted"
        case AskState.CLOSED:
            return "closes it, and gives no option"
        case AskState.STALE:
            return "ends the request: its seat's occupant is gone"
        case AskState.PENDING:
            return _staying(options, action)


def _pick(options: Sequence[Option], *kinds: str) -> Option | None:
    candidates = usable(options)
    return next((o for kind in kinds for o in candidates if o.kind == kind), None)


def _with(state: AskState, option: Option) -> Outcome:
    known = option.kind in KNOWN_KINDS
    return Outcome(
        state,
        option_id=option.option_id,
        kind=option.kind,
        # Nobody knows what the harness does with a kind of its own.
        remembered=option.kind in REMEMBERED_KINDS if known else None,
    )


def _of_act(options: Sequence[Option], act: Act) -> Outcome:
    if act in _NOES:
        reject = reject_of(options)
        return _with(AskState.ANSWERED, reject) if reject else _refused("said_no")
    if act in _CLOSINGS:
        return _closed(options)
    allow = allow_of(options)
    match act:
        case Act.YES:
            return _with(AskState.ANSWERED, allow) if allow else _refused("no_allow_offered")
        case Act.NOBODY_TO_ASK:
            return _with(AskState.PERMITTED, allow) if allow else _refused("options_unsupported")
        case Act.ROW_CANCELED:
            return Outcome(AskState.WITHDRAWN, reason="canceled")
        case Act.WITHDRAW:
            return Outcome(AskState.WITHDRAWN)
        case Act.RELAUNCH | Act.STOP_SEAT:
            return Outcome(AskState.STALE)
        case Act.EMPTY_REPLY:
            return replace(PENDING, reason="empty_reply")
        case _:
            return PENDING


def _closed(options: Sequence[Option]) -> Outcome:
    allow = allow_of(options)
    return _with(AskState.PERMITTED, allow) if allow else _refused("no_allow_offered")


def _refused(reason: str) -> Outcome:
    return Outcome(AskState.REFUSED, reason=reason)


def _quoted(option: Option) -> str:
    return f"‘{option.name if option.name.strip() else option.option_id}’"


def _fate_of(action: Action) -> str:
    if not isinstance(action, Words):
        return ""
    return (
        ". Your words are not an answer: the runner may pass them on as a later prompt, "
        "after this turn and behind anything queued, or drop them"
    )


def _staying(options: Sequence[Option], action: Action) -> str:
    match action:
        case Choose():
            return "does nothing: that option isn't offered"
        case Words() | Act.EMPTY_REPLY:
            return "does nothing: there is nothing to send"
        case Act.ROUTE_TO_PERSON:
            return "waits for them; never permits"
        case Act.HAND_TO_SEAT:
            done = consequence(options, Act.ROW_DONE)
            return (
                "waits for that seat, which sees no options. Closed as done, dropped or failed, "
                f"whatever it writes: {done}. Only denied is a no; canceled cancels"
            )
        case Act.HAND_TO_HOST:
            return "waits until the agent's turn ends: nothing done there comes back"
        case _:
            return "stays pending: nothing is permitted"
