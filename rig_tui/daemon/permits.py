"""What goes on record when nobody chose: the daemon's permits and the runners' own."""

from __future__ import annotations

import logging
import sqlite3
from typing import TYPE_CHECKING

from rig_tui.domain.model import ClosedBy, Option, Permit, RunnerPermit

if TYPE_CHECKING:
    from rig_tui.daemon.core import Core, Effect
    from rig_tui.domain.model import Ask, Outcome
    from rig_tui.wire.contract import Submit

log = logging.getLogger(__name__)


def of_request(
    fx: Effect, request: Submit, session_name: str, outcome: Outcome, cause: str
) -> Permit:
    """The record of a request permitted at submit (D7-49)."""
    option = _offered(request.options, outcome)
    return Permit(
        permit_id=fx.core.ids.of("permit"),
        sort_key="",
        at=fx.now,
        session_name=session_name,
        cause=cause,
        tool_call=request.tool_call,
        option_id=option.option_id,
        option_name=option.name,
        option_kind=option.kind,
        remembered=outcome.remembered,
        native_ref=request.native_ref,
        request_id=request.request_id,
        turn_id=request.turn_id,
        generation=request.generation,
    )


def of_ask(fx: Effect, ask: Ask, outcome: Outcome, closed_by: ClosedBy, cause: str) -> Permit:
    """The record of an ask closed without a choice (D7-49)."""
    option = _offered(ask.options, outcome)
    return Permit(
        permit_id=fx.core.ids.of("permit"),
        sort_key="",
        at=fx.now,
        session_name=ask.session_name,
        cause=cause,
        tool_call=ask.tool_call,
        option_id=option.option_id,
        option_name=option.name,
        option_kind=option.kind,
        remembered=outcome.remembered,
        ask_id=ask.ask_id,
        native_ref=ask.native_ref,
        request_id=ask.request_id,
        turn_id=ask.turn_id,
        generation=ask.generation,
        closed_by=closed_by,
    )


def note_will_permit(
    core: Core, code: str, *, route: str, session_name: str | None = None, detail: str = ""
) -> None:
    """Put on record that a runner will have permitted by itself (D7-58).

    It never fails: the runner's reply doesn't wait for this record to be writable.
    """
    log.warning("a runner will permit by itself: %s on %s (%s)", code, route, session_name)
    try:
        with core.effect(durable=False) as fx:
            fx.record_cause(
                RunnerPermit(
                    sort_key="",
                    at=fx.now,
                    session_name=session_name,
                    code=code,
                    detail=detail,
                    route=route,
                )
            )
    except sqlite3.Error:
        log.exception("that could not be recorded")


def _offered(options: tuple[Option, ...], outcome: Outcome) -> Option:
    return next(option for option in options if option.option_id == outcome.option_id)
