"""Everything an operator can do has a command."""

from __future__ import annotations

import pytest

from rig_tui.actions.headless import ACTS, CONSOLE_ONLY, Headless
from rig_tui.actions.registry import ACTIONS
from rig_tui.cli import argv
from rig_tui.cli.commands import BY_NAME, COMMANDS, EVERYWHERE, OWN_COMMANDS
from rig_tui.cli.headless import COMMANDS as DONE_BY


def test_the_commands_do_every_action_of_the_registry_and_no_other() -> None:
    done = {action for command in COMMANDS for action in command.does}
    assert done | CONSOLE_ONLY == set(ACTIONS)
    assert not done & CONSOLE_ONLY


def test_only_what_reaches_neither_daemon_nor_agent_is_left_to_a_console() -> None:
    assert {ACTIONS[action].family for action in CONSOLE_ONLY} == {"view"}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_command_has_a_parser_of_its_own(
    command: Headless, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        argv.parse([*command.name.split(), "--help"])
    assert end.value.code == 0
    printed = capsys.readouterr().out
    for parameter in command.parameters:
        assert parameter.name in printed or parameter.metavar in printed


def test_what_acts_is_marked_as_acting_and_can_be_tried_dry() -> None:
    for command in ACTS:
        flags = {parameter.name for parameter in command.parameters}
        acts = command.acts or command.name == "who-is-asked"
        assert acts == ("--dry-run" in flags), command.name
        assert acts <= ("--json" in flags)


def test_every_command_of_an_operator_is_done_by_something() -> None:
    by_process = {"actions"} | {command.name for command in OWN_COMMANDS}
    assert set(DONE_BY) | by_process == set(BY_NAME)


def test_the_flags_for_every_command_are_those_that_are_taken_out() -> None:
    assert {each.name for each in EVERYWHERE} == set(argv._EVERYWHERE)
