"""The console with one fault built in: its help fails, in somebody's hostile words."""

import sys

from rig_tui.__main__ import main
from rig_tui.ui.screens import reading

SECRET = "secret-in-a-local"


def broken_help(*_: object) -> None:
    token = SECRET
    raise RuntimeError(f"broken \x1b]0;owned\x07\u202e by {len(token)}")


if __name__ == "__main__":
    reading.HelpScreen.__init__ = broken_help  # type: ignore[method-assign, assignment]
    sys.exit(main())
