"""`rig-tui actions`: what a console can do, by which keys, and which command does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.headless import command_for
from rig_tui.actions.keymap import keymap_of
from rig_tui.actions.registry import ACTIONS, FAMILIES, key_words
from rig_tui.cli.commands import OWN_COMMANDS
from rig_tui.cli.printing import print_json, print_table

if TYPE_CHECKING:
    from rig_tui.actions.action import Action
    from rig_tui.actions.keys import Keymap
    from rig_tui.domain.model import JsonObject
    from rig_tui.settings import Settings


def print_actions(settings: Settings, *, as_json: bool) -> int:
    """Print every action; gives the exit code.

    Raises:
        SettingsError: A key can't be given to its action.
    """
    keymap = keymap_of(settings)
    if as_json:
        print_json([_row(action, keymap) for action in ACTIONS.values()])
        return 0
    print_table(
        ("ACTION", "KEYS", "COMMAND", "WHAT IT DOES"),
        (
            (
                action.id,
                " ".join(map(key_words, keymap.keys(action))),
                f"rig-tui {command}" if (command := command_name(action.id)) else "",
                action.help,
            )
            for family in FAMILIES
            for action in family.actions
        ),
        "",
    )
    return 0


def command_name(action_id: str) -> str | None:
    """The command that does an action; None where only a console can."""
    command = command_for(action_id)
    if command is None:
        command = next((each for each in OWN_COMMANDS if action_id in each.does), None)
    return command.name if command is not None else None


def _row(action: Action, keymap: Keymap) -> JsonObject:
    return {
        "id": action.id,
        "keys": [*keymap.keys(action)],
        "label": action.label,
        "help": action.help,
        "command": command_name(action.id),
    }
