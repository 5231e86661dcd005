"""The dialogs behind registry actions that need words, and the commands they make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from rig_tui.actions import seats
from rig_tui.actions.grants import LATER, READS_A_PERMIT, permitted, revoke
from rig_tui.domain import mapping
from rig_tui.domain.commands import CloseAsk
from rig_tui.domain.mapping import Act
from rig_tui.domain.model import AskState
from rig_tui.domain.sentence import sentence
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.roles import DANGER, DANGER_STRONG, DIM, PLAIN
from rig_tui.ui.screens import asked_forms, item_forms
from rig_tui.ui.screens.form import Form
from rig_tui.ui.screens.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.actions.action import Context
    from rig_tui.ui.arming import Arming


def form(dialog: str, context: Context, arming: Arming) -> Form:
    """The dialog that an action's `Fill` names, for what is on screen."""
    return FORMS[dialog](context, arming)


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
        lambda text: (seats.clear(seat, text), f"clear attention of {seat.seat_ref}"),
    )


def _revoke(context: Context, arming: Arming) -> Form:
    seat = context.seat
    if seat is None:
        raise ValueError("revoking needs a seat")
    waiting = permitted(seat, context.fleet)
    explain: list[Line | Text] = [
        Line(join((f"{READS_A_PERMIT}.", DANGER_STRONG))),
        *(Line(join((inert(words).plain, DANGER)), 2) for words in waiting),
        Line(join((sentence(LATER), DANGER))),
        Text(),
    ]
    first = "reject what waits first, or " if waiting else ""
    explain.append(Line(join((f"To say no, {first}stop the seat.", PLAIN))))
    title = f"Revoke the grant of {inert(seat.seat_ref).plain}"
    words = Words(title, explain, final="revoke it: PERMITS", wordless=True, arming=arming)
    return Form(words, lambda _: (revoke(seat), f"revoke the grant of {seat.seat_ref}"))


def _cancel_turn(context: Context, arming: Arming) -> Form:
    seat = context.seat
    if seat is None:
        raise ValueError("cancelling needs a seat")
    explain: list[Line | Text] = [
        Line(join((seats.IN_THE_PANE, PLAIN))),
        Text(),
        Line(join((seats.REQUESTED, DIM))),
    ]
    title = f"Cancel the turn of {inert(seat.seat_ref).plain}"
    return Form(Words(title, explain, wordless=True, arming=arming), lambda _: None)


def _stop(context: Context, arming: Arming) -> Form:
    seat = context.seat
    if seat is None:
        raise ValueError("stopping needs a seat")
    stale = seats.goes_stale(seat, context.fleet)
    limits = [Line(join(("· ", DIM), (inert(limit).plain, PLAIN)), 2) for limit in seat.limits]
    none = Line(join(("It declares no limits: what may go on isn't known.", DIM)))
    explain: list[Line | Text] = [
        Line(join((seats.AT_ONCE, DANGER_STRONG))),
        *([Line(join((stale, DANGER)))] if stale else ()),
        Line(join((seats.OUTSIDE, DANGER))),
        Text(),
        *([Line(join(("Limits it was launched with:", PLAIN))), *limits] if limits else [none]),
    ]
    title = f"Stop {inert(seat.seat_ref).plain}"
    words = Words(title, explain, final="stop it", wordless=True, arming=arming)
    return Form(words, lambda _: (seats.stop(seat), f"stop {seat.seat_ref}"))


FORMS: Final[dict[str, Callable[[Context, Arming], Form]]] = {
    "close": lambda context, arming: _close(context, arming, "drop", Act.DROP),
    "approve": lambda context, arming: _close(context, arming, "approve", Act.APPROVE),
    "clear-attention": _clear,
    "revoke-grant": _revoke,
    "cancel-turn": _cancel_turn,
    "stop-seat": _stop,
    "item-act": item_forms.act_on_item,
    **asked_forms.FORMS,
}
"""Every dialog by the name an action gives it."""
