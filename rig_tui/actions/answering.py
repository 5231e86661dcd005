"""Answering an ask: choose, deny, close without choosing (T7-03…08).

Keys follow an option's kind, never its place. What a kind or verb comes to is
`domain.mapping`'s word alone; nothing here decides an outcome.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.action import Action, Choose, Confirm, Context, Family, Fill, Plan, Send
from rig_tui.actions.shown import UNREACHABLE, shown_ask, what_it_gives, why_not_waiting
from rig_tui.domain import mapping, select
from rig_tui.domain.commands import AnswerAsk, DenyAsk
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import (
    ALLOW_ALWAYS,
    ALLOW_ONCE,
    KNOWN_KINDS,
    REJECT_ALWAYS,
    REJECT_ONCE,
    REMEMBERED_KINDS,
    Ask,
    HolderType,
    Option,
)

if TYPE_CHECKING:
    from collections.abc import Callable

KIND_KEYS = {ALLOW_ONCE: "a", ALLOW_ALWAYS: "A", REJECT_ONCE: "r", REJECT_ALWAYS: "R"}
"""The key of each kind; an unknown kind has none and is chosen by label."""


def why_not_answer(context: Context) -> str | None:
    """Why the shown ask can't be acted on now; None when it can."""
    why = why_not_waiting(context)
    if why is not None:
        return why
    ask, fleet = shown_ask(context), context.fleet
    if ask.holder.type is not HolderType.PERSON:
        return f"{ask.holder.name} holds it; take it back first"
    if not fleet.link.open:
        return UNREACHABLE
    if select.sending(fleet, ask.ask_id):
        return "an answer is on its way"
    if ask.elided:
        return "the whole request hasn't been read yet"
    return context.unarmed or None


def needs_confirming(option: Option) -> bool:
    """Whether an option needs a second key: remembered, or of unknown meaning."""
    return option.kind in REMEMBERED_KINDS or option.kind not in KNOWN_KINDS


def option_label(option: Option) -> str:
    """`Allow (allow once)`: the agent's name for it and its kind in words."""
    return f"{option.name} ({mapping.kind_in_words(option.kind)})"


def plan_option(ask: Ask, option: Option) -> Plan:
    """What choosing this one option takes, by key or click."""
    command = AnswerAsk(ask.ask_id, ask.row_id, option.option_id)
    label = option_label(option)
    if needs_confirming(option):
        words = mapping.consequence(ask.options, mapping.Choose(option.option_id))
        return Confirm(command, label, words)
    return Send(command, label)


def _of_kind(ask: Ask, kind: str) -> tuple[Option, ...]:
    return tuple(option for option in ask.options if option.kind == kind)


def _choose_kind(
    kind: str,
) -> tuple[Callable[[Context], Plan], Callable[[Context], str | None], Callable[[Context], str]]:
    def plan(context: Context) -> Plan:
        ask = shown_ask(context)
        options = _of_kind(ask, kind)
        if len(options) > 1:
            return Choose(f"Which “{mapping.kind_in_words(kind)}”?", options)
        return plan_option(ask, options[0])

    def why_not(context: Context) -> str | None:
        if context.ask is not None and context.ask.pending and not _of_kind(context.ask, kind):
            return f"{mapping.kind_in_words(kind)}: not offered by this agent"
        return why_not_answer(context)

    def consequence(context: Context) -> str:
        options = _of_kind(context.ask, kind) if context.ask is not None else ()
        if context.ask is None or not options:
            return "not offered by this agent"
        if len(options) > 1:
            return "several options of this kind: choose by label"
        return mapping.consequence(context.ask.options, mapping.Choose(options[0].option_id))

    return plan, why_not, consequence


def _plan_deny(context: Context) -> Plan:
    ask = shown_ask(context)
    once = _of_kind(ask, REJECT_ONCE)
    if len(once) > 1:
        return Choose("Which “reject once”?", once)
    result = mapping.outcome(ask.options, Act.DENY)
    words = mapping.consequence(ask.options, Act.DENY)
    command = DenyAsk(ask.ask_id, ask.row_id)
    if result.remembered:
        return Confirm(command, words, words)
    return Send(command, words)


def _plan_choose(context: Context) -> Plan:
    return Choose("Choose by label", shown_ask(context).options)


def _kind_action(identifier: str, kind: str, label: str, text: str) -> Action:
    plan, why_not, consequence = _choose_kind(kind)
    return Action(identifier, (KIND_KEYS[kind],), label, text, plan, why_not, consequence)


ANSWERING = Family(
    "Answering",
    (
        _kind_action(
            "answer.allow_once", ALLOW_ONCE, "allow",
            "Give the agent its “allow once” option.",
        ),
        _kind_action(
            "answer.allow_always", ALLOW_ALWAYS, "always…",
            "Give the agent its “allow always” option, after Y: its harness remembers it.",
        ),
        _kind_action(
            "answer.reject_once", REJECT_ONCE, "reject",
            "Give the agent its “reject once” option.",
        ),
        _kind_action(
            "answer.reject_always", REJECT_ALWAYS, "reject always…",
            "Give the agent its “reject always” option, after Y: its harness remembers it.",
        ),
        Action(
            "answer.deny", ("d",), "deny",
            "Say no: the agent's reject option, or cancelled where it offers none. "
            "A no is never a grant.",
            _plan_deny, why_not_answer, what_it_gives(Act.DENY),
        ),
        Action(
            "answer.choose", (), "choose by label…",
            "List every option by label; digits pick one. Enter on the ask opens it too.",
            _plan_choose, why_not_answer,
            lambda _: "each option is listed with what the agent gets; nothing is sent yet",
            footer=False,
        ),
        Action(
            "answer.close", ("x",), "close…",
            "Close without choosing. Where an allow is offered this PERMITS; it is asked first.",
            lambda _: Fill("close"), why_not_answer, what_it_gives(Act.DROP), footer=False,
        ),
        Action(
            "answer.approve", (), "approve…",
            "Close as approved, without choosing an option. It PERMITS exactly as closing does.",
            lambda _: Fill("approve"), why_not_answer, what_it_gives(Act.APPROVE), footer=False,
        ),
    ),
)  # fmt: skip
