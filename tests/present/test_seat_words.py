from dataclasses import replace
from datetime import timedelta
from itertools import product

import pytest
from hypothesis import given, settings

from rig_tui.domain.asked import cause_in_words, who_is_asked
from rig_tui.domain.model import (
    Asked,
    AskedMode,
    Cause,
    Evidence,
    EvidenceKind,
    Grant,
    Identity,
    Launch,
    Override,
    OverrideMode,
    People,
    Reading,
    Seat,
)
from rig_tui.ui.present.seat_detail import asked_line, reading_line, seat_lines
from tests.builders import ANA, BEN, NOON, a_seat, ago, asking
from tests.present.oracle import check_safe, hostile, plain, roles_of
from tests.rules import rule

NOW = timedelta()
PEOPLE = People((ANA, BEN), "ana")


def read(seat: Seat) -> str:
    return reading_line(seat, NOON, NOW).plain


def whole(seat: Seat, people: People = PEOPLE) -> str:
    return plain(seat_lines(seat, NOON, NOW, people))


OVERRIDES = {
    "none": Override(),
    "to": Override(OverrideMode.TO, "ben", "knows the code", "ana@external", ago(60)),
    "dangling": Override(OverrideMode.TO, "gone", "was here"),
    "deny": Override(OverrideMode.DENY, None, "frozen", "ana@external"),
}


@rule("T7-21", "D7-14")
@pytest.mark.parametrize(
    ("people", "default", "override"),
    list(product([0, 1, 2], [None, "ana", "gone"], OVERRIDES)),
)
def test_the_standing_line_says_who_is_asked_and_why(
    people: int, default: str | None, override: str
) -> None:
    registered = People((BEN, ANA)[:people][::-1], default)
    chosen = OVERRIDES[override]
    asked = who_is_asked(registered, chosen)
    seat = a_seat(asked=asked, override=chosen)
    text = asked_line(seat, registered)
    assert text.plain.startswith("builder@my-rig ")
    assert cause_in_words(asked.because) in text.plain
    if asked.mode is AskedMode.PERSON:
        assert f" asks {asked.person} (" in text.plain.replace("Ana", "ana").replace("Ben", "ben")
        assert not {"danger", "danger.strong"} & {str(span.style) for span in text.spans}
    elif asked.mode is AskedMode.REFUSES:
        assert "REFUSES ALL requests" in text.plain
    else:
        assert "PERMITS ALL requests without asking, because " in text.plain
        assert roles_of(text, "PERMITS ALL") == {"danger.strong"}


def test_the_words_of_the_standing_line() -> None:
    assert asked_line(a_seat(), PEOPLE).plain == "builder@my-rig asks ana (default person)"
    chosen = a_seat(asked=Asked(AskedMode.PERSON, "ben", "chosen_for_seat"),
                    override=OVERRIDES["to"])  # fmt: skip
    assert asked_line(chosen, PEOPLE).plain == (
        "builder@my-rig asks ben (chosen for this seat: knows the code)"
    )
    unasked = a_seat(asked=Asked(AskedMode.PERMITS, because=Cause.SEVERAL_AND_NO_DEFAULT))
    assert asked_line(unasked, PEOPLE).plain == (
        "builder@my-rig PERMITS ALL requests without asking, because several people are "
        "registered and none is the default"
    )
    assert (
        "reason not given"
        in asked_line(a_seat(asked=Asked(AskedMode.PERSON, "ana", "")), PEOPLE).plain
    )


@rule("T4-02")
def test_each_reading_states_its_evidence_its_age_and_its_end() -> None:
    assert read(asking(a_seat(), 134)) == (
        "needs input since 11:57:46, 2m 14s ago (ask opened), "
        "until its runner posts again or somebody clears it"
    )
    assert read(a_seat()) == ("idle since 11:59:55, 5s ago (idle heartbeat), counts until 12:00:55")
    beat = Evidence(EvidenceKind.BEAT, ago(41), ago(-19))
    assert read(a_seat(reading=Reading.WORKING, evidence=beat)) == (
        "working since 11:59:19, 41s ago (beat: alive, not progress), counts until 12:00:19"
    )
    stop = Evidence(EvidenceKind.STOP, ago(60), None, "end_turn")
    assert read(a_seat(evidence=stop)) == (
        "idle since 11:59:00, 1m ago (its turn ended: end_turn), no heartbeat: may be out of date"
    )
    assert read(a_seat(reading=Reading.UNKNOWN, evidence=Evidence())) == "unknown (no evidence)"


@rule("T4-07")
def test_an_exit_is_said_and_never_idle() -> None:
    gone = a_seat(
        reading=Reading.UNKNOWN, exited=True, evidence=Evidence(EvidenceKind.EXIT, ago(5))
    )
    assert read(gone) == "agent exited, state unknown since 11:59:55, 5s ago"


@pytest.mark.parametrize("kind", EvidenceKind)
def test_every_evidence_has_words(kind: EvidenceKind) -> None:
    assert kind in (EvidenceKind.EXIT,) or "(" in read(a_seat(evidence=Evidence(kind, ago(1))))


def test_a_future_instant_is_a_clock_skew_not_a_negative_age() -> None:
    seat = a_seat(evidence=Evidence(EvidenceKind.POST, ago(-300)))
    assert "clock skew: dated 5m ahead of the daemon's clock" in read(seat)
    assert "clock skew: its runner's clock is 90s ahead of the daemon's" in whole(
        a_seat(clock_skew_seconds=90.0)
    )
    assert "clock skew" not in whole(a_seat(clock_skew_seconds=1.0))


@rule("T3-01", "D3-03")
def test_a_conversation_is_reported_by_the_launcher_never_observed() -> None:
    text = whole(a_seat(identity=Identity("7f3a", "launcher 2")))
    assert "conversation  7f3a, reported by the launcher (launcher 2)" in text
    assert "observed" not in text
    assert "verified" not in text


@rule("T3-02")
@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("reported", "launch        ready (new"),
        ("none", "needs attention: no launch record"),
        ("unconfirmed", "needs attention: resume unconfirmed; its conversation is kept"),
        ("missing", "needs attention: the conversation is missing; nothing was started"),
        ("mismatch", "needs attention: a different conversation was opened; not switched to it"),
        ("not_started", "needs attention: nothing was started"),
        ("later word", "launch        later word"),
    ],
)
def test_launch_outcomes_are_in_words(outcome: str, words: str) -> None:
    assert words in whole(a_seat(launch=Launch("a1", "new", outcome, ago(9))))


def test_attention_without_a_launch_has_its_cause_too() -> None:
    assert "needs attention: no launch record" in whole(a_seat(launch_attention=True))


@rule("T4-09")
def test_where_posts_come_from_is_said() -> None:
    assert "attributed" in whole(a_seat())
    assert "authenticated by a grant" in whole(a_seat(grant=Grant("grant")))
    assert "revoked at 11:59:00" in whole(a_seat(grant=Grant("grant", ago(60))))


def test_notices_errors_overrides_and_limits_are_listed() -> None:
    text = whole(
        a_seat(
            notices=("Requests of this seat can't be shown.",),
            last_error="boom\x1b",
            override=OVERRIDES["to"],
            limits=("no network",),
            preset="dsh",
        )
    )
    assert "Requests of this seat can't be shown." in text
    assert r"last error: boom\x1b" in text
    assert "set to ask ben by ana@external at 11:59:00: knows the code" in text
    assert "limit         no network" in text
    assert "runner, dsh" in text
    assert "model         effective: unknown" in text


@rule("T7-02")
@given(hostile, hostile, hostile, hostile)
@settings(max_examples=60)
def test_hostile_texts_are_inert_in_a_seats_lines(a: str, b: str, c: str, d: str) -> None:
    seat = replace(
        a_seat(a, b, notices=(c,), last_error=d, runtime=a, preset=b, limits=(c,), generation=d),
        session_name=a,
        session_status=b,
        evidence=Evidence(EvidenceKind.POST, ago(1), None, c),
        identity=Identity(d, a),
        launch=Launch(a, b, c),
        override=Override(OverrideMode.TO, a, b, c),
        asked=Asked(AskedMode.PERSON, d, a),
    )
    check_safe(seat_lines(seat, NOON, NOW, PEOPLE))
    check_safe(asked_line(replace(seat, asked=Asked(AskedMode.PERMITS, None, b)), PEOPLE))
