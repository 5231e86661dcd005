"""How commands about people and seats ended, in words."""

from __future__ import annotations

import pytest

from rig_tui.domain.commands import (
    ChooseDefault,
    ClearAttention,
    Done,
    PeopleCommand,
    RegisterPerson,
    Rejected,
    RemovePerson,
    RevokeGrant,
    SeatCommand,
    SetOverride,
    Unconfirmed,
    Unsent,
)
from rig_tui.domain.model import Asked, AskedMode, OverrideMode
from rig_tui.ui.present.verdict import verdict_words
from tests.builders import a_fleet, a_seat
from tests.rules import rule

ANA, BEN = Asked(AskedMode.PERSON, "ana"), Asked(AskedMode.PERSON, "ben")
NOBODY = Asked(AskedMode.PERMITS)
SEAT = a_seat("qa")
FLEET = a_fleet(SEAT)


def said(command: PeopleCommand | SeatCommand, *changes: tuple[str, Asked, Asked]) -> str:
    return verdict_words(command, "it", Done(changes=changes), FLEET)[0]


def override(mode: OverrideMode, person: str | None = None) -> SetOverride:
    return SetOverride(SEAT.seat_id, SEAT.seat_ref, mode, person, "because")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (RegisterPerson("ana", "Ana", make_default=True), "ana is registered and is asked by"),
        (RegisterPerson("ben", "Ben"), "ben is registered."),
        (RemovePerson("ben"), "ben is registered no more."),
        (ChooseDefault("ben"), "ben is the default person now."),
        (ChooseDefault(None), "There is no default person now."),
        (override(OverrideMode.TO, "ben"), "qa@my-rig asks ben from its next request on."),
        (override(OverrideMode.DENY), "qa@my-rig refuses every request from the next one on."),
        (override(OverrideMode.NONE), "qa@my-rig goes back to the default person."),
        (RevokeGrant(SEAT.seat_id, SEAT.seat_ref), "qa@my-rig is revoked: its runner now permits"),
    ],
)
def test_what_was_done_is_said_in_the_words_of_the_act(
    command: PeopleCommand | SeatCommand, words: str
) -> None:
    assert words in said(command)


@rule("A-28")
@pytest.mark.parametrize("mode", OverrideMode)
def test_setting_who_is_asked_says_that_open_asks_stay(mode: OverrideMode) -> None:
    assert "Asks that are open stay" in said(override(mode, "ben"))


@rule("T4-05")
def test_a_cleared_attention_is_never_called_an_answer() -> None:
    words = said(ClearAttention(SEAT.seat_id, SEAT.session_name, "seen"))
    assert words == ("The attention of qa@my-rig is cleared. Nothing was answered or cancelled.")


@rule("T7-22")
def test_seats_that_permit_after_a_change_of_people_are_named_apart() -> None:
    words = said(RemovePerson("ben"), ("a@r", BEN, ANA), ("b@r", BEN, NOBODY))
    assert "Who is asked has changed for a@r." in words
    assert "These PERMIT without asking now: b@r." in words


def test_many_changed_seats_are_counted_after_the_first_three() -> None:
    words = said(ChooseDefault("ben"), *((f"s{n}@r", ANA, BEN) for n in range(5)))
    assert "for s0@r, s1@r, s2@r and 2 more." in words


def test_text_from_outside_is_inert_in_every_verdict() -> None:
    command = RemovePerson("ben\x1b[2J")
    rejected = Rejected("odd", "no \x1b[2J")
    for verdict in (Done(), rejected, Unsent("\x1b[2J"), Unconfirmed("\x1b[2J")):
        words, severity = verdict_words(command, "remove ben\x1b[2J", verdict, FLEET)
        assert "\x1b" not in words
        assert (severity == "information") == isinstance(verdict, Done)
