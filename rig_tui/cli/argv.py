"""The command line as values.

argparse is imported only when there is a subcommand to read: a bare `rig-tui` has a
first frame to draw.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rig_tui.settings import Overrides, SettingsError, actor

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_EVERYWHERE = ("--url", "--home", "--as", "--token-file")
_EPILOG = """\
before and after any command:
  --url URL           the daemon to use
  --home DIR          the home whose daemon to use
  --as PERSON         who acts: an entity id, or human@host
  --token-file FILE   the operator token for --url

without a command: the console itself

exit codes: 0 done, 1 failed, 2 usage or settings or no terminal, 3 withdrawn or stale,
4 already answered, 5 no daemon reachable, 6 refused or not allowed here, 7 outcome not
known, 8 timed out
"""


def split(arguments: Sequence[str]) -> tuple[Overrides, list[str]]:
    """Take out the flags that may stand before or after a command.

    Raises:
        SettingsError: One of them lacks its value or can't be used.
    """
    found: dict[str, str] = {}
    rest: list[str] = []
    remaining = iter(arguments)
    for argument in remaining:
        flag, equals, value = argument.partition("=")
        if argument == "--":
            rest.extend((argument, *remaining))
        elif flag not in _EVERYWHERE:
            rest.append(argument)
        else:
            given = value if equals else next(remaining, "")
            if not given or (not equals and given.startswith("--")):
                raise SettingsError(f"{flag} wants a value")
            found[flag] = given
    return (
        Overrides(
            url=found.get("--url"),
            home=_path(found.get("--home")),
            token_file=_path(found.get("--token-file")),
            acting_as=actor(found["--as"], "--as") if "--as" in found else None,
        ),
        rest,
    )


def _path(text: str | None) -> Path | None:
    return Path(text).expanduser() if text is not None else None


def parse(rest: Sequence[str]) -> argparse.Namespace:
    """Read a command and its own flags; usage errors and help end the process."""
    import argparse

    parser = argparse.ArgumentParser(
        prog="rig-tui",
        description="A terminal console for the people who operate AI-agent seats.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("demo", help="try it: a daemon and scripted seats that end with it")
    _daemon(
        commands.add_parser(
            "daemon", help="serve a home, or start, stop and watch that", allow_abbrev=False
        )
    )
    for name, help_text in (
        ("seats", "every seat and what it reads"),
        ("asks", "every permission request that waits for a person"),
    ):
        listing = commands.add_parser(name, help=help_text, allow_abbrev=False)
        listing.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
    config = commands.add_parser(
        "config", help="every setting and where it came from", allow_abbrev=False
    )
    config.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
    receipts = commands.add_parser(
        "receipts", help="what this console sent, and what became of it", allow_abbrev=False
    )
    receipts.add_argument("id", nargs="?", metavar="ID", help="an act's or an ask's id")
    receipts.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
    _people(commands.add_parser("people", help="who can be asked"))
    return parser.parse_args(rest)


def _daemon(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "act",
        nargs="?",
        choices=("start", "status", "stop", "logs"),
        help="without one, serve in the foreground",
    )
    parser.add_argument("--port", type=_port, default=0, help="0 picks a free one")
    parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
    parser.add_argument("--force", action="store_true", help="stop: also while asks are pending")
    parser.add_argument("--lines", type=int, default=100, help="logs: how many lines")
    parser.add_argument(
        "--allow-host", action="append", default=[], help="another Host name to answer to"
    )
    parser.add_argument(
        "--launch-wait", type=float, default=60.0, help="seconds a launch record may take"
    )
    parser.add_argument(
        "--options-max",
        type=int,
        choices=range(4, 10),
        default=4,
        metavar="N",
        help="ask a person about requests with up to N options, 4 to 9; more are permitted unseen",
    )


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise ValueError(text)
    return port


def _people(parser: argparse.ArgumentParser) -> None:
    acts = parser.add_subparsers(dest="act", metavar="add", required=True)
    add = acts.add_parser("add", help="register a person who can be asked", allow_abbrev=False)
    add.add_argument("entity", metavar="ENTITY", help="the entity id, such as ana")
    add.add_argument("--name", help="the name to show")
    add.add_argument("--default", action="store_true", help="ask this person by default")
    add.add_argument(
        "--confirm", action="store_true", help="also when seats would then permit without asking"
    )
    add.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
