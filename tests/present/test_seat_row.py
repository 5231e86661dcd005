from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.model import (
    PRIMARY_USER,
    Asked,
    AskedMode,
    AskState,
    Evidence,
    EvidenceKind,
    Holder,
    HolderType,
    Launch,
    Reading,
    Seat,
    Sending,
    Sent,
)
from rig_tui.ui.present.glyphs import ASCII, UNICODE
from rig_tui.ui.present.seat import badge, glyph_of, group_heading, row_age, seat_row
from tests.builders import NOON, a_seat, ago, an_ask, asking, ended
from tests.present.oracle import check_row, hostile, roles_of
from tests.rules import rule

ANA = "ana@external"
PAT = Holder(HolderType.PERSON, "pat@external", "pat")


OLD = ("offline since 11:59", "offline 11:59", "offline")


def reads(reading: Reading, kind: EvidenceKind, seconds: float = 5, **changes: Any) -> Seat:
    evidence = Evidence(kind, ago(seconds), ago(-10), changes.pop("detail", ""))
    return a_seat(reading=reading, evidence=evidence, **changes)


def row(seat: Seat | None, ask: Any = None, width: int = 57, **options: Any) -> str:
    options.setdefault("operator", ANA)
    return seat_row(seat, ask, now=NOON, width=width, **options).plain.rstrip()


@rule("T4-01", "T4-02")
def test_each_reading_has_a_word_a_glyph_and_an_age() -> None:
    assert row(asking(a_seat(), 134), an_ask()) == (
        "◆ needs input builder@my-rig    edit          2m"
    )
    assert row(reads(Reading.WORKING, EvidenceKind.POST, 1, detail="search")) == (
        "● working     builder           search        1s"
    )
    assert (
        row(reads(Reading.WORKING, EvidenceKind.BEAT, 41))
        == "● working     builder           still alive  41s"
    )
    assert row(reads(Reading.IDLE, EvidenceKind.HEARTBEAT, 240)) == (
        "○ idle        builder                         4m"
    )
    assert row(reads(Reading.UNKNOWN, EvidenceKind.EXIT, 3700, exited=True)) == (
        "? unknown     builder           exited        1h"
    )
    assert (
        row(reads(Reading.UNKNOWN, EvidenceKind.POST, 16))
        == "? unknown     builder           quiet        16s"
    )


@rule("T4-01")
def test_the_four_readings_differ_without_colour_in_both_sets() -> None:
    for glyphs in (UNICODE, ASCII):
        for width in (57, 20):
            starts = {row(a_seat(reading=r), width=width, glyphs=glyphs)[:8] for r in Reading}
            assert len(starts) == 4
    assert {glyph_of(r, ASCII) for r in Reading} == {"!", "*", "-", "?"}
    assert badge(Reading.UNKNOWN)[0] != badge(Reading.IDLE)[0]


@rule("T4-02")
def test_idle_without_a_heartbeat_says_so() -> None:
    idle = a_seat(evidence=Evidence(EvidenceKind.STOP, ago(1320), None), liveness_seconds=None)
    assert row(idle) == "○ idle        builder           no beat      22m"


@rule("T4-03")
def test_a_beat_is_alive_never_the_work_it_was_at() -> None:
    seat = reads(Reading.WORKING, EvidenceKind.BEAT, detail="edit")
    assert "edit" not in row(seat)
    assert "still alive" in row(seat)


@rule("T7-16")
def test_what_somebody_else_holds_names_them() -> None:
    ask = an_ask(holder=PAT)
    assert row(asking(a_seat()), ask).endswith("2m → pat")
    assert row(asking(a_seat()), an_ask()).endswith("2m")
    assert "→ pat" in row(asking(a_seat()), ask, width=42)
    assert "->" in row(asking(a_seat()), ask, glyphs=ASCII)


def test_the_primary_user_sees_every_holder_but_dimly() -> None:
    text = seat_row(asking(a_seat()), an_ask(), now=NOON, width=57, operator=PRIMARY_USER)
    assert roles_of(text, "→ Ana") == {"dim"}
    text = seat_row(asking(a_seat()), an_ask(holder=PAT), now=NOON, width=57, operator=ANA)
    assert roles_of(text, "→ pat") == {"accent"}


@rule("T7-21")
def test_a_seat_that_permits_unasked_is_marked_in_the_warning_role() -> None:
    seat = a_seat(asked=Asked(AskedMode.PERMITS, because="no_registered_person"))
    text = seat_row(seat, None, now=NOON, width=57)
    assert roles_of(text, "permits") == {"danger"}
    refusing = a_seat(asked=Asked(AskedMode.REFUSES, because="denied_by_seat"))
    assert row(refusing).endswith("refuses")


def test_an_ended_ask_waits_for_its_pick_up() -> None:
    seat = asking(a_seat())
    assert "answered, not picked up yet" in row(seat, ended(an_ask()), width=120)
    assert "answered" in row(seat, ended(an_ask()))
    assert "permitted" in row(seat, ended(an_ask(), AskState.PERMITTED))
    assert row(seat, ended(an_ask())).endswith("1s")


def test_a_runner_that_posts_nothing_for_fifteen_seconds_is_flagged() -> None:
    late = ended(an_ask(), decided_at=ago(15))
    text = seat_row(asking(a_seat()), late, now=NOON, width=120)
    assert roles_of(text, "answered, not picked up!") == {"danger"}
    ahead = seat_row(asking(a_seat()), late, now=ago(10), offset=timedelta(seconds=10), width=120)
    assert "not picked up!" in ahead.plain
    withdrawn = ended(an_ask(), AskState.WITHDRAWN, decided_at=ago(15))
    assert "picked up" not in row(a_seat(), withdrawn, width=120)


def test_a_tool_that_is_used_after_a_no_is_pointed_out() -> None:
    text = seat_row(a_seat(), None, now=NOON, width=120, after_no="edit")
    assert roles_of(text, "edit, after a no") == {"accent"}


def test_what_nobody_answered_is_not_waited_for_any_more() -> None:
    for state in (AskState.STALE, AskState.WITHDRAWN):
        text = row(a_seat(), ended(an_ask(), state), width=120)
        assert state.value in text
        assert "picked up" not in text


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (Sending.SENDING, "sending…"),
        (Sending.UNSENT, "not sent"),
        (Sending.UNCONFIRMED, "unconfirmed"),
        (Sending.REJECTED, "edit"),
    ],
)
def test_the_row_follows_an_answer_on_its_way(state: Sending, words: str) -> None:
    sent = Sent("k", "Allow (allow once)", NOON, state)
    assert f" {words} " in row(asking(a_seat()), an_ask(), sent=sent)


@rule("T4-04")
def test_a_seat_that_works_on_while_its_ask_waits_keeps_its_own_badge() -> None:
    text = row(reads(Reading.WORKING, EvidenceKind.POST), an_ask())
    assert text == "● working     builder@my-rig    asks: edit    2m"


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("missing", "conversation missing"), ("unconfirmed", "resume unconfirmed"),
        ("mismatch", "other conversation"), ("not_started", "nothing started"),
        ("none", "no launch record"),
    ],
)  # fmt: skip
def test_a_launch_that_needs_attention_says_which(outcome: str, words: str) -> None:
    seat = reads(Reading.UNKNOWN, EvidenceKind.LAUNCH, launch_attention=True,
                 launch=Launch("a", "new", outcome))  # fmt: skip
    assert words in row(seat, width=100)


def test_an_ask_of_a_seat_nobody_listed_is_a_row_too() -> None:
    assert row(None, an_ask()) == "? not listed  builder@my-rig    edit          2m"


@rule("T7-27")
def test_with_the_link_down_every_row_looks_and_reads_as_old() -> None:
    for seat in (a_seat(), a_seat(evidence=Evidence())):
        fresh, stale = (seat_row(seat, None, now=NOON, width=57, old=old) for old in ((), OLD))
        assert "offline" in stale.plain
        assert fresh.plain != stale.plain
        assert "~" in stale.plain
        assert {str(span.style) for span in stale.spans} == {"dim"}


def test_an_act_that_isnt_confirmed_says_so_with_the_link_down_too() -> None:
    sent = Sent("k", "Allow", NOON, Sending.UNCONFIRMED)
    assert "unconfirmed" in row(asking(a_seat()), an_ask(), sent=sent, old=OLD)


def test_ages_are_right_aligned_and_columns_stay_put() -> None:
    rows = [
        row(reads(Reading.WORKING, EvidenceKind.POST, seconds)) for seconds in (1, 41, 4000, 99999)
    ]
    assert len({len(each) for each in rows}) == 1


def test_an_age_uses_the_daemons_clock() -> None:
    seat = reads(Reading.WORKING, EvidenceKind.POST, -300)
    assert row_age(seat, None, NOON) == "skew"
    assert row_age(seat, None, NOON, timedelta(seconds=310)) == "10s"
    assert row_age(None, None, NOON) == ""


@rule("T7-02")
def test_a_hostile_name_stays_inside_its_column() -> None:
    seat = a_seat("a\x1b[2J\u202e")
    assert r"a\x1b[2J\u202e" in row(seat)
    assert roles_of(seat_row(seat, None, now=NOON, width=57), r"\x1b") >= {"token"}
    assert r"\u05d0" in row(a_seat("א"))


evidences = st.builds(
    Evidence,
    st.sampled_from(EvidenceKind),
    st.one_of(st.none(), st.integers(-500, 10**8).map(ago)),
    st.one_of(st.none(), st.just(NOON)),
    hostile,
)
seats = st.builds(
    lambda name, rig, reading, evidence, mode, more: a_seat(
        name, rig, reading=reading, evidence=evidence, asked=Asked(mode, None, "x"), **more
    ),
    hostile, hostile, st.sampled_from(Reading), evidences, st.sampled_from(AskedMode),
    st.fixed_dictionaries(
        {"exited": st.booleans(), "launch_attention": st.booleans()},
        optional={"generation": st.none(), "launch": hostile.map(lambda o: Launch("a", "new", o))},
    ),
)  # fmt: skip
asks = st.builds(
    lambda kind, name, type_, state: replace(
        ended(an_ask(), state) if state is not AskState.PENDING else an_ask(),
        tool_call={"kind": kind},
        holder=Holder(type_, name, name),
        seat_ref=name,
    ),
    hostile, hostile, st.sampled_from(HolderType), st.sampled_from(AskState),
)  # fmt: skip


@rule("T7-02")
@given(
    st.one_of(st.none(), seats),
    st.one_of(st.none(), asks),
    st.integers(20, 160),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=100)
def test_any_row_fits_its_width_exactly(
    seat: Seat | None, ask: Any, width: int, stale: bool, ascii_: bool
) -> None:
    glyphs = ASCII if ascii_ else UNICODE
    check_row(
        seat_row(seat, ask, now=NOON, width=width, old=OLD if stale else (), glyphs=glyphs), width
    )


@given(hostile, st.integers(0, 9999), st.integers(12, 160), st.booleans())
@settings(max_examples=100)
def test_any_heading_fits_its_width_exactly(name: str, count: int, width: int, needs: bool) -> None:
    check_row(group_heading(name, count, width, needs_person=needs), width)


def test_headings_count_their_rows() -> None:
    assert group_heading("NEEDS A PERSON", 3, 40, needs_person=True).plain.rstrip() == (
        "NEEDS A PERSON  3"
    )
    assert group_heading("my-rig", 7, 40).plain.rstrip() == "my-rig  7 seats"
    assert group_heading("my-rig", 1, 40).plain.rstrip() == "my-rig  1 seat"
