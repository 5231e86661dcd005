"""One answer all the way: a key on a real terminal, and what the agent is given for it.

The daemon, the runner and the console are processes; nothing between them is a stand-in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.journeys.stage import ALLOW, ALWAYS, NEVER, REJECT
from tests.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable

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


@rule("D7-22", "T7-04")
def test_a_click_gives_the_option_it_hit_and_enter_on_a_fresh_screen_nothing(
    daemon: Daemon, runner: StartRunner, console: StartConsole
) -> None:
    asking = runner(ALLOW, REJECT)
    screen = console()
    screen.wait_for("armed ·")
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
    daemon: Daemon, runner: StartRunner, console: StartConsole
) -> None:
    asking = runner(ALLOW, ALWAYS, REJECT)
    screen = console()
    screen.wait_for("armed ·")
    screen.press("A")
    screen.wait_for(STRIP, "remembered by the agent's harness")
    assert daemon.ask(asking.ask_id)["state"] == "pending"

    screen.press("Y")

    assert asking.got() == f"optionId={ALWAYS['optionId']}"
    assert daemon.ask(asking.ask_id)["remembered"] is True
    assert daemon.permits(asking.seat) == []


@rule("T7-05")
def test_a_remembered_allow_without_its_second_key_sends_nothing(
    daemon: Daemon, runner: StartRunner, console: StartConsole
) -> None:
    asking = runner(ALLOW, ALWAYS, REJECT)
    screen = console()
    for other in ("A", "a", "y", "enter", "escape"):
        screen.wait_for("armed ·")
        screen.press("A")
        screen.wait_for(STRIP)
        screen.press(other)
        screen.wait_without(STRIP)
    screen.wait_for("armed ·")
    assert daemon.ask(asking.ask_id)["state"] == "pending"

    screen.press("r")

    # The daemon takes the first answer it gets: nothing came before this one.
    assert asking.got() == f"optionId={REJECT['optionId']}"


def test_pasted_text_answers_nothing(
    daemon: Daemon, runner: StartRunner, console: StartConsole
) -> None:
    asking = runner(ALLOW, REJECT)
    screen = console()
    screen.wait_for("armed ·")
    screen.type("\x1b[200~a\x1b[201~")
    screen.wait_for("Pasted text answers nothing")
    screen.type("za")
    screen.wait_for("looked like pasted text")
    assert daemon.ask(asking.ask_id)["state"] == "pending"
    screen.press("r")
    assert asking.got() == f"optionId={REJECT['optionId']}"


@rule("D7-24")
def test_a_deny_gives_the_agent_its_reject(runner: StartRunner, console: StartConsole) -> None:
    asking = runner(ALLOW, ALWAYS, REJECT)
    screen = console()
    screen.wait_for("armed ·")
    screen.press("d")
    assert asking.got() == f"optionId={REJECT['optionId']}"


@rule("D7-24", "D7-50")
def test_a_deny_without_a_reject_on_offer_cancels(
    daemon: Daemon, runner: StartRunner, console: StartConsole
) -> None:
    asking = runner(ALLOW, ALWAYS)
    screen = console()
    screen.wait_for("armed ·", "No reject is offered: a deny cancels the request.")
    screen.press("d")
    assert asking.got() == "cancelled (said_no)"
    assert daemon.ask(asking.ask_id)["state"] == "refused"
    assert daemon.permits(asking.seat) == []


@rule("D7-24", "T7-05")
def test_a_deny_that_the_harness_would_remember_takes_its_second_key(
    runner: StartRunner, console: StartConsole
) -> None:
    asking = runner(ALLOW, NEVER)
    screen = console()
    screen.wait_for("armed ·")
    screen.press("d")
    screen.wait_for(STRIP)
    assert asking.waits()
    screen.press("Y")
    assert asking.got() == f"optionId={NEVER['optionId']}"


@rule("D7-25", "D7-49")
def test_closing_without_choosing_permits_and_is_on_record_once(
    daemon: Daemon, runner: StartRunner, console: StartConsole
) -> None:
    asking = runner(REJECT, ALWAYS, ALLOW)
    screen = console()
    screen.wait_for("armed ·")
    screen.press("x")
    screen.wait_for("Close without choosing", f"PERMITS with ‘{ALLOW['name']}’")
    assert asking.waits()

    screen.press("Y")

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
    daemon: Daemon, runner: StartRunner, console: StartConsole
) -> None:
    asking = runner(REJECT, NEVER)
    screen = console()
    screen.wait_for("armed ·", "No allow is offered: closing without choosing refuses.")
    screen.press("x")
    screen.wait_for("close it as refused")
    screen.press("Y")
    assert asking.got() == "cancelled (no_allow_offered)"
    assert daemon.permits(asking.seat) == []
