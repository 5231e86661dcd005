"""Stopping a seat, cancelling its turn, and what neither can promise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rig_tui.actions.action import Context
from rig_tui.actions.registry import ACTIONS
from rig_tui.actions.told import arrived_words
from rig_tui.domain.commands import Done, StopSeat
from rig_tui.domain.events import AskClosed, SeatRead
from rig_tui.domain.model import Evidence, EvidenceKind, LinkState, Reading
from rig_tui.ui.present.badge import badge_lines
from rig_tui.ui.present.seat_detail import reading_line
from tests.builders import NOON, a_fleet, a_seat, ago, an_ask, asking, ended, live_link
from tests.rules import rule
from tests.ui.console import MIDDLE, TINY, Console, console

if TYPE_CHECKING:
    from rig_tui.domain.model import Fleet, Seat

LIMITS = ("remote builds go on", "spend isn't capped")
SEAT = replace(asking(a_seat()), limits=LIMITS)
LINK = live_link(capabilities=live_link().capabilities | {"seats"})
CLAIMS = ("stopped working", "stopped charging", "no longer charge", "provider stopped")


def a_world() -> Fleet:
    return a_fleet(SEAT, an_ask(), link=LINK)


async def operate(c: Console, identifier: str) -> None:
    c.board.conduct.operate(identifier)
    await c.rest()


@rule("T9-02")
async def test_stopping_says_what_ends_at_once_what_may_go_on_and_the_limits() -> None:
    async with console(a_world(), MIDDLE) as c:
        await operate(c, "seat.stop")
        words = " ".join(c.words().split())
        assert "ends the session at once" in words
        assert "what its provider charges for, may go on" in words
        assert "goes stale: nobody answers any more" in words
        assert all(limit in words for limit in LIMITS)
        await c.press("enter")
        assert c.commands == []
        await operate(c, "seat.stop")
        await c.press("Y")
        assert c.commands == [StopSeat(SEAT.seat_id, SEAT.seat_ref)]
        assert "builder@my-rig is ended" in c.notices[-1]
        assert "may go on" in c.notices[-1]


async def test_an_ask_that_ends_meanwhile_closes_the_stop_dialog() -> None:
    async with console(a_world(), MIDDLE) as c:
        await operate(c, "seat.stop")
        await c.bring(AskClosed(ended(an_ask(), version=2_000_000)))
        await c.press("Y")
        assert c.commands == []


@rule("T9-02")
@pytest.mark.parametrize(
    ("context", "why"),
    [
        (Context(a_world()), "no seat is selected"),
        (Context(a_world(), seat=SEAT, barred="inside a seat"), "inside a seat"),
        (Context(a_fleet(SEAT), seat=SEAT), "can't stop seats"),
        (Context(a_fleet(link=replace(LINK, state=LinkState.LOST)), seat=SEAT), "can't be reached"),
        (Context(a_world(), seat=replace(SEAT, generation=None)), "nobody occupies"),
    ],
)
def test_why_a_seat_cant_be_stopped(context: Context, why: str) -> None:
    assert why in (ACTIONS["seat.stop"].why_not(context) or "")


@rule("T9-02")
def test_stopping_counts_the_requests_that_go_stale() -> None:
    two = a_fleet(SEAT, an_ask("a"), an_ask("b"), an_ask("c", "qa"), link=LINK)
    assert "Its 2 waiting go stale" in ACTIONS["seat.stop"].consequence(Context(two, seat=SEAT))
    none = a_fleet(SEAT, link=LINK)
    assert "stale" not in ACTIONS["seat.stop"].consequence(Context(none, seat=SEAT))


def told(seat: Seat) -> str:
    lines = [line.text.plain for line in badge_lines(seat, NOON)]
    return "\n".join([reading_line(seat, NOON, LINK.clock_offset).plain, *lines])


@rule("T6-01")
async def test_a_cancel_is_requested_in_the_pane_and_done_only_by_the_runners_word() -> None:
    async with console(a_world(), MIDDLE) as c:
        await operate(c, "seat.cancel_turn")
        words = " ".join(c.words().split())
        assert "type /abort in the seat's own pane" in words
        assert "That only requests it. It is cancelled once its runner posts so" in words
        await c.press("Y", "enter")
        assert c.app.screen is c.board
        assert c.commands == []
        working = a_seat(
            reading=Reading.WORKING, evidence=Evidence(EvidenceKind.BEAT, ago(1), ago(-9))
        )
        for detail in ("", "end_turn", "cancelled"):
            idle = a_seat(evidence=Evidence(EvidenceKind.STOP, ago(1), None, detail), version=9)
            for seat in (working, idle):
                await c.bring(SeatRead(seat))
                assert ("cancelled" in told(seat)) == (seat.evidence.detail == "cancelled")
                assert not any(claim in told(seat) for claim in CLAIMS)


@rule("T10-01")
def test_a_turn_that_ended_is_never_called_a_task_done() -> None:
    seat = a_seat(evidence=Evidence(EvidenceKind.STOP, ago(1), None, "end_turn"))
    assert "a turn that ended is no task done" in told(seat)


@rule("T10-01")
def test_a_verified_send_was_seen_in_the_pane_and_no_more() -> None:
    seen = arrived_words(a_seat(), "builder@my-rig", queued=False, seen=True)
    assert seen.startswith("Seen in the pane of builder@my-rig.")
    assert "isn't known" in seen
    assert arrived_words(a_seat(), "x", queued=True, seen=False).startswith("Queued")
    assert Done().seen is False


@rule("T9-02")
async def test_in_a_small_window_the_last_key_counts_once_all_of_it_was_shown() -> None:
    async with console(a_world(), TINY) as c:
        await operate(c, "seat.stop")
        assert "Y shows the rest" in c.words("#words-keys")
        pressed = 0
        while "Y stop it" not in c.words("#words-keys"):
            await c.press("Y")
            assert c.commands == []
            pressed += 1
            assert pressed < 9
        await c.press("Y")
        assert c.commands == [StopSeat(SEAT.seat_id, SEAT.seat_ref)]
