"""What this console sent, as its journal has it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rig_tui.cli.printing import print_json, print_table
from rig_tui.domain.inert import inert

if TYPE_CHECKING:
    from rig_tui.client.receipts import Journal
    from rig_tui.domain.model import JsonObject

_BRIEF = ("sentAt", "seat", "label", "how", "verdict", "state", "id")
_NONE = "nothing was sent yet"


def print_receipts(journal: Journal, named: str | None, *, as_json: bool) -> int:
    """Print every receipt, or those of one act or ask; gives the exit code."""
    try:
        found, damaged = journal.read()
    except OSError as error:
        sys.stderr.write(f"rig-tui: the receipts can't be read: {inert(str(error))}\n")
        return 1
    if damaged:
        sys.stderr.write(f"rig-tui: {damaged} damaged line(s) in {journal.path} were left out\n")
    if named is not None:
        found = [each for each in found if named in (each.get("id"), each.get("askId"))]
        if not found:
            sys.stderr.write(f"rig-tui: no receipt of {inert(named)} in {journal.path}\n")
            return 1
    if as_json:
        print_json([*found])
    elif named is None:
        print_table(_BRIEF, [[_word(each, name) for name in _BRIEF] for each in found], _NONE)
    else:
        for each in found:
            print_table(("", ""), [(name, _word(each, name)) for name in each if name != "v"], "")
    return 0


def _word(receipt: JsonObject, name: str) -> str:
    value = receipt.get(name)
    if name == "verdict" and value is None:
        return "not known: the console ended before it was told"
    return "" if value is None else str(value)
