"""`rig-tui asks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.cli.printing import age, instant, print_blocks
from rig_tui.domain.model import KNOWN_KINDS

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.cli.printing import Line
    from rig_tui.domain.events import FleetRead
    from rig_tui.domain.model import Ask, JsonObject, JsonValue, Option


def asks_json(fleet: FleetRead, daemon: str) -> JsonValue:
    """Every pending ask as the documented row, the longest waiting first."""
    rows: list[JsonValue] = [_row(ask, daemon) for ask in _pending(fleet)]
    return rows


def _row(ask: Ask, daemon: str) -> JsonObject:
    return {
        "daemon": daemon,
        "id": ask.ask_id,
        "kind": "permission",
        "seatRef": ask.seat_ref,
        "holder": {"type": ask.holder.type.value, "id": ask.holder.id, "name": ask.holder.name},
        "state": ask.outcome.state.value,
        "title": title(ask),
        "options": [
            {"optionId": option.option_id, "name": option.name, "kind": option.kind}
            for option in ask.options
        ],
        "openedAt": instant(ask.opened_at),
    }


def print_asks(fleet: FleetRead, now: datetime) -> None:
    """Print each pending ask in a few lines."""
    print_blocks((_block(ask, now) for ask in _pending(fleet)), "Nobody is asked anything.")


def _block(ask: Ask, now: datetime) -> tuple[Line, ...]:
    waiting = f"{ask.seat_ref}  waiting {age(ask.opened_at, now)}, held by {ask.holder.name}"
    return (
        (title(ask) or "(the agent gave it no title)", "bold yellow"),
        (waiting, ""),
        *((f"  {option.name}  {_kind(option)}", "") for option in ask.options),
        (ask.ask_id, "dim"),
    )


def _kind(option: Option) -> str:
    if option.kind in KNOWN_KINDS:
        return option.kind.replace("_", " ")
    return f"meaning unknown ({option.kind or 'no kind'})"


def title(ask: Ask) -> str:
    """What the agent calls it; "" when it says nothing."""
    call = ask.tool_call
    given = call.get("title") if isinstance(call, dict) else None
    return given if isinstance(given, str) else ""


def _pending(fleet: FleetRead) -> list[Ask]:
    return sorted((ask for ask in fleet.asks if ask.pending), key=lambda ask: ask.opened_at)
