"""What is checked before an act on an ask, and what is read of its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.daemon import actors
from rig_tui.daemon.reply import RefusedError
from rig_tui.domain.model import PRIMARY_USER, HolderType, Origin

if TYPE_CHECKING:
    from rig_tui.daemon.actors import Actor
    from rig_tui.daemon.core import Core
    from rig_tui.domain.model import Ask, JsonObject


def must_find(core: Core, row_id: str) -> Ask:
    """Find an ask by its id or that of any of its rows.

    Raises:
        RefusedError: There is none.
    """
    ask = find(core, row_id)
    if ask is None:
        raise RefusedError(
            404,
            "qitem_not_found",
            f"qitem {row_id} not found",
            qitemId=row_id,
        )
    return ask


def find(core: Core, row_id: str) -> Ask | None:
    """Find an ask by its id or that of any of its rows."""
    ask_id = core.store.asks.of_row(row_id)
    return core.ask(ask_id) if ask_id else None


def check_open(ask: Ask, body: JsonObject) -> None:
    """Let only acts on a pending ask's current row through.

    Raises:
        RefusedError: It has moved, or ended.
    """
    row_id = body.get("rowId")
    if row_id is not None:
        check_row(ask, row_id)
    if not ask.pending:
        state = ask.outcome.state.value
        raise not_applicable(ask, state, f"The ask is already {state}. Nothing was sent.")


def check_row(ask: Ask, row_id: object) -> None:
    """Let only acts on the ask's current row through.

    Raises:
        RefusedError: That isn't it any more.
    """
    if row_id != ask.row_id:
        raise not_applicable(
            ask,
            "moved",
            "The ask has moved on since it was shown. Nothing was done; look at it again.",
        )


def check_shown(ask: Ask) -> None:
    """Let answers through only where a person holds the ask, with its options (A-39).

    Raises:
        RefusedError: A seat or another host holds it.
    """
    check_followed(ask)
    if ask.holder.type is HolderType.SEAT:
        raise not_applicable(
            ask,
            "held_by_seat",
            f"The seat {ask.holder.name} holds this ask, without its options. Nothing was "
            "answered; take it back first.",
        )


def check_followed(ask: Ask) -> None:
    """Let only acts on an ask through that hasn't left this host (D7-33).

    Raises:
        RefusedError: Another host holds it.
    """
    if ask.holder.type is HolderType.HOST:
        raise not_applicable(
            ask,
            "held_by_host",
            f"The host {ask.holder.name} holds this ask. Nothing was done; it waits until "
            "the agent's turn ends.",
        )


def check_holds(actor: Actor, ask: Ask) -> None:
    """Let only those through whose words and closings count (A-32).

    A row that an agent seat holds is closed by the seat or any person (D7-29).

    Raises:
        RefusedError: The actor is somebody else.
    """
    if ask.holder.type is HolderType.PERSON and not actors.holds(actor, ask):
        raise RefusedError(
            403,
            "not_the_holder",
            f"{ask.holder.name} holds this ask: only they and {PRIMARY_USER} may reply or close "
            "it. Nothing was done; choosing an option and denying are open to you.",
            ask=ask,
        )


def not_applicable(ask: Ask, reason: str, message: str) -> RefusedError:
    """Make the refusal of an act that the ask, as it stands, can't take."""
    return RefusedError(409, "not_applicable", message, ask=ask, reason=reason)


def required(body: JsonObject, field: str, verb: str, code: str | None = None) -> str:
    """Give a field's text.

    Raises:
        RefusedError: It is blank or missing.
    """
    text = text_of(body, field)
    if text is None:
        raise RefusedError(
            400, code or f"{field}_required", f"verb={verb} requires {field}. Nothing was done."
        )
    return text


def text_of(body: JsonObject, field: str) -> str | None:
    """Give a field's text; None when it is blank or no text."""
    value = body.get(field)
    return value if isinstance(value, str) and value.strip() else None


def origin_of(body: JsonObject) -> Origin | None:
    """Where the act came from, as its sender says."""
    origin = body.get("origin")
    if not isinstance(origin, dict) or not isinstance(program := origin.get("program"), str):
        return None
    pid, tty = origin.get("pid"), origin.get("tty")
    return Origin(
        program,
        pid if isinstance(pid, int) and not isinstance(pid, bool) else None,
        tty if isinstance(tty, str) else None,
    )
