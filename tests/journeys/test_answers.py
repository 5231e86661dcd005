"""One answer all the way: a key on a real terminal, and what the agent is given for it.

The daemon, the runner and the console are processes; nothing between them is a stand-in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.journeys import stage
from tests.journeys.stage import ALLOW, ALWAYS, NEVER, REJECT
from tests.journeys.terminal import READ
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.journeys.stage import Daemon, Runner
    from tests.journeys.terminal import Terminal

    StartRunner = Callable[..., Runner]
    StartConsole = Callable[..., Terminal]

STRIP = "This needs a second key"
SMALLEST = (40, 12)


@rule("D7-22", "D7-50")
@pytest.mark.parametrize(
    ("key", "option", "size"),
    [("a", ALLOW, (120, 40)), ("r", REJECT, (80, 24)), ("a", ALLOW, SMALLEST)],
    ids=["allow", "reject in a small window", "allow in the smallest"],
)
def test_one_key_gives_the_agent_its_own_option(
    daemon: Daemon,
    runner: StartRunner,
    console: StartConsole,
    key: str,
    option: dict[str, str],
    size: tuple[int, int],
) -> None:
    asking = runner(REJECT, ALLOW, ALWAYS)
    screen = console(size=size)
    screen.wait_for("armed ·", option["name"])

    screen.press(key)

    assert asking.got() == f"optionId={option['optionId']}"
    screen.wait_for("recorded by the daemon")
    if size != SMALLEST:
        screen.wait_for("the runner read it")
    ask = daemon.ask(asking.ask_id)
    assert (ask["state"], ask["optionId"]) == ("answered", option["optionId"])
    assert ask["decidedBy"] == "ana@external"
    assert ask["origin"]["program"] == "tui"
    assert ask["origin"]["pid"] == screen.process.pid
    assert daemon.permits(asking.seat) == []


@pytest.fixture(scope="module")
def open_console(daemon: Daemon) -> Iterator[Terminal]:
    screen = stage.console(daemon.folder, "--home", str(daemon.home))
    try:
        yield screen
    finally:
        screen.close()


@pytest.fixture
def screen(open_console: Terminal) -> Iterator[Terminal]:
    """A console that stays open from test to test, as one does on an operator's desk."""
    yield open_console
    print(open_console.picture())  # shown if the test fails
    open_console.press("escape")


def meet(runner: StartRunner, screen: Terminal, *options: dict[str, str]) -> Runner:
    """Have an ask arrive while the console is open, and go to it."""
    asking = runner(*options)
    screen.wait_for("1 needs you", asking.seat["seatRef"])
    screen.press("n")
    screen.wait_for(f"Ask 1 of 1 · {asking.seat['seatRef']}", "armed ·")
    return asking


@rule("D7-22", "T7-04")
def test_a_click_gives_the_option_it_hit_and_enter_on_a_fresh_screen_nothing(
    daemon: Daemon, runner: StartRunner, screen: Terminal
) -> None:
    asking = meet(runner, screen, ALLOW, REJECT)
    screen.press("enter")
    screen.press("?")
    screen.wait_for("Close without choosing.")  # the help: Enter has been dealt with
    screen.press("escape")
    screen.wait_without("Close without choosing.")
    screen.wait_for("armed ·")
    assert daemon.ask(asking.ask_id)["state"] == "pending"
    screen.click(REJECT["name"])
    assert asking.got() == f"optionId={REJECT['optionId']}"


@rule("D7-22", "T7-05")
def test_a_remembered_allow_takes_its_second_key(
    daemon: Daemon, runner: StartRunner, screen: Terminal
) -> None:
    asking = meet(runner, screen, ALLOW, ALWAYS, REJECT)
    screen.press("A")
    screen.wait_for(STRIP, "remembered by the agent's harness")
    assert daemon.ask(asking.ask_id)["state"] == "pending"

    screen.press("Y", READ)

    assert asking.got() == f"optionId={ALWAYS['optionId']}"
    assert daemon.ask(asking.ask_id)["remembered"] is True
    assert daemon.permits(asking.seat) == []


@rule("T7-05")
def test_a_remembered_allow_without_its_second_key_sends_nothing(
    daemon: Daemon, runner: StartRunner, screen: Terminal
) -> None:
    asking = meet(runner, screen, ALLOW, ALWAYS, REJECT)
    for other in ("A", "a", "y", "enter", "escape"):
        screen.wait_for("armed ·")
        screen.press("A")
        screen.wait_for(STRIP)
        screen.press(other)
        screen.wait_without(STRIP)
        screen.wait_for("not armed yet")
    screen.wait_for("armed ·")
    assert daemon.ask(asking.ask_id)["state"] == "pending"

    screen.press("r")

    # The daemon takes the first answer it gets: nothing came before this one.
    assert asking.got() == f"optionId={REJECT['optionId']}"


def test_pasted_text_answers_nothing(daemon: Daemon, runner: StartRunner, screen: Terminal) -> None:
    asking = meet(runner, screen, ALLOW, REJECT)
    screen.type("\x1b[200~a\x1b[201~")
    screen.wait_for("Pasted text answers nothing")
    screen.type("%a")
    screen.wait_for("looked like pasted text")
    assert daemon.ask(asking.ask_id)["state"] == "pending"
    screen.press("r")
    assert asking.got() == f"optionId={REJECT['optionId']}"


@rule("D7-24")
def test_a_deny_gives_the_agent_its_reject(runner: StartRunner, screen: Terminal) -> None:
    asking = meet(runner, screen, ALLOW, ALWAYS, REJECT)
    screen.press("d")
    assert asking.got() == f"optionId={REJECT['optionId']}"


@rule("D7-24", "D7-50")
def test_a_deny_without_a_reject_on_offer_cancels(
    daemon: Daemon, runner: StartRunner, screen: Terminal
) -> None:
    asking = meet(runner, screen, ALLOW, ALWAYS)
    screen.wait_for("No reject is offered: a deny cancels the request.")
    screen.press("d")
    assert asking.got() == "cancelled (said_no)"
    assert daemon.ask(asking.ask_id)["state"] == "refused"
    assert daemon.permits(asking.seat) == []


@rule("D7-24", "T7-05")
def test_a_deny_that_the_harness_would_remember_takes_its_second_key(
    runner: StartRunner, screen: Terminal
) -> None:
    asking = meet(runner, screen, ALLOW, NEVER)
    screen.press("d")
    screen.wait_for(STRIP)
    assert asking.waits()
    screen.press("Y", READ)
    assert asking.got() == f"optionId={NEVER['optionId']}"


@rule("D7-25", "D7-49")
def test_closing_without_choosing_permits_and_is_on_record_once(
    daemon: Daemon, runner: StartRunner, screen: Terminal
) -> None:
    asking = meet(runner, screen, REJECT, ALWAYS, ALLOW)
    screen.press("x")
    screen.wait_for("Close without choosing", f"PERMITS with ‘{ALLOW['name']}’")
    assert asking.waits()

    screen.press("Y", READ)

    assert asking.got() == f"optionId={ALLOW['optionId']}"
    ask = daemon.ask(asking.ask_id)
    assert (ask["state"], ask["optionId"]) == ("permitted", ALLOW["optionId"])
    [permit] = daemon.permits(asking.seat)
    assert permit["askId"] == asking.ask_id
    assert permit["cause"] == "closed_without_choice"
    assert permit["closedBy"]["actorSession"] == "ana@external"
    assert permit["closedBy"]["how"] == "drop"
    assert permit["option"] == {**ALLOW, "remembered": False}
    assert permit["toolCall"]["title"] == "Run the tests"
    screen.press("H")
    screen.wait_for("Permitted", ALLOW["name"])


@rule("D7-25")
def test_closing_where_no_allow_is_offered_refuses(
    daemon: Daemon, runner: StartRunner, screen: Terminal
) -> None:
    asking = meet(runner, screen, REJECT, NEVER)
    screen.wait_for("No allow is offered: closing without choosing refuses.")
    screen.press("x")
    screen.wait_for("close it as refused")
    screen.press("Y", READ)
    assert asking.got() == "cancelled (no_allow_offered)"
    assert daemon.permits(asking.seat) == []
