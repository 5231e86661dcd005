"""`rig-tui watch` and `rig-tui wait`: what happens, as it happens."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import aclosing
from typing import TYPE_CHECKING

from rig_tui.cli.asks import ask_row, block, ended_row, title
from rig_tui.cli.printing import instant, print_blocks, print_json
from rig_tui.cli.record import cause_row, permit_row
from rig_tui.cli.seats import asked_line, seat_row
from rig_tui.cli.stop import TIMED_OUT, Stop
from rig_tui.cli.words import state_words
from rig_tui.domain.events import (
    AskChanged,
    AskClosed,
    AskOpened,
    FleetRead,
    LinkLost,
    LinkMade,
    LinkRefused,
    PeopleRead,
    PermitRecorded,
    RunnerWillPermit,
    SeatRead,
)
from rig_tui.domain.inert import inert
from rig_tui.domain.ledger import subject_of
from rig_tui.domain.model import HolderType

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from datetime import datetime

    from rig_tui.cli.desk import Desk
    from rig_tui.domain.events import Event
    from rig_tui.domain.model import Ask, Fleet, JsonObject, Permit, RunnerPermit, Seat


async def watch(desk: Desk, given: argparse.Namespace) -> int:
    """Print what happens until it is ended, through every reconnect."""
    told = Told(desk)
    await desk.backend.aclose()
    desk.forget()
    async with aclosing(desk.backend.connect()) as batches:
        async for batch in batches:
            for event in batch:
                for row, words in told.of(event):
                    line = json.dumps(row) if given.as_json else _line(row, words)
                    sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    return 0


async def wait(desk: Desk, given: argparse.Namespace) -> int:
    """Wait until a person is needed, and print the asks that say so.

    Raises:
        Stop: Nobody was needed in time.
    """
    if given.seat is not None:
        desk.seat(given.seat)
    try:
        async with asyncio.timeout(given.timeout):
            waiting = await _needed(desk, given.seat)
    except TimeoutError:
        raise Stop(TIMED_OUT, f"nobody was needed within {given.timeout:g} s") from None
    if given.as_json:
        print_json([ask_row(ask, desk.daemon) for ask in waiting])
    else:
        print_blocks((block(ask, desk.now()) for ask in waiting), "")
    return 0


async def _needed(desk: Desk, seat: str | None) -> list[Ask]:
    if waiting := _waiting(desk.fleet, seat):
        return waiting
    await asyncio.sleep(0)  # a timeout of nothing ends here
    await desk.backend.aclose()
    async with aclosing(desk.backend.connect()) as batches:
        async for batch in batches:
            desk.apply(batch)
            if waiting := _waiting(desk.fleet, seat):
                return waiting
    return []


def _waiting(fleet: Fleet, seat: str | None) -> list[Ask]:
    found = (
        ask
        for ask in fleet.asks.values()
        if ask.pending
        and ask.holder.type is HolderType.PERSON
        and seat in (None, ask.seat_ref, ask.session_name)
    )
    return sorted(found, key=lambda ask: ask.opened_at)


class Told:
    """What each event changed, as a row for programs and words for people."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._first = True
        """Whether nothing was read yet: what ended before is then no news."""

    def of(self, event: Event) -> Iterator[tuple[JsonObject, str]]:
        """Take an event in, and tell what it changed."""
        desk, before = self._desk, self._desk.fleet
        desk.apply((event,))
        after = desk.fleet
        match event:
            case LinkMade() | LinkLost() | LinkRefused():
                yield self._link(event)
            case SeatRead(seat):
                yield from self._seat(before, after, seat)
            case AskOpened(ask) | AskChanged(ask) | AskClosed(ask):
                yield from self._ask(before, after, ask.ask_id)
            case PermitRecorded() | RunnerWillPermit():
                yield from self._permits(before, after)
            case PeopleRead():
                yield from self._people(before, after)
            case FleetRead():
                yield from self._read(before, after)
                self._first = False
            case _:
                pass

    def _read(self, before: Fleet, after: Fleet) -> Iterator[tuple[JsonObject, str]]:
        yield from self._people(before, after)
        for seat in after.seats.values():
            yield from self._seat(before, after, seat)
        for ask_id, ask in after.asks.items():
            if ask.pending or not self._first:
                yield from self._ask(before, after, ask_id)
        if not self._first:
            yield from self._permits(before, after)

    def _link(self, event: LinkMade | LinkLost | LinkRefused) -> tuple[JsonObject, str]:
        if isinstance(event, LinkMade):
            row = self._row("link", event.at) | {"state": "live", "cause": None}
            return row, f"live {event.address}"
        state = "lost" if isinstance(event, LinkLost) else "refused"
        row = self._row("link", event.at) | {"state": state, "cause": event.cause}
        return row, f"{state}: {event.cause}"

    def _seat(self, before: Fleet, after: Fleet, seat: Seat) -> Iterator[tuple[JsonObject, str]]:
        now = after.seats.get(seat.seat_id)
        if now is None or now == before.seats.get(seat.seat_id):
            return
        row = self._row("seat", now.evidence.at) | {"seat": seat_row(after, now, self._desk.daemon)}
        reads = f"{now.reading.value.replace('_', ' ')} ({now.evidence.kind.value})"
        yield row, f"{now.seat_ref} reads {reads}, asked: {asked_line(now.asked)[0]}"

    def _ask(self, before: Fleet, after: Fleet, ask_id: str) -> Iterator[tuple[JsonObject, str]]:
        now, was = after.asks.get(ask_id), before.asks.get(ask_id)
        if now is None or now == was:
            return
        kind = "ask.closed" if not now.pending else "ask.opened" if was is None else "ask.changed"
        at = now.decided_at or now.withdrawn_at if not now.pending else now.opened_at
        make = ask_row if now.pending else ended_row
        row = self._row(kind, at) | {"ask": make(now, self._desk.daemon)}
        yield row, f"{now.seat_ref}  {title(now)}  {state_words(now)}  {ask_id}"

    def _permits(self, before: Fleet, after: Fleet) -> Iterator[tuple[JsonObject, str]]:
        known = {permit.sort_key for permit in before.permits}
        for permit in reversed([p for p in after.permits if p.sort_key not in known]):
            yield self._permit(permit)
        causes = {cause.sort_key for cause in before.runner_permits}
        for cause in reversed([c for c in after.runner_permits if c.sort_key not in causes]):
            yield self._cause(cause)

    def _permit(self, permit: Permit) -> tuple[JsonObject, str]:
        row = self._row("permit", permit.at) | {"permit": permit_row(permit, self._desk.daemon)}
        option = permit.option_name or permit.option_id
        return row, f"{permit.session_name}  {subject_of(permit.tool_call)}  PERMITTED ‘{option}’"

    def _cause(self, cause: RunnerPermit) -> tuple[JsonObject, str]:
        row = self._row("runner.permit", cause.at)
        words = f"{cause.session_name or 'a runner'}  permits by itself after {cause.code}"
        return row | {"cause": cause_row(cause, self._desk.daemon)}, words

    def _people(self, before: Fleet, after: Fleet) -> Iterator[tuple[JsonObject, str]]:
        was, people = before.people, after.people
        if (was.registered, was.default) == (people.registered, people.default):
            return
        names = [person.entity_id for person in people.registered]
        row = self._row("people", None) | {"registered": [*names], "default": people.default}
        yield (
            row,
            f"registered: {', '.join(names) or 'nobody'}; default: {people.default or 'none'}",
        )

    def _row(self, kind: str, at: datetime | None) -> JsonObject:
        return {"type": kind, "at": instant(at), "daemon": self._desk.fleet.link.address}


def _line(row: JsonObject, words: str) -> str:
    at = str(row["at"] or "")[11:19]
    return f"{at:<8}  {row['type']:<13}  {inert(words)}"
