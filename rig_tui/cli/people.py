"""`rig-tui people add`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rig_tui.cli.printing import print_json
from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.commands import Done, RegisterPerson, Rejected, Unconfirmed, Unsent
from rig_tui.domain.inert import inert

if TYPE_CHECKING:
    import argparse

    from rig_tui.client.openrig import OpenRigBackend


async def add_person(backend: OpenRigBackend, given: argparse.Namespace, key: str) -> int:
    """Register a person and say what came of it."""
    command = RegisterPerson(
        entity_id=given.entity,
        display_name=given.name or given.entity,
        make_default=given.default,
        confirm=given.confirm,
    )
    match await backend.send(command, key):
        case Done():
            _say_done(command, as_json=given.as_json)
            return 0
        case Rejected() as rejected:
            _complain(f"{command.entity_id} wasn't registered: {rejected.message}")
            for seat_ref, _, then in rejected.changes:
                _complain(f"  {seat_ref} would then permit: {cause_in_words(then.because)}")
            if rejected.reason == "would_permit":
                _complain("  use --default to ask this person, or --confirm to go on all the same")
            return 6
        case Unsent(cause):
            _complain(f"nothing was sent: {cause}")
            return 5
        case Unconfirmed(cause):
            _complain(
                f"{cause}. Whether {command.entity_id} was registered isn't known: look again"
            )
            return 7


def _say_done(command: RegisterPerson, *, as_json: bool) -> None:
    if as_json:
        print_json({"entityId": command.entity_id, "default": command.make_default})
        return
    default = ", asked by default" if command.make_default else ""
    sys.stdout.write(f"Registered {inert(command.entity_id)}{default}.\n")


def _complain(text: str) -> None:
    sys.stderr.write(f"rig-tui: {inert(text)}\n")
