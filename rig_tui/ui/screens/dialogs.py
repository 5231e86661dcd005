"""The dialogs behind registry actions that need words, and the commands they make."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from rig_tui.actions.seats import clear
from rig_tui.domain import mapping
from rig_tui.domain.commands import CloseAsk, Command, RegisterPerson
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import AskState
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.roles import DANGER_STRONG, DIM, PLAIN
from rig_tui.ui.screens.asking import Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.screen import ModalScreen

    from rig_tui.actions.action import Context
    from rig_tui.ui.arming import Arming

_ENTITY = re.compile(r"[a-z0-9][a-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Form:
    """A dialog, and what its result means: a command and its label, or nothing."""

    screen: ModalScreen[Any]
    meant: Callable[[Any], tuple[Command, str] | None]


def form(dialog: str, context: Context, arming: Arming) -> Form:
    """The dialog that an action's `Fill` names, for what is on screen."""
    return FORMS[dialog](context, arming)


def register(login: str, arming: Arming, *, first_run: bool = False) -> Form:
    """Register a person; at the first run it says what happens until somebody is."""
    explain: list[Line | Text] = []
    if first_run:
        explain += [
            join(("Nobody is registered here.", DANGER_STRONG)),
            Line(join(("Until somebody is, every seat PERMITS without asking.", PLAIN))),
            Text(),
        ]
    explain.append(
        Line(join(("Register this name as the default person, who is asked for every seat.", DIM)))
    )
    return Form(
        Words(
            "Register yourself",
            explain,
            prefilled=login if _ENTITY.fullmatch(login) else "",
            placeholder="a short name: a-z 0-9 . _ -",
            accept=_bad_entity,
            arming=arming,
        ),
        lambda text: (RegisterPerson(text, text, make_default=True), f"register {text}"),
    )


def _bad_entity(text: str) -> str | None:
    if _ENTITY.fullmatch(text.strip()):
        return None
    return "A name is lower-case letters, digits, . _ and -, and starts with a letter or digit."


def _close(context: Context, arming: Arming, verb: str, act: Act) -> Form:
    ask = context.ask
    if ask is None:
        raise ValueError("closing needs a shown ask")
    words = mapping.consequence(ask.options, act)
    permits = mapping.outcome(ask.options, act).state is AskState.PERMITTED
    explain: list[Line | Text] = [
        Line(join((inert(words).plain, DANGER_STRONG))),
        Text(),
        Line(join((f"No option is chosen. The {verb} and its reason go on record as yours.", DIM))),
    ]
    if verb == "approve":
        explain.append(
            Line(join(("Approve isn't “choose allow”: it comes to the same as closing.", DIM)))
        )
    final = "close it: PERMITS" if permits else "close it as refused"
    return Form(
        Words(
            "Close without choosing" if verb == "drop" else "Approve without choosing",
            explain,
            prefilled=f"{'closed' if verb == 'drop' else 'approved'} without choosing",
            final=final,
            arming=arming,
        ),
        lambda text: (
            CloseAsk(ask.ask_id, ask.row_id, verb, text),
            f"Close without choosing ({words})",
        ),
    )


def _clear(context: Context, arming: Arming) -> Form:
    seat = context.seat
    if seat is None:
        raise ValueError("clearing needs a seat")
    explain: list[Line | Text] = [
        Line(join((f"Clear the attention of {inert(seat.seat_ref).plain}.", PLAIN))),
        Line(join(("It answers nothing and cancels nothing.", DIM))),
    ]
    if context.ask is not None and context.ask.pending:
        explain.append(Line(join(("Its ask goes on waiting.", DIM))))
    return Form(
        Words("Clear attention", explain, placeholder="why", arming=arming),
        lambda text: (clear(seat, text), f"clear attention of {seat.seat_ref}"),
    )


FORMS: Final[dict[str, Callable[[Context, Arming], Form]]] = {
    "close": lambda context, arming: _close(context, arming, "drop", Act.DROP),
    "approve": lambda context, arming: _close(context, arming, "approve", Act.APPROVE),
    "clear-attention": _clear,
    "register": lambda _, arming: register("", arming),
}
"""Every dialog by the name an action gives it."""
