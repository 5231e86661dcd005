"""A badge explained, and a launch with what it can't do."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.actions.registry import ACTIONS
from rig_tui.domain.launching import Declaration, LaunchReport, Model, PresetFile
from rig_tui.domain.model import (
    Evidence,
    EvidenceKind,
    Identity,
    Launch,
    Reading,
    Seat,
)
from rig_tui.ui.present.badge import badge_lines
from rig_tui.ui.present.seat_launch import declaration_lines, launch_lines
from tests.builders import NOON, a_seat, ago, asking
from tests.present.oracle import check_safe, hostile, plain
from tests.rules import rule

NEVER_IDLE = "never makes a seat idle"


def badge(seat: Seat) -> str:
    return plain(badge_lines(seat, NOON))


def working(kind: EvidenceKind, detail: str = "") -> Seat:
    return a_seat(reading=Reading.WORKING, evidence=Evidence(kind, ago(5), ago(-10), detail))


@rule("T4-02", "T4-03")
@pytest.mark.parametrize(
    ("seat", "because", "after"),
    [
        (working(EvidenceKind.POST, "edit"), "its runner posted ‘edit’ at 11:59:55; a post counts "
         "for 15 s", "unknown, never idle, at 12:00:10"),
        (working(EvidenceKind.BEAT), "the turn is alive, not that it gets on",
         "unknown, never idle, at 12:00:10"),
        (a_seat(reading=Reading.WORKING, evidence=Evidence(EvidenceKind.SCREEN, ago(1))),
         "only its changing screen says so", "once the screen stands still"),
        (a_seat(), "its runner posted that it is idle at 11:59:55",
         "unknown at 12:00:55 unless another heartbeat comes"),
        (a_seat(evidence=Evidence(EvidenceKind.STOP, ago(60), None, "end_turn")),
         "the end of a turn ‘end_turn’ at 11:59:00", "it may be out of date"),
        (asking(a_seat()), "it asked for permission at 11:59:50",
         "until somebody clears it, which answers nothing"),
        (a_seat(reading=Reading.NEEDS_INPUT, evidence=Evidence(EvidenceKind.PROMPT, ago(3))),
         "refused a request itself", "time, beats and restarts don't end it"),
        (a_seat(reading=Reading.UNKNOWN, exited=True,
                evidence=Evidence(EvidenceKind.EXIT, ago(3), None, "dsh_exited")),
         "the agent's process ended ‘dsh_exited’", "until a newer post counts or the seat is"),
        (a_seat(reading=Reading.UNKNOWN, evidence=Evidence(EvidenceKind.LAUNCH, ago(3))),
         "its launch left no usable record", "unknown isn't idle"),
        (a_seat(reading=Reading.UNKNOWN, evidence=Evidence(at=ago(90))),
         "its last evidence, of 11:58:30, counts no longer", "unknown isn't idle"),
        (a_seat(reading=Reading.UNKNOWN, evidence=Evidence()),
         "nothing has been posted since it was launched", "unknown isn't idle"),
    ],
)  # fmt: skip
def test_a_badge_says_what_it_rests_on_and_what_comes_next(
    seat: Seat, because: str, after: str
) -> None:
    text = badge(seat)
    assert because in text
    assert after in text
    assert NEVER_IDLE in text


def test_the_heartbeat_is_said_with_and_without_one() -> None:
    assert "one every 30 s" in badge(a_seat())
    assert "none promised" in badge(a_seat(liveness_seconds=None))


@rule("T4-03")
def test_a_seat_without_a_runner_is_told_by_its_screen_which_never_says_idle() -> None:
    text = badge(a_seat(runner=False, reading=Reading.UNKNOWN, evidence=Evidence()))
    assert "a changing screen reads working, a still one unknown, never idle" in text


@rule("T2-01")
def test_the_declaration_is_shown_as_it_was_launched() -> None:
    launched = Declaration(runner=True, launch_result=True, resume=True, command="dsh acp",
                           maintainer="pat", limits=("no network",))  # fmt: skip
    seat = a_seat(declaration=launched, preset="dsh", limits=("no network", "fork unsupported"))
    text = plain(declaration_lines(seat))
    assert "runs as       runner, dsh" in text
    assert "launched as   runner, launch record, resumes" in text
    assert "command       dsh acp" in text
    assert text.count("no network") == 1
    assert "limit         fork unsupported" in text
    assert "applies at next launch" not in text
    changed = plain(declaration_lines(replace(seat, preset_file=PresetFile.CHANGED)))
    assert "applies at next launch" in changed
    assert text in changed.replace(_line(changed, "preset file"), "")


def _line(text: str, label: str) -> str:
    return next(f"{line}\n" for line in text.splitlines() if line.startswith(label))


@rule("T2-01")
@pytest.mark.parametrize(
    ("state", "words"),
    [
        (PresetFile.GONE, "is gone"),
        (PresetFile.UNUSABLE, "next launch would be refused"),
        (PresetFile.SAME, ""),
        (PresetFile.NONE, ""),
    ],
)
def test_what_became_of_the_presets_file_is_said(state: PresetFile, words: str) -> None:
    text = plain(declaration_lines(a_seat(preset_file=state)))
    assert words in text
    assert ("preset file" in text) is bool(words)


def test_a_plain_seat_is_called_plain() -> None:
    assert "runs as       plain seat" in plain(declaration_lines(a_seat(runner=False)))


@rule("T9-01")
def test_the_model_is_declared_and_what_is_in_effect_is_unknown() -> None:
    declared = plain(declaration_lines(a_seat(model=Model("haiku"))))
    assert "model         declared haiku, effective: unknown" in declared
    assert "model         effective: unknown" in plain(declaration_lines(a_seat()))


@rule("T9-03")
def test_guidance_a_launch_didnt_deliver_is_a_warning() -> None:
    seat = a_seat(warnings=("Its startup guidance was not delivered.",))
    text = plain(launch_lines(seat, NOON))
    assert "warning       Its startup guidance was not delivered." in text


def test_a_report_that_came_late_is_shown_and_changed_nothing() -> None:
    launch = Launch("a", "new", "none", ago(60), "no record within 60 s", (
        LaunchReport(ago(5), "7f3a", None, "dsh 2"),
        LaunchReport(ago(4), None, "gone", "", late=False),
    ))  # fmt: skip
    text = plain(launch_lines(a_seat(launch=launch, launch_attention=True), NOON))
    assert "no record within 60 s" in text
    assert "11:59:55, late: conversation 7f3a (dsh 2); it changed nothing" in text
    assert "11:59:56, after the first: an error: gone" in text


RESUMES = ["resumed", "missing", "unconfirmed", "mismatch", "not_started", "pending"]


@rule("T8-01", "T3-02")
@pytest.mark.parametrize("outcome", RESUMES)
def test_no_outcome_of_a_resume_offers_to_start_anew(outcome: str) -> None:
    launch = Launch("a", "resume", outcome, ago(9))
    text = plain(launch_lines(a_seat(launch=launch, identity=Identity("7f3a")), NOON)).lower()
    assert "7f3a, reported by the launcher" in text
    for offer in ("start new", "start a new", "start anew", "new conversation", "start over"):
        assert offer not in text
    labels = [action.label.lower() for action in ACTIONS.values()]
    assert not any("start" in label or "anew" in label for label in labels)


@rule("T7-02")
@given(hostile, hostile, hostile, st.sampled_from(EvidenceKind), st.sampled_from(Reading))
@settings(max_examples=60)
def test_hostile_texts_are_inert_in_a_badge_and_a_launch(
    a: str, b: str, c: str, kind: EvidenceKind, reading: Reading
) -> None:
    seat = a_seat(
        reading=reading,
        evidence=Evidence(kind, ago(1), None, a),
        launch=Launch(a, b, c, NOON, a, (LaunchReport(NOON, b, c, a),)),
        declaration=Declaration(command=a, maintainer=b, limits=(c,)),
        model=Model(a, b),
        warnings=(c,),
        identity=Identity(a, b),
        preset=c,
    )
    check_safe(badge_lines(seat, NOON))
    check_safe(launch_lines(seat, NOON))
    check_safe(declaration_lines(seat))
