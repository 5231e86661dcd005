from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.model import Cause, ClosedBy, RunnerPermit
from rig_tui.ui.present.glyphs import ASCII
from rig_tui.ui.present.permit import (
    log_note,
    permit_lines,
    permit_row,
    runner_permit_lines,
    runner_permit_row,
)
from tests.builders import NOON, a_permit, ago
from tests.present.oracle import check_row, check_safe, hostile, plain, roles_of
from tests.rules import rule


@rule("T7-20", "D7-49")
def test_a_permit_is_one_loud_line() -> None:
    text = permit_row(a_permit(), NOON, 120)
    assert text.plain.rstrip() == (
        "11:50:01  permitted by default  impl@my-rig  “Run tests” → Allow (allow once): "
        "no registered person when it asked"
    )
    assert roles_of(text, "permitted by default") == {"danger"}
    assert '"Run tests" -> Allow' in permit_row(a_permit(), NOON, 120, ASCII).plain


@rule("T7-20", "D7-49", "D7-15")
def test_a_permit_of_an_always_is_remembered_though_nobody_chose_it() -> None:
    permit = a_permit(option_name="Always", option_kind="allow_always", remembered=True)
    assert roles_of(permit_row(permit, NOON, 120), "remembered") == {"danger.strong"}
    assert "remembered by the harness though nobody chose it" in plain(permit_lines(permit, NOON))
    assert "remembered    no" in plain(permit_lines(a_permit(), NOON))


@rule("T7-20", "D7-53")
def test_gaps_of_an_older_record_are_not_recorded_never_not_remembered() -> None:
    old = a_permit(option_name=None, option_kind=None, remembered=None, turn_id=None)
    text = plain(permit_lines(old, NOON))
    assert "given         allow (kind not recorded) · id allow" in text
    assert "remembered    not recorded" in text
    assert "turn          not recorded" in text
    assert "allow (kind not recorded)" in permit_row(old, NOON, 120).plain


@rule("T7-20", "D7-49")
def test_every_field_of_a_record_is_shown() -> None:
    closed = ClosedBy("ana@external", "qitem-9", "drop")
    permit = a_permit(ask_id="qitem-1", cause="closed_without_choice", closed_by=closed)
    assert plain(permit_lines(permit, NOON)).splitlines() == [
        "Permitted by default: nobody chose it.",
        "when          11:50:01",
        "seat          impl@my-rig",
        "given         Allow (allow once) · id allow",
        "remembered    no",
        "because       closed without choosing",
        "closed by     ana@external, closed without choosing (drop), row qitem-9",
        "ask           qitem-1",
        "conversation  7f3a9c21",
        "turn          2",
        "request       3",
        "generation    gen-1",
        "",
        "Run tests   execute",
    ]
    assert "none was opened" in plain(permit_lines(a_permit(), NOON))
    assert "was cut for its size" in plain(permit_lines(a_permit(elided=True), NOON))


@pytest.mark.parametrize("cause", Cause)
def test_every_cause_has_words(cause: Cause) -> None:
    assert str(cause) not in permit_row(a_permit(cause=cause), NOON, 160).plain
    assert "a later cause" in permit_row(a_permit(cause="a later cause"), NOON, 160).plain


@rule("T7-28", "D7-58")
def test_what_a_runner_permits_by_itself_is_said() -> None:
    cause = RunnerPermit("1", ago(5), "impl@my-rig", "duplicate_request", "request 5", "POST /x")
    assert runner_permit_row(cause, NOON, 120).plain.rstrip() == (
        "11:59:55  the runner will have permitted this  impl@my-rig  duplicate_request: request 5"
    )
    text = plain(runner_permit_lines(cause, NOON))
    for words in ("impl@my-rig", "duplicate_request", "request 5", "POST /x", "11:59:55"):
        assert words in text
    assert "a seat that isn't known" in plain(
        runner_permit_lines(replace(cause, session_name=None), NOON)
    )


@rule("T7-20")
def test_the_log_says_what_it_cant_hold() -> None:
    assert "appear only in its pane" in plain(log_note())


@rule("T7-02")
@given(hostile, hostile, hostile, hostile, st.integers(20, 160))
@settings(max_examples=100)
def test_hostile_permits_are_inert_and_fit(a: str, b: str, c: str, d: str, width: int) -> None:
    permit = a_permit(
        session_name=a, cause=b, tool_call={"title": c, "kind": d}, option_id=a, option_name=b,
        option_kind=c, ask_id=d, native_ref=a, request_id=b, turn_id=c, generation=d,
        closed_by=ClosedBy(a, b, c),
    )  # fmt: skip
    cause = RunnerPermit(a, NOON, b, c, d, a)
    check_row(permit_row(permit, NOON, width), width)
    check_row(runner_permit_row(cause, NOON, width), width)
    check_safe(permit_lines(permit, NOON))
    check_safe(runner_permit_lines(cause, NOON))
