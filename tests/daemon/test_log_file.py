import logging
import sys

from rig_tui.daemon.logfile import InertFormatter
from tests.rules import rule

FORGED = "seat\n2026-01-01 00:00:00 INFO forged: all is well\x1b[2J\u202e"


def written(words: str, *, failure: str | None = None) -> str:
    info = None
    if failure is not None:
        try:
            raise ValueError(failure)
        except ValueError:
            info = sys.exc_info()
    record = logging.LogRecord("daemon", logging.WARNING, "x.py", 1, "about %s", (words,), info)
    return InertFormatter("%(levelname)s %(name)s: %(message)s").format(record)


@rule("T7-02")
def test_a_message_is_one_line_whatever_names_it_holds() -> None:
    assert written(FORGED) == (
        r"WARNING daemon: about seat\x0a2026-01-01 00:00:00 INFO forged: all is well\x1b[2J\u202e"
    )


def test_what_a_failure_says_can_pass_for_no_record_either() -> None:
    first, *rest = written("x", failure=FORGED).split("\n")
    assert first == "WARNING daemon: about x"
    assert len(rest) > 2
    assert all(line.startswith("    ") for line in rest)
    assert rest[-1].endswith(r"all is well\x1b[2J\u202e")
