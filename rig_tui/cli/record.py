"""`rig-tui permits` and `rig-tui timeline`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.cli.printing import age, instant, print_json, print_table
from rig_tui.cli.stop import USAGE, Stop
from rig_tui.domain import history
from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.commands import PermitsBefore, RunnerPermitsBefore, SeatEvents
from rig_tui.domain.ledger import remembered, subject_of
from rig_tui.domain.mapping import meaning

if TYPE_CHECKING:
    import argparse

    from rig_tui.cli.desk import Desk
    from rig_tui.domain.history import Filters
    from rig_tui.domain.model import JsonObject, Permit, RunnerPermit
    from rig_tui.domain.timeline import SeatEvent


def filters_of(given: argparse.Namespace, desk: Desk) -> Filters:
    """What `--filter` asks for.

    Raises:
        Stop: It can't be understood.
    """
    try:
        return history.parse(given.filter, desk.now().astimezone())
    except history.FilterError as error:
        raise Stop(USAGE, f"--filter: {error}") from error


async def permits(desk: Desk, given: argparse.Namespace) -> int:
    """Print what was permitted by default; gives the exit code."""
    filters = filters_of(given, desk)
    if given.runner:
        query = RunnerPermitsBefore(filters=filters, limit=given.limit)
        _print_causes(desk, (await desk.backend.fetch(query)).runner_permits, given.as_json)
        return 0
    page = await desk.backend.fetch(PermitsBefore(filters=filters, limit=given.limit))
    if given.as_json:
        print_json([permit_row(permit, desk.daemon) for permit in page.permits])
        return 0
    now = desk.now()
    print_table(
        ("PERMITTED", "SESSION", "WHAT", "OPTION", "BECAUSE"),
        (
            (
                f"{age(each.at, now)} ago",
                each.session_name,
                subject_of(each.tool_call),
                (_given(each), "bold red" if remembered(each) else ""),
                _because(each),
            )
            for each in page.permits
        ),
        "Nothing was permitted by default.",
    )
    return 0


def permit_row(permit: Permit, daemon: str) -> JsonObject:
    """A default permit as the documented row."""
    closed = permit.closed_by
    return {
        "daemon": daemon,
        "id": permit.permit_id,
        "at": instant(permit.at),
        "session": permit.session_name,
        "cause": permit.cause,
        "askId": permit.ask_id,
        "requestId": permit.request_id,
        "turnId": permit.turn_id,
        "nativeRef": permit.native_ref,
        "generation": permit.generation,
        "toolCall": permit.tool_call,
        "toolCallElided": permit.elided,
        "option": {
            "optionId": permit.option_id,
            "name": permit.option_name,
            "kind": permit.option_kind,
            "remembered": permit.remembered,
        },
        "closedBy": None
        if closed is None
        else {"actor": closed.actor, "rowId": closed.row_id, "how": closed.how},
    }


def _given(permit: Permit) -> str:
    if permit.option_name is None:
        return f"{permit.option_id} (name and kind not recorded)"
    return f"{permit.option_name} ({meaning(permit.option_kind)})"


def _because(permit: Permit) -> str:
    closed = permit.closed_by
    words = cause_in_words(permit.cause)
    return words if closed is None else f"{words}: {closed.how} by {closed.actor}"


def _print_causes(desk: Desk, causes: tuple[RunnerPermit, ...], as_json: bool) -> None:
    if as_json:
        print_json([cause_row(each, desk.daemon) for each in causes])
        return
    now = desk.now()
    print_table(
        ("WHEN", "SESSION", "ANSWER", "ROUTE", "DETAIL"),
        (
            (f"{age(e.at, now)} ago", e.session_name or "", e.code, e.route, e.detail)
            for e in causes
        ),
        "Nothing is known that made a runner permit by itself.",
    )


def cause_row(cause: RunnerPermit, daemon: str) -> JsonObject:
    """What will have made a runner permit by itself, as the documented row."""
    return {
        "daemon": daemon,
        "at": instant(cause.at),
        "session": cause.session_name,
        "code": cause.code,
        "route": cause.route,
        "detail": cause.detail,
    }


async def timeline(desk: Desk, given: argparse.Namespace) -> int:
    """Print what happened at a seat; gives the exit code."""
    seat = desk.seat(given.seat)
    query = SeatEvents(seat.seat_ref, kinds=tuple(given.kind), limit=given.limit)
    events = (await desk.backend.fetch(query)).seat_events
    if given.as_json:
        print_json([_event_row(event, seat.seat_ref, desk.daemon) for event in events])
        return 0
    now = desk.now()
    print_table(
        ("WHEN", "KIND", "WHAT", "BY", "WHY", "ASK"),
        (
            (
                f"{age(event.at, now)} ago",
                event.kind,
                event.what,
                event.by or "",
                event.reason or "",
                (event.ask_id or "", "dim"),
            )
            for event in events
        ),
        f"Nothing is on record for {seat.seat_ref}.",
    )
    return 0


def _event_row(event: SeatEvent, seat_ref: str, daemon: str) -> JsonObject:
    return {
        "daemon": daemon,
        "seatRef": seat_ref,
        "at": instant(event.at),
        "kind": event.kind,
        "what": event.what,
        "by": event.by,
        "reason": event.reason,
        "askId": event.ask_id,
    }
