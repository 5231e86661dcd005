"""Pictures of what has been: the record's views, and a seat's story."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rig_tui.domain.events import LinkLost
from rig_tui.domain.history import EndedAsk
from rig_tui.domain.launching import Declaration, Model, PresetFile
from rig_tui.domain.model import (
    AskState,
    Fleet,
    Grant,
    Holder,
    HolderType,
    Identity,
    Launch,
    Origin,
    Outcome,
    Override,
    OverrideMode,
    Row,
)
from rig_tui.domain.timeline import SeatEvent
from rig_tui.ui import themes
from rig_tui.ui.present.glyphs import ASCII
from tests.builders import (
    ALWAYS,
    NOON,
    REJECT,
    a_fleet,
    a_permit,
    a_seat,
    ago,
    an_ask,
    asking,
    ended,
    live_link,
)
from tests.domain.test_ledger import answered, unchosen
from tests.fake_record import FakeRecord, as_ended
from tests.rules import rule
from tests.screens.looks import SIZES, Compare
from tests.screens.scenes import INVOICE, day
from tests.ui.console import MIDDLE, TINY, WIDE

ASKS, RUNNERS, LEDGER = ("H", "tab", "tab"), ("H", "tab", "tab", "tab"), ("H", "shift+tab")


def a_record() -> FakeRecord:
    """A morning on record: answers, a reply in words, what was remembered, what ended."""
    said = Outcome(AskState.PERMITTED, "allow", "allow_once", False, said="looks fine, I think")
    seat = Holder(HolderType.SEAT, "review@my-rig", "review@my-rig")
    ana = Holder(HolderType.PERSON, "ana@external", "Ana")
    rows = (
        Row("a", ana, "handed-off", "ana@external", "handoff", ago(900)),
        Row("b", seat, "done", "review@my-rig", "done", ago(840)),
    )
    over = [
        ended(an_ask("e1", tool_call=INVOICE), decided_at=ago(30), read_at=ago(29),
              origin=Origin("tui", 4711, "/dev/pts/3")),
        ended(an_ask("e2", "qa"), AskState.REFUSED, decided_at=ago(200), decided_how="no",
              outcome=Outcome(AskState.REFUSED, reason="said_no")),
        ended(an_ask("e3", "docs"), outcome=said, decided_how="words", decided_at=ago(500)),
        ended(an_ask("e4", "impl", rows=rows), AskState.PERMITTED, decided_by="review@my-rig",
              decided_how="done", decided_at=ago(840)),
        ended(an_ask("e5", "docs"), AskState.WITHDRAWN, decided_by=None, decided_how=None,
              decided_at=ago(3000), outcome=Outcome(AskState.WITHDRAWN, reason="turn_ended")),
        ended(an_ask("e6", "ops-2", "ops"), AskState.STALE, decided_by=None, decided_how=None,
              decided_at=ago(90_000)),
    ]  # fmt: skip
    kept = answered(an_ask("e7", options=(ALWAYS, REJECT)), "always", "allow_always",
                    decided_at=ago(60))  # fmt: skip
    world = day()
    return FakeRecord(
        [*world.permits, unchosen(4), unchosen(5, session_name="qa@my-rig")],
        [*map(as_ended, over), EndedAsk(as_ended(kept.ask).sort_key, kept.ask)],
        [*world.runner_permits],
    )


@rule("T7-20")
@pytest.mark.parametrize("size", SIZES)
def test_the_permits(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("H", "down"), record=a_record())


def test_a_permit_has_the_whole_of_a_small_screen(looks: Compare) -> None:
    assert looks(day(), TINY, ("H", "enter"), record=a_record())


@rule("T7-20")
@pytest.mark.parametrize("size", SIZES)
def test_what_was_remembered_though_nobody_chose_it(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("H", "tab"), record=a_record())


@pytest.mark.parametrize("size", SIZES)
def test_asks_that_have_ended(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ASKS, record=a_record())


def test_an_ask_an_agent_closed_with_its_chain(looks: Compare) -> None:
    assert looks(day(), MIDDLE, (*ASKS, *["down"] * 4, "enter"), record=a_record())


@rule("T7-28")
def test_what_runners_will_have_permitted(looks: Compare) -> None:
    assert looks(day(), MIDDLE, RUNNERS, record=a_record())


@pytest.mark.parametrize("size", SIZES)
def test_the_ledger(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, LEDGER, record=a_record())


def test_the_permits_without_colours_in_ascii(looks: Compare) -> None:
    setup = {"theme": themes.MONO.name, "glyphs": ASCII}
    assert looks(day(), MIDDLE, ("H",), record=a_record(), **setup)


def test_nothing_on_record(looks: Compare) -> None:
    assert looks(a_fleet(a_seat()), MIDDLE, ("H",))


def test_a_record_narrowed_to_one_seat(looks: Compare) -> None:
    assert looks(day(), MIDDLE, ("H", "f"), record=a_record())


@pytest.mark.parametrize("size", SIZES)
def test_narrowing_the_record(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("H", "slash"), record=a_record())


def test_the_record_of_a_daemon_that_is_gone(looks: Compare) -> None:
    gone = (LinkLost("connection refused", NOON, ago(-5)),)
    assert looks(day(), MIDDLE, ("H",), gone, record=a_record())


def a_story() -> Fleet:
    """One seat with everything that can be known of it, and an ask that waits."""
    seat = asking(
        a_seat(
            identity=Identity("7f3a9c21", "dsh-seat 0.3.0"),
            launch=Launch("att-1", "resume", "resumed", ago(4000)),
            preset="dsh",
            preset_file=PresetFile.CHANGED,
            declaration=Declaration(
                runner=True, launch_result=True, resume=True, passes_model=True,
                command="dsh acp --seat", maintainer="pat", limits=("no network",),
            ),
            model=Model("haiku"),
            limits=("fork unsupported",),
            warnings=("Its startup guidance was not delivered.",),
            grant=Grant("grant"),
            override=Override(OverrideMode.TO, "ana", "on call", "ana@external", ago(7200)),
            last_error="provider: overloaded",
        ),
        134,
    )  # fmt: skip
    link = live_link(capabilities=live_link().capabilities | {"timeline", "grants"})
    return a_fleet(seat, an_ask(tool_call=INVOICE), a_permit(1), link=link)


def a_log() -> FakeRecord:
    entries = [
        ("launch", "resume", None, None, 4000),
        ("launch", "resumed", None, None, 3990),
        ("override", "to ana", "ana@external", "on call", 3600),
        ("post", "UserPromptSubmit/accepted", None, None, 300),
        ("post", "PreToolUse/edit", None, None, 290),
        ("refused", "active/liveness", None, "beat_outside_turn", 280),
        ("error", "RuntimeError/provider", None, "not_activity", 250),
        ("permit", "Allow", None, "no_registered_person", 240),
        ("cleared", "permission", "ana@external", "seen", 200),
        ("ask", "Edit src/billing/invoice.py", None, None, 134),
        ("handoff", "review@my-rig", "ana@external", "please look", 120),
        ("handoff", "ana@external", "ana@external", "taken back", 90),
    ]
    return FakeRecord(
        seat_events=[
            SeatEvent(f"{number:06}", ago(seconds), kind, what, by, reason)
            for number, (kind, what, by, reason, seconds) in enumerate(entries)
        ]
    )


@rule("T2-01", "T3-01", "T4-09", "T9-01", "T9-03")
@pytest.mark.parametrize("size", SIZES)
def test_a_seats_story(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(a_story(), size, ("i",), record=a_log())


@rule("T4-06")
@pytest.mark.parametrize("size", SIZES)
def test_a_seats_timeline(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(a_story(), size, ("i", "tab", *["down"] * 5), record=a_log())


def test_an_entry_has_the_whole_of_a_small_screen(looks: Compare) -> None:
    assert looks(a_story(), TINY, ("i", "tab", "enter"), record=a_log())


def test_a_daemon_without_timelines(looks: Compare) -> None:
    assert looks(day(), WIDE, ("i",))


@rule("T3-02")
@pytest.mark.parametrize(
    "outcome", ["reported", "none", "unconfirmed", "missing", "mismatch", "not_started"]
)
def test_each_outcome_of_a_launch(looks: Compare, outcome: str) -> None:
    kind = "new" if outcome in ("reported", "none") else "resume"
    seat = a_seat(
        launch=Launch("att-1", kind, outcome, ago(40)),
        launch_attention=outcome != "reported",
        identity=None if outcome == "none" else Identity("7f3a9c21", "dsh-seat 0.3.0"),
    )
    assert looks(replace(a_fleet(seat)), MIDDLE, ("j", "i"))


@rule("T4-08")
@pytest.mark.parametrize("size", SIZES)
def test_revoking_a_grant(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(a_story(), size, ("i", "G"), record=a_log())
