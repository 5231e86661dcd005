"""The daemon's state, and the one way to change it: an effect.

Everything here is synchronous and runs on one thread, so an effect is atomic by
construction: it is judged on the state in memory, written in one transaction, and only
when that is committed does memory change and anybody hear of it.
"""

from __future__ import annotations

import logging
import sqlite3
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from rig_tui.daemon import records
from rig_tui.daemon.eventlog import EventLog, Logged
from rig_tui.daemon.grants import Grants
from rig_tui.daemon.presets import PresetFolder
from rig_tui.daemon.seat_state import SeatRecord, view
from rig_tui.daemon.stored_overrides import Overrides
from rig_tui.daemon.timelines import Timelines
from rig_tui.domain.asked import who_is_asked
from rig_tui.domain.model import People, Rig
from rig_tui.domain.timeline import SeatEvent, SeatEventKind
from rig_tui.wire import json as wire_json
from rig_tui.wire import openrig
from rig_tui.wire.openrig.sizes import cut_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from rig_tui.daemon.idempotency import Key
    from rig_tui.daemon.ids import Ids
    from rig_tui.daemon.reply import Reply
    from rig_tui.daemon.serving import Serving
    from rig_tui.daemon.store import Store
    from rig_tui.domain.grants import SeatGrant
    from rig_tui.domain.model import Ask, JsonObject, Permit, RunnerPermit, Seat

log = logging.getLogger(__name__)

KEPT_RUNNER_PERMITS = 10_000
DEFAULT_PERSON = "default_person"


class Core:
    """What the daemon knows, read from the database at start."""

    def __init__(
        self, store: Store, serving: Serving, clock: Callable[[], datetime], ids: Ids
    ) -> None:
        self.store = store
        self.serving = serving
        self.clock = clock
        self.ids = ids
        self.events = EventLog(store)
        self.timelines = Timelines(store)
        self.rigs: dict[str, Rig] = {rig.rig_id: rig for rig in store.rigs()}
        self.seats: dict[str, SeatRecord] = {}
        self.by_session: dict[str, str] = {}
        self.by_node: dict[str, str] = {}
        overrides = Overrides(store)
        for doc in store.seat_docs():
            record = records.loads(SeatRecord, doc)
            override = overrides.of(record.seat.seat_ref)
            self.keep(replace(record, seat=replace(record.seat, override=override)))
        self.pending: dict[str, Ask] = {}
        self._pending_of: defaultdict[str, dict[str, Ask]] = defaultdict(dict)
        for ask in store.asks.pending():
            self.keep_ask(ask)
        self.grants = Grants(store.grants())
        self.presets = PresetFolder(serving.home.presets)
        self.people = _read_people(store)
        self.on_ask: list[Callable[[str], None]] = []
        """Called with the id of each ask that changed, or whose readers did."""
        self.on_seat: list[Callable[[SeatRecord], None]] = []
        """Called with each seat that changed."""
        self.on_messages: list[Callable[[str], None]] = []
        """Called with each seat whose messages, or whose taker, changed."""
        self.on_unsaved: list[Callable[[], None]] = []
        """Called when something was told that `save` is yet to write."""
        self._unsaved: set[str] = set()

    def keep(self, record: SeatRecord) -> None:
        """Put a seat in memory."""
        self.seats[record.seat.seat_ref] = record
        self.by_session[record.seat.session_name] = record.seat.seat_ref
        self.by_node[record.seat.node_id] = record.seat.seat_ref

    def seat_of_session(self, session_name: str) -> SeatRecord | None:
        ref = self.by_session.get(session_name)
        return None if ref is None else self.seats[ref]

    def seat_view(
        self,
        record: SeatRecord,
        now: datetime,
        people: People | None = None,
        version: int | None = None,
    ) -> Seat:
        """Give the seat as it reads now, as that version of it if one is given."""
        asked = who_is_asked(people or self.people, record.seat.override)
        return view(record, now, asked, record.seat.version if version is None else version)

    def ask(self, ask_id: str) -> Ask | None:
        return self.pending.get(ask_id) or self.store.asks.get(ask_id)

    def pending_of(self, seat_ref: str) -> list[Ask]:
        return list(self._pending_of[seat_ref].values())

    def keep_ask(self, ask: Ask) -> None:
        """Put an ask in memory, for as long as it is pending."""
        here = self._pending_of[ask.seat_ref]
        if ask.pending:
            self.pending[ask.ask_id] = here[ask.ask_id] = ask
        else:
            self.pending.pop(ask.ask_id, None)
            here.pop(ask.ask_id, None)

    def tell_unsaved(self, seat_ref: str, notice: str) -> None:
        """Show a seat's notice although the database takes nothing."""
        record = self.seats[seat_ref]
        seat = replace(record.seat, notices=(*record.seat.notices, notice))
        self.keep(replace(record, seat=seat))
        if not self.events.can_number:
            return
        seq = self.events.next()
        seat = replace(seat, version=seq)
        self.keep(replace(record, seat=seat))
        self.events.publish([Logged(seq, openrig.seat_changed(seat, seq=seq, at=self.clock()))])

    @contextmanager
    def effect(self, *, durable: bool = True) -> Iterator[Effect]:
        """Do one thing, whole or not at all.

        Args:
            durable: Wait for the disk: for asks, answers, permits, people.
        """
        self.events.reserve(2 * len(self.seats) + 100)
        effect = Effect(self, self.clock())
        with self._saving(durable=durable):
            yield effect
        effect.announce()

    @contextmanager
    def activity_effect(self) -> Iterator[Effect]:
        """Change seats, and nothing else, now; `save` writes it a moment later.

        A crash loses at most what wasn't saved, and posts come by the thousand.
        """
        self.events.reserve(2 * len(self.seats) + 100)
        effect = Effect(self, self.clock(), saved_later=True)
        yield effect
        effect.announce()
        for heard in self.on_unsaved:
            heard()

    def save(self) -> None:
        """Write what activity changed since the last save."""
        with self._saving(durable=False):
            pass

    @contextmanager
    def _saving(self, *, durable: bool) -> Iterator[None]:
        with self.store.transaction(durable=durable):
            for ref in self._unsaved:
                self.store.put_seat(ref, records.dumps(self.seats[ref]))
            self.events.save()
            self.timelines.save()
            yield
        self._unsaved.clear()
        self.events.saved()
        self.timelines.forget_saved()

    def keep_unsaved(self, record: SeatRecord) -> None:
        """Put a seat in memory, to be written at the next save."""
        self.keep(record)
        self._unsaved.add(record.seat.seat_ref)


class Effect:
    """One transaction in the making."""

    def __init__(self, core: Core, now: datetime, *, saved_later: bool = False) -> None:
        self.core = core
        self.now = now
        self._saved_later = saved_later
        self.people = core.people
        self._seats: dict[str, SeatRecord] = {}
        self._asks: dict[str, Ask] = {}
        self._rigs: list[Rig] = []
        self._grants: list[SeatGrant] = []
        self._messages: set[str] = set()
        self._events: list[Logged] = []
        self._entries: list[tuple[str, SeatEvent]] = []

    def emit(self, make: Callable[[int], JsonObject | str]) -> int:
        """Log an event; `make` is given its number, and makes data or JSON text."""
        seq = self.core.events.next()
        event = make(seq)
        data = event if isinstance(event, str) else wire_json.dumps(event)
        if not self._saved_later:
            self.core.store.add_event(seq, self.now, data)
        self._events.append(Logged(seq, data))
        return seq

    def seat(self, seat_ref: str) -> SeatRecord:
        """Give a seat as this effect has it so far."""
        return self._seats.get(seat_ref) or self.core.seats[seat_ref]

    def add_rig(self, rig: Rig) -> None:
        self.core.store.put_rig(rig)
        self._rigs.append(rig)

    def changed_messages(self, seat_ref: str) -> None:
        """Let reads that wait for a seat's messages look again."""
        self._messages.add(seat_ref)

    def save_grant(self, grant: SeatGrant) -> None:
        """Write a grant; whoever waits for its seat's asks or messages looks again."""
        self.core.store.put_grant(grant)
        self._grants.append(grant)
        self.changed_messages(grant.seat_ref)

    def save_seat(self, record: SeatRecord, *, appeared: bool = False) -> Seat:
        """Write a seat and tell of it; gives it as it now reads."""
        seat = record.seat

        def change(seq: int) -> str:
            nonlocal seat
            seat = self.core.seat_view(record, self.now, self.people, seq)
            return openrig.seat_changed(seat, seq=seq, at=self.now, appeared=appeared)

        self.emit(change)
        self._stage(replace(record, seat=seat))
        return seat

    def stage_seat(self, record: SeatRecord) -> Seat:
        """Write a seat whose event the caller emits."""
        seat = self.view(record)
        self._stage(replace(record, seat=seat))
        return seat

    def _stage(self, record: SeatRecord) -> None:
        ref = record.seat.seat_ref
        if not self._saved_later:
            self.core.store.put_seat(ref, records.dumps(record))
        self._seats[ref] = record

    def log(
        self,
        seat_ref: str,
        kind: SeatEventKind,
        what: str,
        *,
        by: str | None = None,
        reason: str | None = None,
        ask_id: str | None = None,
    ) -> None:
        """Put an entry on a seat's timeline."""
        what, _ = cut_text(what)
        event = SeatEvent("", self.now, kind, what, by, reason, ask_id)
        if self._saved_later:
            self._entries.append((seat_ref, event))
        else:
            self.core.timelines.add(seat_ref, event)

    def view(self, record: SeatRecord) -> Seat:
        return self.core.seat_view(record, self.now, self.people)

    def save_ask(self, ask: Ask, event: Callable[[Ask, int], JsonObject]) -> Ask:
        """Write a changed ask and tell of it; gives it with its version."""
        ended = ask.ask_id in self.core.pending and not ask.pending

        def change(seq: int) -> JsonObject:
            nonlocal ask
            ask = replace(ask, version=seq)
            return event(ask, seq)

        seq = self.emit(change)
        if ended:
            self.core.store.asks.close(ask, f"{seq:020}", self.now)
        else:
            self.core.store.asks.update(ask)
        self._asks[ask.ask_id] = ask
        return ask

    def add_ask(self, ask: Ask, rig: str, tool_call: str) -> Ask:
        """Write a new ask and tell of it; `tool_call` is its own as JSON text."""

        def change(seq: int) -> JsonObject:
            nonlocal ask
            ask = replace(ask, version=seq)
            return openrig.queue_created(ask, seq=seq, at=self.now)

        self.emit(change)
        self.core.store.asks.add(ask, rig, tool_call)
        self._asks[ask.ask_id] = ask
        return ask

    def record_permit(self, permit: Permit) -> bool:
        """Put a permit on record; failing that, the permit stands and False says so (D7-52)."""

        def change(seq: int) -> JsonObject:
            nonlocal permit
            permit = replace(permit, sort_key=f"{seq:020}")
            return openrig.stream_emitted(permit, seq=seq, at=self.now)

        before = list(self._events)
        try:
            with self.core.store.savepoint():
                self.emit(change)
                self.core.store.permits.add(permit)
                self._log_permit(permit)
        except sqlite3.Error:
            self._events = before
            log.exception("a permit of %s could not be recorded", permit.session_name)
            return False
        return True

    def _log_permit(self, permit: Permit) -> None:
        closed = permit.closed_by
        self.log(
            self.core.by_session[permit.session_name],
            SeatEventKind.PERMIT,
            permit.option_name or permit.option_id,
            by=closed.actor if closed else None,
            reason=permit.cause,
            ask_id=permit.ask_id,
        )

    def record_cause(self, cause: RunnerPermit) -> None:
        """Put on record that a runner will have permitted by itself (D7-58)."""

        def change(seq: int) -> JsonObject:
            nonlocal cause
            cause = replace(cause, sort_key=f"{seq:020}")
            return openrig.runner_will_permit(cause, seq=seq, at=self.now)

        self.emit(change)
        self.core.store.permits.add_cause(cause, KEPT_RUNNER_PERMITS)

    def remember(self, key: Key | None, reply: Reply) -> None:
        """Keep the answer to an operator's write under its idempotency key."""
        if key:
            self.core.store.add_operation(
                key.where, key.body_hash, reply.status, wire_json.dumps(reply.body), self.now
            )

    def announce(self) -> None:
        """Bring memory up to what was committed, and tell everyone."""
        core = self.core
        for rig in self._rigs:
            core.rigs[rig.rig_id] = rig
        for record in self._seats.values():
            if self._saved_later:
                core.keep_unsaved(record)
            else:
                core.keep(record)
        core.people = self.people
        for ask in self._asks.values():
            core.keep_ask(ask)
        for entry in self._entries:
            core.timelines.add_later(*entry)
        core.events.publish(self._events, unsaved_at=self.now if self._saved_later else None)
        woken = dict.fromkeys(self._asks)
        for grant in self._grants:
            core.grants.keep(grant)
            woken |= dict.fromkeys(ask.ask_id for ask in core.pending_of(grant.seat_ref))
        for ask_id in woken:
            for heard in core.on_ask:
                heard(ask_id)
        for record in self._seats.values():
            for written in core.on_seat:
                written(record)
        for seat_ref in self._messages:
            for changed in core.on_messages:
                changed(seat_ref)


def _read_people(store: Store) -> People:
    try:
        return People(tuple(store.people()), store.meta(DEFAULT_PERSON))
    except sqlite3.Error:
        log.exception("the register of people can't be read: seats permit without asking")
        return People(readable=False)
