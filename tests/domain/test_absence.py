"""What is told of a time without the daemon."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from rig_tui.domain import select
from rig_tui.domain.absence import ABSENCES_KEPT
from rig_tui.domain.events import AbsencesRead, FleetRead, LinkDoubted, LinkLost, LinkMade
from rig_tui.domain.model import Ask, Fleet, People, Permit, Rig, RunnerPermit, Seat
from rig_tui.domain.reduce import reduce
from tests.builders import (
    ANA,
    BEN,
    CAPABILITIES,
    NOON,
    a_fleet,
    a_permit,
    a_seat,
    ago,
    an_ask,
    ended,
)

LOST = LinkLost("refused", ago(60), ago(59))


def back(
    *parts: Seat | Ask | Permit | RunnerPermit, epoch: str = "e1", people: People | None = None
) -> tuple[LinkMade, FleetRead]:
    """The batch of a daemon that is back and lists just this."""
    made = LinkMade("127.0.0.1:1", NOON, "0.1.0", "0.7.9", epoch, CAPABILITIES, timedelta(0))
    read = FleetRead(
        rigs=(Rig("rig-my-rig", "my-rig"),),
        seats=tuple(part for part in parts if isinstance(part, Seat)),
        asks=tuple(part for part in parts if isinstance(part, Ask)),
        permits=tuple(part for part in parts if isinstance(part, Permit)),
        runner_permits=tuple(part for part in parts if isinstance(part, RunnerPermit)),
        people=people or People((ANA,), "ana"),
        version=99,
    )
    return made, read


def test_everything_that_changed_meanwhile_is_listed() -> None:
    kept, gone, come = a_seat("kept"), a_seat("gone"), a_seat("come")
    waits, closed = an_ask("waits"), an_ask("closed", opened_at=ago(90))
    came, flashed = an_ask("came", opened_at=ago(5)), ended(an_ask("flashed", opened_at=ago(30)))
    over = ended(an_ask("over"))
    causes = [RunnerPermit(f"{n:06}", ago(9 - n), "qa@my-rig", "duplicate") for n in (1, 2)]
    fleet = a_fleet(kept, gone, waits, closed, over, a_permit(1), runner_permits=(causes[0],))
    listed = (kept, come, waits, ended(closed), came, flashed, over, a_permit(2), a_permit(1))
    fleet = reduce(fleet, (LOST,))
    fleet = reduce(fleet, back(*listed, *causes, people=People((ANA, BEN), "ana")))
    (told,) = fleet.absences
    assert (told.since, told.until, told.anew) == (ago(60), NOON, False)
    assert [ask.ask_id for ask in told.opened] == ["came"]
    assert [ask.ask_id for ask in told.ended] == ["closed", "flashed"]
    assert told.gone == ()
    assert [permit.permit_id for permit in told.permits] == ["permit-2"]
    assert told.runner_permits == (causes[1],)
    assert (told.seats_come, told.seats_gone) == (("come@my-rig",), ("gone@my-rig",))
    assert told.people
    assert select.untold(fleet) is told


def test_nothing_is_told_where_nothing_changed_or_of_the_first_connection() -> None:
    seat, ask = a_seat(), an_ask()
    fleet = reduce(a_fleet(seat, ask), (LOST,))
    assert reduce(fleet, back(seat, ask)).absences == ()
    assert reduce(Fleet(), back(seat, ask)).absences == ()


def test_another_database_says_so_and_which_asks_are_gone() -> None:
    ask, permit = an_ask(), a_permit(1)
    fleet = reduce(a_fleet(ask, permit), (LinkDoubted("silent", ago(20)),))
    (told,) = reduce(fleet, back(permit, epoch="e2")).absences
    assert (told.anew, told.gone, told.since) == (True, (ask,), ago(20))
    assert told.permits == ()
    made, read = back(ask)
    (told,) = reduce(fleet, (replace(made, renumbered=True), read)).absences
    assert (told.anew, told.gone) == (True, ())


def test_what_was_read_isnt_told_again_and_the_oldest_goes() -> None:
    fleet = a_fleet()
    for number in range(ABSENCES_KEPT + 3):
        fleet = reduce(fleet, (LOST, *back(a_seat(f"seat-{number}"))))
    assert len(fleet.absences) == ABSENCES_KEPT
    assert fleet.absences[0].seats_come == (f"seat-{ABSENCES_KEPT + 2}@my-rig",)
    fleet = reduce(fleet, (AbsencesRead(),))
    assert select.untold(fleet) is None
    fleet = reduce(fleet, (LOST, *back()))
    told = select.untold(fleet)
    assert told is not None
    assert told.seats_gone
