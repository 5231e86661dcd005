"""Typing commands in this process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rig_tui.__main__ import main

if TYPE_CHECKING:
    import pytest


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit code, and what was printed on stdout and stderr."""
    try:
        code = main(arguments)
    except SystemExit as end:
        code = int(str(end.code))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """What a command that must succeed printed as JSON."""
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, ""), err
    assert "\x1b" not in out
    return json.loads(out)
