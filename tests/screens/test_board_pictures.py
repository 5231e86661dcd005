"""A picture of each state an operator can be in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rig_tui.domain import select
from rig_tui.domain.events import (
    AskChanged,
    AskClosed,
    AskOpened,
    FleetRead,
    LinkDoubted,
    LinkLost,
    LinkMade,
    LinkRefused,
)
from rig_tui.domain.model import (
    Asked,
    AskedMode,
    AskState,
    Cause,
    Fleet,
    Holder,
    HolderType,
    Option,
    Outcome,
    People,
    Sending,
    Sent,
)
from rig_tui.ui import themes
from rig_tui.ui.present.glyphs import ASCII
from tests.builders import (
    ALLOW,
    ALWAYS,
    NEVER,
    NOON,
    REJECT,
    a_fleet,
    a_permit,
    a_seat,
    ago,
    an_ask,
    asking,
    ended,
)
from tests.fakes import as_read
from tests.fixtures import AcpRequest, acp_requests
from tests.rules import rule
from tests.screens.looks import SIZES, Compare
from tests.screens.scenes import day
from tests.ui.console import MIDDLE, TINY, WIDE


@rule("T4-01")
@pytest.mark.parametrize("size", SIZES)
def test_an_ask_in_a_busy_fleet(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size)


@rule("T4-01")
@pytest.mark.parametrize("size", SIZES)
def test_the_seats(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("escape", "j", "j", "j", "j"))


@pytest.mark.parametrize("size", SIZES)
def test_a_long_command(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("n",))


@rule("T4-07")
def test_an_exited_seat_explained(looks: Compare) -> None:
    assert looks(day(), WIDE, ("escape", *"jjjjjjjj"))


def test_a_terminal_that_speaks_ascii(looks: Compare) -> None:
    assert looks(day(), MIDDLE, ("escape",), glyphs=ASCII)


def test_nobody_needs_you(looks: Compare) -> None:
    assert looks(a_fleet(a_seat(), a_seat("docs")), WIDE)


def test_a_new_ask_beside_the_shown_one(looks: Compare) -> None:
    assert looks(day(), MIDDLE, events=(AskOpened(an_ask("q9", "impl", version=9)),))


def test_too_small_to_answer(looks: Compare) -> None:
    assert looks(day(), (38, 10), ("a",))


@rule("T7-17")
@pytest.mark.parametrize("state", list(AskState)[1:])
def test_how_an_ask_ended(looks: Compare, state: AskState) -> None:
    over = ended(an_ask(), state)
    if state is AskState.PERMITTED:
        over = replace(over, decided_how="drop")
    if state is AskState.REFUSED:
        over = replace(over, outcome=Outcome(state, reason="said_no"), decided_how="deny")
    if state in (AskState.WITHDRAWN, AskState.STALE):
        over = replace(over, decided_by=None, decided_how=None,
                       outcome=Outcome(state, reason="turn_ended"))  # fmt: skip
    fleet = a_fleet(asking(a_seat()), an_ask())
    assert looks(fleet, MIDDLE, events=(AskClosed(over),))


def test_an_answer_with_its_receipt(looks: Compare) -> None:
    sent = Sent("k", "Allow (allow once)", ago(1), Sending.DONE)
    over = ended(an_ask())
    fleet = a_fleet(asking(a_seat()), over, an_ask("two", "qa"))
    assert looks(replace(fleet, sent={over.ask_id: sent}), WIDE, ("k",))


@rule("T7-27")
@pytest.mark.parametrize("size", SIZES)
def test_the_daemon_is_gone(looks: Compare, size: tuple[int, int]) -> None:
    lost = LinkLost("connection refused", NOON, ago(-8))
    assert looks(day(), size, events=(lost,))


def test_the_link_is_stale(looks: Compare) -> None:
    assert looks(day(), WIDE, events=(LinkDoubted("it was silent for 20 s", ago(20)),))


@rule("T7-02")
def test_an_ask_that_has_changed_since_it_was_opened(looks: Compare) -> None:
    fleet = day()
    ask = select.first_ask(fleet)
    assert ask is not None
    again = "The agent sent this request again with other content."
    changed = replace(ask, notices=(again,), options=(ALLOW, REJECT), version=999)
    assert looks(fleet, MIDDLE, events=(AskChanged(changed),))


def test_what_changed_while_the_daemon_was_away(looks: Compare) -> None:
    before = day()
    first, second, *_ = before.asks.values()
    made, read = as_read(before)
    assert isinstance(made, LinkMade)
    assert isinstance(read, FleetRead)
    later = replace(
        read,
        seats=(*read.seats[:-1], a_seat("night", "ops")),
        asks=(ended(first), second, an_ask("late", "docs", opened_at=ago(3))),
        permits=(a_permit(99), *read.permits),
        version=9,
    )
    lost = LinkLost("connection refused", ago(400), ago(390))
    assert looks(before, WIDE, ("L",), events=(lost, replace(made, at=NOON), later))


@rule("T7-03")
def test_odd_options(looks: Compare) -> None:
    options = (
        Option("1", "Reject", "allow_once"),
        Option("2", "Allow for good", "allow_persistent"),
        Option("3", "No", "reject_once"),
        Option("4", "", None),
    )
    assert looks(a_fleet(an_ask(options=options)), WIDE)


@rule("T7-03")
def test_only_always_can_be_allowed(looks: Compare) -> None:
    assert looks(a_fleet(an_ask(options=(ALWAYS, NEVER))), MIDDLE)


@rule("T7-16")
def test_an_agent_seat_holds_it(looks: Compare) -> None:
    holder = Holder(HolderType.SEAT, "review@my-rig", "review@my-rig")
    assert looks(a_fleet(an_ask(holder=holder)), MIDDLE)


@rule("T7-02")
def test_hostile_text_is_inert(looks: Compare) -> None:
    tool_call = {
        "title": "Read a\x1b[2J\x1b[HAllow? [b]safe[/b] \u202etxt.exe",
        "kind": "\x9b31m",
        "rawInput": {"command": "echo 'a\u200bb'\r\nrm -rf /\t# [red]x[/red]"},
    }
    options = (Option("a", "Allow\x1b]0;owned\x07", "allow_once"), REJECT)
    assert looks(a_fleet(an_ask(tool_call=tool_call, options=options)), MIDDLE)


READ_BY = {MIDDLE: 3, TINY: 20}
"""Pages that bring the end of the call into a window this small."""


@pytest.mark.parametrize("size", SIZES)
def test_a_remembered_kind_asks_twice(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, (*["space"] * READ_BY.get(size, 0), "A"))


@pytest.mark.parametrize("size", SIZES)
def test_an_answer_that_is_held(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("r",), hold=1000.0)


def test_reading_on_comes_before_allowing(looks: Compare) -> None:
    assert looks(day(), MIDDLE, ("a",))


@pytest.mark.parametrize("size", SIZES)
def test_the_chooser(looks: Compare, size: tuple[int, int]) -> None:
    options = (
        ALLOW,
        Option("b", "Allow for this command and everything that starts with it", "allow_once"),
        ALWAYS,
        REJECT,
    )
    assert looks(a_fleet(an_ask(options=options)), size, ("l", "enter"))


@rule("T7-08")
@pytest.mark.parametrize("size", SIZES)
def test_closing_without_choosing(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("x",))


@pytest.mark.parametrize("size", SIZES)
def test_clearing_attention(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("c",))


@rule("T7-23")
@pytest.mark.parametrize("size", SIZES)
def test_the_first_run(looks: Compare, size: tuple[int, int]) -> None:
    permits = Asked(AskedMode.PERMITS, because=Cause.NO_REGISTERED_PERSON)
    fleet = a_fleet(a_seat(asked=permits), a_seat("qa", asked=permits), people=People())
    assert looks(fleet, size, fleet=Fleet())


@pytest.mark.parametrize("size", SIZES)
def test_help(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("question_mark",))


@pytest.mark.parametrize("size", SIZES)
def test_the_link(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("L",))


@pytest.mark.parametrize("size", SIZES)
def test_the_palette(looks: Compare, size: tuple[int, int]) -> None:
    assert looks(day(), size, ("colon",))


@pytest.mark.parametrize("size", SIZES)
def test_no_daemon(looks: Compare, size: tuple[int, int]) -> None:
    tried = (
        "nothing answers. Tried: the default home (no operator-endpoint.json there); "
        "OpenRig's endpoint file (none); OpenRig's default port (127.0.0.1:7433, refused)"
    )
    assert looks(None, size, events=(LinkLost(tried, NOON, ago(-4)),))


def test_a_wrong_token(looks: Compare) -> None:
    refused = "the daemon refused the token; it was looked for in operator-endpoint.json"
    assert looks(None, MIDDLE, events=(LinkRefused(refused, NOON, ago(-30)),))


@pytest.mark.parametrize("request_", acp_requests(), ids=lambda request: request.name)
def test_what_real_agents_ask(looks: Compare, request_: AcpRequest) -> None:
    options = tuple(Option(o["optionId"], o["name"], o["kind"]) for o in request_.options)
    ask = an_ask(tool_call=request_.tool_call, options=options, native_ref=request_.native_ref)
    assert looks(a_fleet(asking(a_seat()), ask), MIDDLE, theme=themes.DARK.name)
